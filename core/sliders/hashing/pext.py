"""PEXT: one instruction that does what magic multiplication does.

    occupied   1 0 1 1 0 0 1 0
    mask       0 1 1 0 0 1 1 0       take the bits under the mask ...
    PEXT       . . . . 0 1 0 1       ... and push them together: that is the index

No two occupancies have the same index, no numbers have to be found, and no shift is needed.
"""

from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.rules.bits import ONE, TWO, U64, extract
from bluekrait.core.sliders import line_tables, loads, technique_tables
from bluekrait.core.sliders.about import About
from bluekrait.core.tables import geometry

ABOUT = About(
    name="pext",
    inventor="Intel, as BMI2",
    year=2013,
    reference="Intel Advanced Vector Extensions Programming Reference; first processor: Haswell",
    table_bytes=8 * (2 * 64 * 2 + 102400 + 5248),
    depends_on="PEXT (BMI2, fast since Haswell and Zen 3)",
)

_ROOKS, _BISHOPS = U64(0), U64(64 * 2)  # mask and start by square


def _tables() -> bytes:
    descriptions: list[int] = []
    attacks: list[int] = []
    for steps in (geometry.ROOK_STEPS, geometry.BISHOP_STEPS):
        for mask, by_subset in line_tables.by_subset(steps):
            descriptions += [mask, 2 * 64 * 2 + len(attacks)]
            attacks += by_subset
    return technique_tables.pack(descriptions + attacks)


_word = loads.word_reader(ABOUT.name, _tables)


@inline(uint64(uint64, uint64))
def _look_up(description, occupied):
    return _word(_word(description + ONE) + extract(occupied, _word(description)))


@inline(uint64(uint64, uint64))
def rook_attacks(square, occupied):
    """Where a rook attacks."""
    return _look_up(_ROOKS + square * TWO, occupied)


@inline(uint64(uint64, uint64))
def bishop_attacks(square, occupied):
    """Where a bishop attacks."""
    return _look_up(_BISHOPS + square * TWO, occupied)


@inline(uint64(uint64, uint64))
def queen_attacks(square, occupied):
    """Where a queen attacks."""
    return rook_attacks(square, occupied) | bishop_attacks(square, occupied)
