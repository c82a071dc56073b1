"""Rotated indices, as in Gk: not the whole occupancy is kept four times, only the eight bits of every line.

    rank 1 ... 8        8 bytes     bit: file
    file a ... h        8 bytes     bit: rank
    15 diagonals       15 bytes     bit: file         (rank - file + 7)
    15 antidiagonals   15 bytes     bit: file         (rank + file)

A lookup reads the byte of a line, which is the index: no shift, no mask. Its tables have an entry for every
byte, ends and the slider itself included, and so are four times as large as necessary. `add_piece` and
`remove_piece` change one bit in four bytes.
"""

from collections.abc import Iterator

import numpy as np
from numba import types

from bluekrait.core.compiler.jit import inline, int64, kernel, uint64
from bluekrait.core.rules.bits import ONE, U64, lowest_square, without_lowest
from bluekrait.core.sliders import line_tables, loads, technique_tables
from bluekrait.core.sliders.about import About
from bluekrait.core.tables import geometry

ABOUT = About(
    name="rotated-indices",
    inventor="Tijs van Dam",
    year=2003,
    reference="gk-0.90, position.h and global.cpp",
    table_bytes=4 * 64 * 256 * 8,
    depends_on="memory; and a make and unmake that update four bytes",
)

_OCCUPANCIES = 256
_FILES, _DIAGONALS, _ANTIDIAGONALS = U64(8), U64(16), U64(31)  # after the ranks, where these lines begin
ROTATED_BYTES = 46
rotated_type = types.uint8[::1]

_RANK_TABLE, _FILE_TABLE, _DIAGONAL_TABLE, _ANTIDIAGONAL_TABLE = (U64(i << 14) for i in range(4))
_SEVEN, _S3, _S8, _EMPTY = U64(7), U64(3), U64(8), U64(0)


def _tables() -> bytes:
    return technique_tables.pack(
        geometry.slides(square, steps, occupied)
        for steps in (line_tables.RANK, line_tables.FILE, line_tables.DIAGONAL, line_tables.ANTIDIAGONAL)
        for square in range(64)
        for occupied in _occupancies(square, steps)
    )


def _occupancies(square: int, steps: line_tables.Line) -> Iterator[int]:
    """The line through a square, with every occupancy, as the bits of a byte have it."""
    by_bit = [0] * 8
    for other in geometry.squares(1 << square | geometry.slides(square, steps)):
        by_bit[other >> 3 if steps == line_tables.FILE else other & 7] = 1 << other
    for byte in range(_OCCUPANCIES):
        yield sum(by_bit[i] for i in range(8) if byte >> i & 1)


_word = loads.word_reader(ABOUT.name, _tables)


@inline(uint64(uint64))
def _diagonal(square):
    return _DIAGONALS + (square >> _S3) + _SEVEN - (square & _SEVEN)


@inline(uint64(uint64))
def _antidiagonal(square):
    return _ANTIDIAGONALS + (square >> _S3) + (square & _SEVEN)


@kernel(rotated_type(uint64))
def rotated_occupancy(occupied):
    """The rotated of an occupancy, made from scratch."""
    rotated = np.zeros(ROTATED_BYTES, dtype=np.uint8)
    while occupied != _EMPTY:
        add_piece(rotated, lowest_square(occupied))
        occupied = without_lowest(occupied)
    return rotated


@inline(int64(rotated_type, uint64))
def add_piece(rotated, square):
    """A piece has come to an empty square."""
    rank, file = square >> _S3, square & _SEVEN
    rotated[rank] |= ONE << file
    rotated[_FILES + file] |= ONE << rank
    rotated[_diagonal(square)] |= ONE << file
    rotated[_antidiagonal(square)] |= ONE << file
    return 0


@inline(int64(rotated_type, uint64))
def remove_piece(rotated, square):
    """The piece has left a square."""
    rank, file = square >> _S3, square & _SEVEN
    rotated[rank] &= ~(ONE << file)
    rotated[_FILES + file] &= ~(ONE << rank)
    rotated[_diagonal(square)] &= ~(ONE << file)
    rotated[_antidiagonal(square)] &= ~(ONE << file)
    return 0


@inline(uint64(uint64, rotated_type))
def rook_attacks(square, rotated):
    """Where a rook attacks."""
    row = square << _S8
    rank, file = U64(rotated[square >> _S3]), U64(rotated[_FILES + (square & _SEVEN)])
    return _word(_RANK_TABLE + row + rank) | _word(_FILE_TABLE + row + file)


@inline(uint64(uint64, rotated_type))
def bishop_attacks(square, rotated):
    """Where a bishop attacks."""
    row = square << _S8
    rising, falling = U64(rotated[_diagonal(square)]), U64(rotated[_antidiagonal(square)])
    return _word(_DIAGONAL_TABLE + row + rising) | _word(_ANTIDIAGONAL_TABLE + row + falling)


@inline(uint64(uint64, rotated_type))
def queen_attacks(square, rotated):
    """Where a queen attacks."""
    return rook_attacks(square, rotated) | bishop_attacks(square, rotated)
