"""Rotated bitboards: four copies of the occupancy, and in each of them other lines are neighbouring bits.

    by ranks               by files              by diagonals, numbered along them
    8 . . . . . . . .      h . . . . . . . .     the longest has eight squares, the shortest one;
    1 0 1 2 3 4 5 6 7      a 0 1 2 3 4 5 6 7     they follow each other without gaps

Then a shift and a mask give the occupancy of any line. The cost is in make and unmake, which have
four occupancies to update instead of one: here four words, which `add_piece` and `remove_piece` change.
"""

import numpy as np

from bluekrait.core.compiler.jit import inline, int64, kernel, uint64
from bluekrait.core.rules.bits import ONE, U64, lowest_square, without_lowest
from bluekrait.core.sliders import line_tables, loads, technique_tables
from bluekrait.core.sliders.about import About
from bluekrait.core.tables import geometry

ABOUT = About(
    name="rotated",
    inventor="Robert Hyatt; Ernst Heinz with Peter Gillgasch",
    year=1997,
    reference="How DarkThought Plays Chess, ICCA Journal, vol. 20, no. 3, 1997; "
    "Rotated Bitmaps, a New Twist on an Old Idea, ICCA Journal, vol. 22, no. 4, 1999",
    table_bytes=4 * 64 * 64 * 8 + 2 * 4 * 64,
    depends_on="shifts, and a make and unmake that update four occupancies",
)

ROTATED_WORDS = 4
rotated_type = uint64[::1]

_RANKS, _FILES, _DIAGONALS, _ANTIDIAGONALS = range(ROTATED_WORDS)
_STEPS = (line_tables.RANK, line_tables.FILE, line_tables.DIAGONAL, line_tables.ANTIDIAGONAL)
_LINE = tuple(U64(line) for line in range(ROTATED_WORDS))
_INNER, _FOUR, _S6, _EMPTY = U64(63), U64(4), U64(6), U64(0)
_PLACES = U64(ROTATED_WORDS * 64 * 64 * 8)  # by square and line: number of the square in that order
_SHIFTS = _PLACES + U64(64 * ROTATED_WORDS)  # by square and line: where the inner squares of its line begin


def _order(steps: line_tables.Line) -> list[int]:
    """The squares, line after line."""
    through = [1 << square | geometry.slides(square, steps) for square in range(64)]
    return [square for line in dict.fromkeys(through) for square in geometry.squares(line)]


def _tables() -> bytes:
    attacks, places, shifts = (
        [],
        [[0] * ROTATED_WORDS for _ in range(64)],
        [[0] * ROTATED_WORDS for _ in range(64)],
    )
    for line, steps in enumerate(_STEPS):
        order = _order(steps)
        for square in range(64):
            squares = list(geometry.squares(1 << square | geometry.slides(square, steps)))
            places[square][line] = order.index(square)
            inner = squares[1:-1] or squares[:1]  # where there is none, any shift will do
            shifts[square][line] = order.index(inner[0])
            for index in range(
                line_tables.INNER_OCCUPANCIES
            ):  # bits of the next line may follow: they hide nothing
                occupied = sum(1 << other for i, other in enumerate(squares[1:-1]) if index >> i & 1)
                attacks.append(geometry.slides(square, steps, occupied))
    return technique_tables.pack(attacks) + bytes(sum(places, [])) + bytes(sum(shifts, []))


_word = loads.word_reader(ABOUT.name, _tables)
_byte = loads.byte_reader(ABOUT.name, _tables)


@kernel(rotated_type(uint64))
def rotated_occupancy(occupied):
    """The rotated of an occupancy, made from scratch."""
    rotated = np.zeros(ROTATED_WORDS, dtype=np.uint64)
    while occupied != _EMPTY:
        add_piece(rotated, lowest_square(occupied))
        occupied = without_lowest(occupied)
    return rotated


@inline(int64(rotated_type, uint64))
def add_piece(rotated, square):
    """A piece has come to an empty square."""
    for line in range(ROTATED_WORDS):
        rotated[line] |= ONE << _byte(_PLACES + square * _FOUR + U64(line))
    return 0


@inline(int64(rotated_type, uint64))
def remove_piece(rotated, square):
    """The piece has left a square."""
    for line in range(ROTATED_WORDS):
        rotated[line] &= ~(ONE << _byte(_PLACES + square * _FOUR + U64(line)))
    return 0


@inline(uint64(uint64, uint64, uint64))
def _line_attacks(square, turned_occupied, line):
    inner = (turned_occupied >> _byte(_SHIFTS + square * _FOUR + line)) & _INNER
    return _word((((line << _S6) + square) << _S6) + inner)


@inline(uint64(uint64, rotated_type))
def rook_attacks(square, rotated):
    """Where a rook attacks."""
    rank = _line_attacks(square, rotated[_RANKS], _LINE[_RANKS])
    return rank | _line_attacks(square, rotated[_FILES], _LINE[_FILES])


@inline(uint64(uint64, rotated_type))
def bishop_attacks(square, rotated):
    """Where a bishop attacks."""
    rising = _line_attacks(square, rotated[_DIAGONALS], _LINE[_DIAGONALS])
    return rising | _line_attacks(square, rotated[_ANTIDIAGONALS], _LINE[_ANTIDIAGONALS])


@inline(uint64(uint64, rotated_type))
def queen_attacks(square, rotated):
    """Where a queen attacks."""
    return rook_attacks(square, rotated) | bishop_attacks(square, rotated)
