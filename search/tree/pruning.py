"""When to look less deep, or not at all: the guesses that make a search fast, each a formula of its own."""

import math
from typing import NamedTuple

import numpy as np
from numba import types

from bluekrait.core.compiler.jit import boolean, inline, int64, position_type, uint32
from bluekrait.core.move import is_noisy
from bluekrait.core.rules.legality import legality_type
from bluekrait.core.rules.see import see_at_least
from bluekrait.search.scores import UNKNOWN
from bluekrait.search.tree.histories import capture_history, quiet_history
from bluekrait.search.tree.state import ply_of, thread_type

PLY = 1024  # reductions are counted in such fractions of a ply
LATE_MOVES_DEPTH, FUTILITY_DEPTH, HISTORY_DEPTH, SEE_DEPTH = 9, 10, 5, 10
NOTHING, THIS_MOVE, ALL_QUIET_MOVES = 0, 1, 2  # what there is no hope for

# 1024 times the natural logarithm, up to the number of moves a position may have.
LOGARITHMS = np.array([0, *(round(PLY * math.log(number)) for number in range(1, 256))], np.int64)


@inline(boolean(thread_type, int64))
def is_improving(thread, ply):
    """True if the side to move stands better than at its last move, or the one before if it was in check."""
    here = ply_of(thread, ply).static_eval
    before = ply_of(thread, ply - 2).static_eval
    if before == UNKNOWN:
        before = ply_of(thread, ply - 4).static_eval
    return here != UNKNOWN and here > before


@inline(int64(thread_type, int64, int64))
def base_reduction(thread, depth, count):
    """How much less deep to look at a move, from how many were looked at before it; in fractions."""
    tuned = thread.parameters
    growth = LOGARITHMS[min(depth, 255)] * LOGARITHMS[min(count, 255)] // PLY
    return tuned.reduction_base + growth * tuned.reduction_slope // PLY


@inline(int64(thread_type, int64, int64, int64, int64, boolean))
def reduction_of(thread, depth, count, history, is_better, is_check):
    """The same, judging also by what is known of the move and of how the game goes."""
    tuned = thread.parameters
    reduction = base_reduction(thread, depth, count) - history * PLY // tuned.reduction_history
    if not is_better:
        reduction += tuned.reduction_not_improving
    if is_check:
        reduction -= tuned.reduction_check
    return reduction


@inline(int64(thread_type, int64, position_type, legality_type, uint32))
def history_of(thread, ply, position, state, move):
    """How good a move has been elsewhere."""
    if is_noisy(move):
        return capture_history(thread, position.ply & 1, move)
    return quiet_history(thread, ply, position.ply & 1, state.attacked, move)


class Node(NamedTuple):
    """What the fate of a move depends on, besides the move: the same for all moves of a node."""

    depth: int
    alpha: int
    static_eval: int
    in_check: int
    is_better: int  # 1 if the side to move is improving


node_type = types.NamedUniTuple(int64, 5, Node)


@inline(int64(thread_type, position_type, uint32, boolean, int64, int64, node_type))
def hopelessness(thread, position, move, is_check, count, history, node):
    """What can be left out of a node, judging by the move at hand: NOTHING, THIS_MOVE or ALL_QUIET_MOVES."""
    tuned, board, depth = thread.parameters, position.board, node.depth
    if is_noisy(move) or is_check:
        # An exchange that loses much.
        if depth <= SEE_DEPTH and not see_at_least(board, move, -tuned.see_noisy * depth * depth):
            return THIS_MOVE
        return NOTHING
    reduced = max(0, depth - base_reduction(thread, depth, count) // PLY)
    # So many quiet moves were no good that the others are not either.
    if depth <= LATE_MOVES_DEPTH and count > (tuned.late_move_base + depth * depth) // (2 - node.is_better):
        return ALL_QUIET_MOVES
    # A quiet move does not make up for so much, unless it gives check.
    if not node.in_check and reduced <= FUTILITY_DEPTH:
        if node.static_eval + tuned.futility_base + tuned.futility_slope * reduced <= node.alpha:
            return THIS_MOVE
    # The move never was any good.
    if depth <= HISTORY_DEPTH and history < -tuned.history_pruning * depth:
        return THIS_MOVE
    # The piece would just be taken.
    if reduced <= SEE_DEPTH and not see_at_least(board, move, -tuned.see_quiet * reduced):
        return THIS_MOVE
    return NOTHING
