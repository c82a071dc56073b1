"""Expanding a board: its moves are appended to the columns of a job, to have their replies counted together.

The moves are not packed and made one by one. Each is written word by word, straight from the sets of target
squares, and only with what it changes. What all moves of a board or a piece have in common is computed once.
"""

from typing import NamedTuple

from numba import types

from bluekrait.core.board import Board
from bluekrait.core.compiler.jit import board_type, inline, int64, internal, record_reader, uint64
from bluekrait.core.counting.vectors import LANES, broadcast, columns_type, store
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
    enemy_pawn_captures,
    knight_attacks_of,
    lowest_bit,
    lowest_square,
    pawn_captures,
    pawn_captures_east,
    pawn_captures_west,
    popcount,
    turned,
)
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


class Attacks(NamedTuple):
    """What the side to move attacks before its move, and from where it would give check."""

    by_pawns: int
    by_knights: int
    by_king: int
    pawn_checks: int  # squares from which a pawn gives check
    knight_checks: int


attacks_type = types.NamedUniTuple(uint64, 5, Attacks)


@internal(int64(perft_job_type, board_type, uint64))
def expand(job, board, signature):
    """Append all moves of a board to the columns, which must have room. Returns how many are pending."""
    state = legality(board)
    columns, start, nodes = job.columns, job.pending, job.nodes
    attacks = leaper_attacks(board)
    n = start
    steps = king_attacks(state.king_square) & ~board.own & ~state.attacked
    if steps:
        n = append_king_moves(columns, n, board, attacks, steps)
    if state.targets:
        n = append_piece_moves(columns, n, board, state, attacks)
        n = append_pawn_moves(columns, n, board, state, attacks)
        if board.castling & board.own:
            n = append_castlings(columns, n, board, state, attacks)
        if board.en_passant:
            n = append_en_passants(columns, n, board, state, attacks)
        doubles = ((pawn_pushes(board, state) & RANK_3) << S8) & ~state.occupied & state.targets
        n = append_double_pushes(job, columns, n, board, state, attacks, doubles)
    parent = job.parents[job.parents_pending]
    parent.pawns = board.pawns
    parent.knights = board.knights
    parent.diagonals = board.diagonals
    parent.orthogonals = board.orthogonals
    parent.kings = board.kings
    parent.castling = board.castling
    parent.enemy = state.enemy
    parent.occupied = state.occupied
    parent.start = start
    parent.end = n
    parent.signature = signature
    parent.nodes = job.nodes - nodes
    job.parents_pending += 1
    store(columns.to, n, broadcast(FULL))  # padding: moves without replies
    store(columns.attacked, n, broadcast(FULL))
    job.pending = (n + LANES - 1) // LANES * LANES
    return n


@inline(attacks_type(board_type))
def leaper_attacks(board):
    """The attacks of the side to move but for its sliders, and its squares of check."""
    enemy_king = board.kings & ~board.own
    return Attacks(
        pawn_captures(board.pawns & board.own),
        knight_attacks_of(board.knights & board.own),
        king_attacks(lowest_square(board.kings & board.own)),
        enemy_pawn_captures(enemy_king),
        knight_attacks(lowest_square(enemy_king)),
    )


@inline(int64(columns_type, int64, uint64, uint64, uint64, uint64, uint64, uint64))
def append(columns, n, gone, to, diagonal_to, orthogonal_to, attacked, checkers):
    """Write one move."""
    columns.gone[n] = gone
    columns.to[n] = to
    columns.diagonal_to[n] = diagonal_to
    columns.orthogonal_to[n] = orthogonal_to
    columns.attacked[n] = attacked
    columns.checkers[n] = checkers
    return n + 1


@inline(int64(columns_type, int64, board_type, attacks_type, uint64))
def append_king_moves(columns, n, board, attacks, targets):
    """Steps of the king."""
    king, others = board.kings & board.own, attacks.by_pawns | attacks.by_knights
    while targets:
        to = lowest_bit(targets)
        targets ^= to
        n = append(columns, n, king, to, EMPTY, EMPTY, others | king_attacks(lowest_square(to)), EMPTY)
    return n


@inline(int64(columns_type, int64, board_type, legality_type, attacks_type))
def append_piece_moves(columns, n, board, state, attacks):
    """Moves of knights and sliders."""
    pins = state.pins_diagonal | state.pins_orthogonal
    all_knights = board.knights & board.own
    knights = all_knights & ~pins
    while knights:
        origin = lowest_bit(knights)
        knights ^= origin
        others = attacks.by_pawns | attacks.by_king | knight_attacks_of(all_knights ^ origin)
        targets = knight_attacks(lowest_square(origin)) & state.targets
        while targets:
            to = lowest_bit(targets)
            targets ^= to
            attacked = others | knight_attacks(lowest_square(to))
            n = append(columns, n, origin, to, EMPTY, EMPTY, attacked, to & attacks.knight_checks)
    attacked = attacks.by_pawns | attacks.by_knights | attacks.by_king
    sliders = board.diagonals & board.own & ~state.pins_orthogonal
    while sliders:
        origin = lowest_bit(sliders)
        sliders ^= origin
        n = append_slider_moves(columns, n, board, origin, diagonal_targets(state, origin), attacked)
    sliders = board.orthogonals & board.own & ~state.pins_diagonal
    while sliders:
        origin = lowest_bit(sliders)
        sliders ^= origin
        n = append_slider_moves(columns, n, board, origin, orthogonal_targets(state, origin), attacked)
    return n


