"""Kogge-Stone in vectors of four words: two fills do all eight directions.

    lane              0        1        2             3
    first vector     east    north    north-west    north-east     shifted left  by 1, 8, 7, 9
    second vector    west    south    south-east    south-west     shifted right by 1, 8, 7, 9

The lanes differ only in distance and mask, and AVX2 has a shift with a distance for each lane. LLVM
is given vectors `<4 x i64>`; where registers are narrower, it uses two for each.
"""

from collections.abc import Callable

from llvmlite import ir
from numba.core.typing.templates import signature

from bluekrait.core.compiler.jit import inline, instruction, uint64
from bluekrait.core.rules.bits import FULL, NOT_FILE_A, NOT_FILE_H, ONE, U64
from bluekrait.core.sliders.about import About

ABOUT = About(
    name="kogge-stone-simd",
    inventor="Gerd Isenberg, after Steffan Westcott",
    year=2008,
    reference="Efficient Generation of Sliding Piece Attacks, Dresden 2008 (as SSE2)",
    table_bytes=0,
    depends_on="vector shifts with a distance for each lane (AVX2)",
)

_STEPS = (1, 8, 7, 9)
_MASKS_UP = tuple(map(int, (NOT_FILE_A, FULL, NOT_FILE_H, NOT_FILE_A)))
_MASKS_DOWN = tuple(map(int, (NOT_FILE_H, FULL, NOT_FILE_A, NOT_FILE_H)))

_word, _lane = ir.IntType(64), ir.IntType(32)
_vector = ir.VectorType(_word, len(_STEPS))


def slider_attacks_of(orthogonals, diagonals, occupied):
    """Where any of a set of orthogonal and a set of diagonal sliders attacks; queens stand in both."""
    lanes, empty, attacked = (orthogonals, orthogonals, diagonals, diagonals), ~int(occupied), 0
    for sliders, step, up, down in zip(lanes, _STEPS, _MASKS_UP, _MASKS_DOWN):
        above = below = int(sliders)
        for _ in range(6):
            above |= empty & up & (above << step)
            below |= empty & down & (below >> step)
        attacked |= ((above << step) & up) | ((below >> step) & down)
    return U64(attacked)


def _emit(
    context: object, builder: ir.IRBuilder, orthogonals: ir.Value, diagonals: ir.Value, occupied: ir.Value
) -> ir.Value:
    sliders = ir.Constant(_vector, ir.Undefined)
    for lane, word in enumerate((orthogonals, orthogonals, diagonals, diagonals)):
        sliders = builder.insert_element(sliders, word, _lane(lane))
    empty = ir.Constant(_vector, ir.Undefined)
    for lane in range(len(_STEPS)):
        empty = builder.insert_element(empty, builder.not_(occupied), _lane(lane))
    above = _emit_fill(builder, sliders, empty, builder.shl, _MASKS_UP)
    below = _emit_fill(builder, sliders, empty, builder.lshr, _MASKS_DOWN)
    union = builder.module.declare_intrinsic(
        "llvm.vector.reduce.or.v4i64", fnty=ir.FunctionType(_word, [_vector])
    )
    return builder.call(union, [builder.or_(above, below)])


def _emit_fill(
    builder: ir.IRBuilder,
    sliders: ir.Value,
    empty: ir.Value,
    shift: Callable[..., ir.Value],
    masks: tuple[int, ...],
) -> ir.Value:
    mask = ir.Constant(_vector, masks)
    free = builder.and_(empty, mask)
    for squares in (1, 2, 4):
        distance = ir.Constant(_vector, [squares * step for step in _STEPS])
        sliders = builder.or_(sliders, builder.and_(free, shift(sliders, distance)))
        if squares < 4:
            free = builder.and_(free, shift(free, distance))
    return builder.and_(shift(sliders, ir.Constant(_vector, _STEPS)), mask)


instruction(slider_attacks_of, signature(uint64, uint64, uint64, uint64), _emit)

_NO_SLIDERS = U64(0)


@inline(uint64(uint64, uint64))
def rook_attacks_of(rooks, occupied):
    """Where any of a set of rooks attacks."""
    return slider_attacks_of(rooks, _NO_SLIDERS, occupied)


@inline(uint64(uint64, uint64))
def bishop_attacks_of(bishops, occupied):
    """Where any of a set of bishops attacks."""
    return slider_attacks_of(_NO_SLIDERS, bishops, occupied)


@inline(uint64(uint64, uint64))
def queen_attacks_of(queens, occupied):
    """Where any of a set of queens attacks."""
    return slider_attacks_of(queens, queens, occupied)


@inline(uint64(uint64, uint64))
def rook_attacks(square, occupied):
    """Where a rook attacks."""
    return rook_attacks_of(ONE << square, occupied)


@inline(uint64(uint64, uint64))
def bishop_attacks(square, occupied):
    """Where a bishop attacks."""
    return bishop_attacks_of(ONE << square, occupied)


@inline(uint64(uint64, uint64))
def queen_attacks(square, occupied):
    """Where a queen attacks."""
    return queen_attacks_of(ONE << square, occupied)
