"""The move list: an array of packed moves that is there before it is needed.

A thread owns one list for each ply, in its record, and passes it by reference. Whoever adds to it gets the
count back and passes it on, so that the count stays in a register while moves are generated.
"""

from bluekrait.core.compiler.jit import inline, int64, record_reader
from bluekrait.core.records import MoveList

_, move_list_type = record_reader(MoveList)


@inline(int64(move_list_type, int64, int64))
def put(moves, count, move):
    """Write a move behind the first `count` moves; how many there are now."""
    moves.moves[count] = move
    return count + 1
