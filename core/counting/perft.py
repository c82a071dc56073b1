"""Perft: the number of move sequences of a given length, the yardstick of every move generator.

The last two plies are where the time goes. There the moves of a board are not made: they are appended to
the columns of the job, and when these are nearly full, `count_replies` counts the replies to all of them.
Above that, ordinary generated moves are made.
"""

from bluekrait.core.compiler.jit import board_type, int64, internal, position_type, uint64
from bluekrait.core.compiler.memory import prefetch
from bluekrait.core.counting.children import child_board, child_freedom, find_children
from bluekrait.core.counting.expand import (
    append_moves,
    expand,
    freedom_of,
    freedom_type,
    perft_job_type,
    special_pieces,
)
from bluekrait.core.counting.perft_table import bucket_of, probe, signature_of, store
from bluekrait.core.counting.replies import count_replies
from bluekrait.core.counting.signatures import find_signatures, with_en_passant
from bluekrait.core.counting.vectors import LANES
from bluekrait.core.records import COLUMN_CAPACITY, MAX_MOVES, PARENT_CAPACITY
from bluekrait.core.rules.bits import EMPTY, ONE, U64
from bluekrait.core.rules.legality import legality
from bluekrait.core.rules.make import after_move, make_move, with_legal_en_passant
from bluekrait.core.rules.movegen import add_legal_moves

_NEARLY_FULL = COLUMN_CAPACITY - MAX_MOVES - LANES


@internal(int64(perft_job_type, board_type, int64))
def walk(job, board, depth):
    """Count the leaves below a board into `job.nodes`; the last of them may still be pending."""
    if depth == 0:
        job.nodes += ONE
        return depth
    if depth == 2:
        return append_parent(job, board, freedom_of(board), EMPTY)
    if depth == 3:
        return walk_children(job, board)
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


@internal(int64(perft_job_type, board_type))
def walk_children(job, board):
    """The same at depth three, where the children of the board are made all at once."""
    count, children = make_children(job, board), job.children
    for i in range(count):
        child = child_board(children, i)
        if child.en_passant:
            child = with_legal_en_passant(child)
            append_parent(job, child, freedom_of(child), EMPTY)
        else:
            append_parent(job, child, child_freedom(children, i), EMPTY)
    return count


@internal(int64(perft_job_type, board_type))
def make_children(job, board):
    """Make all children of a board; how many there are."""
    freedom, special = freedom_of(board), special_pieces(board)
    count = append_moves(job.upper_columns, 0, board, freedom, special)
    return find_children(job.children, job.upper_columns, count, board, freedom, special)


@internal(int64(perft_job_type, board_type, freedom_type, uint64))
def append_parent(job, board, freedom, signature):
    """Append the moves of a board at depth two, when there is room for them."""
    if job.pending > _NEARLY_FULL or job.parents_pending == PARENT_CAPACITY:
        count_pending(job)
    return expand(job, board, freedom, signature)


@internal(int64(perft_job_type))
def count_pending(job):
    """Count the replies to all pending moves. Returns how many parents there were."""
    parents = job.parents_pending
    for i in range(parents):
        parent = job.parents[i]
        nodes = parent.nodes + count_replies(job.columns, parent)
        job.nodes += nodes
        if parent.signature:
            store(bucket_of(job, parent.signature), parent.signature, nodes)
    job.parents_pending = job.pending = 0
    return parents


@internal(int64(perft_job_type, position_type, int64))
def walk_hashed(job, position, depth):
    """The same with the hash table, which knows what any thread has counted before, on any path.

    The buckets of all children are prefetched before the first of them is probed.
    """
    before, signature = job.nodes, signature_of(position.key, depth)
    if depth < 3:
        walk(job, position.board, depth)
        return count_pending(job)
    if depth == 3:
        walk_children_hashed(job, position.board)
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
        else:
            walk_hashed(job, make_move(position, legal.moves[i]), depth - 1)
    return store(bucket_of(job, signature), signature, job.nodes - before)


@internal(int64(perft_job_type, board_type))
def walk_children_hashed(job, board):
    """The same at depth three, where the children are made all at once, and so are their signatures."""
    count, children = make_children(job, board), job.children
    find_signatures(children, count)
    for i in range(count):
        prefetch(bucket_of(job, children.signatures[i]))
    for i in range(count):
        signature = children.signatures[i]
        if children.en_passant[i]:
            child = with_legal_en_passant(child_board(children, i))
            signature = with_en_passant(signature, child.en_passant)
            known = probe(bucket_of(job, signature), signature)
            if known == EMPTY:
                append_parent(job, child, freedom_of(child), signature)
        else:
            known = probe(bucket_of(job, signature), signature)
            if known == EMPTY:
                append_parent(job, child_board(children, i), child_freedom(children, i), signature)
        job.nodes += known
    return count_pending(job)
