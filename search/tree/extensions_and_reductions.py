"""How deep a child is searched: singular extensions and late-move reductions (LMR).

A move that is better than all others is singular, and searched deeper. To find out, the same node is searched
without that move (`excluded` in the ply's record). If all other moves stay below the singular beta, a little
under the stored score, the move is singular.

Moves that come late in the order are searched less deep, until one is good. Reductions are sums of terms,
counted in 1024ths of a ply so that each term can be tuned finely.
"""

import math

import numpy as np

from bluekrait.core.compiler.jit import boolean, inline, int64, uint32
from bluekrait.core.move import NO_MOVE, is_noisy
from bluekrait.core.rules.bits import U64
from bluekrait.search.scores import LOWER, UNKNOWN, is_decided
from bluekrait.search.tree.picker import GOOD_NOISY
from bluekrait.search.tree.state import ply_of, ply_type, thread_type
from bluekrait.search.tree.transpositions import tt_entry_type

TT_DEPTH_MARGIN = 3  # plies that the stored score may be shallower than the node
MOST_DOUBLE_EXTENSIONS = 6  # on one line
SIXTEENTHS = 16  # the unit of the singular margin
BEYOND_BETA_REDUCTION, CUT_NODE_REDUCTION = 3, 2  # plies, of a hash move that is not singular

PLY = 1024
REDUCTION_DEPTH = 2
FEW_CUTOFFS = 2  # among the children of a node

# 1024 times the natural logarithm, up to the number of moves a position may have.
LARGEST_NUMBER = 255
LOGARITHMS = np.array(
    [0, *(round(PLY * math.log(number)) for number in range(1, LARGEST_NUMBER + 1))], np.int64
)

# --- singular extensions -----------------------------------------------------------------------------


@inline(boolean(thread_type, tt_entry_type, int64, int64))
def may_be_singular(thread, tt_entry, ply, depth):
    """True if the stored score is deep and certain enough to test whether its move is singular.

    Not so far down a line that extensions must have made it longer: else they might never end.
    """
    return (
        depth >= thread.parameters.singular_depth
        and tt_entry.bound & LOWER != 0
        and tt_entry.depth >= depth - TT_DEPTH_MARGIN
        and not is_decided(tt_entry.score)
        and ply < 2 * thread.depth
    )


@inline(int64(int64))
def singular_search_depth(depth):
    """The depth of the search without the stored move: half of what is left after that move."""
    return (depth - 1) // 2


@inline(int64(thread_type, tt_entry_type, int64, int64))
def singular_beta(thread, tt_entry, depth, was_pv):
    """The score that all other moves must stay below.

    It is lower where a node outside the principal variation was once in one. A node inside passes 0.
    """
    return tt_entry.score - thread.parameters.singular_margin * depth * (1 + was_pv) // SIXTEENTHS


@inline(boolean(int64, int64, int64))
def is_multicut(others, limit, beta):
    """Multicut: True if the others are as good as the stored move, and one of them reaches beta as well."""
    return others >= max(limit, beta) and not is_decided(others)


@inline(int64(thread_type, ply_type, uint32, int64, int64, int64))
def singular_extension(thread, node, move, history, others, limit):
    """Plies by which to extend a stored move that is singular: the more, the further below the others are."""
    tuned = thread.parameters
    below = limit - others + history // tuned.extension_history
    if below <= tuned.double_extension_margin or node.double_extensions >= MOST_DOUBLE_EXTENSIONS:
        return 1
    return 2 if below <= tuned.triple_extension_margin or is_noisy(move) else 3


@inline(int64(int64, int64, boolean))
def negative_extension(tt_score, beta, is_cut_node):
    """Plies less, where the others are as good as the stored move: most if that one reaches beta."""
    if tt_score >= beta:
        return -BEYOND_BETA_REDUCTION
    return -CUT_NODE_REDUCTION if is_cut_node else 0


# --- late-move reductions ----------------------------------------------------------------------------


@inline(int64(int64))
def logarithm(number):
    """1024 times the natural logarithm of a positive number."""
    return LOGARITHMS[U64(min(number, LARGEST_NUMBER))]


