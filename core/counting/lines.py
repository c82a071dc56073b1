"""The lines through a king, and what it sees along them, for all lanes of a vector at once."""

from typing import NamedTuple

from numba import types

from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.counting.vectors import broadcast, byte_swapped, vector_kernel, words_type
from bluekrait.core.rules.attacks import bishop_attacks
from bluekrait.core.rules.bits import (
    EMPTY,
    FILE_A,
    FULL,
    NOT_FILE_H,
    RANK_1,
    S1,
    U64,
    lowest_square,
    turned,
)
from bluekrait.core.rules.fills import slide_down

_ROW, _COLUMN, _BYTE = U64(0x38), U64(0x07), U64(0xFF)

six_words_type = types.UniTuple(words_type, 6)
pair_type = types.UniTuple(words_type, 2)


class KingLines(NamedTuple):
    """A king, and the squares in line with it."""

    king: int
    above: int  # every square with a higher number
    rank: int
    file: int
    falling: int
    rising: int
    doubled: int  # twice the king's bit, as a number
    turned_doubled: int  # the same on a board that is turned round


king_lines_type = types.NamedUniTuple(uint64, 8, KingLines)


@inline(king_lines_type(uint64))
def king_lines(king):
    """The lines through a king."""
    square = lowest_square(king)
    above, column = EMPTY - (king << S1), square & _COLUMN
    east = (((FULL << S1) << column) & _BYTE) * FILE_A
    diagonals = bishop_attacks(square, EMPTY)
    return KingLines(
        king,
        above,
        (RANK_1 << (square & _ROW)) ^ king,
        (FILE_A << column) ^ king,
        diagonals & (east ^ above),
        diagonals & ~(east ^ above),
        king << S1,
        turned(king) << S1,
    )


@vector_kernel(words_type(king_lines_type, uint64, words_type))
def king_rays(lines, line, occupied):
    """What the king sees along a line that is no rank, both ways: hyperbola quintessence."""
    pieces = occupied & line
    down = byte_swapped(byte_swapped(pieces) - lines.turned_doubled)
    return ((pieces - lines.doubled) ^ down) & line


@vector_kernel(words_type(king_lines_type, six_words_type, words_type))
def king_rays_on_rank(lines, rank, occupied):
    """The same along the rank: eastwards by a subtraction, westwards by a fill."""
    east = lines.rank & lines.above
    pieces = occupied & east
    west = slide_down(broadcast(lines.king), rank, S1, NOT_FILE_H)
    return (((pieces - lines.doubled) ^ pieces) & east) | west
