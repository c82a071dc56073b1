"""From the live board, a value, to the record."""

from bluekrait.core.board import TURN_ROUND, all_pieces, piece_on
from bluekrait.core.compiler.jit import inline, internal, position_type, uint64
from bluekrait.core.generators.cerulean.charts import draw_charts
from bluekrait.core.generators.cerulean.mailbox import RIGHTS, mailbox_type
from bluekrait.core.generators.cerulean.pieces import put
from bluekrait.core.generators.cerulean.squares import (
    A_KING,
    BLACK_FLAG,
    EITHER_FLAG,
    MARGIN,
    OUTSIDE,
    WHITE_FLAG,
    spread,
)
from bluekrait.core.rules.bits import EMPTY, ONE, TWO, U64, bit_of, lowest_square, without_lowest

_REAL_SQUARES = U64(64)
_ALL_RIGHTS = U64((1 << RIGHTS) - 1)


@internal(uint64(mailbox_type, position_type))
def set_up(record, position):
    """Put a position on a record that is zero throughout. Returns the key."""
    draw_charts(record)
    record.board[:] = OUTSIDE
    record.rights_kept[:] = _ALL_RIGHTS
    for number in range(_REAL_SQUARES):
        record.board[MARGIN + spread(U64(number))] = EMPTY
    record.turn = BLACK_FLAG if position.ply & 1 else WHITE_FLAG
    record.clock = U64(position.clock)
    board = position.board
    _put_all(record, position, all_pieces(board))
    _grant_all(record, position, board.castling)
    if board.en_passant:
        record.en_passant = _square_of(position, lowest_square(board.en_passant))
    record.key = key_of(record)
    return record.key


@internal(uint64(mailbox_type))
def key_of(record):
    """The key from scratch, which make and unmake must arrive at step by step."""
    key = record.castling_keys[record.castling] ^ record.en_passant_keys[record.en_passant]
    if record.turn == WHITE_FLAG:
        key ^= record.turn_key
    for number in range(_REAL_SQUARES):
        square = spread(U64(number))
        key ^= record.piece_keys[U64(record.board[MARGIN + square]), square]
    return key


@inline(uint64(position_type, uint64))
def _square_of(position, number):
    """A square of this board, given as the side to move counts."""
    return spread(number ^ U64(TURN_ROUND) if position.ply & 1 else number)


@inline(uint64(mailbox_type, position_type, uint64))
def _side_of(record, position, number):
    """The flag of the side whose piece stands on a square, given as the side to move counts."""
    return record.turn if position.board.own & bit_of(number) else record.turn ^ EITHER_FLAG


@inline(uint64(mailbox_type, position_type, uint64))
def _put_all(record, position, pieces):
    """Put the pieces on the board."""
    while pieces:
        number = lowest_square(pieces)
        code = U64(piece_on(position.board, bit_of(number))) | _side_of(record, position, number)
        put(record, code, _square_of(position, number))
        pieces = without_lowest(pieces)
    return pieces


@inline(uint64(mailbox_type, position_type, uint64))
def _grant_all(record, position, rooks):
    """Grant the rights to castle with some rooks, in the order of the keys: king side first, White first."""
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
