"""The one seam between the search and whatever judges positions for it."""

from bluekrait.core.compiler.jit import board_type, inline, int64
from bluekrait.search.evaluation.classical.sum_terms import evaluate as judge
from bluekrait.search.tree.state import thread_type


@inline(int64(thread_type, board_type))
def evaluate(thread, board):
    """The score of a position for the side to move, as it stands."""
    return judge(thread.pawns, board)
