"""Expanding a board: its children are appended to the arrays of leaf boards, to be counted together later.

The moves are not packed and made one by one. Each child is written word by word, straight from the sets of
target squares. What all moves of a piece have in common is computed once.
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
from bluekrait.core.rules.count_moves import leaf_boards_type
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
def expand(job, board):
    """Append all children of a board to the leaves, which must have room. Returns how many are pending."""
    state = legality(board)
    leaves, n = job.leaves, job.pending
    steps = king_attacks(state.king_square) & ~board.own & ~state.attacked
    n = append_king_moves(leaves, n, board, state, steps)
    if state.targets:
        n = append_piece_moves(leaves, n, board, state)
        n = append_pawn_moves(leaves, n, board, state)
        if board.castling & board.own:
            n = append_castlings(leaves, n, board, state)
        if board.en_passant:
            n = append_en_passants(leaves, n, board, state)
        doubles = ((pawn_pushes(board, state) & RANK_3) << S8) & ~state.occupied & state.targets
        n = append_double_pushes(job, leaves, n, board, state, doubles)
    job.pending = n
    return n


@inline(int64(leaf_boards_type, int64, uint64, uint64, uint64, uint64, uint64, uint64, uint64))
def append(leaves, n, pawns, knights, diagonals, orthogonals, kings, own, castling):
    """Write one leaf board, as the side that has just moved sees it; `own` is the side to move now."""
    leaves.pawns[n] = pawns
    leaves.knights[n] = knights
    leaves.diagonals[n] = diagonals
    leaves.orthogonals[n] = orthogonals
    leaves.kings[n] = kings
    leaves.own[n] = own
    leaves.castling[n] = castling
    return n + 1


@inline(int64(leaf_boards_type, int64, board_type, legality_type, uint64))
def append_king_moves(leaves, n, board, state, targets):
    """Steps of the king, which end its castling rights."""
    others = board.kings & ~board.own
    castling = board.castling & ~board.own
    while targets:
        to = lowest_bit(targets)
        targets ^= to
        stay = ~to
        n = append(
            leaves,
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


@inline(int64(leaf_boards_type, int64, board_type, legality_type))
def append_piece_moves(leaves, n, board, state):
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
            n = append(
                leaves,
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
        n = append_slider_moves(leaves, n, board, state, origin, diagonal_targets(state, origin))
    sliders = board.orthogonals & board.own & ~state.pins_diagonal
    while sliders:
        origin = lowest_bit(sliders)
        sliders ^= origin
        n = append_slider_moves(leaves, n, board, state, origin, orthogonal_targets(state, origin))
    return n


@inline(int64(leaf_boards_type, int64, board_type, legality_type, uint64, uint64))
def append_slider_moves(leaves, n, board, state, origin, targets):
    """Moves of one bishop, rook or queen, whose target is set in the bitboards that it stands in."""
    diagonals, orthogonals = board.diagonals & ~origin, board.orthogonals & ~origin
    on_diagonals = FULL if board.diagonals & origin else EMPTY
    on_orthogonals = FULL if board.orthogonals & origin else EMPTY
    castling = board.castling & ~origin
    while targets:
        to = lowest_bit(targets)
        targets ^= to
        stay = ~to
        n = append(
            leaves,
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


@inline(int64(leaf_boards_type, int64, board_type, legality_type))
def append_pawn_moves(leaves, n, board, state):
    """Single steps, captures and promotions of pawns."""
    west, east = capturing_pawns(board, state)
    victims = state.enemy & state.targets
    n = append_pawn_targets(leaves, n, board, state, pawn_pushes(board, state) & state.targets, S8)
    n = append_pawn_targets(leaves, n, board, state, pawn_captures_west(west) & victims, S7)
    return append_pawn_targets(leaves, n, board, state, pawn_captures_east(east) & victims, S9)


@inline(int64(leaf_boards_type, int64, board_type, legality_type, uint64, uint64))
def append_pawn_targets(leaves, n, board, state, targets, distance):
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
            n = append(leaves, n, pawns, knights | to, diagonals, orthogonals, kings, own, castling)
            n = append(leaves, n, pawns, knights, diagonals | to, orthogonals, kings, own, castling)
            n = append(leaves, n, pawns, knights, diagonals, orthogonals | to, kings, own, castling)
            n = append(leaves, n, pawns, knights, diagonals | to, orthogonals | to, kings, own, castling)
        else:
            n = append(leaves, n, pawns | to, knights, diagonals, orthogonals, kings, own, castling)
    return n


@inline(int64(perft_job_type, leaf_boards_type, int64, board_type, legality_type, uint64))
def append_double_pushes(job, leaves, n, board, state, targets):
    """Double pushes. The en-passant captures that they allow are counted at once."""
    while targets:
        to = lowest_bit(targets)
        targets ^= to
        pawns = board.pawns ^ to ^ (to >> S16)
        n = append(
            leaves,
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
    """The number of en-passant captures after a double push over a square."""
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


@inline(int64(leaf_boards_type, int64, board_type, legality_type))
def append_en_passants(leaves, n, board, state):
    """En-passant captures."""
    origins = en_passant_pawns(board, state)
    victim = board.en_passant >> S8
    while origins:
        origin = lowest_bit(origins)
        origins ^= origin
        n = append(
            leaves,
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


@inline(int64(leaf_boards_type, int64, board_type, legality_type))
def append_castlings(leaves, n, board, state):
    """Castling, to either side."""
    rooks, king = castling_rooks(board, state), board.kings & board.own
    while rooks:
        rook = lowest_bit(rooks)
        rooks ^= rook
        king_target, rook_target = castling_targets(king, rook)
        n = append(
            leaves,
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
