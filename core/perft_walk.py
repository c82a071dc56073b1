"""Perft: the number of move sequences of a given length, the yardstick of every move generator.

The last two plies are where the time goes. There the children of a board are not visited: they are sown,
word by word, into a field of leaf boards, and when the field is full `core.leaves` counts the moves of
all of them in one sweep. Above that, ordinary generated moves are made.
"""

from bluekrait.core import records
from bluekrait.core.attacks import bishop_attacks, king_attacks, knight_attacks, rook_attacks
from bluekrait.core.bits import (
    EMPTY,
    FULL,
    NOT_FILE_A,
    NOT_FILE_H,
    ONE,
    RANK_3,
    RANK_8,
    S1,
    S7,
    S8,
    S9,
    S16,
    U64,
    lowest_bit,
    lowest_square,
    pawn_captures_east,
    pawn_captures_west,
    popcount,
    turned,
)
from bluekrait.core.board import Board
from bluekrait.core.jit import board_type, inline, int64, internal, position_type, record_reader, uint64
from bluekrait.core.leaves import count_leaves, leaf_field_type
from bluekrait.core.legality import (
    SQUARE_C1,
    SQUARE_D1,
    SQUARE_F1,
    SQUARE_G1,
    castling_rooks,
    en_passant_pawns,
    legality,
    legality_type,
)
from bluekrait.core.make import after_move, make_move
from bluekrait.core.memory import load_word, prefetch, store_word
from bluekrait.core.movegen import add_legal_moves, capturing_pawns, pawn_pushes
from bluekrait.core.records import LEAF_CAPACITY, MAX_MOVES, PerftJob

perft_job_at, perft_job_type = record_reader(PerftJob)

_FULL_FIELD = LEAF_CAPACITY - MAX_MOVES
_LANES = 8  # boards are swept in whole vector registers, which hold no more than so many words
_DEPTH_SALT = U64(0x9E3779B97F4A7C15)
_WORD_BYTES, _ENTRY_BYTES, _BUCKET_BYTES = U64(8), U64(16), U64(records.BUCKET_BYTES)


@internal(int64(perft_job_type, board_type, int64))
def walk(job, board, depth):
    """Count the leaves below a board into `job.nodes`; the last of them may still wait in the field."""
    if depth == 0:
        job.nodes += ONE
        return depth
    if depth == 2:
        return sow(job, board)
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


@internal(int64(perft_job_type, position_type, int64))
def walk_hashed(job, position, depth):
    """The same, looking up in the hash table what was counted before, on any path by any thread.

    The children's buckets are asked for all at once before the first is looked at.
    """
    before = job.nodes
    if depth <= 2:
        walk(job, position.board, depth)
        reap(job)
    else:
        legal, signatures = job.lists[depth], job.signatures[depth]
        count = add_legal_moves(position.board, legality(position.board), legal, 0)
        for i in range(count):
            child = make_move(position, legal.moves[i])
            signatures[i] = signature_of(child.key, depth - 1)
            prefetch(bucket_of(job, signatures[i]))
        for i in range(count):
            if job.stop:
                return depth
            known = recall(bucket_of(job, signatures[i]), signatures[i])
            if known:
                job.nodes += known
            else:
                walk_hashed(job, make_move(position, legal.moves[i]), depth - 1)
    signature = signature_of(position.key, depth)
    remember(bucket_of(job, signature), signature, job.nodes - before)
    return depth


@inline(uint64(uint64, int64))
def signature_of(key, depth):
    """What identifies a subtree in the hash table: its position and its depth."""
    return key ^ (U64(depth) * _DEPTH_SALT)


@inline(uint64(perft_job_type, uint64))
def bucket_of(job, signature):
    """Address of the bucket, a cache line of four entries, that may hold a subtree."""
    return job.table + (signature & job.table_mask) * _BUCKET_BYTES


@inline(uint64(uint64, uint64))
def recall(bucket, signature):
    """The count of a subtree, or 0 if it is not known.

    An entry is the count, and the count xored with the signature: whatever two threads do to an entry at
    once, a torn one does not match.
    """
    for address in range(bucket, bucket + _BUCKET_BYTES, _ENTRY_BYTES):
        count = load_word(address)
        if load_word(address + _WORD_BYTES) ^ count == signature:
            return count
    return EMPTY