@inline(int64(int64, int64))
def growth(depth, count):
    """What reductions grow with: the logarithms of depth and number of the move."""
    return logarithm(depth) * logarithm(count) // PLY


@inline(int64(thread_type, int64, int64))
def base_reduction(thread, depth, count):
    """The reduction of the move with this number."""
    tuned = thread.parameters
    return tuned.reduction_base + growth(depth, count) * tuned.reduction_slope // PLY


@inline(int64(thread_type, int64, int64, int64))
def noisy_reduction(thread, depth, count, history):
    """The reduction of a noisy move that keeps material: smaller, and by capture history."""
    tuned = thread.parameters
    reduction = tuned.noisy_reduction_base + growth(depth, count) * tuned.noisy_reduction_slope // PLY
    return reduction - history * PLY // tuned.noisy_reduction_history


@inline(int64(thread_type, int64, int64, int64))
def quiet_reduction(thread, depth, count, history):
    """The reduction of any other move, less if it has a good history."""
    return base_reduction(thread, depth, count) - history * PLY // thread.parameters.reduction_history


@inline(int64(thread_type, ply_type, tt_entry_type, int64, int64, int64, boolean, int64))
def reduction_of_node(thread, node, tt_entry, hash_move, alpha, improving, is_cut_node, is_pv):
    """The part of a reduction that all moves of a node share."""
    tuned = thread.parameters
    reduction = 0
    if not improving:
        reduction += tuned.reduction_not_improving
    if is_cut_node:
        reduction += tuned.reduction_cut_node
        if hash_move == NO_MOVE:
            reduction += tuned.reduction_no_hash_move
    if is_noisy(hash_move):  # a quiet move is hardly better
        reduction += tuned.reduction_noisy_hash_move
    if is_pv:
        reduction -= tuned.reduction_pv
        if tt_entry.bound and tt_entry.score <= alpha:  # but no longer, it seems
            reduction += tuned.reduction_pv_fail_low
    return reduction - tuned.reduction_correction * abs(node.correction)  # less where evaluation errs


@inline(int64(thread_type, int64, int64, int64, int64, boolean))
def late_move_reduction(thread, ply, depth, count, history, is_check):
    """The part of a reduction that belongs to a move, from what is known of it and its siblings."""
    tuned = thread.parameters
    if ply_of(thread, ply).stage == GOOD_NOISY:
        reduction = noisy_reduction(thread, depth, count, history)
    else:
        reduction = quiet_reduction(thread, depth, count, history)
    if is_check:
        reduction -= tuned.reduction_check
    if ply_of(thread, ply + 1).cutoffs > FEW_CUTOFFS:  # the siblings were easily refuted
        reduction += tuned.reduction_cutoffs
    return reduction


@inline(int64(thread_type, int64, int64, int64))
def reduced_depth(thread, ply, child_depth, reduction):
    """The depth after a reduction: at least one ply. Early on the line, a negative one adds a ply."""
    if reduction <= -PLY and ply < thread.depth:
        return child_depth + 1
    return max(1, min(child_depth, child_depth - reduction // PLY))


@inline(int64(thread_type, int64))
def hindsight(thread, ply):
    """1 if the move that led here was reduced by much, though it made nothing worse for its side: else 0.

    The reduction is cleared, so that the singular search of the same node does not count it once more.
    """
    node, previous = ply_of(thread, ply), ply_of(thread, ply - 1)
    reduction, previous.reduction = previous.reduction, 0
    if node.static_eval == UNKNOWN or previous.static_eval == UNKNOWN:
        return 0
    is_worse = node.static_eval + previous.static_eval > 0
    return 1 if reduction >= thread.parameters.hindsight_reduction and not is_worse else 0


@inline(int64(thread_type, int64, int64))
def research_depth_change(thread, score, best):
    """How much deeper a move is searched again whose reduced search failed high, by how good it looks."""
    if score > best + thread.parameters.deeper_margin:
        return 1
    return -1 if score < best + thread.parameters.shallower_margin else 0
