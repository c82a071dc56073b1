"""Perft: the number of move sequences of a given length, the yardstick of every move generator.

The last three plies are where the time goes. Three plies above the leaves, the boards after all moves of a
board are made at once (`children`). The moves of these are not made: they are appended to the columns of the
job, and when the columns are nearly full, `count_replies` counts the replies to all of them. Further above,
ordinary generated moves are made one by one.
"""

from bluekrait.core.compiler.jit import board_type, int64, internal, uint64
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
from bluekrait.core.counting.perft_table import (
    bucket_at,
    probe,
    probe_small,
    store,
    store_small,
    tag_at_depth,
)
from bluekrait.core.counting.replies import count_replies
from bluekrait.core.counting.signatures import find_signatures, signature_of, with_en_passant
from bluekrait.core.counting.vectors import LANES
from bluekrait.core.records import COLUMN_CAPACITY, MAX_MOVES, PARENT_CAPACITY
from bluekrait.core.rules.bits import EMPTY, ONE, U64
from bluekrait.core.rules.legality import legality
from bluekrait.core.rules.make import after_move, with_legal_en_passant
from bluekrait.core.rules.movegen import add_legal_moves

_NEARLY_FULL = COLUMN_CAPACITY - MAX_MOVES - LANES


@internal(int64(perft_job_type, board_type, int64))
def walk(job, board, depth):
    """Count the leaves below a board into `job.nodes`; the last of them may still be pending."""
    if depth == 0:
        job.nodes += ONE
        return depth
    if depth == 2:
        return append_parent(job, board, freedom_of(board), EMPTY, EMPTY)
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
            append_parent(job, child, freedom_of(child), EMPTY, EMPTY)
        else:
            append_parent(job, child, child_freedom(children, i), EMPTY, EMPTY)
    return count


@internal(int64(perft_job_type, board_type))
def make_children(job, board):
    """Make all children of a board; how many there are."""
    freedom, special = freedom_of(board), special_pieces(board)
    count = append_moves(job.upper_columns, 0, board, freedom, special)
    return find_children(job.children, job.upper_columns, count, board, freedom, special)


@internal(int64(perft_job_type, board_type, freedom_type, uint64, uint64))
def append_parent(job, board, freedom, bucket, tag):
    """Append the moves of a board at depth two, when there is room for them.

    Its count is going to be stored in a bucket of the hash table, if there is one.
    """
    if job.pending > _NEARLY_FULL or job.parents_pending == PARENT_CAPACITY:
        count_pending(job)
    parent = job.parents[job.parents_pending]
    parent.bucket = bucket
    parent.tag = tag
    return expand(job, board, freedom)


@internal(int64(perft_job_type))
def count_pending(job):
    """Count the replies to all pending moves. Returns how many parents there were."""
    parents = job.parents_pending
    for i in range(parents):
        parent = job.parents[i]
        nodes = parent.nodes + count_replies(job.columns, parent)
        job.nodes += nodes
        if parent.bucket:
            store_small(parent.bucket, parent.tag, nodes)
    job.parents_pending = job.pending = 0
    return parents


@internal(int64(perft_job_type, board_type, int64))
def walk_hashed(job, board, depth):
    """The same with the hash table, which knows what any thread has counted before, on any path."""
    if depth < 3:
        walk(job, board, depth)
        return count_pending(job)
    tag, place = signature_of(board)
    tag, bucket = tag_at_depth(tag, depth), bucket_at(job.table, job.buckets, place)
    known = probe(bucket, tag)
    if known:
        job.nodes += known
        return depth
    return walk_unknown(job, board, depth, bucket, tag)


@internal(int64(perft_job_type, board_type, int64, uint64, uint64))
def walk_unknown(job, board, depth, bucket, tag):
    """The same for a board that is not in the table.

    The buckets of all children are prefetched before the first of them is probed.
    """
    before = job.nodes
    if depth == 3:
        walk_children_hashed(job, board)
        return store(bucket, tag, job.nodes - before)
    legal, tags, buckets = job.lists[depth], job.tags[depth], job.buckets_of[depth]
    count = add_legal_moves(board, legality(board), legal, 0)
    for i in range(count):
        child_tag, place = signature_of(after_move(board, legal.moves[i]))
        tags[i], buckets[i] = tag_at_depth(child_tag, depth - 1), bucket_at(job.table, job.buckets, place)
        prefetch(buckets[i])
    for i in range(count):
        known = probe(buckets[i], tags[i])
        if known:
            job.nodes += known
        else:
            walk_unknown(job, after_move(board, legal.moves[i]), depth - 1, buckets[i], tags[i])
        if job.stop:  # what was counted of this child may be a part
            return depth
    return store(bucket, tag, job.nodes - before)


@internal(int64(perft_job_type, board_type))
def walk_children_hashed(job, board):
    """The same at depth three, where the children are made all at once, and so are their signatures."""
    count, children = make_children(job, board), job.children
    find_signatures(children, count, job.small_table, job.small_buckets)
    for i in range(count):
        prefetch(children.buckets[i])
    for i in range(count):
        tag, bucket = children.tags[i], children.buckets[i]
        if children.en_passant[i]:
            child = with_legal_en_passant(child_board(children, i))
            tag = with_en_passant(tag, child.en_passant)
            known = probe_small(bucket, tag)
            if known == EMPTY:
                append_parent(job, child, freedom_of(child), bucket, tag)
        else:
            known = probe_small(bucket, tag)
            if known == EMPTY:
                append_parent(job, child_board(children, i), child_freedom(children, i), bucket, tag)
        job.nodes += known
    return count_pending(job)
