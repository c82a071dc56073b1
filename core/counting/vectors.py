"""Vectors of words: one register, in which every lane belongs to another board.

Inside kernels `Words` are LLVM's `<8 x i64>`, or `<4 x i64>` where registers have no more than 256 bits. In
plain Python they are NumPy arrays. The operators `& | ^ ~ + - * << >>` work on all lanes alike, and a single
word stands for as many of the same. Vectors are values: never use `|=` and the like on them.
"""

import operator
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.core.datamodel import models
from numba.core.typing.templates import signature
from numba.extending import register_model

from bluekrait.core.compiler import processor
from bluekrait.core.compiler.jit import instruction, int64, kernel, record_reader, uint64
from bluekrait.core.compiler.parts import Part
from bluekrait.core.records import MoveColumns
from bluekrait.core.rules.bits import EMPTY, FULL, popcount, turned

Words: TypeAlias = npt.NDArray[np.uint64]  # in plain Python

LANES = 8 if "avx512f" in processor.features() else 4

_, columns_type = record_reader(MoveColumns)
column_type = columns_type.typeof("to")

_WORD, _NUMBER = ir.IntType(64), ir.IntType(32)
_WORDS = ir.VectorType(_WORD, LANES)


class WordsType(types.Type):
    """A vector, as kernels have it."""

    def __init__(self) -> None:
        super().__init__("Words")


words_type = WordsType()


@register_model(WordsType)
class _WordsModel(models.PrimitiveModel):
    def __init__(self, manager: Any, frontend_type: types.Type) -> None:
        super().__init__(manager, frontend_type, _WORDS)


def vector_kernel(declared: Any) -> Callable[[Callable[..., Any]], Any]:
    """Decorator: a small kernel that works on vectors. It disappears into its callers, which are kernels."""
    return kernel(declared, Part, forceinline=True, no_cpython_wrapper=True, _nrt=False)


# --- what each instruction means in plain Python ----------------------------------------------------


def broadcast(word: int) -> Words:
    """One word in all lanes."""
    return np.full(LANES, word, dtype=np.uint64)


def load(column: Words, index: int) -> Words:
    """The words of a column from an index on."""
    return column[index : index + LANES].copy()


def store(column: Words, index: int, words: Words) -> None:
    """Write the words to a column, from an index on."""
    column[index : index + LANES] = words


def populations(words: Words) -> Words:
    """How many bits are set in each word."""
    return np.array([popcount(word) for word in words], dtype=np.uint64)


def byte_swapped(words: Words) -> Words:
    """Each word turned round, see `bits.turned`."""
    return np.array([turned(word) for word in words], dtype=np.uint64)


def filled(words: Words) -> Words:
    """All bits of a lane whose word is not zero, else none."""
    return np.array([FULL if word else EMPTY for word in words], dtype=np.uint64)


def total(words: Words) -> np.uint64:
    """The sum of the words."""
    return words.sum(dtype=np.uint64)


def spread(word: np.uint64) -> Words:
    """The lowest bits of a word, one in each lane; what is in the lanes after the last bit is not defined."""
    bits: list[np.uint64] = []
    while word and len(bits) < LANES:
        bits.append(word & (EMPTY - word))
        word ^= bits[-1]
    return np.array(bits + [EMPTY] * (LANES - len(bits)), dtype=np.uint64)


# --- and in the machine -------------------------------------------------------------------------------


def _emit_broadcast(context: Any, builder: ir.IRBuilder, word: ir.Value) -> ir.Value:
    first = builder.insert_element(ir.Constant(_WORDS, ir.Undefined), word, ir.Constant(_NUMBER, 0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(_NUMBER, LANES), [0] * LANES))


def _place(context: Any, builder: ir.IRBuilder, column: ir.Value, index: ir.Value) -> ir.Value:
    start = context.make_array(column_type)(context, builder, column).data
    return builder.bitcast(builder.gep(start, [index]), _WORDS.as_pointer())


def _emit_load(context: Any, builder: ir.IRBuilder, column: ir.Value, index: ir.Value) -> ir.Value:
    return builder.load(_place(context, builder, column, index), align=8)


