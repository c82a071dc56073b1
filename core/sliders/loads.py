"""Functions that read the tables of a technique: one load in kernels, an index in plain Python."""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core.typing.templates import signature

from bluekrait.core.compiler.jit import instruction, uint64
from bluekrait.core.rules.bits import U64
from bluekrait.core.sliders import technique_tables

Build = technique_tables.Build
Reader = Callable[[Any], Any]

_byte, _word = ir.IntType(8), ir.IntType(64)


def word_reader(technique: str, build: Build) -> Reader:
    """A function that reads a word of the tables, by its index; `build` makes the tables as bytes."""
    return _reader(technique, build, np.uint64)


def byte_reader(technique: str, build: Build) -> Reader:
    """The same for bytes."""
    return _reader(technique, build, np.uint8)


def _reader(technique: str, build: Build, kind: type[np.unsignedinteger[Any]]) -> Reader:
    block = technique_tables.block(technique, build)
    numbers = np.frombuffer(memoryview(block), dtype=kind)
    element = ir.IntType(8 * numbers.itemsize)

    def read(index: int) -> np.uint64:
        return U64(numbers[int(index)])

    def emit(context: object, builder: ir.IRBuilder, index: ir.Value) -> ir.Value:
        table = builder.bitcast(
            _global(builder.module, technique_tables.symbol(technique), len(block)), element.as_pointer()
        )
        number = builder.load(builder.gep(table, [index], inbounds=True))
        return number if element.width == _word.width else builder.zext(number, _word)

    return instruction(read, signature(uint64, uint64), emit)


def _global(module: ir.Module, name: str, size: int) -> ir.GlobalVariable:
    try:
        return module.get_global(name)
    except KeyError:
        table = ir.GlobalVariable(module, ir.ArrayType(_byte, size), name)
        table.linkage, table.global_constant, table.align = "external", True, technique_tables.CACHE_LINE
        return table
