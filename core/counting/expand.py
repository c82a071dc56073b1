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
from bluekrait.core.rules.attacks import bishop_attacks, king_attacks, knight_attacks, rook_attacks
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
    Legality,
    castling_rooks,
    castling_targets,
    en_passant_pawns,
    legal_en_passants,
    legality,
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


class Freedom(NamedTuple):
    """What the side to move may do; of pinned pieces, the square, or the whole line to the pinning one."""

    occupied: int
    enemy: int
    attacked: int  # by the enemy, looking through the king
    targets: int  # where a piece other than the king may go
    pinned_on_diagonals: int
    pinned_on_orthogonals: int
    steps: int  # where pawns go: by single steps,
    double_steps: int  # by double steps,
    west: int  # by captures towards the a-file,
    east: int  # and towards the h-file


attacks_type = types.NamedUniTuple(uint64, 5, Attacks)
freedom_type = types.NamedUniTuple(uint64, 10, Freedom)


@internal(int64(perft_job_type, board_type, freedom_type, uint64))
def expand(job, board, freedom, signature):
    """Append a board and its moves to what is to be counted; there must be room. Returns the end of its moves."""
    start, parent = job.pending, job.parents[job.parents_pending]
    end = append_moves(job.columns, start, board, freedom)
    parent.pawns = board.pawns
    parent.knights = board.knights
    parent.diagonals = board.diagonals
    parent.orthogonals = board.orthogonals
    parent.kings = board.kings
    parent.castling = board.castling
    parent.enemy = freedom.enemy
    parent.occupied = freedom.occupied
    parent.start = start
    parent.end = end
    parent.signature = signature
    parent.nodes = EMPTY
    if pawn_captures(freedom.double_steps >> S8) & board.pawns & freedom.enemy:
        parent.nodes = count_en_passants(board, freedom)
    store(job.columns.to, end, broadcast(FULL))  # padding: moves without replies
    store(job.columns.attacked, end, broadcast(FULL))
    job.parents_pending += 1
    job.pending = (end + LANES - 1) // LANES * LANES
    return end


@internal(int64(columns_type, int64, board_type, freedom_type))
def append_moves(columns, n, board, freedom):
    """Append all moves of a board to the columns. Returns how many are in them then."""
    attacks = leaper_attacks(board)
    n = append_king_moves(columns, n, board, freedom, attacks)
    if freedom.targets:
        n = append_knight_moves(columns, n, board, freedom, attacks)
        n = append_all_slider_moves(columns, n, board, freedom, attacks)
        n = append_pawn_moves(columns, n, board, attacks, freedom.steps, S8)
        n = append_pawn_moves(columns, n, board, attacks, freedom.west, S7)
        n = append_pawn_moves(columns, n, board, attacks, freedom.east, S9)
        n = append_pawn_moves(columns, n, board, attacks, freedom.double_steps, S16)
        if board.castling & board.own:
            n = append_castlings(columns, n, board, freedom, attacks)
        if board.en_passant:
            n = append_en_passants(columns, n, board, attacks)
    return n


@inline(freedom_type(board_type))
def freedom_of(board):
    """What the side to move may do, of a board of which nothing is known yet."""
    state = legality(board)
    west, east = capturing_pawns(board, state)
    steps, victims = pawn_pushes(board, state), state.enemy & state.targets
    return Freedom(
        state.occupied,
        state.enemy,
        state.attacked,
        state.targets,
        state.pins_diagonal,
        state.pins_orthogonal,
        steps & state.targets,
        ((steps & RANK_3) << S8) & ~state.occupied & state.targets,
        pawn_captures_west(west) & victims,
        pawn_captures_east(east) & victims,
    )


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


@inline(int64(columns_type, int64, board_type, freedom_type, attacks_type))
def append_king_moves(columns, n, board, freedom, attacks):
    """Steps of the king."""
    king, others = board.kings & board.own, attacks.by_pawns | attacks.by_knights
    targets = attacks.by_king & ~(board.own | freedom.attacked)
    while targets:
        to = lowest_bit(targets)
        targets ^= to
        n = append(columns, n, king, to, EMPTY, EMPTY, others | king_attacks(lowest_square(to)), EMPTY)
    return n


