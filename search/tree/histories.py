"""History heuristics: how good a move has been in other nodes, by the cut-offs it caused.

All tables hold small signed numbers that are updated by one rule, `gravity`. Quiet moves have a butterfly
history, by from and to square, and continuation histories, by what was played one, two and four half-moves
before. Noisy moves have a capture history, by what captured what where. Squares are as the mover sees them.
"""

from numba import types

from bluekrait.core.compiler.jit import inline, int64, internal, uint32, uint64
from bluekrait.core.move import captured_of, is_noisy, origin_of, piece_of, target_of
from bluekrait.core.rules.bits import ONE, U64
from bluekrait.search.thread_record import CODES, PIECE_SQUARES, SQUARES, TRIED_CAPACITY
from bluekrait.search.tree.state import ply_of, ply_type, thread_type

HISTORY_LIMIT = 1 << 14  # histories stay within this, on both sides of zero

tried_type = types.UniTuple(int64, 2)


@inline(int64(int64, int64))
def gravity(value, bonus):
    """A history after a bonus or a malus: the closer to the limit, the less it moves."""
    return value + bonus - value * abs(bonus) // HISTORY_LIMIT


@inline(int64(thread_type, int64))
def bonus_for(thread, depth):
    """The bonus for the move that caused a cut-off at this depth."""
    tuned = thread.parameters
    bonus = tuned.history_bonus_slope * depth - tuned.history_bonus_offset
    return min(bonus, tuned.history_bonus_limit)


@inline(int64(int64, uint32))
def piece_square(turn, move):
    """Side, piece and target square of a move as one index: its row in the continuation histories."""
    return (turn * CODES + piece_of(move)) * SQUARES + target_of(move)


@inline(int64(int64, uint64, uint32))
def butterfly_index(turn, attacked, move):
    """Place of a quiet move in the butterfly history, by its squares and whether they are attacked."""
    origin, target = origin_of(move), target_of(move)
    threats = (attacked >> U64(origin) & ONE) + (attacked >> U64(target) & ONE) * U64(2)
    return ((turn * 4 + int(threats)) * SQUARES + origin) * SQUARES + target


@inline(int64(int64, uint32))
def capture_index(turn, move):
    """Place of a noisy move in the capture history."""
    return piece_square(turn, move) * CODES + captured_of(move)


@inline(int64(thread_type, int64, int64, uint64, uint32))
def quiet_history(thread, ply, turn, attacked, move):
    """The history of a quiet move: butterfly and continuation histories together."""
    here = piece_square(turn, move)
    return (
        int(thread.butterfly[butterfly_index(turn, attacked, move)])
        + continuation(thread, ply_of(thread, ply - 1), here)
        + continuation(thread, ply_of(thread, ply - 2), here)
        + continuation(thread, ply_of(thread, ply - 4), here) // 2
    )


@inline(int64(thread_type, ply_type, int64))
def continuation(thread, earlier, here):
    """The continuation history of a move after the one played at an earlier ply."""
    return int(thread.continuations[earlier.continuation * PIECE_SQUARES + here])


@inline(int64(thread_type, int64, uint32))
def capture_history(thread, turn, move):
    """The history of a noisy move."""
    return int(thread.captures[capture_index(turn, move)])


@inline(int64(thread_type, int64, int64, uint64, uint32, int64))
def update_quiet_history(thread, ply, turn, attacked, move, bonus):
    """Update all histories of a quiet move."""
    place, here = butterfly_index(turn, attacked, move), piece_square(turn, move)
    thread.butterfly[place] = gravity(int(thread.butterfly[place]), bonus)
    update_continuation_history(thread, ply_of(thread, ply - 1), here, bonus)
    update_continuation_history(thread, ply_of(thread, ply - 2), here, bonus)
    return update_continuation_history(thread, ply_of(thread, ply - 4), here, bonus)


@inline(int64(thread_type, ply_type, int64, int64))
def update_continuation_history(thread, earlier, here, bonus):
    """Update the history of a move after the one played at an earlier ply, if there was one."""
    if earlier.continuation:
        place = earlier.continuation * PIECE_SQUARES + here
        thread.continuations[place] = gravity(int(thread.continuations[place]), bonus)
    return here


@inline(int64(thread_type, int64, uint32, int64))
def update_capture_history(thread, turn, move, bonus):
    """Update the history of a noisy move."""
    place = capture_index(turn, move)
    thread.captures[place] = gravity(int(thread.captures[place]), bonus)
    return place


@internal(int64(thread_type, int64, int64, uint64, uint32, int64, int64, int64))
def update_histories(thread, ply, turn, attacked, best, depth, quiets, noisies):
    """Update histories after a cut-off: a bonus for the move that caused it, a malus for those tried before.

    A quiet move also becomes the killer of this ply and the counter-move to the previous move.
    """
    node, bonus = ply_of(thread, ply), bonus_for(thread, depth)
    if is_noisy(best):
        update_capture_history(thread, turn, best, bonus)
    else:
        node.killer = best
        thread.counters[ply_of(thread, ply - 1).continuation] = best
        update_quiet_history(thread, ply, turn, attacked, best, bonus)
        for i in range(quiets):
            update_quiet_history(thread, ply, turn, attacked, node.quiets_tried[i], -bonus)
    for i in range(noisies):
        update_capture_history(thread, turn, node.noisies_tried[i], -bonus)
    return bonus


@inline(tried_type(ply_type, uint32, int64, int64))
def record_tried(node, move, quiets, noisies):
    """Keep a move that did not cut off, while there is room; how many quiet and noisy ones there are now."""
    if is_noisy(move):
        if noisies < TRIED_CAPACITY:
            node.noisies_tried[noisies] = move
            noisies += 1
    elif quiets < TRIED_CAPACITY:
        node.quiets_tried[quiets] = move
        quiets += 1
    return quiets, noisies
