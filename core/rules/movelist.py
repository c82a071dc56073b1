"""The move list: a preallocated array of packed moves.

A thread owns one list for each ply, in its record, and passes it by reference. A function that adds moves
takes their number and returns the new one, so that it stays in a register while moves are generated.
"""

from bluekrait.core.compiler.jit import inline, int64, record_reader
from bluekrait.core.records import MoveList
from bluekrait.core.rules.bits import U64

_, move_list_type = record_reader(MoveList)


@inline(int64(move_list_type, int64, int64))
def put(moves, count, move):
    """Write a move after the first `count` moves; returns their new number."""
    moves.moves[U64(count)] = move
    return count + 1
