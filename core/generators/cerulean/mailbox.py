"""The record with all state, passed as one address.

A piece is found in two ways: `board` holds what stands on a square, `lists` the squares of each kind and
side. `places` connects them: it holds the index in its list of the piece on a square, so that lists are never
searched.
"""

import ctypes

from bluekrait.core.compiler.jit import record_reader
from bluekrait.core.generators.cerulean.squares import MARGIN_SQUARES
from bluekrait.core.records import MAX_DEPTH, MAX_MOVES

SQUARES = 128
CODES = 24  # one more than the highest code of a piece
MAX_PIECES = 16  # of one code; ten is the most there can be
RIGHTS = 4


class Generation(ctypes.Structure):
    """The moves of one node, and the state that unmaking cannot compute, saved once for all of them."""

    _fields_ = [
        ("key", ctypes.c_uint64),
        ("castling", ctypes.c_uint64),
        ("en_passant", ctypes.c_uint64),
        ("clock", ctypes.c_uint64),
        ("moves", ctypes.c_uint32 * MAX_MOVES),
    ]


class Mailbox(ctypes.Structure):
    """A position, its history, and the tables."""

    _fields_ = [
        ("board", ctypes.c_uint8 * (SQUARES + 2 * MARGIN_SQUARES)),  # by square, after the margin
        ("places", ctypes.c_uint8 * SQUARES),
        ("lists", (ctypes.c_uint8 * MAX_PIECES) * CODES),
        ("counts", ctypes.c_uint8 * CODES),
        ("turn", ctypes.c_uint64),  # flag of the side to move
        ("key", ctypes.c_uint64),
        ("castling", ctypes.c_uint64),  # the rights, a bit each
        ("en_passant", ctypes.c_uint64),  # the square that a pawn has just passed, beside an enemy pawn
        ("clock", ctypes.c_uint64),  # half-moves since the last capture or pawn move
        # Where the game began:
        ("castling_rooks", ctypes.c_uint64 * RIGHTS),
        ("rights_kept", ctypes.c_uint8 * SQUARES),  # when something moves from or to the square
        # Always the same:
        (
            "reach",
            ctypes.c_uint8 * (2 * SQUARES),
        ),  # by difference: the kinds of pieces that attack so on an empty board
        ("steps", ctypes.c_uint64 * (2 * SQUARES)),  # by difference: the way there
        ("piece_keys", (ctypes.c_uint64 * SQUARES) * CODES),
        ("castling_keys", ctypes.c_uint64 * (1 << RIGHTS)),  # by all rights together
        ("en_passant_keys", ctypes.c_uint64 * SQUARES),
        ("turn_key", ctypes.c_uint64),
        ("generations", Generation * MAX_DEPTH),  # by ply
    ]


mailbox_at, mailbox_type = record_reader(Mailbox)
_, generation_type = record_reader(Generation)
