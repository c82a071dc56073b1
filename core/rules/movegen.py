"""Legal moves as packed 32-bit integers, written into a preallocated list.

Noisy moves capture or promote; quiet moves are the others. Each function takes the list and how many
moves it holds, and returns how many it holds then.
"""

from numba import types

from bluekrait.core.board import BISHOP, KING, KNIGHT, NONE, PAWN, QUEEN, ROOK, piece_on
from bluekrait.core.compiler.jit import board_type, boolean, inline, int64, internal, uint64
from bluekrait.core.move import CASTLING, DOUBLE_PUSH, EN_PASSANT, pack
from bluekrait.core.rules.attacks import king_attacks, knight_attacks
from bluekrait.core.rules.bits import (
    EMPTY,
    RANK_3,
    RANK_8,
    S7,
    S8,
    S9,
    S16,
    lowest_bit,
    lowest_square,
    pawn_captures_east,
    pawn_captures_west,
    without_lowest,
)
from bluekrait.core.rules.legality import (
    castling_rooks,
    diagonal_targets,
    en_passant_pawns,
    legality_type,
    orthogonal_targets,
)
from bluekrait.core.rules.movelist import move_list_type, put

CAPTURES, NO_CAPTURES = True, False  # whether there is a piece on each of the targets

pair_type = types.UniTuple(uint64, 2)


@inline(int64(board_type, legality_type, move_list_type, int64))
def add_legal_moves(board, state, moves, count):
    """All legal moves: the noisy ones first."""
    count = add_noisy_moves(board, state, moves, count)
    return add_quiet_moves(board, state, moves, count)


@internal(int64(board_type, legality_type, move_list_type, int64))
def add_noisy_moves(board, state, moves, count):
    """Captures and promotions."""
    count = add_piece_moves(board, state, moves, count, state.enemy, CAPTURES)
    victims = state.enemy & state.targets
    west, east = capturing_pawns(board, state)
    count = add_pawn_moves(board, moves, count, pawn_captures_west(west) & victims, S7, CAPTURES)
    count = add_pawn_moves(board, moves, count, pawn_captures_east(east) & victims, S9, CAPTURES)
    promoting = pawn_pushes(board, state) & state.targets & RANK_8
    count = add_pawn_moves(board, moves, count, promoting, S8, NO_CAPTURES)
    if board.en_passant:
        pawns = en_passant_pawns(board, state)
        while pawns:
            origin, target = lowest_square(pawns), lowest_square(board.en_passant)
            count = put(moves, count, pack(origin, target, PAWN, PAWN, NONE, EN_PASSANT))
            pawns = without_lowest(pawns)
    return count


@internal(int64(board_type, legality_type, move_list_type, int64))
def add_quiet_moves(board, state, moves, count):
    """Moves that neither capture nor promote, castling among them."""
    count = add_piece_moves(board, state, moves, count, ~state.occupied, NO_CAPTURES)
    pushes = pawn_pushes(board, state)
    doubles = ((pushes & RANK_3) << S8) & ~state.occupied & state.targets
    count = add_pawn_moves(board, moves, count, pushes & state.targets & ~RANK_8, S8, NO_CAPTURES)
    while doubles:
        target = lowest_square(doubles)
        count = put(moves, count, pack(target - S16, target, PAWN, NONE, NONE, DOUBLE_PUSH))
        doubles = without_lowest(doubles)
    if board.castling & board.own:
        rooks = castling_rooks(board, state)
        while rooks:
            count = put(
                moves, count, pack(state.king_square, lowest_square(rooks), KING, NONE, NONE, CASTLING)
            )
            rooks = without_lowest(rooks)
    return count


@inline(int64(board_type, legality_type, move_list_type, int64, uint64, boolean))
def add_piece_moves(board, state, moves, count, allowed, captures):
    """Moves of all pieces but pawns to the allowed squares."""
    steps = king_attacks(state.king_square) & ~board.own & ~state.attacked & allowed
    count = add_targets(board, moves, count, state.king_square, KING, steps, captures)
    allowed &= state.targets
    if allowed == EMPTY:
        return count
    pinned = state.pins_diagonal | state.pins_orthogonal
    knights = board.knights & board.own & ~pinned
    while knights:
        origin = lowest_square(knights)
        count = add_targets(board, moves, count, origin, KNIGHT, knight_attacks(origin) & allowed, captures)
        knights = without_lowest(knights)
    sliders = board.diagonals & board.own & ~state.pins_orthogonal
    while sliders:
        slider = lowest_bit(sliders)
        code, targets = QUEEN if board.orthogonals & slider else BISHOP, diagonal_targets(state, slider)
        count = add_targets(board, moves, count, lowest_square(slider), code, targets & allowed, captures)
        sliders ^= slider
    sliders = board.orthogonals & board.own & ~state.pins_diagonal
    while sliders:
        slider = lowest_bit(sliders)
        code, targets = QUEEN if board.diagonals & slider else ROOK, orthogonal_targets(state, slider)
        count = add_targets(board, moves, count, lowest_square(slider), code, targets & allowed, captures)
        sliders ^= slider
    return count


@inline(int64(board_type, move_list_type, int64, uint64, int64, uint64, boolean))
def add_targets(board, moves, count, origin, code, targets, captures):
    """The moves of one piece to each of its targets."""
    while targets:
        target = lowest_bit(targets)
        captured = piece_on(board, target) if captures else NONE
        count = put(moves, count, pack(origin, lowest_square(target), code, captured))
        targets ^= target
    return count


@inline(int64(board_type, move_list_type, int64, uint64, uint64, boolean))
def add_pawn_moves(board, moves, count, targets, distance, captures):
    """The moves of pawns that all go the same distance, promotions in each of four ways."""
    while targets:
        target = lowest_bit(targets)
        square, captured = lowest_square(target), piece_on(board, target) if captures else NONE
        origin = square - distance
        if target & RANK_8:
            count = put(moves, count, pack(origin, square, PAWN, captured, QUEEN))
            count = put(moves, count, pack(origin, square, PAWN, captured, KNIGHT))
            count = put(moves, count, pack(origin, square, PAWN, captured, ROOK))
            count = put(moves, count, pack(origin, square, PAWN, captured, BISHOP))
        else:
            count = put(moves, count, pack(origin, square, PAWN, captured))
        targets ^= target
    return count


@inline(uint64(board_type, legality_type))
def pawn_pushes(board, state):
    """Where pawns arrive by a single step; a pinned one only stays on its file."""
    pawns = board.pawns & board.own
    free = pawns & ~(state.pins_diagonal | state.pins_orthogonal)
    pinned = ((pawns & state.pins_orthogonal) << S8) & state.pins_orthogonal
    return ((free << S8) | pinned) & ~state.occupied


@inline(pair_type(board_type, legality_type))
def capturing_pawns(board, state):
    """The pawns that may capture towards the a-file, and towards the h-file."""
    pawns = board.pawns & board.own & ~state.pins_orthogonal
    free = pawns & ~state.pins_diagonal
    pinned = pawns & state.pins_diagonal
    west = free | (pinned & (state.pins_diagonal >> S7))
    east = free | (pinned & (state.pins_diagonal >> S9))
    return west, east
