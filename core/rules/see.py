"""Static exchange evaluation (SEE): what a move wins, if both sides keep capturing on its square.

Each side captures with its least valuable piece, and stops when capturing would lose. Pins are ignored; a
king captures only if no enemy piece attacks the square.
"""

import numpy as np
from numba import types

from bluekrait.core.board import BISHOP, KING, KNIGHT, NONE, PAWN, QUEEN, ROOK, all_pieces
from bluekrait.core.compiler.jit import board_type, boolean, inline, int64, internal, kernel, uint32, uint64
from bluekrait.core.move import (
    CASTLING,
    EN_PASSANT,
    captured_of,
    kind_of,
    origin_of,
    piece_of,
    promotion_of,
    target_of,
)
from bluekrait.core.rules.attacks import bishop_attacks, king_attacks, knight_attacks, rook_attacks
from bluekrait.core.rules.bits import EMPTY, S8, U64, bit_of, enemy_pawn_captures, lowest_bit, pawn_captures

# By piece code, in centipawns: what pieces are worth in an exchange. The king is never traded.
VALUES = np.array([0, 100, 320, 0, 20_000, 330, 500, 950], np.int64)

code_and_bit = types.Tuple((int64, uint64))


@inline(int64(int64))
def worth(piece):
    """The value of a piece by its code, in centipawns; nothing is worth nothing."""
    return VALUES[U64(piece)]


@kernel(boolean(board_type, uint32, int64), forceinline=True)
def see_at_least(board, move, threshold):
    """True if the exchange that a move begins wins at least `threshold` centipawns for the mover.

    Most are decided by the first two captures. That is part of each caller: to call it with a board takes
    longer than to decide it.
    """
    if kind_of(move) == CASTLING:
        return threshold <= 0
    standing = promotion_of(move) if promotion_of(move) != NONE else piece_of(move)
    # What the side that moved last has won beyond its goal: the threshold, or for the enemy one less.
    surplus = worth(captured_of(move)) + worth(standing) - worth(piece_of(move)) - threshold
    if surplus < 0:
        return False
    if surplus >= worth(standing):  # enough even if the piece that moved is lost
        return True
    return wins_exchange(board, move, standing, surplus)


@internal(boolean(board_type, uint32, int64, int64))
def wins_exchange(board, move, standing, surplus):
    """True if the mover keeps enough of the surplus, when both sides go on to capture on the target."""
    square = U64(target_of(move))
    occupied = (all_pieces(board) & ~bit_of(U64(origin_of(move)))) | bit_of(square)
    if kind_of(move) == EN_PASSANT:
        occupied &= ~(bit_of(square) >> S8)
    diagonals = board.diagonals & ~bit_of(square)
    orthogonals = board.orthogonals & ~bit_of(square)
    attackers = attackers_of(board, square, occupied)
    mover_wins, own_turn = True, False
    while True:
        attackers &= occupied
        own_attackers = attackers & (board.own if own_turn else ~board.own)
        if own_attackers == EMPTY:
            return mover_wins
        surplus = worth(standing) - surplus - 1
        if surplus < 0:  # not enough even if the piece that captures is not lost
            return mover_wins
        standing, attacker = least_valuable(board, own_attackers)
        if standing == KING and attackers & ~own_attackers:
            return mover_wins
        mover_wins, own_turn = not mover_wins, not own_turn
        occupied ^= attacker
        # Sliders behind the attacker attack the square now (x-rays).
        attackers |= bishop_attacks(square, occupied) & diagonals
        attackers |= rook_attacks(square, occupied) & orthogonals


@inline(uint64(board_type, uint64, uint64))
def attackers_of(board, square, occupied):
    """The pieces of both sides that attack a square, given what is in the way of sliders."""
    place = bit_of(square)
    return (
        (pawn_captures(place) & board.pawns & ~board.own)
        | (enemy_pawn_captures(place) & board.pawns & board.own)
        | (knight_attacks(square) & board.knights)
        | (king_attacks(square) & board.kings)
        | (bishop_attacks(square, occupied) & board.diagonals)
        | (rook_attacks(square, occupied) & board.orthogonals)
    )


@inline(code_and_bit(board_type, uint64))
def least_valuable(board, pieces):
    """Code and place of the least valuable of some pieces."""
    if pieces & board.pawns:
        return PAWN, lowest_bit(pieces & board.pawns)
    if pieces & board.knights:
        return KNIGHT, lowest_bit(pieces & board.knights)
    if pieces & board.diagonals & ~board.orthogonals:
        return BISHOP, lowest_bit(pieces & board.diagonals & ~board.orthogonals)
    if pieces & board.orthogonals & ~board.diagonals:
        return ROOK, lowest_bit(pieces & board.orthogonals & ~board.diagonals)
    if pieces & board.diagonals:
        return QUEEN, lowest_bit(pieces & board.diagonals)
    return KING, pieces
