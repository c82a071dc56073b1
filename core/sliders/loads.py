"""Reading the tables of a technique, in kernels by one load and in plain Python by indexing."""

import numpy as np
from llvmlite import ir
from numba.core.typing.templates import signature

from bluekrait.core.compiler.jit import instruction, uint64
from bluekrait.core.rules.bits import U64
from bluekrait.core.sliders import technique_tables

_byte, _word = ir.IntType(8), ir.IntType(64)


def words(technique, build):
    """A function that reads a word of the tables, by its index; `build` makes the tables as bytes."""
    return _reader(technique, build, np.uint64)


def halves(technique, build):
    """The same for numbers of 16 bits."""
    return _reader(technique, build, np.uint16)


def octets(technique, build):
    """The same for bytes."""
    return _reader(technique, build, np.uint8)


def _reader(technique, build, kind):
    block = technique_tables.block(technique, build)
    numbers = np.frombuffer(block, dtype=kind)
    element = ir.IntType(8 * numbers.itemsize)

    def read(index):
        return U64(numbers[int(index)])

    def emit(context, builder, index):
        table = builder.bitcast(
            _global(builder.module, technique_tables.symbol(technique), len(block)), element.as_pointer()
        )
        number = builder.load(builder.gep(table, [index], inbounds=True))
        return number if element.width == _word.width else builder.zext(number, _word)

    return instruction(read, signature(uint64, uint64), emit)


def _global(module, name, size):
    try:
        return module.get_global(name)
    except KeyError:
        table = ir.GlobalVariable(module, ir.ArrayType(_byte, size), name)
        table.linkage, table.global_constant, table.align = "external", True, technique_tables.CACHE_LINE
        return table
