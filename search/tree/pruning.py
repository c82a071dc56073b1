"""Pruning: when a node, or a move, is given up without being searched. Each rule is a formula of its own.

Of a whole node, by its evaluation: razoring, reverse futility, null move, ProbCut. Of a move: SEE pruning,
late-move pruning (LMP), futility, history pruning. The numbers are in `search.parameters`.
"""

from typing import NamedTuple

from numba import types

from bluekrait.core.compiler.jit import board_type, boolean, inline, int64, position_type, uint32
from bluekrait.core.move import is_noisy
from bluekrait.core.rules.see import see_at_least
from bluekrait.search.scores import UNKNOWN, is_decided, is_loss
from bluekrait.search.tree.extensions_and_reductions import PLY, quiet_reduction
from bluekrait.search.tree.learning.histories import capture_history, history_context, quiet_history
from bluekrait.search.tree.picker import skip_quiet_moves
from bluekrait.search.tree.state import has_non_pawn_material, ply_of, ply_type, thread_type
from bluekrait.search.tree.transpositions import tt_entry_type

# Depths up to which a rule is used; null move and ProbCut are used from theirs on.
RAZOR_DEPTH, NULL_MOVE_DEPTH, PROBCUT_DEPTH = 4, 3, 5
LATE_MOVES_DEPTH, FUTILITY_DEPTH, HISTORY_DEPTH, SEE_DEPTH = 9, 10, 5, 10
NULL_MOVE_LEAD_PLIES = 3  # of reduction for being ahead, at most
NULL_MOVE_LEAST_DEPTH = 1  # that is left after all reductions
PROBCUT_REDUCTION = 4  # plies: the search after a capture is so much less deep than that of the node
PROBCUT_STORED_REDUCTION = 3  # plies: its result is stored for the node as if it was so much less deep
KEEP, PRUNE_MOVE, PRUNE_QUIET_MOVES = 0, 1, 2  # decisions about a move: the last is about all later ones


@inline(boolean(thread_type, int64))
def is_improving(thread, ply):
    """True if the side to move stands better than at its last move, or the one before if it was in check."""
    here = ply_of(thread, ply).static_eval
    before = ply_of(thread, ply - 2).static_eval
    if before == UNKNOWN:
        before = ply_of(thread, ply - 4).static_eval
    return here != UNKNOWN and here > before


# --- whole nodes -------------------------------------------------------------------------------------


@inline(boolean(thread_type, int64, int64, int64))
def may_razor(thread, depth, estimate, beta):
    """Razoring: so far below beta that only captures could help."""
    tuned = thread.parameters
    return depth <= RAZOR_DEPTH and estimate + tuned.razor_base + tuned.razor_slope * depth * depth < beta


@inline(boolean(thread_type, int64, int64, int64, int64, int64))
def is_reverse_futile(thread, depth, estimate, beta, improving, was_pv):
    """Reverse futility: so far above beta that the opponent will not catch up."""
    tuned = thread.parameters
    if depth > tuned.reverse_futility_depth or was_pv or is_decided(estimate):
        return False
    margin = max(tuned.reverse_futility_floor, tuned.reverse_futility_margin * (depth - improving))
    return estimate - margin >= beta


@inline(boolean(thread_type, board_type, int64, int64, int64, int64))
def may_pass(thread, board, depth, estimate, static_eval, beta):
    """Null move: so good that passing may still reach beta. Without pieces, zugzwang is too likely."""
    tuned = thread.parameters
    return (
        depth >= NULL_MOVE_DEPTH
        and estimate >= beta
        and static_eval >= beta + tuned.null_move_lead - tuned.null_move_ease * depth
        and has_non_pawn_material(board)
    )


@inline(int64(thread_type, int64, int64, int64))
def null_move_depth(thread, depth, lead, improving):
    """The depth of the search after a null move; `lead` is the estimate above beta.

    Quiescence search alone would see no quiet threat of mate, however much material was given for it.
    """
    tuned = thread.parameters
    reduction = tuned.null_move_base + depth // tuned.null_move_divisor + improving
    reduction += min(NULL_MOVE_LEAD_PLIES, lead // tuned.null_move_margin)
    return max(NULL_MOVE_LEAST_DEPTH, depth - reduction)


@inline(boolean(tt_entry_type, int64, int64))
def may_probcut(tt_entry, depth, probcut_beta):
    """ProbCut: a capture may be so good that even a shallow search reaches more than beta."""
    is_deep = tt_entry.depth >= depth - PROBCUT_STORED_REDUCTION
    is_refuted = tt_entry.bound and tt_entry.score < probcut_beta and is_deep
    return depth >= PROBCUT_DEPTH and not is_decided(probcut_beta) and not is_refuted


# --- moves -------------------------------------------------------------------------------------------


@inline(int64(thread_type, int64, int64, uint32))
def move_history(thread, ply, turn, move):
    """The history of a move, noisy or quiet."""
    if is_noisy(move):
        return capture_history(thread, ply_of(thread, ply), turn, move)
    return quiet_history(thread, history_context(thread, ply), turn, move)


class PruningContext(NamedTuple):
    """The facts about a node that the pruning of its moves depends on."""

    depth: int
    alpha: int
    estimate: int  # the static evaluation, outside the principal variation refined by the table
    in_check: int
    improving: int


context_type = types.NamedUniTuple(int64, 5, PruningContext)


@inline(boolean(thread_type, ply_type, position_type, int64, uint32, boolean, int64, int64, context_type))
def is_pruned(thread, node, position, best, move, is_check, count, history, context):
    """True if a move is to be left out. From some point on, the picker leaves out all quiet moves."""
    if is_loss(best) or not has_non_pawn_material(position.board):
        return False
    decision = prune_decision(thread, position, move, is_check, count, history, context)
    if decision == PRUNE_QUIET_MOVES:
        skip_quiet_moves(node)
    return decision != KEEP


@inline(int64(thread_type, position_type, uint32, boolean, int64, int64, context_type))
def prune_decision(thread, position, move, is_check, count, history, context):
    """KEEP, PRUNE_MOVE, or PRUNE_QUIET_MOVES: this one and all after it."""
    tuned, board, depth = thread.parameters, position.board, context.depth
    if is_noisy(move) or is_check:
        # SEE pruning: an exchange that loses much; how much depends on how good such captures have been.
        margin = tuned.see_noisy * depth * depth
        if is_noisy(move):
            margin = max(0, margin + history // tuned.see_noisy_history)
        if depth <= SEE_DEPTH and not see_at_least(board, move, -margin):
            return PRUNE_MOVE
        return KEEP
    # The depth that a reduction would leave decides about futility and SEE; a good history adds to both.
    reduced = max(0, depth - quiet_reduction(thread, depth, count, history) // PLY)
    # Late-move pruning: so many quiet moves were no good that the others are not either.
    most = (tuned.late_move_base + depth * depth) // (2 - context.improving)
    if depth <= LATE_MOVES_DEPTH and count > most:
        return PRUNE_QUIET_MOVES
    # Futility: a quiet move does not gain so much, unless it gives check.
    if not context.in_check and reduced <= FUTILITY_DEPTH:
        if context.estimate + tuned.futility_base + tuned.futility_slope * reduced <= context.alpha:
            return PRUNE_MOVE
    # History pruning: the move was bad nearly everywhere.
    if depth <= HISTORY_DEPTH and history < -tuned.history_pruning * depth:
        return PRUNE_MOVE
    # SEE pruning: the piece would be captured.
    if reduced <= SEE_DEPTH and not see_at_least(board, move, -tuned.see_quiet * reduced):
        return PRUNE_MOVE
    return KEEP
