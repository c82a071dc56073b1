"""Perft: the number of move sequences of a given length, the yardstick of every move generator.

The last two plies are where the time goes. There the children of a board are not visited: they are appended
to the leaf boards of the job, and when these are nearly full, `count_moves` counts the moves of all of
them in one go. Above that, ordinary generated moves are made.
"""

from bluekrait.core.compiler.jit import board_type, inline, int64, internal, position_type, uint64
from bluekrait.core.compiler.memory import prefetch
from bluekrait.core.counting.expand import expand, perft_job_type
from bluekrait.core.counting.perft_table import bucket_of, probe, signature_of, store
from bluekrait.core.records import LEAF_CAPACITY, MAX_MOVES
from bluekrait.core.rules.bits import EMPTY, ONE, U64
from bluekrait.core.rules.count_moves import count_leaves
from bluekrait.core.rules.legality import legality
from bluekrait.core.rules.make import after_move, make_move
from bluekrait.core.rules.movegen import add_legal_moves

_NEARLY_FULL = LEAF_CAPACITY - MAX_MOVES
_LANES = 8  # words in the largest vector register: boards are counted in groups of so many


@internal(int64(perft_job_type, board_type, int64))
def walk(job, board, depth):
    """Count the leaves below a board into `job.nodes`; the last of them may still be pending."""
    if depth == 0:
        job.nodes += ONE
        return depth
    if depth == 2:
        return expand(job, board) if job.pending <= _NEARLY_FULL else count_pending(job) + expand(job, board)
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


@internal(int64(perft_job_type))
def count_pending(job):
    """Count the moves of all pending leaf boards. Returns how many boards there were."""
    boards = job.pending
    padded = (boards + _LANES - 1) // _LANES * _LANES
    for i in range(boards, padded):
        job.leaves.own[i] = EMPTY  # padding: counts zero
    job.nodes += count_leaves(job.leaves, padded)
    job.pending = 0
    return boards


@internal(int64(perft_job_type, position_type, int64))
def walk_hashed(job, position, depth):
    """The same with the hash table, which knows what any thread has counted before, on any path.

    The buckets of all children are prefetched before the first of them is probed.
    """
    before, signature = job.nodes, signature_of(position.key, depth)
    if depth <= 2:
        walk(job, position.board, depth)
        count_pending(job)
        return store(bucket_of(job, signature), signature, job.nodes - before)
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
    count_parents(job)
    return store(bucket_of(job, signature), signature, job.nodes - before)


@inline(int64(perft_job_type, board_type, uint64))
def append_parent(job, board, signature):
    """Append the children of a board at depth two, and note which leaves are its own."""
    if job.pending > _NEARLY_FULL or job.parents == MAX_MOVES:
        count_parents(job)
    here, before = job.parents, job.nodes
    job.parent_signatures[here], job.parent_starts[here] = signature, job.pending
    pending = expand(job, board)
    job.parent_extras[here] = job.nodes - before  # en-passant captures, which are counted at once
    job.parents = here + 1
    return pending


@internal(int64(perft_job_type))
def count_parents(job):
    """Count all pending leaf boards, and store the count of each parent in the hash table."""
    boards, parents = count_pending(job), job.parents
    for i in range(parents):
        nodes = job.parent_extras[i]
        for leaf in range(job.parent_starts[i], job.parent_starts[i + 1] if i + 1 < parents else boards):
            nodes += job.leaves.moves[leaf]
        signature = job.parent_signatures[i]
        store(bucket_of(job, signature), signature, nodes)
    job.parents = 0
    return parents
