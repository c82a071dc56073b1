"""Hyperbola quintessence: line attacks by subtraction, mirrored by swapping bytes.

    o^(o-2r) works up the board; for the squares below, flip the board:

    . . x . . . . .  8                         . . r . . . . .  1
    . . . . . . . .  7    reverse the bytes    . . . . . . . .  2
    . . . . . . . .  6    ---------------->    . . . . . . . .  3
    . . r . . . . .  5                         . . x . . . . .  4

A file or a diagonal has at most one square on each rank, so reversing the order of the ranks reverses the
order of its squares; and reversing ranks is a single instruction (BSWAP). Only attacks along a rank cannot be
found so: they are looked up in the 512 bytes of the first rank.
"""

from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.rules.bits import ONE, U64, turned
from bluekrait.core.sliders import line_tables, loads, technique_tables
from bluekrait.core.sliders.about import About

ABOUT = About(
    name="hyperbola",
    inventor="Aleks Peshkov",
    year=2007,
    reference="Hyperbola Quintessence, Computer Chess Club, August 2007",
    table_bytes=64 * 4 * 8 + 512,
    depends_on="byte swap",
)

FILE, DIAGONAL, ANTIDIAGONAL = (U64(i) for i in (0, 1, 2))
WORDS = U64(4)  # a square: its three masks, and a spare word so that they do not straddle cache lines
_FIRST_RANK = U64(64 * 4 * 8)  # where the bytes of the first rank begin
_FILE_BITS, _RANK_BITS, _TWICE_INNER = U64(7), U64(56), U64(126)
_S2, OTHER_SIDE = U64(2), U64(56)


def _tables() -> bytes:
    shapes = (line_tables.FILE, line_tables.DIAGONAL, line_tables.ANTIDIAGONAL)
    lines_of_squares = zip(*map(line_tables.masks, shapes))
    words = (word for masks in lines_of_squares for word in (*masks, 0))
    return technique_tables.pack(words) + line_tables.first_rank_attacks()


line_mask = loads.word_reader(ABOUT.name, _tables)
_byte = loads.byte_reader(ABOUT.name, _tables)


@inline(uint64(uint64, uint64, uint64))
def _line_attacks(square, occupied, line):
    mask = line_mask(square * WORDS + line)
    upwards = occupied & mask
    downwards = turned(upwards) - (ONE << (square ^ OTHER_SIDE))
    upwards -= ONE << square
    return (upwards ^ turned(downwards)) & mask


@inline(uint64(uint64, uint64))
def rank_attacks(square, occupied):
    """Where a rook attacks along its rank, looked up."""
    rank, file = square & _RANK_BITS, square & _FILE_BITS
    twice_inner = (occupied >> rank) & _TWICE_INNER  # the six inner squares, and times two already
    return _byte(_FIRST_RANK + (twice_inner << _S2) + file) << rank


@inline(uint64(uint64, uint64))
def rook_attacks(square, occupied):
    """Where a rook attacks."""
    return _line_attacks(square, occupied, FILE) | rank_attacks(square, occupied)


@inline(uint64(uint64, uint64))
def bishop_attacks(square, occupied):
    """Where a bishop attacks."""
    return _line_attacks(square, occupied, DIAGONAL) | _line_attacks(square, occupied, ANTIDIAGONAL)


@inline(uint64(uint64, uint64))
def queen_attacks(square, occupied):
    """Where a queen attacks."""
    return rook_attacks(square, occupied) | bishop_attacks(square, occupied)