@inline(int64(uint64, uint64, uint64))
def remember(bucket, signature, nodes):
    """Put the count of a subtree in its bucket, in place of the smallest count there."""
    place = bucket
    for address in range(bucket + _ENTRY_BYTES, bucket + _BUCKET_BYTES, _ENTRY_BYTES):
        if load_word(address) < load_word(place):
            place = address
    store_word(place, nodes)
    store_word(place + _WORD_BYTES, nodes ^ signature)
    return 0


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


@internal(int64(perft_job_type, board_type))
def sow(job, board):
    """Put all children of a board into the field. Returns how many boards wait there."""
    state = legality(board)
    field, n = job.field, job.pending
    steps = king_attacks(state.king_square) & ~board.own & ~state.attacked
    n = sow_king(field, n, board, state, steps)
    if state.targets:
        n = sow_pieces(field, n, board, state)
        n = sow_pawns(field, n, board, state)
        if board.castling & board.own:
            n = sow_castlings(field, n, board, state)
        if board.en_passant:
            n = sow_en_passants(field, n, board, state)
        doubles = ((pawn_pushes(board, state) & RANK_3) << S8) & ~state.occupied & state.targets
        n = sow_double_pushes(job, field, n, board, state, doubles)
    job.pending = n
    return reap(job) if n > _FULL_FIELD else n


@inline(int64(leaf_field_type, int64, uint64, uint64, uint64, uint64, uint64, uint64, uint64))
def plant(field, n, pawns, knights, diagonals, orthogonals, kings, own, castling):
    """Write one leaf board, seen by who just moved; `own` is the side that is to move now."""
    field.pawns[n] = pawns
    field.knights[n] = knights
    field.diagonals[n] = diagonals
    field.orthogonals[n] = orthogonals
    field.kings[n] = kings
    field.own[n] = own
    field.castling[n] = castling
    return n + 1


@inline(int64(leaf_field_type, int64, board_type, legality_type, uint64))
def sow_king(field, n, board, state, targets):
    """Steps of the king, who loses his castling rights."""
    others = board.kings & ~board.own
    castling = board.castling & ~board.own
    while targets:
        to = lowest_bit(targets)
        targets ^= to
        stay = ~to
        n = plant(
            field,
            n,
            board.pawns & stay,
            board.knights & stay,
            board.diagonals & stay,
            board.orthogonals & stay,
            others | to,
            state.enemy & stay,
            castling & stay,
        )
    return n


@inline(int64(leaf_field_type, int64, board_type, legality_type))
def sow_pieces(field, n, board, state):
    """Moves of knights and sliders."""
    pins = state.pins_diagonal | state.pins_orthogonal
    knights = board.knights & board.own & ~pins
    while knights:
        origin = lowest_bit(knights)
        knights ^= origin
        targets = knight_attacks(lowest_square(origin)) & state.targets
        while targets:
            to = lowest_bit(targets)
            targets ^= to
            stay = ~to
            n = plant(
                field,
                n,
                board.pawns & stay,
                (board.knights ^ origin) | to,
                board.diagonals & stay,
                board.orthogonals & stay,
                board.kings,
                state.enemy & stay,
                board.castling & stay,
            )
    sliders = board.diagonals & board.own & ~state.pins_orthogonal
    while sliders:
        origin = lowest_bit(sliders)
        sliders ^= origin
        targets = bishop_attacks(lowest_square(origin), state.occupied) & state.targets
        if origin & state.pins_diagonal:
            targets &= state.pins_diagonal
        n = sow_slider(field, n, board, state, origin, targets)
    sliders = board.orthogonals & board.own & ~state.pins_diagonal
    while sliders:
        origin = lowest_bit(sliders)
        sliders ^= origin
        targets = rook_attacks(lowest_square(origin), state.occupied) & state.targets
        if origin & state.pins_orthogonal:
            targets &= state.pins_orthogonal
        n = sow_slider(field, n, board, state, origin, targets)
    return n


@inline(int64(leaf_field_type, int64, board_type, legality_type, uint64, uint64))
def sow_slider(field, n, board, state, origin, targets):
    """Moves of one bishop, rook or queen: it stays in the planes it stands in."""
    diagonals, orthogonals = board.diagonals & ~origin, board.orthogonals & ~origin
    on_diagonals = FULL if board.diagonals & origin else EMPTY
    on_orthogonals = FULL if board.orthogonals & origin else EMPTY
    castling = board.castling & ~origin
    while targets:
        to = lowest_bit(targets)
        targets ^= to
        stay = ~to
        n = plant(
            field,
            n,
            board.pawns & stay,
            board.knights & stay,
            (diagonals & stay) | (to & on_diagonals),
            (orthogonals & stay) | (to & on_orthogonals),
            board.kings,
            state.enemy & stay,
            castling & stay,
        )
    return n


