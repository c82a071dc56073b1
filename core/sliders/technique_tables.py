"""The tables of the techniques, each in one block of bytes.

As with the engine's own tables, compiled code knows a block as an external symbol, bound to its address
when the code is loaded. A block is computed once, kept in the cache, and read from there by
later processes, which need neither Numba nor NumPy for it.
"""

import ctypes
from collections.abc import Callable, Iterable

from bluekrait.core.compiler import cache, linker
from bluekrait.core.sliders import gallery

CACHE_LINE = 64  # bytes; blocks begin at a multiple, so that what belongs together lies in one line

Build = Callable[[], bytes]
Block = ctypes.Array[ctypes.c_uint8]

_blocks: dict[str, Block] = {}


def symbol(technique: str) -> str:
    """The name by which compiled code finds the tables of a technique."""
    return f"bluekrait_sliders_{technique}"


def block(technique: str, build: Build) -> Block:
    """The tables of a technique as a ctypes array, made by `build` if need be, and bound to the symbol."""
    if technique not in _blocks:
        _place(technique, cache.read(*_file(technique)) or _made(technique, build))
    return _blocks[technique]


def bind(name: str) -> None:
    """Bind the tables that compiled code of a technique needs; its module is imported only to make them."""
    facts = gallery.TECHNIQUES[name]
    owner = facts.tables_of or name
    if facts.has_tables and owner not in _blocks:
        content = cache.read(*_file(owner))
        if content is None:
            gallery.open_technique(owner)  # which makes the tables
        else:
            _place(owner, content)


def pack(words: Iterable[int]) -> bytes:
    """Words as bytes, in the order in which the machine has them."""
    return b"".join(word.to_bytes(8, "little") for word in words)


def _file(technique: str) -> tuple[str, str]:
    """The name of the cache's file, and the module on whose sources the tables depend."""
    return f"{technique}.sliders", gallery.module_of(technique)


def _made(technique: str, build: Build) -> bytes:
    content = build()
    name, module = _file(technique)
    cache.write(name, content, module)
    return content


def _place(technique: str, content: bytes) -> None:
    """Copy the bytes to memory that stays, and bind the symbol to it."""
    room = (ctypes.c_uint8 * (len(content) + CACHE_LINE))()
    placed = (ctypes.c_uint8 * len(content)).from_buffer(room, -ctypes.addressof(room) % CACHE_LINE)
    ctypes.memmove(placed, content, len(content))
    _blocks[technique] = linker.bind(symbol(technique), placed)
