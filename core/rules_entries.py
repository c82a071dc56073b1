"""The doors of the compiled rules: functions that take the address of a record, and nothing else.

Because they need no Python object, their machine code can be kept, and run by a process that has loaded
neither Numba nor NumPy; see `core.native`.
"""

from bluekrait.core.board import Board, Position
from bluekrait.core.compiler.jit import board_type, entry, inline, int64, position_type, record_reader
from bluekrait.core.counting.expand import perft_job_at
from bluekrait.core.counting.perft import reap, walk, walk_hashed
from bluekrait.core.records import BoardRecord, Desk, PositionRecord
from bluekrait.core.rules.history import push, repetitions
from bluekrait.core.rules.legality import legality
from bluekrait.core.rules.make import make_move
from bluekrait.core.rules.movegen import add_legal_moves

desk_at, desk_type = record_reader(Desk)
_, position_record_type = record_reader(PositionRecord)
_, board_record_type = record_reader(BoardRecord)


@entry
def perft(address):
    """Count the leaves of a `PerftJob`."""
    job = perft_job_at(address)
    position = read_position(job.position)
    if job.table:
        walk_hashed(job, position, job.depth)
    else:
        walk(job, position.board, job.depth)
        reap(job)
    return 0


@entry
def survey(address):
    """Fill in all that a `Desk` tells of its position."""
    desk = desk_at(address)
    position = read_position(desk.position)
    state = legality(position.board)
    desk.legal.count = add_legal_moves(position.board, state, desk.legal, 0)
    desk.checkers = state.checkers
    desk.repetitions = repetitions(desk.history, position)
    return desk.legal.count


@entry
def play(address):
    """Make the move on a `Desk`, and remember where it came from."""
    desk = desk_at(address)
    position = read_position(desk.position)
    push(desk.history, position)
    write_position(desk.position, make_move(position, desk.move))
    return 0


ENTRIES = {"perft": perft, "survey": survey, "play": play}


@inline(position_type(position_record_type))
def read_position(record):
    """The value that a record holds."""
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
    """Put a value into a record."""
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
