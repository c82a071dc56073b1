"""Sowing: the children of a board as rows of a field, to be counted together later.

The moves are not packed and made one by one; each child is written down word by word, straight from the sets
of squares. What the moves of a piece have in common is worked out once.
"""

from bluekrait.core.board import Board
from bluekrait.core.compiler.jit import board_type, inline, int64, internal, record_reader, uint64
from bluekrait.core.records import PerftJob
from bluekrait.core.rules.attacks import king_attacks, knight_attacks
from bluekrait.core.rules.bits import (
    EMPTY,
    FULL,
    RANK_3,
    RANK_8,
    S7,
    S8,
    S9,
    S16,
    lowest_bit,
    lowest_square,
    pawn_captures,
    pawn_captures_east,
    pawn_captures_west,
    popcount,
    turned,
)
from bluekrait.core.rules.count_moves import leaf_field_type
from bluekrait.core.rules.legality import (
    castling_rooks,
    castling_targets,
    diagonal_targets,
    en_passant_pawns,
    legal_en_passants,
    legality,
    legality_type,
    orthogonal_targets,
)
from bluekrait.core.rules.movegen import capturing_pawns, pawn_pushes

perft_job_at, perft_job_type = record_reader(PerftJob)


@internal(int64(perft_job_type, board_type))
def sow(job, board):
    """Put all children of a board into the field, which must have room. Returns how many wait there."""
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
    return n


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
        n = sow_slider(field, n, board, state, origin, diagonal_targets(state, origin))
    sliders = board.orthogonals & board.own & ~state.pins_diagonal
    while sliders:
        origin = lowest_bit(sliders)
        sliders ^= origin
        n = sow_slider(field, n, board, state, origin, orthogonal_targets(state, origin))
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
        passed = to >> S8
        if pawn_captures(passed) & board.pawns & state.enemy:
            job.nodes += count_en_passants(board, state.enemy, pawns, passed)
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
    return popcount(legal_en_passants(next_board))


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
        king_target, rook_target = castling_targets(king, rook)
        n = plant(
            field,
            n,
            board.pawns,
            board.knights,
            board.diagonals,
            (board.orthogonals ^ rook) | rook_target,
            (board.kings ^ king) | king_target,
            state.enemy,
            board.castling & ~board.own,
        )
    return n
