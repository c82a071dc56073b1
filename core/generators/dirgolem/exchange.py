"""Set-wise static exchange evaluation: which of all moves win a given amount? The answers are those of `see`.

Most moves are decided as whole sets. A piece that moves to a square that is not attacked keeps what it
captures; a capture that wins enough is good even if the piece is lost; a piece that a pawn can capture for
too little loses. The others are played out one by one, with the attackers of their square found in all
directions at once.

Promotions are to queens.
"""

from typing import NamedTuple

from numba import types

from bluekrait.core.board import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, piece_on
from bluekrait.core.compiler.jit import board_type, boolean, inline, int64, internal, uint64
from bluekrait.core.generators.dirgolem.directions import CAPTURE, ENEMY_CAPTURE
from bluekrait.core.generators.dirgolem.moves_by_piece import moves_by_piece, origin_of_bit
from bluekrait.core.generators.dirgolem.targets import Targets, targets_type
from bluekrait.core.generators.dirgolem.threats import (
    by_line,
    fill,
    leap,
    propagators_over,
    step,
    threats_type,
)
from bluekrait.core.generators.dirgolem.vectors import (
    LANES,
    Vector,
    broadcast,
    filled,
    union,
    vector,
    vector_kernel,
    vector_type,
)
from bluekrait.core.rules.bits import EMPTY, RANK_8, S8, U64, enemy_pawn_captures, lowest_bit
from bluekrait.core.rules.see import VALUES, least_valuable

_LANE_NUMBERS = vector(*range(LANES))


class Decision(NamedTuple):
    """Of some moves, those that win for certain, and those that are not decided yet."""

    won: Vector
    open: Vector


decision_type = types.NamedUniTuple(vector_type, 2, Decision)


@internal(targets_type(board_type, threats_type, targets_type, int64))
def winners(board, threats, moves, threshold):
    """The moves that win at least `threshold` centipawns; all of them must be legal."""
    by_piece = moves_by_piece(board, threats, moves)
    safe = ~(exposed(board, threats) | threats.attacked)
    special = by_piece.pawns & (board.en_passant | RANK_8)
    pawns = decide(board, threats, by_piece.pawns & ~special, VALUES[PAWN], safe, threshold)
    knights = decide(
        board, threats, by_piece.knights, VALUES[KNIGHT], broadcast(~threats.attacked), threshold
    )
    bishops = decide(board, threats, by_piece.bishops, VALUES[BISHOP], safe, threshold)
    rooks = decide(board, threats, by_piece.rooks, VALUES[ROOK], safe, threshold)
    queens = decide(board, threats, by_piece.queens, VALUES[QUEEN], safe, threshold)
    castlings = board.own if threshold <= 0 else EMPTY
    king = (gains(board, threats, threshold) & ~board.own) | castlings  # never to an attacked square

    won = pawns.won | bishops.won | rooks.won | queens.won | (by_piece.king & king)
    still_open = special | pawns.open | bishops.open | rooks.open | queens.open
    won = won | exchange_winners(board, threats, KING, still_open, threshold)
    return Targets(won, knights.won | exchange_winners(board, threats, KNIGHT, knights.open, threshold))


@vector_kernel(vector_type(board_type, threats_type))
def exposed(board, threats):
    """Squares where our pieces are still attacked, because they move along the line of the attack."""
    enemy = threats.occupied & ~board.own
    slider_rays = fill(by_line(board.orthogonals & enemy, board.diagonals & enemy), threats.propagators)
    return fill(slider_rays & board.own, threats.propagators)


@vector_kernel(decision_type(board_type, threats_type, vector_type, int64, vector_type, int64))
def decide(board, threats, moves, value, safe, threshold):
    """Decide the moves of pieces of a value, to squares of which some are safe."""
    promising = moves & gains(board, threats, threshold)
    won = promising & (safe | gains(board, threats, threshold + value))
    guarded = enemy_pawn_captures(board.pawns & ~board.own)
    lost = guarded & ~gains(board, threats, threshold + value - VALUES[PAWN])
    return Decision(won, promising & ~won & ~lost)


@inline(uint64(board_type, threats_type, int64))
def gains(board, threats, least):
    """The squares, empty or of either side, whose content has at least a value."""
    bishops, rooks = board.diagonals & ~board.orthogonals, board.orthogonals & ~board.diagonals
    squares = ~threats.occupied if least <= 0 else EMPTY
    squares |= board.pawns if least <= VALUES[PAWN] else EMPTY
    squares |= board.knights if least <= VALUES[KNIGHT] else EMPTY
    squares |= bishops if least <= VALUES[BISHOP] else EMPTY
    squares |= rooks if least <= VALUES[ROOK] else EMPTY
    squares |= board.diagonals & board.orthogonals if least <= VALUES[QUEEN] else EMPTY
    return squares


@vector_kernel(vector_type(board_type, threats_type, int64, vector_type, int64))
def exchange_winners(board, threats, kind, moves, threshold):
    """Of some moves of knights or of other pieces, those that win when both sides keep capturing."""
    won = broadcast(EMPTY)
    for direction in range(LANES):
        targets, winning = moves[direction], EMPTY
        while targets:
            target = lowest_bit(targets)
            targets ^= target
            origin = origin_of_bit(threats.occupied, kind, direction, target)
            winning |= target if wins(board, threats.occupied, origin, target, threshold) else EMPTY
        won = won | (winning & ~filled(_LANE_NUMBERS ^ U64(direction)))
    return won


@internal(boolean(board_type, uint64, uint64, uint64, int64))
def wins(board, occupied, origin, target, threshold):
    """True if a move wins so much, as in `see.see_at_least`, but without attack tables."""
    mover, won = VALUES[piece_on(board, origin)], VALUES[piece_on(board, target)]
    occupied = (occupied & ~origin) | target
    standing = mover
    if origin & board.pawns and target & RANK_8:
        standing = VALUES[QUEEN]
    if origin & board.pawns and target & board.en_passant:
        won = VALUES[PAWN]
        occupied &= ~(target >> S8)
    surplus = won + standing - mover - threshold  # beyond the goal of the side that moved last
    if surplus < 0:
        return False
    mover_wins, side = True, ~board.own
    while True:
        attackers = attackers_of(board, target, occupied) & occupied
        takers = attackers & side
        surplus = standing - surplus - 1
        if takers == EMPTY or surplus < 0:
            return mover_wins
        piece, taker = least_valuable(board, takers)
        if piece == KING and attackers & ~side:
            return mover_wins
        standing, mover_wins, side = VALUES[piece], not mover_wins, ~side
        occupied ^= taker


@vector_kernel(uint64(board_type, uint64, uint64))
def attackers_of(board, square, occupied):
    """The pieces of both sides that attack a square; some of them may have left the board."""
    here = broadcast(square)
    sliders = fill(here, propagators_over(~occupied)) & by_line(board.orthogonals, board.diagonals)
    pawns = (CAPTURE & board.pawns & ~board.own) | (ENEMY_CAPTURE & board.pawns & board.own)
    return union(sliders | (step(here) & (pawns | board.kings)) | (leap(here) & board.knights))
