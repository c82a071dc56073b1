"""Eight words that are worked on at once: one vector register where the processor has such wide ones.

Inside kernels a `Vector` is LLVM's `<8 x i64>`: one AVX-512 register, two of AVX2's, four of SSE2's; LLVM
cuts it to size. In plain Python it is a NumPy array. The operators `& | ^ ~ + - >>` work on all lanes alike,
and a single word stands for eight of the same. Vectors are values: never use `|=` and its like on them.
"""

import ctypes
import operator

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.datamodel import models
from numba.core.imputils import lower_constant
from numba.core.typing.templates import signature
from numba.extending import register_model, typeof_impl

from bluekrait.core.bits import EMPTY, FULL, U64, popcount, turned
from bluekrait.core.jit import boolean, instruction, int64, kernel, uint64

LANES = 8
VECTOR_BYTES = 64

_word = ir.IntType(64)
_words = ir.VectorType(_word, LANES)
_halves_swapped = [4, 5, 6, 7, 0, 1, 2, 3]


class Vector(np.ndarray):
    """Eight words, as plain Python has them."""


class VectorType(types.Type):
    """Eight words, as kernels have them."""

    def __init__(self):
        super().__init__("Vector")


vector_type = VectorType()


@register_model(VectorType)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager, frontend_type):
        super().__init__(manager, frontend_type, _words)


@typeof_impl.register(Vector)
def _typeof_vector(value, context):
    return vector_type


@lower_constant(VectorType)
def _lower_constant(context, builder, frontend_type, value):
    return ir.Constant(_words, [int(word) for word in value])


def vector_kernel(declared):
    """Decorator: a small kernel that works on vectors. It disappears into its callers, which are kernels."""
    return kernel(declared, forceinline=True, no_cpython_wrapper=True, _nrt=False)


# --- what each instruction means in plain Python ----------------------------------------------------


def vector(*words):
    """The vector of eight words."""
    return np.array(words, dtype=np.uint64).view(Vector)


def lane_mask(*numbers):
    """All bits in some lanes, none in the others; a constant for kernels."""
    return vector(*(FULL if lane in numbers else EMPTY for lane in range(LANES)))


def spread(word):
    """Eight times the same word."""
    return vector(*[word] * LANES)


def rotated(words, distances):
    """Each word rotated to the left by its distance, from 0 to 63."""
    left, right = np.asarray(distances), (U64(LANES * 8) - np.asarray(distances)) & U64(63)
    return (words << left) | (words >> right)


def opposite(words):
    """The two halves of a vector in each other's place."""
    return words[_halves_swapped]


def along_lines(words, others):
    """What two vectors have in common where they run against each other, on each line as a whole."""
    common = words & opposite(others)
    return common | opposite(common)


def byte_swapped(words):
    """Each word turned round, see `bits.turned`."""
    return vector(*map(turned, words))


def populations(words):
    """How many bits are set in each word."""
    return vector(*map(popcount, words))


def filled(words):
    """All bits of a lane where the word has any, else none."""
    return vector(*(FULL if word else EMPTY for word in words))


def union(words):
    """All bits that are set in any of the words."""
    return np.bitwise_or.reduce(np.asarray(words))


def total(words):
    """The sum of the words."""
    return np.asarray(words).sum(dtype=np.uint64)


def is_empty(words):
    """True if no bit is set in any of the words."""
    return not np.any(words)


def load_vector(address):
    """The eight words at an address, a multiple of VECTOR_BYTES."""
    memory = (ctypes.c_uint64 * LANES).from_address(int(address))
    return vector(*memory)


def store_vector(address, words):
    """Put eight words at such an address."""
    memory = (ctypes.c_uint64 * LANES).from_address(int(address))
    memory[:] = [int(word) for word in words]


# --- and in the machine -------------------------------------------------------------------------------


def _spread(builder, word):
    first = builder.insert_element(ir.Constant(_words, ir.Undefined), word, ir.Constant(_lane, 0))
    return builder.shuffle_vector(first, first, ir.Constant(_lanes, [0] * LANES))


_lane = ir.IntType(32)
_lanes = ir.VectorType(_lane, LANES)
_bits = ir.VectorType(ir.IntType(1), LANES)


def _intrinsic(name, result, *arguments):
    def emit(context, builder, *values):
        shape = ir.FunctionType(result, arguments)
        return builder.call(builder.module.declare_intrinsic(name, fnty=shape), values)

    return emit


