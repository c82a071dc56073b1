"""Which moves give check, before they are made."""

from typing import NamedTuple

from numba import types

from bluekrait.core.board import BISHOP, KNIGHT, NONE, PAWN, ROOK
from bluekrait.core.compiler.jit import board_type, boolean, inline, uint32, uint64
from bluekrait.core.move import piece_of, promotion_of, target_of
from bluekrait.core.rules.attacks import bishop_attacks, knight_attacks, rook_attacks
from bluekrait.core.rules.bits import EMPTY, U64, bit_of, enemy_pawn_captures, lowest_square
from bluekrait.core.rules.legality import legality_type


class CheckingSquares(NamedTuple):
    """From where a piece of each kind attacks the enemy king."""

    pawn: int
    knight: int
    diagonal: int
    orthogonal: int


checking_squares_type = types.NamedUniTuple(uint64, 4, CheckingSquares)


@inline(checking_squares_type(board_type, legality_type))
def checking_squares(board, state):
    """The squares from which a piece of each kind attacks the enemy king."""
    king = board.kings & state.enemy
    square = lowest_square(king)
    return CheckingSquares(
        enemy_pawn_captures(king),
        knight_attacks(square),
        bishop_attacks(square, state.occupied),
        rook_attacks(square, state.occupied),
    )


@inline(boolean(checking_squares_type, uint32))
def gives_check(squares, move):
    """True if a move gives direct check; discovered checks are not found.

    A queen's code has the bits of both sliders. If and elif would become a table of jumps, which is slower.
    """
    piece = promotion_of(move)
    if piece == NONE:
        piece = piece_of(move)
    reach = squares.pawn if piece == PAWN else EMPTY
    reach |= squares.knight if piece == KNIGHT else EMPTY
    reach |= squares.diagonal if piece & BISHOP == BISHOP else EMPTY
    reach |= squares.orthogonal if piece & ROOK == ROOK else EMPTY
    return reach & bit_of(U64(target_of(move))) != EMPTY
