"""From a `Position` to the record."""

from bluekrait.core.board import TURN_ROUND, all_pieces, piece_on
from bluekrait.core.compiler.jit import inline, internal, position_type, uint64
from bluekrait.core.generators.cerulean.lookup_tables import fill_tables
from bluekrait.core.generators.cerulean.mailbox import RIGHTS, mailbox_type
from bluekrait.core.generators.cerulean.pieces import add_piece
from bluekrait.core.generators.cerulean.squares import (
    A_KING,
    BLACK_FLAG,
    EITHER_FLAG,
    MARGIN,
    OUTSIDE,
    WHITE_FLAG,
    to_0x88,
)
from bluekrait.core.rules.bits import EMPTY, ONE, TWO, U64, bit_of, lowest_square, without_lowest

_REAL_SQUARES = U64(64)
_ALL_RIGHTS = U64((1 << RIGHTS) - 1)


@internal(uint64(mailbox_type, position_type))
def set_up(record, position):
    """Set up a position in a record that is all zeros. Returns the key."""
    fill_tables(record)
    record.board[:] = OUTSIDE
    record.rights_kept[:] = _ALL_RIGHTS
    for number in range(_REAL_SQUARES):
        record.board[MARGIN + to_0x88(U64(number))] = EMPTY
    record.turn = BLACK_FLAG if position.ply & 1 else WHITE_FLAG
    record.clock = U64(position.clock)
    board = position.board
    _add_all_pieces(record, position, all_pieces(board))
    _add_castling_rights(record, position, board.castling)
    if board.en_passant:
        record.en_passant = _square_of(position, lowest_square(board.en_passant))
    record.key = key_of(record)
    return record.key


@internal(uint64(mailbox_type))
def key_of(record):
    """The key, computed from scratch; make and unmake update it."""
    key = record.castling_keys[record.castling] ^ record.en_passant_keys[record.en_passant]
    if record.turn == WHITE_FLAG:
        key ^= record.turn_key
    for number in range(_REAL_SQUARES):
        square = to_0x88(U64(number))
        key ^= record.piece_keys[U64(record.board[MARGIN + square]), square]
    return key


@inline(uint64(position_type, uint64))
def _square_of(position, number):
    """A square of this board, from a square as the side to move sees it."""
    return to_0x88(number ^ U64(TURN_ROUND) if position.ply & 1 else number)


@inline(uint64(mailbox_type, position_type, uint64))
def _side_of(record, position, number):
    """The flag of the side whose piece stands on a square, as the side to move sees it."""
    return record.turn if position.board.own & bit_of(number) else record.turn ^ EITHER_FLAG


@inline(uint64(mailbox_type, position_type, uint64))
def _add_all_pieces(record, position, pieces):
    """Put all pieces on the board."""
    while pieces:
        number = lowest_square(pieces)
        code = U64(piece_on(position.board, bit_of(number))) | _side_of(record, position, number)
        add_piece(record, code, _square_of(position, number))
        pieces = without_lowest(pieces)
    return pieces


@inline(uint64(mailbox_type, position_type, uint64))
def _add_castling_rights(record, position, rooks):
    """Add the castling rights of some rooks, in the order of the keys: king side first, White first."""
    while rooks:
        number = lowest_square(rooks)
        side, rook = _side_of(record, position, number), _square_of(position, number)
        king = U64(record.lists[side | A_KING, EMPTY])
        right = (EMPTY if side == WHITE_FLAG else TWO) + (EMPTY if rook > king else ONE)
        record.castling |= ONE << right
        record.castling_rooks[right] = rook
        for square in (king, rook):
            record.rights_kept[square] &= ~(ONE << right)
        rooks = without_lowest(rooks)
    return rooks