def _emit_store(
    context: Any, builder: ir.IRBuilder, column: ir.Value, index: ir.Value, words: ir.Value
) -> ir.Value:
    builder.store(words, _place(context, builder, column, index), align=8)
    return context.get_dummy_value()


def _emitter_of_intrinsic(name: str) -> Callable[..., ir.Value]:
    """The code of a function of each word that LLVM has."""

    def emit(context: Any, builder: ir.IRBuilder, words: ir.Value) -> ir.Value:
        shape = ir.FunctionType(_WORDS, [_WORDS])
        intrinsic = builder.module.declare_intrinsic(f"llvm.{name}.v{LANES}i64", fnty=shape)
        return builder.call(intrinsic, [words])

    return emit


def _emit_filled(context: Any, builder: ir.IRBuilder, words: ir.Value) -> ir.Value:
    return builder.sext(builder.icmp_unsigned("!=", words, ir.Constant(_WORDS, [0] * LANES)), _WORDS)


def _emit_total(context: Any, builder: ir.IRBuilder, words: ir.Value) -> ir.Value:
    shape = ir.FunctionType(_WORD, [_WORDS])
    name = f"llvm.vector.reduce.add.v{LANES}i64"
    return builder.call(builder.module.declare_intrinsic(name, fnty=shape), [words])


def _emit_spread(context: Any, builder: ir.IRBuilder, word: ir.Value) -> ir.Value:
    """One compression of the numbers of all squares where the processor has it; else bit by bit."""
    if "+avx512vbmi2" in context.codegen().magic_tuple()[2] and LANES == 8:
        byte, mask = ir.IntType(8), ir.VectorType(ir.IntType(1), 64)
        squares = ir.Constant(ir.VectorType(byte, 64), list(range(64)))
        shape = ir.FunctionType(squares.type, [squares.type, squares.type, mask])
        compress = builder.module.declare_intrinsic("llvm.x86.avx512.mask.compress.v64i8", fnty=shape)
        nothing = ir.Constant(squares.type, [0] * 64)
        packed = builder.call(compress, [squares, nothing, builder.bitcast(word, mask)])
        first = ir.Constant(ir.VectorType(_NUMBER, LANES), list(range(LANES)))
        numbers = builder.zext(builder.shuffle_vector(packed, packed, first), _WORDS)
        return builder.shl(ir.Constant(_WORDS, [1] * LANES), numbers)
    words = ir.Constant(_WORDS, [0] * LANES)
    for lane in range(LANES):
        bit = builder.and_(word, builder.neg(word))
        words = builder.insert_element(words, bit, ir.Constant(_NUMBER, lane))
        word = builder.and_(word, builder.sub(word, ir.Constant(_WORD, 1)))
    return words


def _emitter_of(method: str) -> Callable[..., ir.Value]:
    """The code of an operator between two vectors, or a vector and a word that stands for all lanes."""

    def emit(context: Any, builder: ir.IRBuilder, *sides: ir.Value) -> ir.Value:
        wide = (_emit_broadcast(context, builder, side) if side.type == _WORD else side for side in sides)
        return getattr(builder, method)(*wide)

    return emit


_of_one = signature(words_type, words_type)

instruction(broadcast, signature(words_type, uint64), _emit_broadcast)
instruction(load, signature(words_type, column_type, int64), _emit_load)
instruction(store, signature(types.none, column_type, int64, words_type), _emit_store)
instruction(populations, _of_one, _emitter_of_intrinsic("ctpop"))
instruction(byte_swapped, _of_one, _emitter_of_intrinsic("bswap"))
instruction(filled, _of_one, _emit_filled)
instruction(total, signature(uint64, words_type), _emit_total)
instruction(spread, signature(words_type, uint64), _emit_spread)
instruction(operator.invert, _of_one, _emitter_of("not_"))

for _operation, _method in (
    (operator.and_, "and_"),
    (operator.or_, "or_"),
    (operator.xor, "xor"),
    (operator.add, "add"),
    (operator.sub, "sub"),
    (operator.mul, "mul"),
    (operator.lshift, "shl"),
    (operator.rshift, "lshr"),
):
    for _sides in (words_type, words_type), (words_type, uint64), (uint64, words_type):
        instruction(_operation, signature(words_type, *_sides), _emitter_of(_method))
