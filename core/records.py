"""The records that compiled code works in, each passed to it as one address.

They are described once, as ctypes structures, because ctypes is imported quickly. The kernels see the same
bytes through `jit.record_reader`.
"""

import ctypes

from bluekrait.core.board import Board, Position

MAX_MOVES = 256  # no position has more than 218 legal moves
COLUMN_CAPACITY = 512 + 8  # moves; a whole number of pages would put all columns into one cache set
PARENT_CAPACITY = 64  # boards whose moves are in the columns
BUCKET_BYTES = 64  # of the perft hash table: a cache line
HISTORY_CAPACITY = 2048  # positions before the current one
MAX_DEPTH = 64  # plies that perft may recurse

# The status of a game, by its position alone.
ONGOING, CHECKMATE, STALEMATE, FIFTY_MOVES, INSUFFICIENT_MATERIAL = 0, 1, 2, 3, 4

# The rule of threefold repetition: a game is drawn by a position that occurred so often before.
DRAWING_REPETITIONS = 2


class BoardRecord(ctypes.Structure):
    """A `Board`, word by word."""

    _fields_ = [
        ("pawns", ctypes.c_uint64),
        ("knights", ctypes.c_uint64),
        ("diagonals", ctypes.c_uint64),
        ("orthogonals", ctypes.c_uint64),
        ("kings", ctypes.c_uint64),
        ("own", ctypes.c_uint64),
        ("castling", ctypes.c_uint64),
        ("en_passant", ctypes.c_uint64),
    ]


class PositionRecord(ctypes.Structure):
    """A `Position`: what `core.board` keeps in a named tuple, in memory."""

    _fields_ = [
        ("board", BoardRecord),
        ("key", ctypes.c_uint64),
        ("clock", ctypes.c_int64),
        ("ply", ctypes.c_int64),
    ]


class MoveList(ctypes.Structure):
    """Moves of one ply, preallocated: generating moves allocates nothing."""

    _fields_ = [("count", ctypes.c_int64), ("moves", ctypes.c_uint32 * MAX_MOVES)]


class MoveColumns(ctypes.Structure):
    """Moves as a structure of arrays, so that one vector register holds one word of several moves.

    All words are as the side that moves sees them. Attacks are those of its pawns, knights and king after the
    move; its sliders come in when the replies are counted. Whether the piece that arrives is a slider is told
    by the square that it leaves; the two columns for sliders are only used where that is not so.
    """

    _fields_ = [
        ("gone", ctypes.c_uint64 * COLUMN_CAPACITY),  # squares that a piece leaves
        ("to", ctypes.c_uint64 * COLUMN_CAPACITY),  # squares where it arrives
        ("diagonal_to", ctypes.c_uint64 * COLUMN_CAPACITY),  # the same, if it is then a bishop or queen
        ("orthogonal_to", ctypes.c_uint64 * COLUMN_CAPACITY),  # the same, if it is then a rook or queen
        ("attacked", ctypes.c_uint64 * COLUMN_CAPACITY),  # squares
    ]


class ChildColumns(ctypes.Structure):
    """The boards after the moves in `MoveColumns`, as the other side sees them, and what it may do."""

    _fields_ = [
        ("pawns", ctypes.c_uint64 * COLUMN_CAPACITY),
        ("knights", ctypes.c_uint64 * COLUMN_CAPACITY),
        ("diagonals", ctypes.c_uint64 * COLUMN_CAPACITY),
        ("orthogonals", ctypes.c_uint64 * COLUMN_CAPACITY),
        ("kings", ctypes.c_uint64 * COLUMN_CAPACITY),
        ("own", ctypes.c_uint64 * COLUMN_CAPACITY),
        ("castling", ctypes.c_uint64 * COLUMN_CAPACITY),
        ("en_passant", ctypes.c_uint64 * COLUMN_CAPACITY),  # also where a capture there may be illegal
        ("occupied", ctypes.c_uint64 * COLUMN_CAPACITY),
        ("attacked", ctypes.c_uint64 * COLUMN_CAPACITY),  # squares that its king may not enter
        ("targets", ctypes.c_uint64 * COLUMN_CAPACITY),  # where its other pieces may go
        ("pinned_on_diagonals", ctypes.c_uint64 * COLUMN_CAPACITY),
        ("pinned_on_orthogonals", ctypes.c_uint64 * COLUMN_CAPACITY),
        ("steps", ctypes.c_uint64 * COLUMN_CAPACITY),  # where its pawns go: by single steps,
        ("double_steps", ctypes.c_uint64 * COLUMN_CAPACITY),  # by double steps,
        ("west", ctypes.c_uint64 * COLUMN_CAPACITY),  # by captures towards the a-file,
        ("east", ctypes.c_uint64 * COLUMN_CAPACITY),  # and towards the h-file
        ("tags", ctypes.c_uint64 * COLUMN_CAPACITY),  # for the hash table
        ("buckets", ctypes.c_uint64 * COLUMN_CAPACITY),
    ]


