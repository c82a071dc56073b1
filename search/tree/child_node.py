"""From a node to its child, and the principal variation back."""

from bluekrait.core.compiler.jit import inline, int64, position_type, uint32
from bluekrait.core.move import NO_MOVE
from bluekrait.core.rules.bits import ONE
from bluekrait.core.rules.make import make_move, make_null_move
from bluekrait.search.tree.histories import piece_square
from bluekrait.search.tree.state import ply_of, ply_type, thread_type
from bluekrait.search.tree.transpositions import prefetch_cluster


@inline(position_type(thread_type, ply_type, position_type, uint32))
def play_move(thread, node, position, move):
    """Make a move; the position after it."""
    child = make_move(position, move)
    prefetch_cluster(thread, child.key)
    thread.nodes += ONE
    node.move, node.continuation = move, piece_square(position.ply & 1, move)
    return child


@inline(position_type(thread_type, ply_type, position_type))
def play_null_move(thread, node, position):
    """Make a null move (pass); the position after it."""
    child = make_null_move(position)
    prefetch_cluster(thread, child.key)
    thread.nodes += ONE
    node.move, node.continuation = NO_MOVE, 0
    return child


@inline(int64(thread_type, int64, uint32))
def update_pv(thread, ply, move):
    """Put a move before the principal variation (PV) of the next ply; its length now."""
    node, child = ply_of(thread, ply), ply_of(thread, ply + 1)
    node.line[0] = move
    for i in range(child.length):
        node.line[i + 1] = child.line[i]
    node.length = child.length + 1
    return node.length