@inline(int64(columns_type, int64, board_type, uint64, uint64, uint64))
def append_slider_moves(columns, n, board, origin, targets, attacked):
    """Moves of one bishop, rook or queen."""
    on_diagonals = FULL if board.diagonals & origin else EMPTY
    on_orthogonals = FULL if board.orthogonals & origin else EMPTY
    while targets:
        to = lowest_bit(targets)
        targets ^= to
        n = append(columns, n, origin, to, to & on_diagonals, to & on_orthogonals, attacked, EMPTY)
    return n


@inline(int64(columns_type, int64, board_type, legality_type, attacks_type))
def append_pawn_moves(columns, n, board, state, attacks):
    """Single steps, captures and promotions of pawns."""
    west, east = capturing_pawns(board, state)
    victims = state.enemy & state.targets
    steps = pawn_pushes(board, state) & state.targets
    n = append_pawn_targets(columns, n, board, attacks, steps, S8)
    n = append_pawn_targets(columns, n, board, attacks, pawn_captures_west(west) & victims, S7)
    return append_pawn_targets(columns, n, board, attacks, pawn_captures_east(east) & victims, S9)


@inline(int64(columns_type, int64, board_type, attacks_type, uint64, uint64))
def append_pawn_targets(columns, n, board, attacks, targets, distance):
    """Pawn moves that all go the same distance, promotions in each of four ways."""
    pawns, others = board.pawns & board.own, attacks.by_knights | attacks.by_king
    while targets:
        to = lowest_bit(targets)
        targets ^= to
        gone = to >> distance
        if to & RANK_8:
            attacked = others | pawn_captures(pawns ^ gone)
            by_knight = attacked | knight_attacks(lowest_square(to))
            n = append(columns, n, gone, to, EMPTY, EMPTY, by_knight, to & attacks.knight_checks)
            n = append(columns, n, gone, to, to, EMPTY, attacked, EMPTY)
            n = append(columns, n, gone, to, EMPTY, to, attacked, EMPTY)
            n = append(columns, n, gone, to, to, to, attacked, EMPTY)
        else:
            attacked = others | pawn_captures(pawns ^ gone ^ to)
            n = append(columns, n, gone, to, EMPTY, EMPTY, attacked, to & attacks.pawn_checks)
    return n


@inline(int64(perft_job_type, columns_type, int64, board_type, legality_type, attacks_type, uint64))
def append_double_pushes(job, columns, n, board, state, attacks, targets):
    """Double pushes. The en-passant captures that they allow are counted at once."""
    own_pawns, others = board.pawns & board.own, attacks.by_knights | attacks.by_king
    while targets:
        to = lowest_bit(targets)
        targets ^= to
        gone = to >> S16
        attacked = others | pawn_captures(own_pawns ^ gone ^ to)
        n = append(columns, n, gone, to, EMPTY, EMPTY, attacked, to & attacks.pawn_checks)
        passed = to >> S8
        if pawn_captures(passed) & board.pawns & state.enemy:
            job.nodes += count_en_passants(board, state.enemy, board.pawns ^ to ^ gone, passed)
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


@inline(int64(columns_type, int64, board_type, legality_type, attacks_type))
def append_en_passants(columns, n, board, state, attacks):
    """En-passant captures."""
    origins = en_passant_pawns(board, state)
    pawns, others = board.pawns & board.own, attacks.by_knights | attacks.by_king
    to, victim = board.en_passant, board.en_passant >> S8
    while origins:
        origin = lowest_bit(origins)
        origins ^= origin
        attacked = others | pawn_captures(pawns ^ origin ^ to)
        n = append(columns, n, origin | victim, to, EMPTY, EMPTY, attacked, to & attacks.pawn_checks)
    return n


@inline(int64(columns_type, int64, board_type, legality_type, attacks_type))
def append_castlings(columns, n, board, state, attacks):
    """Castling, to either side."""
    rooks, king = castling_rooks(board, state), board.kings & board.own
    while rooks:
        rook = lowest_bit(rooks)
        rooks ^= rook
        king_target, rook_target = castling_targets(king, rook)
        attacked = attacks.by_pawns | attacks.by_knights | king_attacks(lowest_square(king_target))
        n = append(columns, n, king | rook, king_target | rook_target, EMPTY, rook_target, attacked, EMPTY)
    return n
