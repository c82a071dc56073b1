"""The one block of constant tables, and how compiled code finds it.

All tables lie in one array of 64-bit words. Compiled code knows it as an external symbol, which is bound to
the address when the code is loaded: no copy in every object, no pointer to pass around. The block is computed
from `core.tables.geometry` once and then kept by `core.compiler.cache`.

Slider attacks are a table for each square and piece, indexed by the relevant occupancy: packed by PEXT where
the processor has it and is fast at it, multiplied by a magic number elsewhere. A technique of the gallery
(`core.sliders`) that needs only square and occupancy can replace them; then its own tables are bound as well.
"""

import ctypes
import os
from collections.abc import Iterable
from importlib import import_module

from bluekrait.core.board import BLACK, WHITE
from bluekrait.core.compiler import cache, linker, processor
from bluekrait.core.memory.anonymous_memory import array_of_words
from bluekrait.core.tables import geometry, zobrist
from bluekrait.core.tables.magic_numbers import BISHOP_MAGICS, ROOK_MAGICS

SYMBOL = "bluekrait_tables"
TECHNIQUE_TABLES = "bluekrait.core.sliders.technique_tables"  # imported only if it is needed, see `cache`

KNIGHT_ATTACKS = 0  # by square
KING_ATTACKS = 64  # by square
PATHS = 128  # by square and square: the squares after the first, up to and including the second
ROOKS = PATHS + 64 * 64  # by square: four words that describe its slider table, see below
BISHOPS = ROOKS + 64 * 4
PIECE_KEYS = BISHOPS + 64 * 4  # by colour (0, 1), piece code (0 to 7) and square
CASTLING_KEYS = PIECE_KEYS + 2 * 8 * 64  # by colour and side, the king side first
EN_PASSANT_KEYS = CASTLING_KEYS + 4  # by file
TURN_KEY = EN_PASSANT_KEYS + 8  # in the key when White is to move
SLIDER_ATTACKS = TURN_KEY + 1

# The four words of a square in ROOKS and BISHOPS.
MASK, START, MAGIC, SHIFT = 0, 1, 2, 3

WORD = 0xFFFFFFFFFFFFFFFF

_block: ctypes.Array[ctypes.c_uint64] | None = None


def block() -> ctypes.Array[ctypes.c_uint64]:
    """The tables as a ctypes array, computed or loaded at the first call and bound to the symbol."""
    global _block
    if _block is None:
        words = cache.read(_name(), __name__)
        if words is None:
            words = _pack(_build())
            cache.write(_name(), words, __name__)
        if is_of_gallery():
            import_module(TECHNIQUE_TABLES).bind(technique())
        _block = linker.bind(SYMBOL, array_of_words(words))
    return _block


def file_name() -> str:
    """The name of the file that holds the block."""
    return cache.file_name(_name(), __name__)


def _name() -> str:
    return f"{technique()}.tables"


def technique() -> str:
    """How slider attacks are found on this machine: "pext", "magic", or a technique of the gallery."""
    chosen = os.environ.get("BLUEKRAIT_SLIDERS", "")
    if chosen not in cache.OWN_SLIDERS:
        return str(import_module(cache.GALLERY).checked(chosen))
    if processor.is_interpreted():
        return "pext"  # which plain Python works out bit by bit
    if chosen == "pext" and not processor.has_pext():
        raise ValueError("BLUEKRAIT_SLIDERS=pext needs a processor with BMI2")
    return chosen or processor.slider_technique()


def is_of_gallery() -> bool:
    """True if `core.sliders` finds the slider attacks, and no table here."""
    return technique() not in cache.OWN_SLIDERS


def _pack(words: Iterable[int]) -> bytes:
    return b"".join(word.to_bytes(8, "little") for word in words)


def _build() -> list[int]:
    words = [geometry.leaps(square, geometry.KNIGHT_STEPS) for square in range(64)]
    words += [geometry.leaps(square, geometry.KING_STEPS) for square in range(64)]
    words += [_path(start, end) for start in range(64) for end in range(64)]
    descriptions, attacks = _slider_tables()
    return words + descriptions + _keys() + attacks


def _path(start: int, end: int) -> int:
    joined = start != end and geometry.slides(start, geometry.KING_STEPS) & geometry.bit(end)
    return geometry.between(start, end) | geometry.bit(end) if joined else 0


def _keys() -> list[int]:
    words = [
        zobrist.KEYS[zobrist.piece_index(code, colour, square)] if code in zobrist.KIND_ORDER else 0
        for colour in (WHITE, BLACK)
        for code in range(8)
        for square in range(64)
    ]
    return words + list(zobrist.KEYS[zobrist.CASTLING_START :])


def _slider_tables() -> tuple[list[int], list[int]]:
    descriptions: list[int] = []
    attacks: list[int] = []
    if is_of_gallery():
        return [0] * (PIECE_KEYS - ROOKS), attacks
    for steps, magics in (geometry.ROOK_STEPS, ROOK_MAGICS), (geometry.BISHOP_STEPS, BISHOP_MAGICS):
        for square in range(64):
            mask = geometry.relevant_occupancy(square, steps)
            by_subset = [geometry.slides(square, steps, subset) for subset in geometry.subsets(mask)]
            start = SLIDER_ATTACKS + len(attacks)
            if technique() == "pext":
                descriptions += [mask, start, 0, 0]
                attacks += by_subset
            else:
                shift = 64 - mask.bit_count()
                descriptions += [mask, start, magics[square], shift]
                attacks += _by_magic(mask, by_subset, magics[square], shift)
    return descriptions, attacks


def _by_magic(mask: int, by_subset: list[int], magic: int, shift: int) -> list[int]:
    """Attacks in the order in which the magic number puts the subsets of a mask."""
    table = [0] * len(by_subset)
    for subset, attacks in zip(geometry.subsets(mask), by_subset):
        table[(subset * magic & WORD) >> shift] = attacks
    return table
