"""What the network asks of vector instructions.

Two loops over the hidden numbers: updating an accumulator, and the output. And what several boards have on
one square, found in all of them at once.

LLVM is given vectors of 32 numbers of 16 bits, a register of AVX-512; rows of 8 bits become such vectors as
they are read. Where registers are narrower, it uses two or four for each. Only the instruction that
multiplies pairs of numbers and adds the two products is chosen here, since LLVM does not always find it. Sums
wrap round in 32 bits, so they do not depend on their order: every processor finds the same number.
"""

import ctypes
from collections.abc import Callable

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.core.codegen import get_host_cpu_features
from numba.core.typing.templates import signature

from bluekrait.core.compiler.jit import instruction, int64, uint64
from bluekrait.search.evaluation.network.network_file import QA

LANES, WORDS = 32, 8  # of 16 bits, and of 64
MULTIPLY_ADD = (  # the feature of the processor, the lanes of its registers, and the instruction
    ("+avx512bw", 32, "llvm.x86.avx512.pmaddw.d.512"),
    ("+avx2", 16, "llvm.x86.avx2.pmadd.wd"),
    ("+sse2", 8, "llvm.x86.sse2.pmadd.wd"),
)

Combine = Callable[[ir.Value, ir.Value], ir.Value]

_byte, _short, _number, _word = (ir.IntType(bits) for bits in (8, 16, 32, 64))
_vector, _row_vector = ir.VectorType(_short, LANES), ir.VectorType(_byte, LANES)
_words_vector = ir.VectorType(_word, WORDS)


def change(target, base, added, added_count, removed, removed_count, width):
    """Numbers at `target`: those at `base`, plus the rows that `added` points to, less those of `removed`."""
    numbers = _shorts(base, width).copy()
    for row in _words(added, added_count):
        numbers += _bytes(row, width)
    for row in _words(removed, removed_count):
        numbers -= _bytes(row, width)
    _shorts(target, width)[:] = numbers


def weigh(own, other, weights, width):
    """The sum of the clipped and squared hidden numbers of both sides times their weights, in 32 bits."""
    total = 0
    for place, hidden in enumerate((own, other)):
        clipped = np.clip(_shorts(hidden, width), 0, QA).astype(np.int32)
        total += int((clipped * clipped * _shorts(weights + 2 * place * width, width)).sum(dtype=np.int32))
    return ctypes.c_int32(total).value


def bits_at(first, second, third, fourth, fifth, sixth, bit):
    """Which of six words have a bit: as the bits of a number, the lowest for the first word."""
    words = first, second, third, fourth, fifth, sixth
    return np.uint64(sum(bool(word & bit) << place for place, word in enumerate(words)))


def load_number(address):
    """The 32-bit number at an address."""
    return ctypes.c_int32.from_address(int(address)).value


def _bytes(address: int, count: int) -> np.ndarray:
    return np.ctypeslib.as_array((ctypes.c_int8 * int(count)).from_address(int(address)))


def _shorts(address: int, count: int) -> np.ndarray:
    return np.ctypeslib.as_array((ctypes.c_int16 * int(count)).from_address(int(address)))


def _words(address: int, count: int) -> list[int]:
    return list((ctypes.c_uint64 * int(count)).from_address(int(address)))


def _emit_change(context, builder, target, base, added, added_count, removed, removed_count, width):
    pairs = builder.select(builder.icmp_unsigned("<", added_count, removed_count), added_count, removed_count)
    counts = pairs, added_count, removed_count
    block = _vectors_at_once()
    whole = builder.and_(width, _word(-block * LANES))
    with cgutils.for_range_slice(builder, _word(0), whole, _word(block * LANES)) as (place, _):
        _emit_block(builder, block, place, target, base, added, removed, counts)
    with cgutils.for_range_slice(builder, whole, width, _word(LANES)) as (place, _):
        _emit_block(builder, 1, place, target, base, added, removed, counts)
    return context.get_dummy_value()


def _vectors_at_once() -> int:
    """How many vectors are kept in registers while rows are added to them: AVX-512 has the most registers."""
    return 8 if _multiply_add()[0] == LANES else 4


def _emit_block(
    builder: ir.IRBuilder,
    count: int,
    place: ir.Value,
    target: ir.Value,
    base: ir.Value,
    added: ir.Value,
    removed: ir.Value,
    counts: tuple[ir.Value, ir.Value, ir.Value],
) -> None:
    """Some vectors of the numbers. Rows go in pairs of one added and one removed: few are left over."""
    pairs, added_count, removed_count = counts
    places = [builder.add(place, _word(i * LANES)) for i in range(count)]
    sums = [cgutils.alloca_once_value(builder, _load(builder, _vector, base, each)) for each in places]

    def combine(rows: ir.Value, index: ir.Value, operation: Combine) -> None:
        row = _load_address(builder, rows, index)
        for total, each in zip(sums, places):
            changed = operation(builder.load(total), _load_weights(builder, row, each))
            builder.store(changed, total)

    with cgutils.for_range(builder, pairs) as loop:
        combine(added, loop.index, builder.add)
        combine(removed, loop.index, builder.sub)
    with cgutils.for_range_slice(builder, pairs, added_count, _word(1)) as (index, _):
        combine(added, index, builder.add)
    with cgutils.for_range_slice(builder, pairs, removed_count, _word(1)) as (index, _):
        combine(removed, index, builder.sub)
    for total, each in zip(sums, places):
        _store(builder, builder.load(total), target, each)