@inline(int64(leaf_field_type, int64, board_type, legality_type))
def sow_pawns(field, n, board, state):
    """Single steps, captures and promotions of pawns."""
    west, east = capturing_pawns(board, state)
    victims = state.enemy & state.targets
    n = sow_pawn_moves(field, n, board, state, pawn_pushes(board, state) & state.targets, S8)
    n = sow_pawn_moves(field, n, board, state, pawn_captures_west(west) & victims, S7)
    return sow_pawn_moves(field, n, board, state, pawn_captures_east(east) & victims, S9)


@inline(int64(leaf_field_type, int64, board_type, legality_type, uint64, uint64))
def sow_pawn_moves(field, n, board, state, targets, distance):
    """Pawn moves that all go the same distance, promotions in each of four ways."""
    while targets:
        to = lowest_bit(targets)
        targets ^= to
        stay = ~to
        pawns = (board.pawns & stay) ^ (to >> distance)
        knights, diagonals = board.knights & stay, board.diagonals & stay
        orthogonals, kings = board.orthogonals & stay, board.kings
        own, castling = state.enemy & stay, board.castling & stay
        if to & RANK_8:
            n = plant(field, n, pawns, knights | to, diagonals, orthogonals, kings, own, castling)
            n = plant(field, n, pawns, knights, diagonals | to, orthogonals, kings, own, castling)
            n = plant(field, n, pawns, knights, diagonals, orthogonals | to, kings, own, castling)
            n = plant(field, n, pawns, knights, diagonals | to, orthogonals | to, kings, own, castling)
        else:
            n = plant(field, n, pawns | to, knights, diagonals, orthogonals, kings, own, castling)
    return n


@inline(int64(perft_job_type, leaf_field_type, int64, board_type, legality_type, uint64))
def sow_double_pushes(job, field, n, board, state, targets):
    """Double steps of pawns. Captures in passing that they allow are counted at once."""
    while targets:
        to = lowest_bit(targets)
        targets ^= to
        pawns = board.pawns ^ to ^ (to >> S16)
        n = plant(
            field,
            n,
            pawns,
            board.knights,
            board.diagonals,
            board.orthogonals,
            board.kings,
            state.enemy,
            board.castling,
        )
        if (((to << S1) & NOT_FILE_A) | ((to >> S1) & NOT_FILE_H)) & board.pawns & state.enemy:
            job.nodes += count_en_passants(board, state.enemy, pawns, to >> S8)
    return n


@internal(uint64(board_type, uint64, uint64, uint64))
def count_en_passants(board, enemy, pawns, square):
    """The number of captures in passing after a double push over a square."""
    next_board = Board(
        turned(pawns),
        turned(board.knights),
        turned(board.diagonals),
        turned(board.orthogonals),
        turned(board.kings),
        turned(enemy),
        EMPTY,
        turned(square),
    )
    return popcount(en_passant_pawns(next_board, legality(next_board)))


@inline(int64(leaf_field_type, int64, board_type, legality_type))
def sow_en_passants(field, n, board, state):
    """Captures in passing."""
    origins = en_passant_pawns(board, state)
    victim = board.en_passant >> S8
    while origins:
        origin = lowest_bit(origins)
        origins ^= origin
        n = plant(
            field,
            n,
            (board.pawns ^ origin ^ victim) | board.en_passant,
            board.knights,
            board.diagonals,
            board.orthogonals,
            board.kings,
            state.enemy ^ victim,
            board.castling,
        )
    return n


@inline(int64(leaf_field_type, int64, board_type, legality_type))
def sow_castlings(field, n, board, state):
    """Castling, to either side."""
    rooks, king = castling_rooks(board, state), board.kings & board.own
    while rooks:
        rook = lowest_bit(rooks)
        rooks ^= rook
        king_side = rook > king
        n = plant(
            field,
            n,
            board.pawns,
            board.knights,
            board.diagonals,
            (board.orthogonals ^ rook) | (SQUARE_F1 if king_side else SQUARE_D1),
            (board.kings ^ king) | (SQUARE_G1 if king_side else SQUARE_C1),
            state.enemy,
            board.castling & ~board.own,
        )
    return n