@inline(int64(columns_type, int64, board_type, freedom_type, attacks_type))
def append_knight_moves(columns, n, board, freedom, attacks):
    """Moves of knights."""
    all_knights = board.knights & board.own
    knights = all_knights & ~(freedom.pinned_on_diagonals | freedom.pinned_on_orthogonals)
    while knights:
        origin = lowest_bit(knights)
        knights ^= origin
        others = attacks.by_pawns | attacks.by_king | knight_attacks_of(all_knights ^ origin)
        targets = knight_attacks(lowest_square(origin)) & freedom.targets
        while targets:
            to = lowest_bit(targets)
            targets ^= to
            attacked = others | knight_attacks(lowest_square(to))
            n = append(columns, n, origin, to, EMPTY, EMPTY, attacked, to & attacks.knight_checks)
    return n


@inline(int64(columns_type, int64, board_type, freedom_type, attacks_type))
def append_all_slider_moves(columns, n, board, freedom, attacks):
    """Moves of bishops, rooks and queens. A pinned one keeps to the lines through its king."""
    king_square = lowest_square(board.kings & board.own)
    attacked = attacks.by_pawns | attacks.by_knights | attacks.by_king
    sliders = board.diagonals & board.own & ~freedom.pinned_on_orthogonals
    while sliders:
        origin = lowest_bit(sliders)
        sliders ^= origin
        targets = bishop_attacks(lowest_square(origin), freedom.occupied) & freedom.targets
        if origin & freedom.pinned_on_diagonals:
            targets &= bishop_attacks(king_square, EMPTY)
        n = append_slider_moves(columns, n, board, origin, targets, attacked)
    sliders = board.orthogonals & board.own & ~freedom.pinned_on_diagonals
    while sliders:
        origin = lowest_bit(sliders)
        sliders ^= origin
        targets = rook_attacks(lowest_square(origin), freedom.occupied) & freedom.targets
        if origin & freedom.pinned_on_orthogonals:
            targets &= rook_attacks(king_square, EMPTY)
        n = append_slider_moves(columns, n, board, origin, targets, attacked)
    return n


@inline(int64(columns_type, int64, board_type, uint64, uint64, uint64))
def append_slider_moves(columns, n, board, origin, targets, attacked):
    """Moves of one slider."""
    on_diagonals = FULL if board.diagonals & origin else EMPTY
    on_orthogonals = FULL if board.orthogonals & origin else EMPTY
    while targets:
        to = lowest_bit(targets)
        targets ^= to
        n = append(columns, n, origin, to, to & on_diagonals, to & on_orthogonals, attacked, EMPTY)
    return n


@inline(int64(columns_type, int64, board_type, attacks_type, uint64, uint64))
def append_pawn_moves(columns, n, board, attacks, targets, distance):
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


@inline(int64(columns_type, int64, board_type, attacks_type))
def append_en_passants(columns, n, board, attacks):
    """En-passant captures."""
    origins = en_passant_pawns(board, legality(board))
    pawns, others = board.pawns & board.own, attacks.by_knights | attacks.by_king
    to, victim = board.en_passant, board.en_passant >> S8
    while origins:
        origin = lowest_bit(origins)
        origins ^= origin
        attacked = others | pawn_captures(pawns ^ origin ^ to)
        n = append(columns, n, origin | victim, to, EMPTY, EMPTY, attacked, to & attacks.pawn_checks)
    return n


@inline(int64(columns_type, int64, board_type, freedom_type, attacks_type))
def append_castlings(columns, n, board, freedom, attacks):
    """Castling, to either side."""
    king = board.kings & board.own
    state = Legality(
        freedom.occupied,
        freedom.enemy,
        lowest_square(king),
        freedom.attacked,
        EMPTY,
        freedom.targets,
        freedom.pinned_on_diagonals,
        freedom.pinned_on_orthogonals,
    )
    rooks = castling_rooks(board, state)
    while rooks:
        rook = lowest_bit(rooks)
        rooks ^= rook
        king_target, rook_target = castling_targets(king, rook)
        attacked = attacks.by_pawns | attacks.by_knights | king_attacks(lowest_square(king_target))
        n = append(columns, n, king | rook, king_target | rook_target, EMPTY, rook_target, attacked, EMPTY)
    return n


@internal(uint64(board_type, freedom_type))
def count_en_passants(board, freedom):
    """The number of en-passant captures after all double steps of a board."""
    count, double_steps = EMPTY, freedom.double_steps
    while double_steps:
        to = lowest_bit(double_steps)
        double_steps ^= to
        passed = to >> S8
        if pawn_captures(passed) & board.pawns & freedom.enemy:
            next_board = Board(
                turned(board.pawns ^ to ^ (to >> S16)),
                turned(board.knights),
                turned(board.diagonals),
                turned(board.orthogonals),
                turned(board.kings),
                turned(freedom.enemy),
                EMPTY,
                turned(passed),
            )
            count += popcount(legal_en_passants(next_board))
    return count
