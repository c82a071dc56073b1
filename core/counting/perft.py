"""Perft: the number of move sequences of a given length, the yardstick of every move generator.

The last two plies are where the time goes. There the children of a board are not visited: they are sown into
a field of leaf boards, and when the field is full `count_moves` counts the moves of all of them in one sweep.
Above that, ordinary generated moves are made.
"""

from bluekrait.core.compiler.jit import board_type, inline, int64, internal, position_type, uint64
from bluekrait.core.compiler.memory import prefetch
from bluekrait.core.counting.expand import perft_job_type, sow
from bluekrait.core.counting.perft_table import bucket_of, recall, remember, signature_of
from bluekrait.core.records import LEAF_CAPACITY, MAX_MOVES
from bluekrait.core.rules.bits import EMPTY, ONE, U64
from bluekrait.core.rules.count_moves import count_leaves
from bluekrait.core.rules.legality import legality
from bluekrait.core.rules.make import after_move, make_move
from bluekrait.core.rules.movegen import add_legal_moves

_FULL_FIELD = LEAF_CAPACITY - MAX_MOVES
_LANES = 8  # boards are swept in whole vector registers, which hold no more than so many words


@internal(int64(perft_job_type, board_type, int64))
def walk(job, board, depth):
    """Count the leaves below a board into `job.nodes`; the last of them may still wait in the field."""
    if depth == 0:
        job.nodes += ONE
        return depth
    if depth == 2:
        return sow(job, board) if job.pending <= _FULL_FIELD else reap(job) + sow(job, board)
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
def reap(job):
    """Count the moves of all leaf boards in the field and clear it. Returns how many boards there were."""
    boards = job.pending
    swept = (boards + _LANES - 1) // _LANES * _LANES
    for i in range(boards, swept):
        job.field.own[i] = EMPTY  # who owns nothing has no moves
    job.nodes += count_leaves(job.field, swept)
    job.pending = 0
    return boards


@internal(int64(perft_job_type, position_type, int64))
def walk_hashed(job, position, depth):
    """The same, looking up in the hash table what was counted before, on any path by any thread.

    The children's buckets are asked for all at once before the first is looked at.
    """
    before, signature = job.nodes, signature_of(position.key, depth)
    if depth <= 2:
        walk(job, position.board, depth)
        reap(job)
        return remember(bucket_of(job, signature), signature, job.nodes - before)
    legal, signatures = job.lists[depth], job.signatures[depth]
    count = add_legal_moves(position.board, legality(position.board), legal, 0)
    for i in range(count):
        signatures[i] = signature_of(make_move(position, legal.moves[i]).key, depth - 1)
        prefetch(bucket_of(job, signatures[i]))
    for i in range(count):
        if job.stop:
            return depth
        known = recall(bucket_of(job, signatures[i]), signatures[i])
        if known:
            job.nodes += known
        elif depth == 3:
            claim(job, after_move(position.board, legal.moves[i]), signatures[i])
        else:
            walk_hashed(job, make_move(position, legal.moves[i]), depth - 1)
    settle(job)
    return remember(bucket_of(job, signature), signature, job.nodes - before)


@inline(int64(perft_job_type, board_type, uint64))
def claim(job, board, signature):
    """Sow a board at depth two, and note which rows of the field its count will be the sum of."""
    if job.pending > _FULL_FIELD or job.claims == MAX_MOVES:
        settle(job)
    here, before = job.claims, job.nodes
    job.claim_signatures[here], job.claim_starts[here] = signature, job.pending
    rows = sow(job, board)
    job.claim_extras[here] = job.nodes - before  # captures in passing, which are counted at once
    job.claims = here + 1
    return rows


@internal(int64(perft_job_type))
def settle(job):
    """Reap the field, and remember the count of each board that claimed a part of it."""
    boards, claims = reap(job), job.claims
    for i in range(claims):
        nodes = job.claim_extras[i]
        for row in range(job.claim_starts[i], job.claim_starts[i + 1] if i + 1 < claims else boards):
            nodes += job.field.moves[row]
        signature = job.claim_signatures[i]
        remember(bucket_of(job, signature), signature, nodes)
    job.claims = 0
    return claims
