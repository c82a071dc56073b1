"""History heuristics: how good a move has been in other nodes, by the cut-offs it caused.

All tables hold small signed numbers that are updated by one rule, `gravity`. Quiet moves have a butterfly
history, by from and to square and whether these are attacked; continuation histories, by what was played one,
two, three, four and six half-moves before; and a pawn history, by the pawns of both sides. Noisy moves have a
capture history, by what captured what where, and whether it was defended. Squares are as the mover sees them.
"""

from typing import NamedTuple

from numba import types

from bluekrait.core.compiler.jit import board_type, boolean, inline, int64, internal, uint32, uint64
from bluekrait.core.move import NO_MOVE, captured_of, is_noisy, origin_of, piece_of, target_of
from bluekrait.core.rules.bits import ONE, U64
from bluekrait.search.scores import UNKNOWN
from bluekrait.search.thread_record import (
    BUTTERFLIES,
    CODES,
    PAWN_ROWS,
    PIECE_SQUARES,
    SQUARES,
    TRIED_CAPACITY,
)
from bluekrait.search.tree.state import ply_of, ply_type, thread_type

HISTORY_LIMIT = 1 << 14  # histories stay within this, on both sides of zero
EIGHTHS = 8  # that weights are counted in
FADING_SHIFT = 2  # a quarter

_MIX_1, _MIX_2, _MIX_3 = (U64(odd) for odd in (0x8CB92BA72F3D8DD7, 0xA24BAED4963EE407, 0x9FB21C651E98DF25))
_TOP_BITS = U64(64 - (PAWN_ROWS.bit_length() - 1))

tried_type = types.UniTuple(int64, 2)


@inline(int64(int64, int64))
def gravity(value, bonus):
    """A history after a bonus or a malus: the closer to the limit, the less it moves."""
    return value + bonus - value * abs(bonus) // HISTORY_LIMIT


@inline(int64(thread_type, int64, int64))
def depth_of_bonus(thread, depth, lead):
    """The depth that a cut-off counts for: one ply more if the score lies clearly above beta."""
    return depth + 1 if lead > thread.parameters.clear_fail_high else depth


@inline(int64(thread_type, int64))
def bonus_for(thread, depth):
    """The bonus for the move that caused a cut-off at this depth."""
    tuned = thread.parameters
    bonus = tuned.history_bonus_slope * depth - tuned.history_bonus_offset
    return min(bonus, tuned.history_bonus_limit)


@inline(int64(thread_type, int64))
def malus_for(thread, depth):
    """What other moves lose that were tried before it."""
    tuned = thread.parameters
    malus = tuned.history_malus_slope * depth - tuned.history_malus_offset
    return min(malus, tuned.history_malus_limit)


@inline(int64(ply_type, board_type, uint64))
def select_histories(node, board, attacked):
    """Set what the histories of a node's moves depend on: attacked squares and pawns."""
    node.attacked = attacked
    own = board.pawns & board.own
    node.pawn_row = int((own * _MIX_1 ^ (board.pawns ^ own) * _MIX_2) * _MIX_3 >> _TOP_BITS)
    return node.pawn_row


@inline(int64(int64, uint32))
def piece_square(turn, move):
    """Side, piece and target square of a move as one index: its row in the continuation histories."""
    return (turn * CODES + piece_of(move)) * SQUARES + target_of(move)


@inline(uint64(uint64, int64, uint32))
def butterfly_index(attacked, turn, move):
    """Place of a quiet move in the butterfly history, by its squares and whether they are attacked."""
    origin, target = origin_of(move), target_of(move)
    threats = (attacked >> U64(origin) & ONE) + (attacked >> U64(target) & ONE) * U64(2)
    return U64(((turn * 4 + int(threats)) * SQUARES + origin) * SQUARES + target)


@inline(uint64(int64, uint32))
def pawn_index(pawn_row, move):
    """Place of a quiet move in the pawn history; both sides share it, as each sees the board."""
    return U64((pawn_row * CODES + piece_of(move)) * SQUARES + target_of(move))


@inline(uint64(uint64, int64, uint32))
def capture_index(attacked, turn, move):
    """Place of a noisy move in the capture history: also by whether the enemy attacks its target."""
    is_defended = int(attacked >> U64(target_of(move)) & ONE)
    return U64((piece_square(turn, move) * CODES + captured_of(move)) * 2 + is_defended)