def _emit_weigh(context, builder, own, other, weights, width):
    lanes, name = _multiply_add()
    shorts, numbers = ir.VectorType(_short, lanes), ir.VectorType(_number, lanes // 2)
    zero = ir.Constant(numbers, [0] * (lanes // 2))
    other_weights = builder.add(weights, builder.shl(width, _word(1)))
    sides = [
        (hidden, row, cgutils.alloca_once_value(builder, zero))
        for hidden, row in ((own, weights), (other, other_weights))
    ]
    with cgutils.for_range_slice(builder, _word(0), width, _word(lanes)) as (place, _):
        for hidden, row, total in sides:  # each side has a sum of its own: neither waits for the other's
            clipped = _emit_clip(builder, _load(builder, shorts, hidden, place))
            weighed = builder.mul(clipped, _load(builder, shorts, row, place))
            products = _emit_multiply_add(builder, name, clipped, weighed)
            builder.store(builder.add(builder.load(total), products), total)
    name, shape = f"llvm.vector.reduce.add.v{lanes // 2}i32", ir.FunctionType(_number, [numbers])
    result = builder.add(*(builder.load(total) for _, _, total in sides))
    result = builder.call(builder.module.declare_intrinsic(name, fnty=shape), [result])
    return builder.sext(result, _word)


def _multiply_add() -> tuple[int, str | None]:
    """The lanes and the name of the widest instruction that the code may use; no name if there is none."""
    chosen = config.CPU_FEATURES
    features = (get_host_cpu_features() if chosen is None else chosen).split(",")
    for feature, lanes, name in MULTIPLY_ADD:
        if feature in features:
            return lanes, name
    return LANES, None


def _emit_multiply_add(builder: ir.IRBuilder, name: str | None, one: ir.Value, other: ir.Value) -> ir.Value:
    """The products of two vectors, those of neighbours added, by an instruction if it has a name."""
    lanes, products = one.type.count, []
    numbers = ir.VectorType(_number, lanes // 2)
    if name:
        multiply_add = builder.module.declare_intrinsic(name, fnty=ir.FunctionType(numbers, [one.type] * 2))
        return builder.call(multiply_add, [one, other])
    for first in (0, 1):
        chosen = ir.Constant(numbers, list(range(first, lanes, 2)))
        anything = ir.Constant(one.type, ir.Undefined)
        halves = [builder.shuffle_vector(each, anything, chosen) for each in (one, other)]
        products.append(builder.mul(*(builder.sext(half, numbers) for half in halves)))
    return builder.add(*products)


def _emit_clip(builder: ir.IRBuilder, numbers: ir.Value) -> ir.Value:
    floor, ceiling = (ir.Constant(numbers.type, [bound] * numbers.type.count) for bound in (0, QA))
    numbers = builder.select(builder.icmp_signed(">", numbers, floor), numbers, floor)
    return builder.select(builder.icmp_signed("<", numbers, ceiling), numbers, ceiling)


def _load(builder: ir.IRBuilder, vector: ir.VectorType, array: ir.Value, place: ir.Value) -> ir.Value:
    """The numbers of an array from a place on."""
    size = vector.element.width // 8
    address = builder.add(array, builder.mul(place, _word(size)))
    loaded = builder.load(builder.inttoptr(address, vector.as_pointer()))
    loaded.align = size * vector.count
    return loaded


def _load_weights(builder: ir.IRBuilder, row: ir.Value, place: ir.Value) -> ir.Value:
    """The weights of a row from a place on, in 16 bits."""
    return builder.sext(_load(builder, _row_vector, row, place), _vector)


def _store(builder: ir.IRBuilder, numbers: ir.Value, array: ir.Value, place: ir.Value) -> None:
    address = builder.add(array, builder.mul(place, _word(2)))
    builder.store(numbers, builder.inttoptr(address, _vector.as_pointer()), align=2 * LANES)


def _load_address(builder: ir.IRBuilder, rows: ir.Value, index: ir.Value) -> ir.Value:
    pointer = builder.add(rows, builder.shl(index, _word(3)))
    return builder.load(builder.inttoptr(pointer, _word.as_pointer()))


def _emit_bits_at(context, builder, *words):
    *words, bit = words
    zeros = ir.Constant(_words_vector, [0] * WORDS)
    boards = everywhere = zeros
    for place in range(WORDS):
        everywhere = builder.insert_element(everywhere, bit, _number(place))
    for place, word in enumerate(words):
        boards = builder.insert_element(boards, word, _number(place))
    found = builder.icmp_unsigned("!=", builder.and_(boards, everywhere), zeros)
    return builder.zext(builder.bitcast(found, _byte), _word)


def _emit_load_number(context, builder, address):
    return builder.sext(builder.load(builder.inttoptr(address, _number.as_pointer())), _word)


instruction(change, signature(types.none, *[uint64] * 7), _emit_change)
instruction(weigh, signature(int64, *[uint64] * 4), _emit_weigh)
instruction(bits_at, signature(*[uint64] * 8), _emit_bits_at)
instruction(load_number, signature(int64, uint64), _emit_load_number)
