"""Fancy magic: each square has a table no larger than it needs, and with it a shift of its own.

    plain    | a1 4096 | b1 2048 . . . . | c1 2048 . . . . | ...      2304 KB
    fancy    | a1 4096 | b1 2048 | c1 2048 | ...                       841 KB

It costs two more loads, the start of the table and the shift; but the tables fit the second-level cache.
"""

from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.rules.bits import U64
from bluekrait.core.sliders import line_tables, loads, magic_search, technique_tables
from bluekrait.core.sliders.about import About
from bluekrait.core.tables import geometry

ABOUT = About(
    name="fancy-magic",
    inventor="Pradu Kannan",
    year=2006,
    reference="List of magics for bitboard move generation, Winboard Forum, August 2006",
    table_bytes=8 * (2 * 64 * 4 + 102400 + 5248),
    depends_on="64-bit multiplication, variable shift",
)

_FOUR = U64(4)
_ROOKS, _BISHOPS = U64(0), U64(64 * 4)  # by square: mask, magic, shift and start
_MASK, _MAGIC, _SHIFT, _START = (U64(part) for part in range(4))


def _tables() -> bytes:
    descriptions: list[int] = []
    attacks: list[int] = []
    for steps in (geometry.ROOK_STEPS, geometry.BISHOP_STEPS):
        for mask, by_subset in line_tables.by_subset(steps):
            bits = mask.bit_count()
            magic = magic_search.find(mask, list(geometry.subsets(mask)), by_subset, bits)
            descriptions += [mask, magic.number, 64 - bits, 2 * 64 * 4 + len(attacks)]
            attacks += [magic.slots.get(index, 0) for index in range(1 << bits)]
    return technique_tables.pack(descriptions + attacks)


_word = loads.word_reader(ABOUT.name, _tables)


@inline(uint64(uint64, uint64))
def _look_up(description, occupied):
    mask, magic = _word(description + _MASK), _word(description + _MAGIC)
    index = ((occupied & mask) * magic) >> _word(description + _SHIFT)
    return _word(_word(description + _START) + index)


@inline(uint64(uint64, uint64))
def rook_attacks(square, occupied):
    """Where a rook attacks."""
    return _look_up(_ROOKS + square * _FOUR, occupied)


@inline(uint64(uint64, uint64))
def bishop_attacks(square, occupied):
    """Where a bishop attacks."""
    return _look_up(_BISHOPS + square * _FOUR, occupied)


@inline(uint64(uint64, uint64))
def queen_attacks(square, occupied):
    """Where a queen attacks."""
    return rook_attacks(square, occupied) | bishop_attacks(square, occupied)