class HistoryContext(NamedTuple):
    """What the histories of all quiet moves of a node depend on, read once for all of them."""

    attacked: int
    pawn_row: int
    one: int  # rows of continuation history, by what was played so many half-moves before
    two: int
    three: int
    four: int
    pawn_weight: int
    continuation_weight: int


context_type = types.NamedTuple((uint64, *(int64,) * 7), HistoryContext)


@inline(context_type(thread_type, int64))
def history_context(thread, ply):
    """The context of a ply's quiet moves."""
    node, tuned = ply_of(thread, ply), thread.parameters
    return HistoryContext(
        node.attacked,
        node.pawn_row,
        ply_of(thread, ply - 1).continuation,
        ply_of(thread, ply - 2).continuation,
        ply_of(thread, ply - 3).continuation,
        ply_of(thread, ply - 4).continuation,
        tuned.pawn_weight,
        tuned.continuation_weight,
    )


@internal(int64(thread_type))
def fade_butterfly_history(thread):
    """A new search begins: what moves were worth in the last one counts three quarters."""
    for place in range(U64(BUTTERFLIES)):
        value = int(thread.butterfly[place])
        thread.butterfly[place] = value - (value >> FADING_SHIFT)
    return 0


@inline(int64(thread_type, context_type, int64, uint32))
def quiet_history(thread, context, turn, move):
    """The history of a quiet move: butterfly, pawn and continuation histories together."""
    butterfly = int(thread.butterfly[butterfly_index(context.attacked, turn, move)])
    pawns = context.pawn_weight * int(thread.pawn_histories[pawn_index(context.pawn_row, move)])
    continuations = context.continuation_weight * continuation_history(
        thread, context, piece_square(turn, move)
    )
    return butterfly + (pawns + continuations) // EIGHTHS


@inline(int64(thread_type, context_type, int64))
def continuation_history(thread, context, here):
    """The sum of a move's continuation histories, after the moves so many plies before; three counts half.

    Those of six plies before are learnt, but not asked: they are entries of the same table.
    """
    return (
        continuation(thread, context.one, here)
        + continuation(thread, context.two, here)
        + continuation(thread, context.three, here) // 2
        + continuation(thread, context.four, here)
    )


@inline(int64(thread_type, int64, int64))
def continuation(thread, row, here):
    """The continuation history of a move after the one that selects the row."""
    return int(thread.continuations[U64(row * PIECE_SQUARES + here)])


@inline(int64(thread_type, ply_type, int64, uint32))
def capture_history(thread, node, turn, move):
    """The history of a noisy move."""
    return int(thread.captures[capture_index(node.attacked, turn, move)])


@inline(int64(thread_type, int64, int64, uint32, int64))
def update_quiet_history(thread, ply, turn, move, bonus):
    """Update all histories of a quiet move."""
    node = ply_of(thread, ply)
    place = butterfly_index(node.attacked, turn, move)
    thread.butterfly[place] = gravity(int(thread.butterfly[place]), bonus)
    place = pawn_index(node.pawn_row, move)
    thread.pawn_histories[place] = gravity(int(thread.pawn_histories[place]), bonus)
    return update_continuation_history(thread, ply, piece_square(turn, move), bonus)


