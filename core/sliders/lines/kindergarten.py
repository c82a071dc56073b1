"""Kindergarten: a product reduces a line to six bits, and a table of eight equal ranks gives the attacks.

    masked diagonal     * file b            top six bits     by file and these bits       & the mask
    . . . . . . . H     . 1                 B C . E F G      a b c . e f g h              . . . . . . . h
    . . . . . . G .     . 1                                  a b c . e f g h              . . . . . . g .
    . . . . . F . .     . 1                  >> 58           a b c . e f g h              . . . . . f . .
    ...                                                      ... eight times              ...

The attacks of the first rank stand eight times in each word, so that a mask is enough to make attacks along
a rank or a diagonal of them: four kilobytes for three lines of all squares. Files, turned by a product with
a diagonal, have a table of their own.
"""

from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.rules.bits import U64
from bluekrait.core.sliders import line_tables, loads, technique_tables
from bluekrait.core.sliders.about import About
from bluekrait.core.sliders.lines.first_rank import FILE_A, FILE_A_TO_RANK, FILE_B, TO_INNER
from bluekrait.core.tables import geometry

ABOUT = About(
    name="kindergarten",
    inventor="Gerd Isenberg, in discussion with others",
    year=2006,
    reference="Magic Bitboards Explained!, Winboard Forum, December 2006",
    table_bytes=8 * (64 * 4 + 8 * 64 + 8 * 64),
    depends_on="64-bit multiplication, first-level cache",
)

_RANK, _DIAGONAL, _ANTIDIAGONAL = (U64(i) for i in range(3))
_FOUR, _FILE_BITS = U64(4), U64(7)
_RANK_BITS = U64(56)
_FILLED = U64(64 * 4)  # by file and occupancy: a rank's attacks in all eight ranks
_FILE_ATTACKS = U64(64 * 4 + 8 * 64)  # by rank and occupancy: attacks on file a
_S3, _S6 = U64(3), U64(6)


def _tables() -> bytes:
    three = zip(*map(line_tables.masks, (line_tables.RANK, line_tables.DIAGONAL, line_tables.ANTIDIAGONAL)))
    masks = [word for line in three for word in (*line, 0)]
    attacks = line_tables.first_rank_attacks()
    filled = [attacks[inner * 8 + file] * int(FILE_A) for file in range(8) for inner in range(64)]
    on_file_a = [_on_file_a(rank, inner) for rank in range(8) for inner in range(64)]
    return technique_tables.pack(masks + filled + on_file_a)


def _on_file_a(rank: int, inner: int) -> int:
    """The attacks on file a, for an occupancy of its inner squares, from the top down."""
    occupied = sum(1 << (8 * (6 - i)) for i in range(6) if inner >> i & 1)
    return geometry.slides(8 * rank, line_tables.FILE, occupied)


_word = loads.word_reader(ABOUT.name, _tables)


@inline(uint64(uint64, uint64, uint64))
def _line_attacks(square, occupied, line):
    mask = _word(square * _FOUR + line)
    inner = ((occupied & mask) * FILE_B) >> TO_INNER
    return _word(_FILLED + ((square & _FILE_BITS) << _S6) + inner) & mask


@inline(uint64(uint64, uint64))
def _file_attacks(square, occupied):
    file = square & _FILE_BITS
    inner = (((occupied >> file) & FILE_A) * FILE_A_TO_RANK) >> TO_INNER
    return _word(_FILE_ATTACKS + ((square & _RANK_BITS) << _S3) + inner) << file


@inline(uint64(uint64, uint64))
def rook_attacks(square, occupied):
    """Where a rook attacks."""
    return _line_attacks(square, occupied, _RANK) | _file_attacks(square, occupied)


@inline(uint64(uint64, uint64))
def bishop_attacks(square, occupied):
    """Where a bishop attacks."""
    return _line_attacks(square, occupied, _DIAGONAL) | _line_attacks(square, occupied, _ANTIDIAGONAL)


@inline(uint64(uint64, uint64))
def queen_attacks(square, occupied):
    """Where a queen attacks."""
    return rook_attacks(square, occupied) | bishop_attacks(square, occupied)
