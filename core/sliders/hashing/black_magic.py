"""Black magic: one shift for all squares, and tables with empty slots that overlap.

    square a   # . # # . . # . . #
    square b           # # . # # . #           the used slots of one lie in the empty slots of the other
    together   # . # # # # # # # # #

Fixed shifts are part of the instruction: nothing to load. As in plain magic every table has twelve or nine
bits of index, but most squares use few of these slots: the fewer, the more of their occupancies with equal
attacks collide. So the tables overlap as closely as they fit, and their starts are looked up. The irrelevant
squares of the occupancy are set instead of cleared, which works as well.
"""

import numpy as np

from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.rules.bits import U64
from bluekrait.core.sliders import line_tables, loads, magic_search, technique_tables
from bluekrait.core.sliders.about import About
from bluekrait.core.tables import geometry

ROOK_BITS, BISHOP_BITS = 12, 9
REFINEMENTS = 30_000  # a square; more make a shorter table, but these take some seconds as it is
FULL_BOARD = (1 << 64) - 1

ABOUT = About(
    name="black-magic",
    inventor="Volker Annuss, Niklas Fiekas",
    year=2017,
    reference="Fixed shift magics, Computer Chess Club, talkchess.com, thread 64790",
    table_bytes=1_545_216,
    depends_on="64-bit multiplication",
)

_FOUR = U64(4)
_ROOK_SHIFT, _BISHOP_SHIFT = U64(64 - ROOK_BITS), U64(64 - BISHOP_BITS)
_ROOKS, _BISHOPS = U64(0), U64(64 * 4)  # by square: irrelevant squares, magic, start; and a spare word
_IRRELEVANT, _MAGIC, _START = (U64(part) for part in range(3))
_DESCRIPTIONS = 2 * 64 * 4


def _tables() -> bytes:
    parts = [
        (mask, _magic(mask, by_subset, bits))
        for steps, bits in ((geometry.ROOK_STEPS, ROOK_BITS), (geometry.BISHOP_STEPS, BISHOP_BITS))
        for mask, by_subset in line_tables.by_subset(steps)
    ]
    starts, attacks = _overlapped([magic.slots for _, magic in parts])
    descriptions = [
        word
        for (mask, magic), start in zip(parts, starts)
        for word in (FULL_BOARD ^ mask, magic.number, (_DESCRIPTIONS + start) % (1 << 64), 0)
    ]
    return technique_tables.pack(descriptions + attacks)


def _magic(mask: int, by_subset: list[int], bits: int) -> magic_search.Magic:
    keys = [subset | (FULL_BOARD ^ mask) for subset in geometry.subsets(mask)]
    return magic_search.find(mask, keys, by_subset, bits, REFINEMENTS)


def _overlapped(tables: list[dict[int, int]]) -> tuple[list[int], list[int]]:
    """Where each table starts in their common one, and what stands there; the longest are laid first."""
    firsts = [
        min(table) for table in tables
    ]  # a table may begin late, even where its index 0 is not in the room
    lengths = [max(table) + 1 - first for table, first in zip(tables, firsts)]
    room, is_used = np.zeros(sum(lengths), dtype=np.uint64), np.zeros(sum(lengths), dtype=np.int64)
    starts = [0] * len(tables)
    for i in sorted(range(len(tables)), key=lambda i: -lengths[i]):
        indices = np.array([index - firsts[i] for index in tables[i]], dtype=np.int64)
        attacks = np.array(list(tables[i].values()), dtype=np.uint64)
        starts[i] = int(magic_search.overlap(indices, attacks, room, is_used)) - firsts[i]
    end = int(np.flatnonzero(is_used)[-1]) + 1
    return starts, [int(word) for word in room[:end]]


_word = loads.word_reader(ABOUT.name, _tables)


@inline(uint64(uint64, uint64))
def rook_attacks(square, occupied):
    """Where a rook attacks."""
    description = _ROOKS + square * _FOUR
    key = occupied | _word(description + _IRRELEVANT)
    return _word(_word(description + _START) + ((key * _word(description + _MAGIC)) >> _ROOK_SHIFT))


@inline(uint64(uint64, uint64))
def bishop_attacks(square, occupied):
    """Where a bishop attacks."""
    description = _BISHOPS + square * _FOUR
    key = occupied | _word(description + _IRRELEVANT)
    return _word(_word(description + _START) + ((key * _word(description + _MAGIC)) >> _BISHOP_SHIFT))


@inline(uint64(uint64, uint64))
def queen_attacks(square, occupied):
    """Where a queen attacks."""
    return rook_attacks(square, occupied) | bishop_attacks(square, occupied)
