"""Vectors of eight words: one vector register where the processor has such wide ones.

Inside kernels a `Vector` is LLVM's `<8 x i64>`: one AVX-512 register, two of AVX2, four of SSE2. In plain
Python it is a NumPy array. The operators `& | ^ ~ +` work on all lanes alike, and a single word stands for
eight of the same. Vectors are values: never use `|=` and the like on them.
"""

import ctypes
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.core.datamodel import models
from numba.core.imputils import lower_constant
from numba.core.typing.templates import signature
from numba.extending import register_model, typeof_impl

from bluekrait.core.compiler.jit import boolean, instruction, int64, kernel, uint64
from bluekrait.core.compiler.parts import Part
from bluekrait.core.generators.dirgolem import machine
from bluekrait.core.generators.dirgolem.machine import LANES
from bluekrait.core.rules.bits import EMPTY, FULL, ONE, U64, popcount, turned

_WORD_BITS = U64(64)


class Vector(np.ndarray):
    """Eight words, as plain Python has them."""


class VectorType(types.Type):
    """Eight words, as kernels have them."""

    def __init__(self) -> None:
        super().__init__("Vector")


vector_type = VectorType()


@register_model(VectorType)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager: Any, frontend_type: types.Type) -> None:
        super().__init__(manager, frontend_type, machine.WORDS)


@typeof_impl.register(Vector)
def _typeof_vector(value: Vector, context: Any) -> VectorType:
    return vector_type


@lower_constant(VectorType)
def _lower_constant(context: Any, builder: Any, frontend_type: types.Type, value: Vector) -> Any:
    return machine.constant(value)


def vector_kernel(declared: Any) -> Callable[[Callable[..., Any]], Any]:
    """Decorator: a small kernel that works on vectors. It disappears into its callers, which are kernels."""
    return kernel(declared, Part, forceinline=True, no_cpython_wrapper=True, _nrt=False)


# --- what each instruction means in plain Python ----------------------------------------------------


def vector(*words):
    """The vector of eight words."""
    return np.array(words, dtype=np.uint64).view(Vector)


def lane_mask(*numbers: int) -> Any:
    """All bits in some lanes, none in the others; a constant for kernels."""
    return vector(*(FULL if lane in numbers else EMPTY for lane in range(LANES)))


def broadcast(word):
    """One word in all lanes."""
    return vector(*[word] * LANES)


def rotated(words, distances):
    """Each word rotated to the left by its distance, from 0 to 63."""
    others = (_WORD_BITS - distances) & (_WORD_BITS - ONE)
    return (words << distances) | (words >> others)


def along_lines(words, others):
    """AND of a vector and another with exchanged halves: what opposite rays share, by line."""
    halves_exchanged = [4, 5, 6, 7, 0, 1, 2, 3]
    common = words & others[halves_exchanged]
    return common | common[halves_exchanged]


def byte_swapped(words):
    """Each word turned round, see `bits.turned`."""
    return vector(*map(turned, words))


def populations(words):
    """How many bits are set in each word."""
    return vector(*map(popcount, words))


def filled(words):
    """All bits of a lane whose word is not zero, else none."""
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
    """Write eight words to an address, a multiple of VECTOR_BYTES."""
    memory = (ctypes.c_uint64 * LANES).from_address(int(address))
    memory[:] = [int(word) for word in words]


# --- and in the machine -------------------------------------------------------------------------------

_of_two = signature(vector_type, vector_type, vector_type)
_of_one = signature(vector_type, vector_type)
_to_word = signature(uint64, vector_type)

instruction(vector, signature(vector_type, *[uint64] * LANES), machine.emit_vector)
instruction(broadcast, signature(vector_type, uint64), machine.emit_broadcast)
instruction(operator.getitem, signature(uint64, vector_type, int64), machine.emit_lane)
instruction(rotated, _of_two, machine.emit_rotated)
instruction(along_lines, _of_two, machine.emit_along_lines)
instruction(byte_swapped, _of_one, machine.emit_byte_swapped)
instruction(populations, _of_one, machine.emit_populations)
instruction(filled, _of_one, machine.emit_filled)
instruction(union, _to_word, machine.emit_union)
instruction(total, _to_word, machine.emit_total)
instruction(is_empty, signature(boolean, vector_type), machine.emit_is_empty)
instruction(load_vector, signature(vector_type, uint64), machine.emit_load)
instruction(store_vector, signature(types.none, uint64, vector_type), machine.emit_store)
instruction(operator.invert, _of_one, machine.emitter_of("not_"))

for _operation, _method in (
    (operator.and_, "and_"),
    (operator.or_, "or_"),
    (operator.xor, "xor"),
    (operator.add, "add"),
):
    for _sides in (vector_type, vector_type), (vector_type, uint64), (uint64, vector_type):
        instruction(_operation, signature(vector_type, *_sides), machine.emitter_of(_method))
