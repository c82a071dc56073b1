"""Expanding a board: its moves are appended to the columns of a job, to have their replies counted together.

The moves are not packed and made one by one. Each is written word by word, straight from the sets of target
squares, and only with what it changes. What all moves of a board or a piece have in common is computed once.
"""

from typing import NamedTuple

from numba import types

from bluekrait.core.board import Board
from bluekrait.core.compiler.jit import board_type, inline, int64, internal, record_reader, uint64
from bluekrait.core.counting.vectors import (
    LANES,
    broadcast,
    columns_type,
    spread,
    store,
    vector_kernel,
    words_type,
)
from bluekrait.core.records import PerftJob
from bluekrait.core.rules.attacks import bishop_attacks, king_attacks, knight_attacks, rook_attacks
from bluekrait.core.rules.bits import (
    EMPTY,
    FULL,
    NOT_FILE_A,
    NOT_FILE_H,
    NOT_FILES_AB,
    NOT_FILES_GH,
    RANK_3,
    RANK_7,
    RANK_8,
    S1,
    S2,
    S7,
    S8,
    S9,
    S16,
    knight_attacks_of,
    lowest_bit,
    lowest_square,
    pawn_captures,
    pawn_captures_east,
    pawn_captures_west,
    popcount,
    signed,
    turned,
    without_lowest,
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
    """What the side to move attacks before its move."""

    by_pawns: int
    by_knights: int
    by_king: int


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


attacks_type = types.NamedUniTuple(uint64, 3, Attacks)
freedom_type = types.NamedUniTuple(uint64, 10, Freedom)


@internal(int64(perft_job_type, board_type, freedom_type))
def expand(job, board, freedom):
    """Append a board and its moves to what is to be counted; there must be room."""
    start, parent = job.pending, job.parents[job.parents_pending]
    special = special_pieces(board)
    end = append_moves(job.columns, start, board, freedom, special)
    parent.pawns = board.pawns
    parent.knights = board.knights
    parent.diagonals = board.diagonals
    parent.orthogonals = board.orthogonals
    parent.kings = board.kings
    parent.castling = board.castling
    parent.enemy = freedom.enemy
    parent.occupied = freedom.occupied
    parent.special = special
    parent.start = start
    parent.end = end
    parent.nodes = EMPTY
    if pawn_captures(freedom.double_steps >> S8) & board.pawns & freedom.enemy:
        parent.nodes = count_en_passants(board, freedom)
    store(job.columns.to, end, broadcast(FULL))  # padding: moves without replies
    store(job.columns.attacked, end, broadcast(FULL))
    job.parents_pending += 1
    job.pending = (end + LANES - 1) // LANES * LANES
    return end


@internal(int64(columns_type, int64, board_type, freedom_type, uint64))
def append_moves(columns, n, board, freedom, special):
    """Append all moves of a board to the columns. Returns how many are in them then."""
    attacks = leaper_attacks(board)
    n = append_king_moves(columns, n, board, freedom, attacks, special)
    if freedom.targets:
        n = append_knight_moves(columns, n, board, freedom, attacks, special)
        n = append_all_slider_moves(columns, n, board, freedom, attacks, special)
        n = append_pawn_moves(columns, n, board, attacks, freedom.steps, S8, special)
        n = append_pawn_moves(columns, n, board, attacks, freedom.west, S7, special)
        n = append_pawn_moves(columns, n, board, attacks, freedom.east, S9, special)
        n = append_pawn_moves(columns, n, board, attacks, freedom.double_steps, S16, special)
        if special:
            n = append_castlings(columns, n, board, freedom, attacks)
        if board.en_passant:
            n = append_en_passants(columns, n, board, attacks)
    return n


@inline(uint64(board_type))
def special_pieces(board):
    """The pieces that may castle or become queens. Without them the columns for sliders are not used."""
    return (board.castling | (board.pawns & RANK_7)) & board.own


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
    """The attacks of the side to move but for its sliders."""
    return Attacks(
        pawn_captures(board.pawns & board.own),
        knight_attacks_of(board.knights & board.own),
        king_attacks(lowest_square(board.kings & board.own)),
    )


@vector_kernel(types.none(columns_type, int64, words_type, words_type, words_type, uint64))
def append(columns, n, gone, to, attacked, special):
    """Write as many moves as there are lanes, of pieces that are no sliders."""
    store(columns.gone, n, gone)
    store(columns.to, n, to)
    store(columns.attacked, n, attacked)
    if special:
        store(columns.diagonal_to, n, broadcast(EMPTY))
        store(columns.orthogonal_to, n, broadcast(EMPTY))


@inline(uint64(uint64))
def without_spread(targets):
    """What is left of a word when as many bits are taken away as there are lanes."""
    for _ in range(LANES):
        targets = without_lowest(targets)
    return targets


@vector_kernel(int64(columns_type, int64, board_type, freedom_type, attacks_type, uint64))
def append_king_moves(columns, n, board, freedom, attacks, special):
    """Steps of the king."""
    king, others = broadcast(board.kings & board.own), attacks.by_pawns | attacks.by_knights
    targets = attacks.by_king & ~(board.own | freedom.attacked)
    end = n + signed(popcount(targets))
    while n < end:
        to = spread(targets)
        row = to | ((to << S1) & NOT_FILE_A) | ((to >> S1) & NOT_FILE_H)
        append(columns, n, king, to, others | row | (row << S8) | (row >> S8), special)
        n += LANES
        targets = without_spread(targets) if n < end else EMPTY
    return end


@vector_kernel(int64(columns_type, int64, board_type, freedom_type, attacks_type, uint64))
def append_knight_moves(columns, n, board, freedom, attacks, special):
    """Moves of knights."""
    all_knights = board.knights & board.own
    knights = all_knights & ~(freedom.pinned_on_diagonals | freedom.pinned_on_orthogonals)
    while knights:
        origin = lowest_bit(knights)
        knights ^= origin
        others = attacks.by_pawns | attacks.by_king | knight_attacks_of(all_knights ^ origin)
        targets = knight_attacks(lowest_square(origin)) & freedom.targets
        end = n + signed(popcount(targets))
        while n < end:
            to = spread(targets)
            one_west, two_west = (to >> S1) & NOT_FILE_H, (to >> S2) & NOT_FILES_GH
            one_east, two_east = (to << S1) & NOT_FILE_A, (to << S2) & NOT_FILES_AB
            near, far = one_west | one_east, two_west | two_east
            attacked = others | (near << S16) | (near >> S16) | (far << S8) | (far >> S8)
            append(columns, n, broadcast(origin), to, attacked, special)
            n += LANES
            targets = without_spread(targets) if n < end else EMPTY
        n = end
    return n


@vector_kernel(int64(columns_type, int64, board_type, freedom_type, attacks_type, uint64))
def append_all_slider_moves(columns, n, board, freedom, attacks, special):
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
        n = append_slider_moves(columns, n, board, origin, targets, attacked, special)
    sliders = board.orthogonals & board.own & ~freedom.pinned_on_diagonals
    while sliders:
        origin = lowest_bit(sliders)
        sliders ^= origin
        targets = rook_attacks(lowest_square(origin), freedom.occupied) & freedom.targets
        if origin & freedom.pinned_on_orthogonals:
            targets &= rook_attacks(king_square, EMPTY)
        n = append_slider_moves(columns, n, board, origin, targets, attacked, special)
    return n


@vector_kernel(int64(columns_type, int64, board_type, uint64, uint64, uint64, uint64))
def append_slider_moves(columns, n, board, origin, targets, attacked, special):
    """Moves of one slider."""
    end = n + signed(popcount(targets))
    while n < end:
        to = spread(targets)
        append(columns, n, broadcast(origin), to, broadcast(attacked), EMPTY)
        if special:
            store(columns.diagonal_to, n, to & (FULL if board.diagonals & origin else EMPTY))
            store(columns.orthogonal_to, n, to & (FULL if board.orthogonals & origin else EMPTY))
        n += LANES
        targets = without_spread(targets) if n < end else EMPTY
    return end


@vector_kernel(int64(columns_type, int64, board_type, attacks_type, uint64, uint64, uint64))
def append_pawn_moves(columns, n, board, attacks, targets, distance, special):
    """Pawn moves that all go the same distance."""
    pawns, others = board.pawns & board.own, attacks.by_knights | attacks.by_king
    if special:
        n = append_promotions(columns, n, pawns, others, targets & RANK_8, distance)
        targets &= ~RANK_8
    end = n + signed(popcount(targets))
    while n < end:
        to = spread(targets)
        gone = to >> distance
        after = (gone | to) ^ pawns
        attacked = others | ((after << S7) & NOT_FILE_H) | ((after << S9) & NOT_FILE_A)
        append(columns, n, gone, to, attacked, special)
        n += LANES
        targets = without_spread(targets) if n < end else EMPTY
    return end


@inline(int64(columns_type, int64, uint64, uint64, uint64, uint64))
def append_promotions(columns, n, pawns, others, targets, distance):
    """Promotions, each in four ways."""
    while targets:
        to = lowest_bit(targets)
        targets ^= to
        gone = to >> distance
        attacked = others | pawn_captures(pawns ^ gone)
        by_knight = attacked | knight_attacks(lowest_square(to))
        n = append_special(columns, n, gone, to, EMPTY, EMPTY, by_knight)
        n = append_special(columns, n, gone, to, to, EMPTY, attacked)
        n = append_special(columns, n, gone, to, EMPTY, to, attacked)
        n = append_special(columns, n, gone, to, to, to, attacked)
    return n


@inline(int64(columns_type, int64, uint64, uint64, uint64, uint64, uint64))
def append_special(columns, n, gone, to, diagonal_to, orthogonal_to, attacked):
    """Write one move of a board that has special ones."""
    columns.gone[n] = gone
    columns.to[n] = to
    columns.diagonal_to[n] = diagonal_to
    columns.orthogonal_to[n] = orthogonal_to
    columns.attacked[n] = attacked
    return n + 1


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
        n = append_special(columns, n, origin | victim, to, EMPTY, EMPTY, attacked)
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
        n = append_special(columns, n, king | rook, king_target | rook_target, EMPTY, rook_target, attacked)
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
