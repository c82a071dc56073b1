"""The LLVM code of each instruction on vectors of eight words.

LLVM splits `<8 x i64>` into registers of the processor's size. Where fewer than eight words matter, the code
below uses narrower vectors, because half a register is half the work.
"""

from collections.abc import Callable, Iterable
from typing import Any

from llvmlite import ir

LANES = 8
VECTOR_BYTES = 64

WORDS = ir.VectorType(ir.IntType(64), LANES)
_WORD, _NUMBER = ir.IntType(64), ir.IntType(32)
_NUMBERS = ir.VectorType(_NUMBER, LANES)


def constant(words: Iterable[int]) -> ir.Constant:
    """A vector that is known when code is compiled."""
    return ir.Constant(WORDS, [int(word) for word in words])


def emit_vector(context: Any, builder: ir.IRBuilder, *words: ir.Value) -> ir.Value:
    """Eight words put into one register."""
    result = ir.Constant(WORDS, ir.Undefined)
    for lane, word in enumerate(words):
        result = builder.insert_element(result, word, ir.Constant(_NUMBER, lane))
    return result


def emit_broadcast(context: Any, builder: ir.IRBuilder, word: ir.Value) -> ir.Value:
    """One word in all lanes."""
    first = builder.insert_element(ir.Constant(WORDS, ir.Undefined), word, ir.Constant(_NUMBER, 0))
    return builder.shuffle_vector(first, first, ir.Constant(_NUMBERS, [0] * LANES))


def emit_lane(context: Any, builder: ir.IRBuilder, words: ir.Value, lane: ir.Value) -> ir.Value:
    """One word of a vector."""
    return builder.extract_element(words, lane)


def emit_rotated(context: Any, builder: ir.IRBuilder, words: ir.Value, distances: ir.Value) -> ir.Value:
    """A rotation if the processor has one (AVX-512); else shifts, which are enough with wrap masks.

    The directions of the first half are shifted to the left, those of the second to the right.
    """
    if "+avx512f" in _features(context):
        shape = ir.FunctionType(WORDS, [WORDS] * 3)
        rotate = builder.module.declare_intrinsic("llvm.fshl.v8i64", fnty=shape)
        return builder.call(rotate, [words, words, distances])
    (low, high), (left, right) = _halves(builder, words), _halves(builder, distances)
    right = builder.sub(ir.Constant(right.type, [64] * right.type.count), right)
    return _joined(builder, builder.shl(low, left), builder.lshr(high, right))


def emit_along_lines(context: Any, builder: ir.IRBuilder, words: ir.Value, others: ir.Value) -> ir.Value:
    """Each half AND the other half of the other vector, in half a register; the result is in both halves."""
    low, high = _halves(builder, words)
    other_low, other_high = _halves(builder, others)
    lines = builder.or_(builder.and_(low, other_high), builder.and_(high, other_low))
    return _joined(builder, lines, lines)


def emit_union(context: Any, builder: ir.IRBuilder, words: ir.Value) -> ir.Value:
    """OR of the two halves, until there is only one word."""
    while words.type.count > 1:
        words = builder.or_(*_halves(builder, words))
    return builder.extract_element(words, ir.Constant(_NUMBER, 0))


def emit_total(context: Any, builder: ir.IRBuilder, words: ir.Value) -> ir.Value:
    """The same for a sum."""
    while words.type.count > 1:
        words = builder.add(*_halves(builder, words))
    return builder.extract_element(words, ir.Constant(_NUMBER, 0))


def emit_filled(context: Any, builder: ir.IRBuilder, words: ir.Value) -> ir.Value:
    """A comparison with zero, whose result fills each lane."""
    return builder.sext(builder.icmp_unsigned("!=", words, constant([0] * LANES)), WORDS)


def emit_is_empty(context: Any, builder: ir.IRBuilder, words: ir.Value) -> ir.Value:
    """One comparison of all bits."""
    whole = builder.bitcast(words, ir.IntType(8 * VECTOR_BYTES))
    return builder.icmp_unsigned("==", whole, ir.Constant(whole.type, 0))


def emit_byte_swapped(context: Any, builder: ir.IRBuilder, words: ir.Value) -> ir.Value:
    """The bytes of each word reversed."""
    return _call(builder, "llvm.bswap.v8i64", words)


def emit_populations(context: Any, builder: ir.IRBuilder, words: ir.Value) -> ir.Value:
    """The bits of each word counted."""
    return _call(builder, "llvm.ctpop.v8i64", words)


def emit_load(context: Any, builder: ir.IRBuilder, address: ir.Value) -> ir.Value:
    """Eight words read at once."""
    return builder.load(builder.inttoptr(address, WORDS.as_pointer()), align=VECTOR_BYTES)


def emit_store(context: Any, builder: ir.IRBuilder, address: ir.Value, words: ir.Value) -> ir.Value:
    """Eight words written at once."""
    builder.store(words, builder.inttoptr(address, WORDS.as_pointer()), align=VECTOR_BYTES)
    return context.get_dummy_value()


def emitter_of(method: str) -> Callable[..., ir.Value]:
    """The code of an operator between two vectors, or a vector and a word that stands for eight."""

    def emit(context: Any, builder: ir.IRBuilder, *sides: ir.Value) -> ir.Value:
        wide = (emit_broadcast(context, builder, side) if side.type == _WORD else side for side in sides)
        return getattr(builder, method)(*wide)

    return emit


def _halves(builder: ir.IRBuilder, words: ir.Value) -> list[ir.Value]:
    count = words.type.count // 2
    places = ir.VectorType(_NUMBER, count)
    low, high = list(range(count)), list(range(count, 2 * count))
    return [builder.shuffle_vector(words, words, ir.Constant(places, half)) for half in (low, high)]


def _call(builder: ir.IRBuilder, intrinsic: str, words: ir.Value) -> ir.Value:
    shape = ir.FunctionType(WORDS, [WORDS])
    return builder.call(builder.module.declare_intrinsic(intrinsic, fnty=shape), [words])


def _joined(builder: ir.IRBuilder, low: ir.Value, high: ir.Value) -> ir.Value:
    return builder.shuffle_vector(low, high, ir.Constant(_NUMBERS, list(range(LANES))))


def _features(context: Any) -> str:
    """The features of the processor that the code is for, as LLVM names them."""
    _, _, features = context.codegen().magic_tuple()
    return str(features)
