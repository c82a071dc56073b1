"""Iterative deepening in one call: for searches that are too short to report while they run.

It does what `search.thinking.lazy_smp` does with one thread, and finds the same; the tests compare the two.
"""

from bluekrait.core.compiler.jit import boolean, int64, internal, position_type, record_reader
from bluekrait.core.rules.legality import legality
from bluekrait.core.rules.movegen import add_legal_moves
from bluekrait.search.iterations_record import Iterations
from bluekrait.search.thread_record import NO_NODE_LIMIT
from bluekrait.search.tree.aspiration import search_depth
from bluekrait.search.tree.root import fill_roots
from bluekrait.search.tree.state import root_at, thread_type

iterations_at, iterations_type = record_reader(Iterations)


@internal(int64(iterations_type, thread_type, position_type))
def run_iterations(job, thread, position):
    """Deepen until the last depth, the node limit or `stop`; the depth of the last complete iteration.

    The node limit ends no first iteration: there is always a move with a score.
    """
    node_limit, thread.node_limit = thread.node_limit, NO_NODE_LIMIT
    ranks = min(job.ranks, prepare_roots(job, thread, position))
    job.depth, job.count = 0, 0
    if ranks > 0:
        for depth in range(1, job.last_depth + 1):
            if not run_iteration(job, thread, position, depth, ranks):
                break
            thread.node_limit = node_limit
            sort_ranks(thread, ranks)
            keep_lines(job, thread, depth, ranks)
    return job.depth


@internal(int64(iterations_type, thread_type, position_type))
def prepare_roots(job, thread, position):
    """Fill in the root moves, and the list of legal moves if that is not given; how many there are."""
    moves = job.moves
    if not job.is_restricted:
        moves.count = add_legal_moves(position.board, legality(position.board), moves, 0)
    return fill_roots(thread, moves)


@internal(boolean(iterations_type, thread_type, position_type, int64, int64))
def run_iteration(job, thread, position, depth, ranks):
    """Search one depth: the best moves, each without those before it. False if it was stopped."""
    for rank in range(ranks):
        job.expected[rank] = root_at(thread, rank).score
    for rank in range(ranks):
        thread.rank = rank
        if not search_depth(thread, position, depth, job.expected[rank]):
            return False
    return True


@internal(int64(thread_type, int64))
def sort_ranks(thread, ranks):
    """Let the best come first; equal ones keep their order."""
    ranking = thread.ranking
    for end in range(1, ranks):
        index = ranking[end]
        score, place = thread.roots[index].score, end
        while place > 0 and thread.roots[ranking[place - 1]].score < score:
            ranking[place] = ranking[place - 1]
            place -= 1
        ranking[place] = index
    return ranks


@internal(int64(iterations_type, thread_type, int64, int64))
def keep_lines(job, thread, depth, ranks):
    """Keep the result of a complete iteration: the next one may be stopped halfway."""
    for rank in range(ranks):
        root, kept = root_at(thread, rank), job.lines[rank]
        kept.move, kept.score, kept.nodes = root.move, root.score, root.nodes
        kept.selective_depth, kept.length = root.selective_depth, root.length
        for i in range(root.length):
            kept.line[i] = root.line[i]
    job.depth, job.count = depth, ranks
    return ranks
