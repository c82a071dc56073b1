"""Boards in 24 bytes and moves in 16 bits, both ways, as described in `tools.data.formats.samples`."""

from bluekrait.core.board import BISHOP, KING, KNIGHT, NONE, PAWN, QUEEN, ROOK, Board, all_pieces, piece_on
from bluekrait.core.compiler.jit import board_type, inline, int64, internal, uint32, uint64
from bluekrait.core.move import (
    CASTLING,
    DOUBLE_PUSH,
    EN_PASSANT,
    NORMAL,
    origin_of,
    pack,
    promotion_of,
    target_of,
)
from bluekrait.core.rules.bits import EMPTY, S8, U64, bit_of, lowest_bit, signed
from bluekrait.search.self_play.job import packed_board_type

CASTLING_ROOK, EN_PASSANT_PAWN, ENEMY = 3, 0, 8  # the codes that no piece has, and the bit of the other side
HALF = 16  # nibbles of a word
NIBBLE, CODE = U64(15), U64(7)


@internal(int64(packed_board_type, board_type))
def pack_board(packed, board):
    """Put a board into a record; the number of pieces."""
    occupied = all_pieces(board)
    packed.occupied = occupied
    first, last, count = EMPTY, EMPTY, 0
    while occupied:
        bit = lowest_bit(occupied)
        occupied ^= bit
        code = piece_on(board, bit)
        if bit & board.castling:
            code = CASTLING_ROOK
        elif (bit << S8) & board.en_passant and code == PAWN:
            code = EN_PASSANT_PAWN
        if bit & board.own == EMPTY:
            code |= ENEMY
        if count < HALF:
            first |= U64(code) << U64(4 * count)
        else:
            last |= U64(code) << U64(4 * (count - HALF))
        count += 1
    packed.first_pieces, packed.last_pieces = first, last
    return count


@internal(board_type(uint64, uint64, uint64))
def board_of(occupied, first_pieces, last_pieces):
    """The board that the three words of a record describe."""
    pawns = knights = diagonals = orthogonals = kings = own = castling = en_passant = EMPTY
    count = 0
    while occupied:
        bit = lowest_bit(occupied)
        occupied ^= bit
        word = first_pieces if count < HALF else last_pieces
        nibble = word >> U64(4 * (count & (HALF - 1))) & NIBBLE
        code = signed(nibble & CODE)
        if code == CASTLING_ROOK:
            castling |= bit
            code = ROOK
        elif code == EN_PASSANT_PAWN:
            en_passant |= bit << S8
            code = PAWN
        if code == PAWN:
            pawns |= bit
        elif code == KNIGHT:
            knights |= bit
        elif code == KING:
            kings |= bit
        if code == BISHOP or code == QUEEN:
            diagonals |= bit
        if code == ROOK or code == QUEEN:
            orthogonals |= bit
        if nibble < U64(ENEMY):
            own |= bit
        count += 1
    return Board(pawns, knights, diagonals, orthogonals, kings, own, castling, en_passant)


@internal(board_type(packed_board_type))
def unpack_board(packed):
    """The board in a record."""
    return board_of(U64(packed.occupied), U64(packed.first_pieces), U64(packed.last_pieces))


@inline(uint32(uint32))
def short_move(move):
    """A move in 16 bits: from, to, promotion."""
    return origin_of(move) | target_of(move) << 6 | promotion_of(move) << 12


@internal(uint32(board_type, int64))
def long_move(board, short):
    """The move that 16 bits mean on a board, where it is legal."""
    origin, target, promotion = short & 63, short >> 6 & 63, short >> 12 & 7
    target_bit = bit_of(U64(target))
    piece, captured = piece_on(board, bit_of(U64(origin))), piece_on(board, target_bit)
    kind = NORMAL
    if piece == KING and target_bit & board.own:
        captured, kind = NONE, CASTLING
    elif piece == PAWN and target_bit == board.en_passant:
        captured, kind = PAWN, EN_PASSANT
    elif piece == PAWN and target - origin == 16:
        kind = DOUBLE_PUSH
    return pack(origin, target, piece, captured, promotion, kind)
