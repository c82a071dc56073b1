"""Set-wise static exchange evaluation: which of all moves gain at least so much? The answer of `see`.

Most moves are decided by whole sets. Who goes where the enemy does not attack keeps what he takes; who takes
something dear enough may be taken himself; who goes where a pawn takes him for too little has lost. The few
that are still open are played out, one after another, looking from their square in all directions at once.

Promotions are to queens.
"""

from typing import NamedTuple

from numba import types

from bluekrait.core.board import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, piece_on
from bluekrait.core.compiler.jit import board_type, boolean, inline, int64, internal, uint64
from bluekrait.core.generators.dirgolem.directions import CAPTURE, ENEMY_CAPTURE
from bluekrait.core.generators.dirgolem.movers import movers_of, origin_of_bit
from bluekrait.core.generators.dirgolem.sight import by_line, fill, leap, roads_over, sight_type, step
from bluekrait.core.generators.dirgolem.targets import Targets, targets_type
from bluekrait.core.generators.dirgolem.vectors import (
    LANES,
    Vector,
    filled,
    spread,
    union,
    vector,
    vector_kernel,
    vector_type,
)
from bluekrait.core.rules.bits import EMPTY, RANK_8, S8, U64, enemy_pawn_captures, lowest_bit
from bluekrait.core.rules.see import VALUES, least_valuable

_LANE_NUMBERS = vector(*range(LANES))


class Verdict(NamedTuple):
    """What whole sets tell of some moves: that these have won, and that those may win."""

    won: Vector
    open: Vector


verdict_type = types.NamedUniTuple(vector_type, 2, Verdict)


@internal(targets_type(board_type, sight_type, targets_type, int64))
def winners(board, sight, moves, threshold):
    """The moves that win at least `threshold` centipawns; all of them must be legal."""
    movers = movers_of(board, sight, moves)
    safe = ~(exposed(board, sight) | sight.attacked)
    special = movers.pawns & (board.en_passant | RANK_8)
    pawns = verdict(board, sight, movers.pawns & ~special, VALUES[PAWN], safe, threshold)
    knights = verdict(board, sight, movers.knights, VALUES[KNIGHT], spread(~sight.attacked), threshold)
    bishops = verdict(board, sight, movers.bishops, VALUES[BISHOP], safe, threshold)
    rooks = verdict(board, sight, movers.rooks, VALUES[ROOK], safe, threshold)
    queens = verdict(board, sight, movers.queens, VALUES[QUEEN], safe, threshold)
    castlings = board.own if threshold <= 0 else EMPTY
    king = (gains(board, sight, threshold) & ~board.own) | castlings  # he never goes where he is attacked

    won = pawns.won | bishops.won | rooks.won | queens.won | (movers.king & king)
    still_open = special | pawns.open | bishops.open | rooks.open | queens.open
    won = won | played_out(board, sight, KING, still_open, threshold)
    return Targets(won, knights.won | played_out(board, sight, KNIGHT, knights.open, threshold))


@vector_kernel(vector_type(board_type, sight_type))
def exposed(board, sight):
    """Where our pieces are still attacked from behind when they go on in the direction of the attack."""
    enemy = sight.occupied & ~board.own
    threats = fill(by_line(board.orthogonals & enemy, board.diagonals & enemy), sight.roads)
    return fill(threats & board.own, sight.roads)


@vector_kernel(verdict_type(board_type, sight_type, vector_type, int64, vector_type, int64))
def verdict(board, sight, moves, value, safe, threshold):
    """What whole sets tell of the moves of pieces of a value, to squares of which some are safe."""
    promising = moves & gains(board, sight, threshold)
    won = promising & (safe | gains(board, sight, threshold + value))
    guarded = enemy_pawn_captures(board.pawns & ~board.own)
    lost = guarded & ~gains(board, sight, threshold + value - VALUES[PAWN])
    return Verdict(won, promising & ~won & ~lost)


@inline(uint64(board_type, sight_type, int64))
def gains(board, sight, least):
    """The squares, whosever they are, where as much stands as is asked for."""
    bishops, rooks = board.diagonals & ~board.orthogonals, board.orthogonals & ~board.diagonals
    squares = ~sight.occupied if least <= 0 else EMPTY
    squares |= board.pawns if least <= VALUES[PAWN] else EMPTY
    squares |= board.knights if least <= VALUES[KNIGHT] else EMPTY
    squares |= bishops if least <= VALUES[BISHOP] else EMPTY
    squares |= rooks if least <= VALUES[ROOK] else EMPTY
    squares |= board.diagonals & board.orthogonals if least <= VALUES[QUEEN] else EMPTY
    return squares


@vector_kernel(vector_type(board_type, sight_type, int64, vector_type, int64))
def played_out(board, sight, kind, moves, threshold):
    """Those of some moves, of knights or of other pieces, that win when both sides go on capturing."""
    won = spread(EMPTY)
    for direction in range(LANES):
        targets, winning = moves[direction], EMPTY
        while targets:
            target = lowest_bit(targets)
            targets ^= target
            origin = origin_of_bit(sight.occupied, kind, direction, target)
            winning |= target if wins(board, sight.occupied, origin, target, threshold) else EMPTY
        won = won | (winning & ~filled(_LANE_NUMBERS ^ U64(direction)))
    return won


@internal(boolean(board_type, uint64, uint64, uint64, int64))
def wins(board, occupied, origin, target, threshold):
    """True if a move wins so much; the way of `see.see_at_least`, but without its tables."""
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
    """The pieces of both sides that attack a square, some of which may have left the board."""
    here = spread(square)
    sliders = fill(here, roads_over(~occupied)) & by_line(board.orthogonals, board.diagonals)
    pawns = (CAPTURE & board.pawns & ~board.own) | (ENEMY_CAPTURE & board.pawns & board.own)
    return union(sliders | (step(here) & (pawns | board.kings)) | (leap(here) & board.knights))
