"""Plain magic: one multiplication hashes both lines of a slider, and all squares have tables of one size.

    . . . 5 . . . .        the relevant         . . . . . . . .
    . . . 4 . . . .        occupancy of         . . some  . . .       [1 2 3 4 5 a b c ...] twelve bits
    a b c R d e f .   *    a rook           *   . . magic . . .   =    . . . garbage  . . .           >> 52
    . . . 3 . . . .                             . . bits  . . .        . . . . . . . . . .

Twelve bits are enough for any rook, nine for any bishop. Equal sizes make the address a matter of shifting,
at the price of two megabytes for rooks most of whose squares need a half or a quarter of it.
"""

from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.rules.bits import U64
from bluekrait.core.sliders import line_tables, loads, magic_search, technique_tables
from bluekrait.core.sliders.about import About
from bluekrait.core.tables import geometry

ROOK_BITS, BISHOP_BITS = 12, 9

ABOUT = About(
    name="plain-magic",
    inventor="Lasse Hansen",
    year=2006,
    reference="first posting on the idea, Winboard Forum, June 14, 2006",
    table_bytes=64 * 8 * (2 + 2**ROOK_BITS + 2 + 2**BISHOP_BITS),
    depends_on="64-bit multiplication, a large second-level cache",
)

_TWO, _ONE = U64(2), U64(1)
_ROOK_SHIFT, _BISHOP_SHIFT = U64(64 - ROOK_BITS), U64(64 - BISHOP_BITS)
_ROOK_BITS, _BISHOP_BITS = U64(ROOK_BITS), U64(BISHOP_BITS)
_ROOKS, _BISHOPS = U64(0), U64(64 * 2)  # mask and magic by square
_ROOK_ATTACKS = U64(64 * 4)
_BISHOP_ATTACKS = _ROOK_ATTACKS + U64(64 << ROOK_BITS)


def _tables() -> bytes:
    rooks, rook_attacks = _piece_tables(geometry.ROOK_STEPS, ROOK_BITS)
    bishops, bishop_attacks = _piece_tables(geometry.BISHOP_STEPS, BISHOP_BITS)
    return technique_tables.pack(rooks + bishops + rook_attacks + bishop_attacks)


def _piece_tables(steps: tuple[geometry.Step, ...], bits: int) -> tuple[list[int], list[int]]:
    """Masks and magics, and all attacks, of one kind of slider."""
    numbers: list[int] = []
    attacks: list[int] = []
    for mask, by_subset in line_tables.by_subset(steps):
        magic = magic_search.find(mask, list(geometry.subsets(mask)), by_subset, bits)
        numbers += [mask, magic.number]
        attacks += [magic.slots.get(index, 0) for index in range(1 << bits)]
    return numbers, attacks


_word = loads.word_reader(ABOUT.name, _tables)


@inline(uint64(uint64, uint64))
def rook_attacks(square, occupied):
    """Where a rook attacks."""
    mask, magic = _word(_ROOKS + square * _TWO), _word(_ROOKS + square * _TWO + _ONE)
    index = ((occupied & mask) * magic) >> _ROOK_SHIFT
    return _word(_ROOK_ATTACKS + (square << _ROOK_BITS) + index)


@inline(uint64(uint64, uint64))
def bishop_attacks(square, occupied):
    """Where a bishop attacks."""
    mask, magic = _word(_BISHOPS + square * _TWO), _word(_BISHOPS + square * _TWO + _ONE)
    index = ((occupied & mask) * magic) >> _BISHOP_SHIFT
    return _word(_BISHOP_ATTACKS + (square << _BISHOP_BITS) + index)


@inline(uint64(uint64, uint64))
def queen_attacks(square, occupied):
    """Where a queen attacks."""
    return rook_attacks(square, occupied) | bishop_attacks(square, occupied)
