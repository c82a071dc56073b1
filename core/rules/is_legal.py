"""Is a move legal in a position? It may come from a hash table, where keys can collide, or from a user."""

from bluekrait.core.board import BISHOP, KING, KNIGHT, NONE, PAWN, QUEEN, ROOK, piece_on
from bluekrait.core.compiler.jit import board_type, boolean, inline, int64, kernel, uint32, uint64
from bluekrait.core.move import (
    CASTLING,
    DOUBLE_PUSH,
    EN_PASSANT,
    NORMAL,
    captured_of,
    kind_of,
    origin_of,
    piece_of,
    promotion_of,
    target_of,
)
from bluekrait.core.rules.attacks import king_attacks, knight_attacks
from bluekrait.core.rules.bits import (
    EMPTY,
    RANK_3,
    RANK_8,
    S8,
    U64,
    bit_of,
    lowest_square,
    pawn_captures_east,
    pawn_captures_west,
)
from bluekrait.core.rules.legality import (
    castling_rooks,
    diagonal_targets,
    en_passant_pawns,
    legality_type,
    orthogonal_targets,
)
from bluekrait.core.rules.movegen import capturing_pawns, pawn_pushes


@kernel(boolean(board_type, legality_type, uint32))
def is_legal(board, state, move):
    """True if exactly this packed move, whatever its order field, is legal on the board."""
    origin, target = bit_of(U64(origin_of(move))), bit_of(U64(target_of(move)))
    piece, captured, promotion, kind = piece_of(move), captured_of(move), promotion_of(move), kind_of(move)
    if origin & board.own == EMPTY or piece_on(board, origin) != piece:
        return False
    if kind == CASTLING:
        plain = captured == NONE and promotion == NONE
        return piece == KING and plain and target & castling_rooks(board, state) != EMPTY
    if piece == PAWN:
        return is_legal_pawn_move(board, state, origin, target, captured, promotion, kind)
    if kind != NORMAL or promotion != NONE or captured != piece_on(board, target):
        return False
    return target & piece_targets(board, state, origin, piece) != EMPTY


@inline(uint64(board_type, legality_type, uint64, int64))
def piece_targets(board, state, origin, piece):
    """Where a piece other than a pawn may go."""
    square = lowest_square(origin)
    if piece == KING:
        return king_attacks(square) & ~board.own & ~state.attacked
    if piece == KNIGHT:
        pinned = origin & (state.pins_diagonal | state.pins_orthogonal)
        return knight_attacks(square) & state.targets if pinned == EMPTY else EMPTY
    targets = EMPTY
    if piece != ROOK and origin & state.pins_orthogonal == EMPTY:
        targets |= diagonal_targets(state, origin)
    if piece != BISHOP and origin & state.pins_diagonal == EMPTY:
        targets |= orthogonal_targets(state, origin)
    return targets


@inline(boolean(board_type, legality_type, uint64, uint64, int64, int64, int64))
def is_legal_pawn_move(board, state, origin, target, captured, promotion, kind):
    """True if a pawn may make this move."""
    if kind == EN_PASSANT:
        if captured != PAWN or promotion != NONE or target != board.en_passant:
            return False
        return board.en_passant != EMPTY and origin & en_passant_pawns(board, state) != EMPTY
    if captured != piece_on(board, target) or target & state.targets == EMPTY:
        return False
    pushes = pawn_pushes(board, state)
    if kind == DOUBLE_PUSH:
        passes = pushes & RANK_3 & (target >> S8) & (origin << S8)
        return passes != EMPTY and captured == NONE and promotion == NONE
    promotes = promotion == KNIGHT or promotion == BISHOP or promotion == ROOK or promotion == QUEEN
    if kind != NORMAL or promotes != (target & RANK_8 != EMPTY) or (promotion != NONE and not promotes):
        return False
    if captured == NONE:
        return target == origin << S8 and target & pushes != EMPTY
    west, east = capturing_pawns(board, state)
    reach = pawn_captures_west(origin & west) | pawn_captures_east(origin & east)
    return target & reach & state.enemy != EMPTY
