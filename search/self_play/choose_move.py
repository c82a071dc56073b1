"""One move of self-play: iterative deepening up to a soft limit of nodes."""

from bluekrait.core.compiler.jit import inline, int64, internal, position_type, uint64
from bluekrait.core.rules.bits import EMPTY, ONE, U64
from bluekrait.core.rules.legality import legality
from bluekrait.core.rules.movegen import add_legal_moves
from bluekrait.search.scores import INFINITE, MATE, MAX_PLY, is_decided
from bluekrait.search.self_play.job import job_type
from bluekrait.search.transposition_layout import GENERATIONS
from bluekrait.search.tree.aspiration import open_window, search_window
from bluekrait.search.tree.state import root_move_type, thread_type

HARD_LIMIT = U64(8)  # times the soft one: where an iteration is cut off, unless it is the first
NO_LIMIT = ~EMPTY


@internal(int64(job_type, thread_type, position_type))
def prepare_search(job, thread, position):
    """Prepare the search of a position; how many legal moves there are."""
    board = position.board
    count = add_legal_moves(board, legality(board), job.legal, 0)
    thread.nodes, thread.stop, thread.null_move_ply = EMPTY, EMPTY, 0
    thread.generation = (thread.generation + ONE) & U64(GENERATIONS - 1)
    thread.root_count, thread.rank = count, 0
    for place in range(count):
        root, move = thread.roots[place], job.legal.moves[place]
        root.move, root.score, root.nodes, root.length = move, -INFINITE, EMPTY, 1
        root.line[0] = move
        thread.ranking[place] = place
    return count


@internal(int64(thread_type, position_type, uint64))
def search_position(thread, position, nodes):
    """Search a position; the mean score of the last two completed iterations. The best move is at rank 0.

    A shallow search of odd depth flatters the side to move, one of even depth its opponent.
    """
    before = score = 0
    thread.node_limit = NO_LIMIT
    for depth in range(1, MAX_PLY):
        thread.iteration, thread.expected = depth, best_root(thread).score
        open_window(thread)
        while search_window(thread, position):
            pass
        if thread.stop:
            break
        before, score = score, best_root(thread).score
        if depth == 1:
            before = score
        if thread.nodes >= nodes or is_settled(score, depth):
            break
        thread.node_limit = nodes * HARD_LIMIT
    return score if is_decided(score) or is_decided(before) else (before + score) // 2


@inline(root_move_type(thread_type))
def best_root(thread):
    """The root move that is the best so far."""
    return thread.roots[thread.ranking[0]]


@inline(int64(int64, int64))
def is_settled(score, depth):
    """True if a mate was found that no deeper search can shorten."""
    return is_decided(score) and depth > MATE - abs(score)
