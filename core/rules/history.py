"""The history stack: the keys of the positions before the current one, for counting repetitions.

A position is pushed before a move is made, and popped to take the move back. The search has its own keys of
the line it is at (`SearchThread.keys`).
"""

from bluekrait.core.compiler.jit import inline, int64, position_type, record_reader
from bluekrait.core.records import HISTORY_CAPACITY, History

NEAREST_REPETITION = 4  # half-moves back: each side must move a piece, and move it back

history_at, history_type = record_reader(History)


@inline(int64(history_type, position_type))
def push(history, position):
    """Push a position that is about to be left; returns its index."""
    if history.count == HISTORY_CAPACITY:
        drop_oldest(history)
    history.keys[history.count] = position.key
    history.count += 1
    return history.count - 1


@inline(int64(history_type))
def pop(history):
    """Remove the position that was pushed last; returns how many are left."""
    history.count -= 1
    return history.count


@inline(int64(history_type, position_type))
def repetitions(history, position):
    """How often a position occurred before, on the stack.

    Only positions since the last capture or pawn move can be the same, and only every second of them has
    the same side to move.
    """
    found, oldest = 0, max(0, history.count - position.clock)
    for place in range(history.count - NEAREST_REPETITION, oldest - 1, -2):
        if history.keys[place] == position.key:
            found += 1
    return found


@inline(int64(history_type))
def drop_oldest(history):
    """Drop the older half of the stack, in a very long game."""
    half = HISTORY_CAPACITY // 2
    for place in range(half):
        history.keys[place] = history.keys[place + half]
    history.count = half
    return half
