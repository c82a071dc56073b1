"""Where a piece attacks: table lookups, one load for leapers and one slider table each for the others.

If BLUEKRAIT_SLIDERS names a technique of the gallery, that one replaces the slider tables.
"""

from importlib import import_module

import numpy as np
from llvmlite import ir
from numba.core.typing.templates import signature

from bluekrait.core.compiler import cache
from bluekrait.core.compiler.jit import inline, instruction, uint64
from bluekrait.core.rules.bits import U64, extract
from bluekrait.core.tables import table_block

words = np.frombuffer(memoryview(table_block.block()), dtype=np.uint64)

_PEXT = table_block.technique() == "pext"
_FOUR, _BOARD_SQUARES = U64(4), U64(64)
_KNIGHT_ATTACKS, _KING_ATTACKS = U64(table_block.KNIGHT_ATTACKS), U64(table_block.KING_ATTACKS)
_PATHS = U64(table_block.PATHS)
_ROOKS, _BISHOPS = U64(table_block.ROOKS), U64(table_block.BISHOPS)
_MASK, _START, _MAGIC, _SHIFT = (
    U64(part) for part in (table_block.MASK, table_block.START, table_block.MAGIC, table_block.SHIFT)
)


def table_word(index):
    """A word of the constant tables."""
    return words[index]


def _emit_table_word(context, builder, index):
    try:
        table = builder.module.get_global(table_block.SYMBOL)
    except KeyError:
        table = ir.GlobalVariable(builder.module, ir.ArrayType(index.type, len(words)), table_block.SYMBOL)
        table.linkage, table.global_constant = "external", True
    zero = ir.Constant(index.type, 0)
    return builder.load(builder.gep(table, [zero, index], inbounds=True))


instruction(table_word, signature(uint64, uint64), _emit_table_word)


@inline(uint64(uint64))
def knight_attacks(square):
    """Where a knight attacks."""
    return table_word(_KNIGHT_ATTACKS + square)


@inline(uint64(uint64))
def king_attacks(square):
    """Where a king attacks."""
    return table_word(_KING_ATTACKS + square)


@inline(uint64(uint64, uint64))
def path(start, end):
    """The squares after one square up to and including another, if a line joins them."""
    return table_word(_PATHS + start * _BOARD_SQUARES + end)


@inline(uint64(uint64, uint64))
def slider_attacks(description, occupied):
    """Where the slider attacks whose table is described at that index."""
    mask, start = table_word(description + _MASK), table_word(description + _START)
    if _PEXT:
        return table_word(start + extract(occupied, mask))
    magic, shift = table_word(description + _MAGIC), table_word(description + _SHIFT)
    return table_word(start + (((occupied & mask) * magic) >> shift))


@inline(uint64(uint64, uint64))
def rook_attacks(square, occupied):
    """Where a rook attacks, up to and including the first piece in each direction."""
    return slider_attacks(_ROOKS + square * _FOUR, occupied)


@inline(uint64(uint64, uint64))
def bishop_attacks(square, occupied):
    """Where a bishop attacks, up to and including the first piece in each direction."""
    return slider_attacks(_BISHOPS + square * _FOUR, occupied)


@inline(uint64(uint64, uint64))
def queen_attacks(square, occupied):
    """Where a queen attacks: as rook and bishop at once."""
    return rook_attacks(square, occupied) | bishop_attacks(square, occupied)


if table_block.is_of_gallery():
    _replacement = import_module(cache.GALLERY).open_technique(table_block.technique())
    rook_attacks, bishop_attacks = _replacement.rook_attacks, _replacement.bishop_attacks
    queen_attacks = _replacement.queen_attacks
