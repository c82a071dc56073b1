"""One move of self-play: iterative deepening up to a soft limit of nodes."""

from bluekrait.core.compiler.jit import inline, int64, internal, position_type, uint64
from bluekrait.core.rules.bits import EMPTY, ONE, U64
from bluekrait.core.rules.legality import legality
from bluekrait.core.rules.movegen import add_legal_moves
from bluekrait.search.limits import DEEPEST
from bluekrait.search.scores import MATE, is_decided
from bluekrait.search.self_play.job import job_type
from bluekrait.search.thread_record import NO_NODE_LIMIT
from bluekrait.search.transposition_layout import GENERATIONS
from bluekrait.search.tree.aspiration import search_depth
from bluekrait.search.tree.root import fill_roots
from bluekrait.search.tree.state import root_at, thread_type

HARD_LIMIT = U64(8)  # times the soft one: where an iteration is cut off, unless it is the first


@internal(int64(job_type, thread_type, position_type))
def prepare_search(job, thread, position):
    """Prepare the search of a position; how many legal moves there are."""
    board = position.board
    job.legal.count = add_legal_moves(board, legality(board), job.legal, 0)
    thread.nodes, thread.stop, thread.null_move_ply = EMPTY, EMPTY, 0
    thread.generation = (thread.generation + ONE) & U64(GENERATIONS - 1)
    return fill_roots(thread, job.legal)


@inline(int64(int64, int64))
def is_settled(score, depth):
    """True if a mate was found that no deeper search can shorten."""
    return is_decided(score) and depth > MATE - abs(score)


@inline(int64(int64, int64))
def mean_of_last(before, score):
    """The mean score of the last two iterations, the last one alone if mate is near.

    A shallow search of odd depth flatters the side to move, one of even depth its opponent.
    """
    return score if is_decided(score) or is_decided(before) else (before + score) // 2


@internal(int64(thread_type, position_type, uint64))
def search_position(thread, position, nodes):
    """Search a position; the mean score of the last two completed iterations. The best move is at rank 0."""
    before = score = 0
    thread.node_limit = NO_NODE_LIMIT
    for depth in range(1, DEEPEST + 1):
        if not search_depth(thread, position, depth, root_at(thread, 0).score):
            break
        before, score = score, root_at(thread, 0).score
        if depth == 1:
            before = score
        if thread.nodes >= nodes or is_settled(score, depth):
            break
        thread.node_limit = nodes * HARD_LIMIT
    return mean_of_last(before, score)
