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
from bluekrait.core.move import is_noisy
from bluekrait.search.scores import is_decided
from bluekrait.search.tree.picker import GOOD_NOISY
from bluekrait.search.tree.state import ply_type, thread_type
from bluekrait.search.tree.transpositions import LOWER, tt_entry_type

TT_DEPTH_MARGIN = 3  # plies that the stored score may be shallower than the node
MOST_DOUBLE_EXTENSIONS = 6  # on one line

PLY = 1024
REDUCTION_DEPTH = 2

# 1024 times the natural logarithm, up to the number of moves a position may have.
LOGARITHMS = np.array([0, *(round(PLY * math.log(number)) for number in range(1, 256))], np.int64)

# --- singular extensions -----------------------------------------------------------------------------


@inline(boolean(thread_type, tt_entry_type, int64, int64))
def may_be_singular(thread, tt_entry, ply, depth):
    """True if the stored score is deep and certain enough to test whether its move is singular."""
    return (
        depth >= thread.parameters.singular_depth
        and tt_entry.bound & LOWER != 0
        and tt_entry.depth >= depth - TT_DEPTH_MARGIN
        and not is_decided(tt_entry.score)
        and ply < 2 * thread.depth
    )


@inline(int64(thread_type, tt_entry_type, int64))
def singular_beta(thread, tt_entry, depth):
    """The score that all other moves must stay below."""
    return tt_entry.score - thread.parameters.singular_margin * depth


@inline(int64(thread_type, ply_type, int64, int64, int64, int64, int64, boolean))
def singular_extension(thread, node, others, limit, tt_score, beta, is_pv, is_cut_node):
    """Plies by which to extend the stored move, from the score of the others and the singular beta.

    Where the others are as good, the stored move is searched less deep instead if a cut-off is likely.
    """
    if others < limit:
        is_far_below = others < limit - thread.parameters.double_extension_margin
        if is_pv or not is_far_below or node.double_extensions >= MOST_DOUBLE_EXTENSIONS:
            return 1
        return 2
    if tt_score >= beta:
        return -1 if is_pv else -2
    return -1 if is_cut_node else 0


# --- late-move reductions ----------------------------------------------------------------------------


@inline(boolean(ply_type, int64, uint32))
def may_reduce(node, depth, move):
    """True if a move after the first may be searched less deep."""
    return depth >= REDUCTION_DEPTH and not (is_noisy(move) and node.stage == GOOD_NOISY)


@inline(int64(thread_type, int64, int64))
def base_reduction(thread, depth, count):
    """The reduction of the move with this number: it grows with the logarithms of number and depth."""
    tuned = thread.parameters
    growth = LOGARITHMS[min(depth, 255)] * LOGARITHMS[min(count, 255)] // PLY
    return tuned.reduction_base + growth * tuned.reduction_slope // PLY


@inline(int64(thread_type, int64, int64, int64, int64, boolean, boolean, int64))
def late_move_reduction(thread, depth, count, history, improving, is_check, is_cut_node, is_pv):
    """The reduction of a move, from what is known of it and of its node."""
    tuned = thread.parameters
    reduction = base_reduction(thread, depth, count)
    reduction -= history * PLY // tuned.reduction_history  # a good history: less
    if not improving:
        reduction += tuned.reduction_not_improving
    if is_check:
        reduction -= tuned.reduction_check
    if is_cut_node:
        reduction += tuned.reduction_cut_node
    if is_pv:
        reduction -= tuned.reduction_pv
    return reduction


@inline(int64(int64, int64))
def reduced_depth(child_depth, reduction):
    """The depth after a reduction: at least one ply, and never more than without it."""
    return max(1, min(child_depth, child_depth - reduction // PLY))
