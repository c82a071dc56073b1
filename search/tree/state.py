"""The search record as kernels see it, and the questions that every node asks."""

from bluekrait.core.compiler.jit import (
    board_type,
    boolean,
    inline,
    int64,
    internal,
    position_type,
    record_reader,
    share,
)
from bluekrait.core.records import DRAWING_REPETITIONS
from bluekrait.core.rules.bits import EMPTY, ONE, U64
from bluekrait.core.rules.history import NEAREST_REPETITION
from bluekrait.core.rules.legality import legality
from bluekrait.core.rules.outcome import FIFTY_MOVES_CLOCK, is_insufficient_material, number_of_moves
from bluekrait.search import scores
from bluekrait.search.thread_record import LOOK_BACK, Ply, RootMove, SearchThread

thread_at, thread_type = record_reader(SearchThread)
_, ply_type = record_reader(Ply)
_, root_move_type = record_reader(RootMove)

share(
    scores.mate_in,
    scores.mated_in,
    scores.won_by_tablebase,
    scores.bound_of,
    scores.is_decided,
    scores.is_win,
    scores.is_loss,
    scores.is_mate,
    scores.moderated,
    scores.from_node,
    scores.from_root,
)


@inline(ply_type(thread_type, int64))
def ply_of(thread, ply):
    """The record of a ply, counted from the root; a few before the root exist, and are empty."""
    return thread.plies[U64(ply + LOOK_BACK)]


@inline(root_move_type(thread_type, int64))
def root_at(thread, rank):
    """The root move of a rank; the best so far has rank 0."""
    return thread.roots[U64(thread.ranking[U64(rank)])]


@inline(boolean(thread_type))
def must_stop(thread):
    """True if the search must stop; the results of the nodes still open are ignored."""
    if thread.nodes >= thread.node_limit:
        thread.stop = ONE
    return thread.stop != 0


@inline(boolean(thread_type, position_type, int64))
def is_draw(thread, position, ply):
    """True if the game is drawn here: by insufficient material, by the fifty-move rule, or by repetition.

    A position that occurred once after the root counts as a draw, since the side that came back once can do
    it again. Otherwise it must have occurred twice. Before a null move, nothing counts.
    """
    if position.clock >= FIFTY_MOVES_CLOCK and not is_mated(position.board):
        return True
    if is_insufficient_material(position.board):
        return True
    here = thread.game_length + ply
    found, oldest = 0, max(thread.repeatable_from, here - position.clock)
    for place in range(here - NEAREST_REPETITION, oldest - 1, -2):
        if thread.keys[U64(place)] == position.key:
            found += 1
            if found == DRAWING_REPETITIONS or place > thread.game_length:
                return True
    return False


@internal(boolean(board_type))
def is_mated(board):
    """True if the side to move is mated."""
    return legality(board).checkers != EMPTY and number_of_moves(board) == EMPTY


@inline(boolean(board_type))
def has_non_pawn_material(board):
    """True if the side to move has more than king and pawns: else it may be in zugzwang."""
    return (board.knights | board.diagonals | board.orthogonals) & board.own != EMPTY