@inline(int64(thread_type, int64, int64, int64))
def update_continuation_history(thread, ply, here, bonus):
    """Update all continuation histories of a move by one change, which gets smaller as their sum grows.

    In check, what was played long before says little.
    """
    total = continuation_history(thread, history_context(thread, ply), here)
    change = gravity(total, bonus // 2) - total
    add_to_continuation(thread, ply_of(thread, ply - 1), here, change)
    add_to_continuation(thread, ply_of(thread, ply - 2), here, change)
    add_to_continuation(thread, ply_of(thread, ply - 3), here, change)
    if ply_of(thread, ply).static_eval != UNKNOWN:
        add_to_continuation(thread, ply_of(thread, ply - 4), here, change)
        add_to_continuation(thread, ply_of(thread, ply - 6), here, change)
    return change


@inline(int64(thread_type, ply_type, int64, int64))
def add_to_continuation(thread, earlier, here, change):
    """Change the history of a move after the one played at an earlier ply, if there was one."""
    if earlier.continuation:
        place = U64(earlier.continuation * PIECE_SQUARES + here)
        changed = int(thread.continuations[place]) + change
        thread.continuations[place] = max(-HISTORY_LIMIT, min(HISTORY_LIMIT, changed))
    return change


@inline(int64(thread_type, ply_type, int64, uint32, int64))
def update_capture_history(thread, node, turn, move, bonus):
    """Update the history of a noisy move."""
    place = capture_index(node.attacked, turn, move)
    thread.captures[place] = gravity(int(thread.captures[place]), bonus)
    return bonus


@internal(int64(thread_type, int64, int64, uint32, int64, int64, int64))
def update_histories(thread, ply, turn, best, depth, quiets, noisies):
    """Update histories after a cut-off: a bonus for the move that caused it, a malus for those tried before.

    A quiet move also becomes the killer of this ply and the counter-move to the previous move. A noisy one
    takes nothing from quiet moves: it would come before them in any case.
    """
    node, bonus, malus = ply_of(thread, ply), bonus_for(thread, depth), malus_for(thread, depth)
    if is_noisy(best):
        update_capture_history(thread, node, turn, best, bonus)
    else:
        node.killer = best
        thread.counters[U64(ply_of(thread, ply - 1).continuation)] = best
        update_quiet_history(thread, ply, turn, best, bonus)
        for i in range(quiets):
            update_quiet_history(thread, ply, turn, node.quiets_tried[U64(i)], -malus)
    for i in range(noisies):
        update_capture_history(thread, node, turn, node.noisies_tried[U64(i)], -malus)
    return bonus


@inline(boolean(ply_type))
def is_quiet_played(node):
    """True if a quiet move led from this node to the next; neither a noisy nor a null move."""
    return node.move != NO_MOVE and not is_noisy(node.move)


@inline(int64(thread_type, int64, int64, uint32, int64, boolean))
def learn_from_research(thread, ply, turn, move, depth, is_good):
    """Update the continuation histories of a quiet move that was searched again after a reduction."""
    bonus = bonus_for(thread, depth) if is_good else -malus_for(thread, depth)
    if not is_noisy(move) and not thread.stop:
        update_continuation_history(thread, ply, piece_square(turn, move), bonus)
    return bonus


@inline(int64(thread_type, int64, int64, int64))
def learn_from_fail_low(thread, ply, turn, depth):
    """Update the histories of the quiet move that led here, since no reply to it was found."""
    previous = ply_of(thread, ply - 1)
    bonus = bonus_for(thread, depth) * thread.parameters.fail_low_share // 100
    if is_quiet_played(previous):
        update_quiet_history(thread, ply - 1, turn ^ 1, previous.move, bonus)
    return bonus


@inline(int64(thread_type, int64, int64, int64))
def learn_from_refutation(thread, ply, turn, depth):
    """Update the continuation histories of a quiet move that was tried first, since it is refuted."""
    previous, malus = ply_of(thread, ply - 1), malus_for(thread, depth)
    if previous.count == 1 and is_quiet_played(previous):
        update_continuation_history(thread, ply - 1, piece_square(turn ^ 1, previous.move), -malus)
    return malus


@inline(int64(thread_type, int64, int64))
def learn_from_evaluation(thread, ply, turn):
    """Update the butterfly history of the quiet move that led here by how it changed the evaluation."""
    node, previous, tuned = ply_of(thread, ply), ply_of(thread, ply - 1), thread.parameters
    if node.static_eval == UNKNOWN or previous.static_eval == UNKNOWN or not is_quiet_played(previous):
        return 0
    gain = -(previous.static_eval + node.static_eval)  # of the side that moved
    limit = tuned.evaluation_bonus_limit
    bonus = max(-limit, min(limit, tuned.evaluation_bonus_slope * gain))
    place = butterfly_index(previous.attacked, turn ^ 1, previous.move)
    thread.butterfly[place] = gravity(int(thread.butterfly[place]), bonus)
    return bonus


@inline(tried_type(ply_type, uint32, int64, int64))
def record_tried(node, move, quiets, noisies):
    """Keep a move that did not cut off, while there is room; how many quiet and noisy ones there are now."""
    if is_noisy(move):
        if noisies < TRIED_CAPACITY:
            node.noisies_tried[U64(noisies)] = move
            noisies += 1
    elif quiets < TRIED_CAPACITY:
        node.quiets_tried[U64(quiets)] = move
        quiets += 1
    return quiets, noisies
