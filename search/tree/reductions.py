"""Late-move reductions (LMR): moves that come late in the order are searched less deep, until one is good.

Reductions are sums of terms, counted in 1024ths of a ply so that each term can be tuned finely.
"""

import math

import numpy as np

from bluekrait.core.compiler.jit import boolean, inline, int64, uint32
from bluekrait.core.move import is_noisy
from bluekrait.search.tree.picker import GOOD_NOISY
from bluekrait.search.tree.state import ply_type, thread_type

PLY = 1024
REDUCTION_DEPTH = 2

# 1024 times the natural logarithm, up to the number of moves a position may have.
LOGARITHMS = np.array([0, *(round(PLY * math.log(number)) for number in range(1, 256))], np.int64)


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