class ParentRecord(ctypes.Structure):
    """A board whose moves lie in `MoveColumns`."""

    _fields_ = [
        ("pawns", ctypes.c_uint64),
        ("knights", ctypes.c_uint64),
        ("diagonals", ctypes.c_uint64),
        ("orthogonals", ctypes.c_uint64),
        ("kings", ctypes.c_uint64),
        ("castling", ctypes.c_uint64),
        ("enemy", ctypes.c_uint64),  # the pieces of the side that replies
        ("occupied", ctypes.c_uint64),
        ("special", ctypes.c_uint64),  # not zero if there may be castlings or promotions
        ("start", ctypes.c_int64),  # of its moves in the columns
        ("end", ctypes.c_int64),
        ("bucket", ctypes.c_uint64),  # of the hash table, where the count is to be stored; 0 without it
        ("tag", ctypes.c_uint64),
        ("nodes", ctypes.c_uint64),  # replies that are counted already
    ]


class PerftJob(ctypes.Structure):
    """Everything one thread needs to count one subtree. The columns begin with the record."""

    _fields_ = [
        ("columns", MoveColumns),
        ("upper_columns", MoveColumns),  # the moves of a board two plies above the leaves' parents
        ("children", ChildColumns),  # the boards after them
        ("position", PositionRecord),
        ("depth", ctypes.c_int64),
        ("nodes", ctypes.c_uint64),  # counted so far; another thread reads it to show progress
        ("stop", ctypes.c_uint64),  # another thread sets it to end the count early
        ("table", ctypes.c_uint64),  # address of the shared hash table, 0 for none
        ("buckets", ctypes.c_uint64),  # how many it has
        ("small_table", ctypes.c_uint64),  # address of the table of subtrees of two plies
        ("small_buckets", ctypes.c_uint64),
        ("pending", ctypes.c_int64),  # moves in the columns, whose replies are not counted yet
        ("parents_pending", ctypes.c_int64),
        ("parents", ParentRecord * PARENT_CAPACITY),
        ("lists", MoveList * MAX_DEPTH),
        ("tags", (ctypes.c_uint64 * MAX_MOVES) * MAX_DEPTH),  # of the children, for the hash table
        ("buckets_of", (ctypes.c_uint64 * MAX_MOVES) * MAX_DEPTH),
    ]


class History(ctypes.Structure):
    """The keys of the positions that led to the current one, oldest first."""

    _fields_ = [("count", ctypes.c_int64), ("keys", ctypes.c_uint64 * HISTORY_CAPACITY)]


class GameRecord(ctypes.Structure):
    """A game in progress: its position and history, and what the compiled rules say of it."""

    _fields_ = [
        ("position", PositionRecord),
        ("move", ctypes.c_uint64),  # to be made next
        ("history", History),
        ("legal", MoveList),
        ("checkers", ctypes.c_uint64),
        ("repetitions", ctypes.c_int64),  # how often the position occurred before
        ("status", ctypes.c_int64),  # ONGOING, CHECKMATE, ...
    ]


def write_record(record: PositionRecord, position: Position) -> None:
    """Write a `Position` into a `PositionRecord`."""
    write_board(record.board, position.board)
    record.key, record.clock, record.ply = position.key, position.clock, position.ply


def write_board(record: BoardRecord, board: Board) -> None:
    """Write a `Board` into a `BoardRecord`."""
    for field, word in zip(Board._fields, board):
        setattr(record, field, word)


def read_record(record: PositionRecord) -> Position:
    """The `Position` that a `PositionRecord` holds."""
    board = Board(*(getattr(record.board, field) for field in Board._fields))
    return Position(board, record.key, record.clock, record.ply)
