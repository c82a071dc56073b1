"""Game phase, and the scale factor of an advantage: how likely it is to win the endgame."""

from numba import types

from bluekrait.core.compiler.jit import boolean, inline, int64, uint64
from bluekrait.core.rules.bits import (
    DARK_SQUARES,
    EMPTY,
    LIGHT_SQUARES,
    NOT_FILE_A,
    NOT_FILE_H,
    ONE,
    U64,
    popcount,
)
from bluekrait.search.evaluation.classical.king_and_pawn import is_king_and_pawn, wins_with_pawn
from bluekrait.search.evaluation.classical.side_pieces import side_type, turned_side
from bluekrait.search.evaluation.classical.tapered import FULL_PHASE, FULL_SCALE

MINOR, ROOK, QUEEN = 3, 5, 9  # values for counting material

# Scales, in 64ths, by what the stronger side has left.
NEVER_WON, HARDLY_WON = 0, 6
FIRST_PAWN, EACH_PAWN = 44, 5
OPPOSITE_BISHOPS, OPPOSITE_BISHOPS_AND_PIECES = 26, 52

# The corner where rook pawns promote, with the squares beside it: a8, b8, a7, b7; and on the other wing.
A8_CORNER, H8_CORNER = U64(0x0303 << 48), U64(0xC0C0 << 48)


@inline(int64(uint64))
def number(word):
    """The number of bits as a signed integer."""
    return int64(popcount(word))


@inline(int64(side_type, side_type))
def phase_of(side, enemy):
    """The game phase: 0 without pieces, FULL_PHASE with all of them; pawns do not count."""
    minors = number(side.knights | side.bishops | enemy.knights | enemy.bishops)
    rooks, queens = number(side.rooks | enemy.rooks), number(side.queens | enemy.queens)
    return min(FULL_PHASE, minors + 2 * rooks + 4 * queens)


@inline(types.UniTuple(int64, 2)(side_type, side_type))
def scales_of(side, enemy):
    """The scale factors of the side to move and of its enemy."""
    return scale_of(side, enemy, True), scale_of(turned_side(enemy), turned_side(side), False)


@inline(int64(side_type, side_type, boolean))
def scale_of(side, enemy, is_to_move):
    """The scale factor, in 64ths, of a side that is ahead. A pawn more never makes it smaller."""
    if is_king_and_pawn(side, enemy):
        return FULL_SCALE if wins_with_pawn(side, enemy, is_to_move) else NEVER_WON
    if is_corner_held(side, enemy):
        return NEVER_WON
    by_pieces = scale_without_pawns(side, enemy)
    return max(by_pieces, scale_with_pawns(side, enemy)) if side.pawns else by_pieces


@inline(int64(side_type, side_type))
def scale_with_pawns(side, enemy):
    """The same if it must promote a pawn: the more it has, the better."""
    scale = min(FULL_SCALE, FIRST_PAWN + EACH_PAWN * (number(side.pawns) - 1))
    if not have_opposite_bishops(side, enemy):
        return scale
    others = side.knights | side.rooks | side.queens | enemy.knights | enemy.rooks | enemy.queens
    return min(scale, OPPOSITE_BISHOPS_AND_PIECES if others else OPPOSITE_BISHOPS)


@inline(int64(side_type, side_type))
def scale_without_pawns(side, enemy):
    """The same by its pieces alone: an extra minor piece does not win, a rook more or two bishops do."""
    own = force_of(side)
    two_knights = own == 2 * MINOR and number(side.knights) == 2
    if own <= MINOR or (two_knights and enemy.pawns == EMPTY):
        return NEVER_WON
    return HARDLY_WON if two_knights or own - force_of(enemy) <= MINOR else FULL_SCALE


@inline(boolean(side_type, side_type))
def is_corner_held(side, enemy):
    """True if the enemy's lone king is where all pawns of a side promote, and no piece can drive it away.

    That is so with pawns on one rook file and no bishop of the corner's colour. Such a king always has the
    corner or a stalemate.
    """
    if (enemy.pieces != enemy.king) | (side.pieces != side.king | side.bishops | side.pawns):
        return False
    on_file_a = (side.pawns & NOT_FILE_A == EMPTY) & (enemy.king & A8_CORNER != EMPTY)
    on_file_h = (side.pawns & NOT_FILE_H == EMPTY) & (enemy.king & H8_CORNER != EMPTY)
    return (on_file_a & (side.bishops & LIGHT_SQUARES == EMPTY)) | (
        on_file_h & (side.bishops & DARK_SQUARES == EMPTY)
    )


@inline(int64(side_type))
def force_of(side):
    """The pieces of a side, roughly."""
    minors = number(side.knights | side.bishops)
    return MINOR * minors + ROOK * number(side.rooks) + QUEEN * number(side.queens)


@inline(boolean(side_type, side_type))
def have_opposite_bishops(side, enemy):
    """True if each side has one bishop, and they never meet."""
    bishops = side.bishops | enemy.bishops
    one_each = (popcount(side.bishops) == ONE) & (popcount(enemy.bishops) == ONE)
    return one_each & (bishops & LIGHT_SQUARES != EMPTY) & (bishops & DARK_SQUARES != EMPTY)
