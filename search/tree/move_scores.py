"""The scores of the moves in a list, and the move with the highest of them.

A score and the place of its move are kept as one number of 32 bits, so that the highest number is all that
must be found: that takes a few vector instructions, and no branch that the processor would have to guess.
"""

from llvmlite import ir
from numba.core.typing.templates import signature

from bluekrait.core.compiler.jit import inline, instruction, int32, int64, uint32, uint64
from bluekrait.core.rules.bits import U64
from bluekrait.search.thread_record import PLACES_COMPARED
from bluekrait.search.tree.state import ply_type

_PLACE_BITS, _LAST_PLACE = 8, 255  # there are never more moves
_LOWEST = -(1 << 31)
_BLOCK = U64(PLACES_COMPARED)
_byte, _number = ir.IntType(8), ir.IntType(32)
_vector = ir.VectorType(_number, PLACES_COMPARED)


def highest_of_block(node, start):
    """The highest of so many numbers from a place on as a vector holds."""
    return max(int(node.move_scores[int(start) + i]) for i in range(PLACES_COMPARED))


def _emit_highest_of_block(context, builder, node, start):
    field = ir.Constant(ir.IntType(64), ply_type.offset("move_scores"))
    first = builder.gep(builder.bitcast(node, _byte.as_pointer()), [field])
    block = builder.gep(builder.bitcast(first, _number.as_pointer()), [start])
    numbers = builder.load(builder.bitcast(block, _vector.as_pointer()))
    numbers.align = 4
    name, shape = f"llvm.vector.reduce.smax.v{PLACES_COMPARED}i32", ir.FunctionType(_number, [_vector])
    return builder.call(builder.module.declare_intrinsic(name, fnty=shape), [numbers])


instruction(highest_of_block, signature(int32, ply_type, uint64), _emit_highest_of_block)


@inline(int64(ply_type, uint64, int64))
def set_score(node, place, score):
    """Give the move at a place its score."""
    node.move_scores[place] = (score << _PLACE_BITS) + _LAST_PLACE - int(place)
    return score


@inline(int64(ply_type))
def end_scores(node):
    """Write the lowest scores behind the last move's: numbers are compared in blocks."""
    for i in range(_BLOCK):
        node.move_scores[U64(node.list.count) + i] = _LOWEST
    return node.list.count


@inline(uint32(ply_type))
def pick_best(node):
    """The move with the highest score of those left, swapped to the front of them (selection sort).

    Of moves with equal scores it is the first.
    """
    first = U64(node.cursor)
    highest = highest_of_block(node, first)
    for start in range(first + _BLOCK, U64(node.list.count), _BLOCK):
        highest = max(highest, highest_of_block(node, start))
    best = U64(_LAST_PLACE - (highest & _LAST_PLACE))
    move = node.list.moves[best]
    node.list.moves[best] = node.list.moves[first]
    set_score(node, best, node.move_scores[first] >> _PLACE_BITS)
    node.cursor += 1
    return move
