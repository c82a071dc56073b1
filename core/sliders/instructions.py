"""Two more instructions of the processor, which only the gallery needs."""

from llvmlite import ir
from numba.core.typing.templates import signature

from bluekrait.core.compiler.jit import instruction, uint64
from bluekrait.core.rules.bits import U64


def highest_square(word):
    """Number of the highest set bit; the word must not be empty."""
    return U64(int(word).bit_length() - 1)


def mirrored(word):
    """The word with its bits in reverse order: h8 becomes a1."""
    return U64(int(f"{int(word):064b}"[::-1], 2))


def _emit_highest_square(context: object, builder: ir.IRBuilder, word: ir.Value) -> ir.Value:
    leading = builder.ctlz(word, ir.Constant(ir.IntType(1), 1))
    return builder.xor(leading, ir.Constant(word.type, 63))


instruction(highest_square, signature(uint64, uint64), _emit_highest_square)
instruction(mirrored, signature(uint64, uint64), lambda context, builder, word: builder.bitreverse(word))
