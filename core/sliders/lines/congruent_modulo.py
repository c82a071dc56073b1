"""Congruent modulo: the remainder of a masked line, divided by the right number, identifies its occupancy.

    diagonal a1-h8   squares 9 apart   2^9  =  -2 (mod 514)      1, -2, 4, -8, 16, ...
    file             squares 8 apart   2^8  =  -2 (mod 258)      1, -2, 4, -8, 16, ...
    other diagonal   squares 7 apart   2^8  =  -1 (mod 257)      1, -1/2, 1/4, -1/8, ...
    rank             squares 1 apart   2^8  =   1 (mod 255)      1, 2, 4, 8, 16, ... wherever the rank is

The weights of the squares on a line become the powers of plus or minus two, or of its inverse; and the sums
of such powers are all different, as the digits of a number are. So a division is a perfect hash without
magic. Ends of lines are masked away, which keeps a full rank from looking empty. The authors' tables have a
row for each remainder; so have these.
"""

from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.rules.bits import U64
from bluekrait.core.sliders import line_tables, loads, technique_tables
from bluekrait.core.sliders.about import About
from bluekrait.core.tables import geometry

_MODULI = (
    (line_tables.RANK, 255),
    (line_tables.FILE, 258),
    (line_tables.DIAGONAL, 514),
    (line_tables.ANTIDIAGONAL, 257),
)

ABOUT = About(
    name="congruent-modulo",
    inventor="Trevor Fenner and Mark Levene",
    year=2008,
    reference="Move Generation with Perfect Hashing Functions, ICGA Journal, vol. 31, no. 1",
    table_bytes=64 * 8 * (4 + 255 + 258 + 514 + 257),
    depends_on="division by a constant, which compilers turn into multiplications",
)

_FOUR, _S6 = U64(4), U64(6)
_BY_RANK, _BY_FILE, _BY_DIAGONAL, _BY_ANTIDIAGONAL = (U64(modulus) for _, modulus in _MODULI)
_RANK, _FILE, _DIAGONAL, _ANTIDIAGONAL = (U64(i) for i in range(4))
_RANKS = U64(64 * 4)  # attacks by remainder and square
_FILES = _RANKS + U64(64) * _BY_RANK
_DIAGONALS = _FILES + U64(64) * _BY_FILE
_ANTIDIAGONALS = _DIAGONALS + U64(64) * _BY_DIAGONAL


def _tables() -> bytes:
    masks = zip(*(line_tables.inner_masks(steps) for steps, _ in _MODULI))
    words = [mask for four in masks for mask in four]
    for steps, modulus in _MODULI:
        words += _attacks_by_remainder(steps, modulus)
    return technique_tables.pack(words)


def _attacks_by_remainder(steps: line_tables.Line, modulus: int) -> list[int]:
    table = [0] * (64 * modulus)
    for square, (mask, by_subset) in enumerate(line_tables.by_subset(steps)):
        for subset, attacks in zip(geometry.subsets(mask), by_subset):
            slot = subset % modulus * 64 + square
            assert table[slot] in (0, attacks), "two occupancies have one remainder"
            table[slot] = attacks
    return table


_word = loads.word_reader(ABOUT.name, _tables)


@inline(uint64(uint64, uint64))
def rook_attacks(square, occupied):
    """Where a rook attacks."""
    rank = (occupied & _word(square * _FOUR + _RANK)) % _BY_RANK
    file = (occupied & _word(square * _FOUR + _FILE)) % _BY_FILE
    return _word(_RANKS + (rank << _S6) + square) | _word(_FILES + (file << _S6) + square)


@inline(uint64(uint64, uint64))
def bishop_attacks(square, occupied):
    """Where a bishop attacks."""
    rising = (occupied & _word(square * _FOUR + _DIAGONAL)) % _BY_DIAGONAL
    falling = (occupied & _word(square * _FOUR + _ANTIDIAGONAL)) % _BY_ANTIDIAGONAL
    return _word(_DIAGONALS + (rising << _S6) + square) | _word(_ANTIDIAGONALS + (falling << _S6) + square)


@inline(uint64(uint64, uint64))
def queen_attacks(square, occupied):
    """Where a queen attacks."""
    return rook_attacks(square, occupied) | bishop_attacks(square, occupied)
