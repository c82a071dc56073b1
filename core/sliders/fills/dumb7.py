"""Dumb7 fill: step by step, seven times, all sliders of a set at once.

    . . . . . . . .        . . . . . . . .        . . . . . . . .
    R . . . # . . .   ->   R x . . # . . .   ->   R x x . # . . .   ->  ...  and finally onto the blocker
    . R . . . . . .        . R x . . . . .        . R x x . . . .

Each step goes to empty squares only, and a mask keeps it from leaving the board at one edge and coming back
at the other. It reads no memory, has no branch, and takes the same time for any number of sliders. Its
weakness is that every step must wait for the one before.
"""

from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.rules.bits import FULL, NOT_FILE_A, NOT_FILE_H, ONE, S1, S7, S8, S9
from bluekrait.core.sliders.about import About

ABOUT = About(
    name="dumb7",
    inventor="folklore of the Computer Chess Club",
    year=2002,
    reference="flood fill attack bitboards, Computer Chess Club, September 2002",
    table_bytes=0,
    depends_on="shifts and logic, many of them in a row",
)


@inline(uint64(uint64, uint64, uint64, uint64))
def _fill_up(sliders, empty, step, mask):
    free = empty & mask
    filled = sliders
    reached = free & (sliders << step)
    filled |= reached
    reached = free & (reached << step)
    filled |= reached
    reached = free & (reached << step)
    filled |= reached
    reached = free & (reached << step)
    filled |= reached
    reached = free & (reached << step)
    filled |= reached
    reached = free & (reached << step)
    filled |= reached
    return (filled << step) & mask


@inline(uint64(uint64, uint64, uint64, uint64))
def _fill_down(sliders, empty, step, mask):
    free = empty & mask
    filled = sliders
    reached = free & (sliders >> step)
    filled |= reached
    reached = free & (reached >> step)
    filled |= reached
    reached = free & (reached >> step)
    filled |= reached
    reached = free & (reached >> step)
    filled |= reached
    reached = free & (reached >> step)
    filled |= reached
    reached = free & (reached >> step)
    filled |= reached
    return (filled >> step) & mask


@inline(uint64(uint64, uint64))
def rook_attacks_of(rooks, occupied):
    """Where any of a set of rooks attacks."""
    upwards = _fill_up(rooks, ~occupied, S8, FULL) | _fill_up(rooks, ~occupied, S1, NOT_FILE_A)
    return upwards | _fill_down(rooks, ~occupied, S8, FULL) | _fill_down(rooks, ~occupied, S1, NOT_FILE_H)


@inline(uint64(uint64, uint64))
def bishop_attacks_of(bishops, occupied):
    """Where any of a set of bishops attacks."""
    upwards = _fill_up(bishops, ~occupied, S9, NOT_FILE_A) | _fill_up(bishops, ~occupied, S7, NOT_FILE_H)
    downwards = _fill_down(bishops, ~occupied, S9, NOT_FILE_H) | _fill_down(
        bishops, ~occupied, S7, NOT_FILE_A
    )
    return upwards | downwards


@inline(uint64(uint64, uint64, uint64))
def slider_attacks_of(orthogonals, diagonals, occupied):
    """Where any of a set of orthogonal and a set of diagonal sliders attacks; queens stand in both."""
    return rook_attacks_of(orthogonals, occupied) | bishop_attacks_of(diagonals, occupied)


@inline(uint64(uint64, uint64))
def queen_attacks_of(queens, occupied):
    """Where any of a set of queens attacks."""
    return slider_attacks_of(queens, queens, occupied)


@inline(uint64(uint64, uint64))
def rook_attacks(square, occupied):
    """Where a rook attacks."""
    return rook_attacks_of(ONE << square, occupied)


@inline(uint64(uint64, uint64))
def bishop_attacks(square, occupied):
    """Where a bishop attacks."""
    return bishop_attacks_of(ONE << square, occupied)


@inline(uint64(uint64, uint64))
def queen_attacks(square, occupied):
    """Where a queen attacks."""
    return queen_attacks_of(ONE << square, occupied)
