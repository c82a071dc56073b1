"""Singular extensions: a move that is better than all others is searched deeper.

To find out, the same node is searched without that move (`excluded` in the ply's record). If all other moves
stay below the singular beta, a little under the stored score, the move is singular.
"""

from bluekrait.core.compiler.jit import boolean, inline, int64
from bluekrait.search.scores import is_decided
from bluekrait.search.tree.state import ply_type, thread_type
from bluekrait.search.tree.transpositions import LOWER, entry_type

TT_DEPTH_MARGIN = 3  # plies that the stored score may be shallower than the node
MOST_DOUBLE_EXTENSIONS = 6  # on one line


@inline(boolean(thread_type, entry_type, int64, int64))
def may_be_singular(thread, tt_entry, ply, depth):
    """True if the stored score is deep and certain enough to test whether its move is singular."""
    return (
        depth >= thread.parameters.singular_depth
        and tt_entry.bound & LOWER != 0
        and tt_entry.depth >= depth - TT_DEPTH_MARGIN
        and not is_decided(tt_entry.score)
        and ply < 2 * thread.depth
    )


@inline(int64(thread_type, entry_type, int64))
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
