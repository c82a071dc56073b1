"""First-rank attacks: 512 bytes hold the attacks of a rook on one rank, and multiplication moves every line
there.

    a diagonal       * file a          its bits on rank 8,          looked up,         spread over all ranks
    . . . . . . . H     1                 A B C . E F G H        a b c . e f g h        and masked again
    . . . . . . G .     1                 . . . . . . . .
    . . . . . F . .     1                                        512 bytes, by the six inner squares of a rank
    ...                                                        (pieces on the ends block nothing) and the file

A line that has one square on each file is added up along the files, which is what a product with file a
does in the top rank. A file is turned into a rank by the long diagonal, and its attacks back into a file by
the same product.
"""

from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.rules.bits import U64
from bluekrait.core.sliders import line_tables, loads, technique_tables
from bluekrait.core.sliders.about import About

ABOUT = About(
    name="first-rank",
    inventor="Gerd Isenberg and others",
    year=2006,
    reference="Efficient Generation of Sliding Piece Attacks, Dresden 2008",
    table_bytes=64 * 2 * 8 + 512,
    depends_on="64-bit multiplication, little memory",
)

FILE_A, FILE_B = U64(0x0101010101010101), U64(0x0202020202020202)
FILE_A_TO_RANK = U64(
    sum(1 << (64 - 9 * rank) for rank in range(1, 7))
)  # a7 to a2 go to b8 to g8, in that order
RANK_TO_FILE_A = U64(sum(1 << (9 * rank) for rank in range(8)))  # and h1 to a1 to a8 to a1, after a shift
TO_INNER, TO_FILE_A = U64(58), U64(7)

_ONE, _TWO, _THREE = U64(1), U64(2), U64(3)
_DIAGONAL, _ANTIDIAGONAL = U64(0), U64(1)
_FIRST_RANK = U64(64 * 2 * 8)  # where the bytes of the first rank begin
_RANK_BITS, _FILE_BITS, _TWICE_INNER, _SEVEN = U64(56), U64(7), U64(126), U64(7)


def _tables() -> bytes:
    both = zip(line_tables.masks(line_tables.DIAGONAL), line_tables.masks(line_tables.ANTIDIAGONAL))
    return technique_tables.pack(mask for masks in both for mask in masks) + line_tables.first_rank_attacks()


_mask = loads.word_reader(ABOUT.name, _tables)
_byte = loads.byte_reader(ABOUT.name, _tables)


@inline(uint64(uint64, uint64))
def _on_first_rank(inner, file):
    return _byte(_FIRST_RANK + (inner << _THREE) + file)


@inline(uint64(uint64, uint64))
def _rank_attacks(square, occupied):
    rank = square & _RANK_BITS
    return _on_first_rank(((occupied >> rank) & _TWICE_INNER) >> _ONE, square & _FILE_BITS) << rank


@inline(uint64(uint64, uint64))
def _file_attacks(square, occupied):
    file = square & _FILE_BITS
    inner = (((occupied >> file) & FILE_A) * FILE_A_TO_RANK) >> TO_INNER
    attacks = _on_first_rank(inner, _SEVEN - (square >> _THREE))
    return (((attacks * RANK_TO_FILE_A) >> TO_FILE_A) & FILE_A) << file


@inline(uint64(uint64, uint64, uint64))
def _diagonal_attacks(square, occupied, line):
    mask = _mask(square * _TWO + line)
    inner = ((occupied & mask) * FILE_B) >> TO_INNER
    return (_on_first_rank(inner, square & _FILE_BITS) * FILE_A) & mask


@inline(uint64(uint64, uint64))
def rook_attacks(square, occupied):
    """Where a rook attacks."""
    return _rank_attacks(square, occupied) | _file_attacks(square, occupied)


@inline(uint64(uint64, uint64))
def bishop_attacks(square, occupied):
    """Where a bishop attacks."""
    return _diagonal_attacks(square, occupied, _DIAGONAL) | _diagonal_attacks(square, occupied, _ANTIDIAGONAL)


@inline(uint64(uint64, uint64))
def queen_attacks(square, occupied):
    """Where a queen attacks."""
    return rook_attacks(square, occupied) | bishop_attacks(square, occupied)
