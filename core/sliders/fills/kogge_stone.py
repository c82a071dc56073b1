"""Kogge-Stone fill: the same fill in three steps instead of seven, of one, two and four squares.

    generators     R . . . . . . .      R x . . . . . .      R x x x . . . .      R x x x x x x x
    propagators    . o o o o o o o      . . o o o o o o      . . . . o o o o
                   steps of one         steps of two         steps of four

It works like the carries of a fast hardware adder: beside the squares reached (generators), it keeps the
squares that can be crossed in so many steps (propagators), and doubles the distance each time.
"""

from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.rules.bits import FULL, NOT_FILE_A, NOT_FILE_H, ONE, S1, S7, S8, S9
from bluekrait.core.sliders.about import About

ABOUT = About(
    name="kogge-stone",
    inventor="Steffan Westcott, after Peter Kogge and Harold Stone",
    year=2002,
    reference="Re: flood fill attack bitboards, Computer Chess Club, September 2002",
    table_bytes=0,
    depends_on="shifts and logic, several at a time",
)


@inline(uint64(uint64, uint64, uint64, uint64))
def _fill_up(sliders, empty, step, mask):
    two, four = step + step, step + step + step + step
    free = empty & mask
    sliders |= free & (sliders << step)
    free &= free << step
    sliders |= free & (sliders << two)
    free &= free << two
    sliders |= free & (sliders << four)
    return (sliders << step) & mask


@inline(uint64(uint64, uint64, uint64, uint64))
def _fill_down(sliders, empty, step, mask):
    two, four = step + step, step + step + step + step
    free = empty & mask
    sliders |= free & (sliders >> step)
    free &= free >> step
    sliders |= free & (sliders >> two)
    free &= free >> two
    sliders |= free & (sliders >> four)
    return (sliders >> step) & mask


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
