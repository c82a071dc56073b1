"""Hyperbola quintessence in a vector: a queen's file and diagonals side by side.

    lane                  0           1              2           3
    mask                 file      diagonal    antidiagonal    (none)       32 bytes, loaded at once
    o - r             ->  subtract the slider           in all lanes
    o' - r'           ->  swap bytes, subtract, swap    in all lanes
    together          ->  xor, and the mask again; then OR of all lanes

For this, the four words of a square lie next to each other. The rank comes from the 512 bytes, as in
`hyperbola`. Rooks and bishops are done as there, since they would use few of the lanes.
"""

from llvmlite import ir
from numba.core.typing.templates import signature

from bluekrait.core.compiler.jit import inline, instruction, uint64
from bluekrait.core.rules.bits import ONE, THREE, U64, turned
from bluekrait.core.sliders.about import About
from bluekrait.core.sliders.lines import hyperbola
from bluekrait.core.sliders.lines.hyperbola import bishop_attacks, rook_attacks

__all__ = ["ABOUT", "bishop_attacks", "queen_attacks", "rook_attacks"]

ABOUT = About(
    name="hyperbola-simd",
    inventor="after Aleks Peshkov",
    year=2007,
    reference="Hyperbola Quintessence, Computer Chess Club, August 2007",
    table_bytes=hyperbola.ABOUT.table_bytes,
    depends_on="byte shuffles in vectors (AVX2)",
)

_LANES = 4
_word, _lane = ir.IntType(64), ir.IntType(32)
_vector = ir.VectorType(_word, _LANES)


def lines_attacked(occupied, slider, mirrored_slider, file, diagonal, antidiagonal, nobody):
    """Where a slider, told as a bit and as that bit with swapped bytes, attacks along the lines of masks."""
    attacked = 0
    for mask in (file, diagonal, antidiagonal, nobody):
        upwards = occupied & mask
        downwards = turned(turned(upwards) - mirrored_slider)
        attacked |= int((upwards - slider ^ downwards) & mask)
    return U64(attacked)


def _emit(
    context: object,
    builder: ir.IRBuilder,
    occupied: ir.Value,
    slider: ir.Value,
    mirrored_slider: ir.Value,
    *masks: ir.Value,
) -> ir.Value:
    mask = ir.Constant(_vector, ir.Undefined)
    for lane, word in enumerate(masks):
        mask = builder.insert_element(mask, word, _lane(lane))
    swap = builder.module.declare_intrinsic("llvm.bswap.v4i64", fnty=ir.FunctionType(_vector, [_vector]))
    upwards = builder.and_(_broadcast(builder, occupied), mask)
    downwards = builder.sub(builder.call(swap, [upwards]), _broadcast(builder, mirrored_slider))
    upwards = builder.sub(upwards, _broadcast(builder, slider))
    attacked = builder.and_(builder.xor(upwards, builder.call(swap, [downwards])), mask)
    union = builder.module.declare_intrinsic(
        "llvm.vector.reduce.or.v4i64", fnty=ir.FunctionType(_word, [_vector])
    )
    return builder.call(union, [attacked])


def _broadcast(builder: ir.IRBuilder, word: ir.Value) -> ir.Value:
    """The same word in all lanes."""
    vector = ir.Constant(_vector, ir.Undefined)
    for lane in range(_LANES):
        vector = builder.insert_element(vector, word, _lane(lane))
    return vector


instruction(lines_attacked, signature(uint64, *[uint64] * 7), _emit)


@inline(uint64(uint64, uint64))
def queen_attacks(square, occupied):
    """Where a queen attacks."""
    first = square * hyperbola.WORDS
    lines = lines_attacked(
        occupied,
        ONE << square,
        ONE << (square ^ hyperbola.OTHER_SIDE),
        hyperbola.line_mask(first + hyperbola.FILE),
        hyperbola.line_mask(first + hyperbola.DIAGONAL),
        hyperbola.line_mask(first + hyperbola.ANTIDIAGONAL),
        hyperbola.line_mask(first + THREE),
    )
    return lines | hyperbola.rank_attacks(square, occupied)