def _emit_vector(context, builder, *words):
    result = ir.Constant(_words, ir.Undefined)
    for lane, word in enumerate(words):
        result = builder.insert_element(result, word, ir.Constant(_lane, lane))
    return result


def _emit_rotated(context, builder, words, distances):
    rotate = builder.module.declare_intrinsic(
        "llvm.fshl.v8i64", fnty=ir.FunctionType(_words, [_words, _words, _words])
    )
    return builder.call(rotate, [words, words, distances])


def _emit_opposite(context, builder, words):
    return builder.shuffle_vector(words, words, ir.Constant(_lanes, _halves_swapped))


def _half(builder, words, half):
    """One half of a vector, of whatever width: narrower registers are less work."""
    count = words.type.count // 2
    places = ir.Constant(ir.VectorType(_lane, count), list(range(half * count, half * count + count)))
    return builder.shuffle_vector(words, words, places)


def _emit_union(context, builder, words):
    while words.type.count > 1:
        words = builder.or_(_half(builder, words, 0), _half(builder, words, 1))
    return builder.extract_element(words, ir.Constant(_lane, 0))


def _emit_along_lines(context, builder, words, others):
    (low, high), (other_low, other_high) = (
        (_half(builder, side, 0), _half(builder, side, 1)) for side in (words, others)
    )
    lines = builder.or_(builder.and_(low, other_high), builder.and_(high, other_low))
    return builder.shuffle_vector(lines, lines, ir.Constant(_lanes, [0, 1, 2, 3] * 2))


def _emit_filled(context, builder, words):
    nothing = ir.Constant(_words, [0] * LANES)
    return builder.sext(builder.icmp_unsigned("!=", words, nothing), _words)


def _emit_is_empty(context, builder, words):
    whole = builder.bitcast(words, ir.IntType(LANES * 64))
    return builder.icmp_unsigned("==", whole, ir.Constant(whole.type, 0))


def _emit_load(context, builder, address):
    return builder.load(builder.inttoptr(address, _words.as_pointer()), align=VECTOR_BYTES)


def _emit_store(context, builder, address, words):
    builder.store(words, builder.inttoptr(address, _words.as_pointer()), align=VECTOR_BYTES)
    return context.get_dummy_value()


def _emit_lane(context, builder, words, lane):
    return builder.extract_element(words, lane)


_of_two = signature(vector_type, vector_type, vector_type)
_of_one = signature(vector_type, vector_type)
_to_word = signature(uint64, vector_type)

instruction(vector, signature(vector_type, *[uint64] * LANES), _emit_vector)
instruction(spread, signature(vector_type, uint64), lambda context, builder, word: _spread(builder, word))
instruction(rotated, _of_two, _emit_rotated)
instruction(opposite, _of_one, _emit_opposite)
instruction(byte_swapped, _of_one, _intrinsic("llvm.bswap.v8i64", _words, _words))
instruction(populations, _of_one, _intrinsic("llvm.ctpop.v8i64", _words, _words))
instruction(filled, _of_one, _emit_filled)
instruction(union, _to_word, _emit_union)
instruction(along_lines, _of_two, _emit_along_lines)
instruction(total, _to_word, _intrinsic("llvm.vector.reduce.add.v8i64", _word, _words))
instruction(is_empty, signature(boolean, vector_type), _emit_is_empty)
instruction(load_vector, signature(vector_type, uint64), _emit_load)
instruction(store_vector, signature(types.none, uint64, vector_type), _emit_store)
instruction(operator.getitem, signature(uint64, vector_type, int64), _emit_lane)


def _operate(operation, method):
    """Let an operator work on two vectors, or on a vector and a word that stands for eight."""

    def emit(context, builder, one, other):
        one, other = (_spread(builder, side) if side.type == _word else side for side in (one, other))
        return getattr(builder, method)(one, other)

    for sides in (vector_type, vector_type), (vector_type, uint64), (uint64, vector_type):
        instruction(operation, signature(vector_type, *sides), emit)


for _operation, _method in (
    (operator.and_, "and_"),
    (operator.or_, "or_"),
    (operator.xor, "xor"),
    (operator.add, "add"),
    (operator.sub, "sub"),
    (operator.rshift, "lshr"),
):
    _operate(_operation, _method)
instruction(operator.invert, _of_one, lambda context, builder, words: builder.not_(words))
