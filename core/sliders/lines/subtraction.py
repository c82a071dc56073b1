"""Line attacks by subtraction: a borrow runs along the line until it meets a piece.

    occupied o        1 1 0 0 0 1 0 1      on one line, high squares to the left
    slider r          0 0 0 0 0 1 0 0
    o - r             1 1 0 0 0 0 0 1      the slider is subtracted ...
    o - 2r            1 0 1 1 1 1 0 1      ... and once more, which borrows from the nearest piece above it
    o ^ (o - 2r)      0 1 1 1 1 0 0 0      the bits that have changed are attacked

Downwards it is the same with the bits reversed. Both directions together are the exclusive or of the two
differences, since o itself cancels. This module reverses all 64 bits, which works for any line; `hyperbola`
has a cheaper way for most of them.
"""

from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.rules.bits import ONE, U64
from bluekrait.core.sliders import line_tables, loads, technique_tables
from bluekrait.core.sliders.about import About
from bluekrait.core.sliders.instructions import mirrored

ABOUT = About(
    name="subtraction",
    inventor="Gerd Isenberg",
    year=2007,
    reference="o^(o-2r), in Efficient Generation of Sliding Piece Attacks, Dresden 2008",
    table_bytes=64 * 4 * 8,
    depends_on="bit reversal (one instruction on ARM, several on x86)",
)

_LAST_SQUARE = U64(63)
_RANK, _FILE, _DIAGONAL, _ANTIDIAGONAL = (U64(i) for i in range(4))
_LINES = U64(4)


def _masks() -> bytes:
    shapes = (line_tables.RANK, line_tables.FILE, line_tables.DIAGONAL, line_tables.ANTIDIAGONAL)
    lines_of_squares = zip(*map(line_tables.masks, shapes))
    return technique_tables.pack(mask for four in lines_of_squares for mask in four)


_mask = loads.word_reader(ABOUT.name, _masks)


@inline(uint64(uint64, uint64, uint64))
def _line_attacks(square, occupied, line):
    mask = _mask(square * _LINES + line)
    others = occupied & mask  # without the slider, so that the first r is subtracted already
    upwards = others - (ONE << square)
    downwards = mirrored(others) - (ONE << (_LAST_SQUARE - square))
    return (upwards ^ mirrored(downwards)) & mask


@inline(uint64(uint64, uint64))
def rook_attacks(square, occupied):
    """Where a rook attacks."""
    return _line_attacks(square, occupied, _RANK) | _line_attacks(square, occupied, _FILE)


@inline(uint64(uint64, uint64))
def bishop_attacks(square, occupied):
    """Where a bishop attacks."""
    return _line_attacks(square, occupied, _DIAGONAL) | _line_attacks(square, occupied, _ANTIDIAGONAL)


@inline(uint64(uint64, uint64))
def queen_attacks(square, occupied):
    """Where a queen attacks."""
    return rook_attacks(square, occupied) | bishop_attacks(square, occupied)
