"""Making a move: a new position from an old one. The old one is still there, so nothing is ever unmade."""

from bluekrait.core.board import (
    BISHOP,
    KING,
    KNIGHT,
    NONE,
    PAWN,
    QUEEN,
    ROOK,
    TURN_ROUND,
    Board,
    Position,
    all_pieces,
)
from bluekrait.core.compiler.jit import board_type, inline, internal, kernel, position_type, uint32, uint64
from bluekrait.core.move import (
    CASTLING,
    DOUBLE_PUSH,
    EN_PASSANT,
    captured_of,
    kind_of,
    origin_of,
    piece_of,
    promotion_of,
    target_of,
)
from bluekrait.core.rules.attacks import table_word
from bluekrait.core.rules.bits import (
    EMPTY,
    ONE,
    S8,
    U64,
    bit_of,
    enemy_pawn_captures,
    lowest_bit,
    lowest_square,
    turned,
)
from bluekrait.core.rules.legality import castling_targets, legal_en_passants
from bluekrait.core.tables import table_block

_PIECE_KEYS, _CASTLING_KEYS = U64(table_block.PIECE_KEYS), U64(table_block.CASTLING_KEYS)
_EN_PASSANT_KEYS, _TURN_KEY = U64(table_block.EN_PASSANT_KEYS), U64(table_block.TURN_KEY)
_CODES, _SQUARES, _FILE, _TURN_ROUND = U64(8), U64(64), U64(7), U64(TURN_ROUND)
_TWO_SIDES = U64(2)


@kernel(position_type(position_type, uint32))
def make_move(position, move):
    """The position after a legal move, seen by the other side."""
    board = after_move(position.board, move)
    captured, piece = captured_of(move), piece_of(move)
    clock = 0 if captured != NONE or piece == PAWN else position.clock + 1
    key = key_after(position, move, board)
    return Position(board, key, clock, position.ply + 1)


@inline(position_type(position_type))
def make_null_move(position):
    """The position after passing, which only a search does."""
    board = position.board
    key = position.key ^ table_word(_TURN_KEY)
    if board.en_passant:
        key ^= table_word(_EN_PASSANT_KEYS + (lowest_square(board.en_passant) & _FILE))
    return Position(seen_by_other_side(board), key, position.clock + 1, position.ply + 1)


@inline(board_type(board_type))
def seen_by_other_side(board):
    """The same pieces as the other side sees them; there is no en-passant square."""
    return Board(
        turned(board.pawns),
        turned(board.knights),
        turned(board.diagonals),
        turned(board.orthogonals),
        turned(board.kings),
        turned(all_pieces(board) & ~board.own),
        turned(board.castling),
        EMPTY,
    )


@internal(board_type(board_type, uint32))
def after_move(board, move):
    """The board after a legal move, turned round."""
    origin, target = bit_of(U64(origin_of(move))), bit_of(U64(target_of(move)))
    piece, kind = piece_of(move), kind_of(move)
    if kind == CASTLING:
        return after_castling(board, origin, target)
    gone = origin | target
    if kind == EN_PASSANT:
        gone |= target >> S8
    stays = ~gone
    castling = board.castling & stays
    if piece == KING:
        castling &= ~board.own
    becomes = promotion_of(move)
    if becomes == NONE:
        becomes = piece
    diagonal = target if becomes == BISHOP or becomes == QUEEN else EMPTY
    orthogonal = target if becomes == ROOK or becomes == QUEEN else EMPTY
    turned_board = Board(
        turned((board.pawns & stays) | (target if becomes == PAWN else EMPTY)),
        turned((board.knights & stays) | (target if becomes == KNIGHT else EMPTY)),
        turned((board.diagonals & stays) | diagonal),
        turned((board.orthogonals & stays) | orthogonal),
        turned((board.kings & stays) | (target if becomes == KING else EMPTY)),
        turned(all_pieces(board) & ~board.own & stays),
        turned(castling),
        turned(target >> S8) if kind == DOUBLE_PUSH else EMPTY,
    )
    return with_legal_en_passant(turned_board) if kind == DOUBLE_PUSH else turned_board


