"""Perft: the number of move sequences of a given length, the yardstick of every move generator.

The last two plies are where the time goes. There the moves of a board are not made: they are appended to
the columns of the job, and when these are nearly full, `count_replies` counts the replies to all of them.
Above that, ordinary generated moves are made.
"""

from bluekrait.core.compiler.jit import board_type, int64, internal, position_type, uint64
from bluekrait.core.compiler.memory import prefetch
from bluekrait.core.counting.expand import expand, perft_job_type
from bluekrait.core.counting.perft_table import bucket_of, probe, signature_of, store
from bluekrait.core.counting.replies import count_replies
from bluekrait.core.counting.vectors import LANES
from bluekrait.core.records import COLUMN_CAPACITY, MAX_MOVES, PARENT_CAPACITY
from bluekrait.core.rules.bits import EMPTY, ONE, U64
from bluekrait.core.rules.legality import legality
from bluekrait.core.rules.make import after_move, make_move
from bluekrait.core.rules.movegen import add_legal_moves

_NEARLY_FULL = COLUMN_CAPACITY - MAX_MOVES - LANES


@internal(int64(perft_job_type, board_type, int64))
def walk(job, board, depth):
    """Count the leaves below a board into `job.nodes`; the last of them may still be pending."""
    if depth == 0:
        job.nodes += ONE
        return depth
    if depth == 2:
        return append_parent(job, board, EMPTY)
    legal = job.lists[depth]
    count = add_legal_moves(board, legality(board), legal, 0)
    if depth == 1:
        job.nodes += U64(count)
        return depth
    for i in range(count):
        if job.stop:
            break
        walk(job, after_move(board, legal.moves[i]), depth - 1)
    return depth


@internal(int64(perft_job_type, board_type, uint64))
def append_parent(job, board, signature):
    """Append the moves of a board at depth two, when there is room for them."""
    if job.pending > _NEARLY_FULL or job.parents_pending == PARENT_CAPACITY:
        count_pending(job)
    return expand(job, board, signature)


@internal(int64(perft_job_type))
def count_pending(job):
    """Count the replies to all pending moves. Returns how many parents there were."""
    parents = job.parents_pending
    for i in range(parents):
        parent = job.parents[i]
        nodes = count_replies(job.columns, parent)
        job.nodes += nodes
        if job.table:
            store(bucket_of(job, parent.signature), parent.signature, parent.nodes + nodes)
    job.parents_pending = job.pending = 0
    return parents


@internal(int64(perft_job_type, position_type, int64))
def walk_hashed(job, position, depth):
    """The same with the hash table, which knows what any thread has counted before, on any path.

    The buckets of all children are prefetched before the first of them is probed.
    """
    before, signature = job.nodes, signature_of(position.key, depth)
    if depth == 2:
        append_parent(job, position.board, signature)
        return count_pending(job)
    if depth < 2:
        return walk(job, position.board, depth)
    legal, signatures = job.lists[depth], job.signatures[depth]
    count = add_legal_moves(position.board, legality(position.board), legal, 0)
    for i in range(count):
        signatures[i] = signature_of(make_move(position, legal.moves[i]).key, depth - 1)
        prefetch(bucket_of(job, signatures[i]))
    for i in range(count):
        if job.stop:
            return depth
        known = probe(bucket_of(job, signatures[i]), signatures[i])
        if known:
            job.nodes += known
        elif depth == 3:
            append_parent(job, after_move(position.board, legal.moves[i]), signatures[i])
        else:
            walk_hashed(job, make_move(position, legal.moves[i]), depth - 1)
    count_pending(job)
    return store(bucket_of(job, signature), signature, job.nodes - before)
