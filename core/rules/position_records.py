"""Positions in records: kernels read them as values, and write them back."""

from bluekrait.core.board import Board, Position
from bluekrait.core.compiler.jit import board_type, inline, int64, position_type, record_reader
from bluekrait.core.records import BoardRecord, PositionRecord

_, position_record_type = record_reader(PositionRecord)
_, board_record_type = record_reader(BoardRecord)


@inline(position_type(position_record_type))
def read_position(record):
    """The position that a record holds."""
    return Position(read_board(record.board), record.key, record.clock, record.ply)


@inline(board_type(board_record_type))
def read_board(record):
    """The board that a record holds."""
    return Board(
        record.pawns,
        record.knights,
        record.diagonals,
        record.orthogonals,
        record.kings,
        record.own,
        record.castling,
        record.en_passant,
    )


@inline(int64(position_record_type, position_type))
def write_position(record, position):
    """Write a position into a record."""
    board = record.board
    board.pawns = position.board.pawns
    board.knights = position.board.knights
    board.diagonals = position.board.diagonals
    board.orthogonals = position.board.orthogonals
    board.kings = position.board.kings
    board.own = position.board.own
    board.castling = position.board.castling
    board.en_passant = position.board.en_passant
    record.key = position.key
    record.clock = position.clock
    record.ply = position.ply
    return 0