@inline(board_type(board_type, uint64, uint64))
def after_castling(board, king, rook):
    """The board after castling, turned round; the squares may overlap in Chess960."""
    king_target, rook_target = castling_targets(king, rook)
    return Board(
        turned(board.pawns),
        turned(board.knights),
        turned(board.diagonals),
        turned((board.orthogonals ^ rook) | rook_target),
        turned((board.kings ^ king) | king_target),
        turned(all_pieces(board) & ~board.own),
        turned(board.castling & ~board.own),
        EMPTY,
    )


@inline(board_type(board_type))
def with_legal_en_passant(board):
    """The same board, without its en-passant square if no capture there is legal."""
    if enemy_pawn_captures(board.en_passant) & board.pawns & board.own and legal_en_passants(board):
        return board
    return Board(
        board.pawns,
        board.knights,
        board.diagonals,
        board.orthogonals,
        board.kings,
        board.own,
        board.castling,
        EMPTY,
    )


@inline(uint64(position_type, uint32, board_type))
def key_after(position, move, next_board):
    """The key after a move, computed from what the move changes."""
    board, colour = position.board, U64(position.ply & 1)
    other, flip = colour ^ ONE, colour * _TURN_ROUND
    origin, target = U64(origin_of(move)) ^ flip, U64(target_of(move)) ^ flip
    piece, captured, becomes = U64(piece_of(move)), U64(captured_of(move)), U64(promotion_of(move))
    key = position.key ^ table_word(_TURN_KEY) ^ piece_key(colour, piece, origin)
    if kind_of(move) == CASTLING:
        king_target, rook_target = castling_targets(origin, target)
        king_target, rook_target = lowest_square(king_target) ^ flip, lowest_square(rook_target) ^ flip
        key ^= piece_key(colour, piece, king_target)
        key ^= piece_key(colour, U64(ROOK), target) ^ piece_key(colour, U64(ROOK), rook_target)
    else:
        key ^= piece_key(colour, becomes if becomes else piece, target)
        if captured:
            victim = target ^ S8 if kind_of(move) == EN_PASSANT else target
            key ^= piece_key(other, captured, victim)
    if board.en_passant:
        key ^= table_word(_EN_PASSANT_KEYS + (lowest_square(board.en_passant) & _FILE))
    if next_board.en_passant:
        key ^= table_word(_EN_PASSANT_KEYS + (lowest_square(next_board.en_passant) & _FILE))
    lost = board.castling & ~turned(next_board.castling)
    if lost:
        key ^= castling_keys(board, lost & board.own, board.own, colour)
        key ^= castling_keys(board, lost & ~board.own, ~board.own, other)
    return key


@inline(uint64(position_type, uint32))
def likely_key_after(position, move):
    """The key after a move that is not special and changes no rights; after another one, only a guess."""
    colour = U64(position.ply & 1)
    flip = colour * _TURN_ROUND
    origin, target = U64(origin_of(move)) ^ flip, U64(target_of(move)) ^ flip
    piece, captured, becomes = U64(piece_of(move)), U64(captured_of(move)), U64(promotion_of(move))
    key = position.key ^ table_word(_TURN_KEY) ^ piece_key(colour, piece, origin)
    key ^= piece_key(colour, becomes if becomes else piece, target)
    return key ^ piece_key(colour ^ ONE, captured, target) if captured else key


@inline(uint64(uint64, uint64, uint64))
def piece_key(colour, piece, square):
    """The key of a piece on a square, here counted from White's side."""
    return table_word(_PIECE_KEYS + (colour * _CODES + piece) * _SQUARES + square)


@inline(uint64(board_type, uint64, uint64, uint64))
def castling_keys(board, rooks, side, colour):
    """The keys of the castling rights that some rooks of one side stand for."""
    key = EMPTY
    king = board.kings & side
    while rooks:
        rook = lowest_bit(rooks)
        rooks ^= rook
        queen_side = ONE if rook < king else EMPTY
        key ^= table_word(_CASTLING_KEYS + colour * _TWO_SIDES + queen_side)
    return key
