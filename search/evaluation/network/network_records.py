"""The memory that a network is evaluated in; see `core.records`.

One copy of the network serves all threads: a `NetworkRecord`, and behind it the arrays. Each thread has its
own accumulators: for every ply the hidden numbers of both sides, and before them the view they belong to.
Everything begins with a cache line.
"""

import ctypes

from bluekrait.core.board import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from bluekrait.search.scores import MAX_PLY

CLASSICAL, NETWORK, RESIDUAL = 0, 1, 2  # how positions are evaluated; a residual adds both
LOOK_BACK = 2  # plies before the root, so that those before a ply may be looked at
PLIES = LOOK_BACK + MAX_PLY + 3
SIDES = 2
CODES = 8  # of `core.board`: feature weights lie in their order, so some of eight blocks are unused
PASSED_PAWN = PAWN | KNIGHT  # which no piece has: a passed pawn is seen as both
KIND_CODES = (PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, PASSED_PAWN)  # in the order of the file
CHANGES = 64  # as many squares may differ between two boards


class NetworkRecord(ctypes.Structure):
    """A network in memory: what kernels must know of it, and where its arrays lie."""

    _fields_ = [
        ("width", ctypes.c_uint64),
        ("buckets", ctypes.c_uint64),
        ("numerator", ctypes.c_int64),  # of the factor that the classical evaluation has in a residual
        ("denominator", ctypes.c_int64),
        ("region_bytes", ctypes.c_uint64),  # of the feature weights of a region; 0 if there is one for all
        ("has_threats", ctypes.c_uint64),  # 1 if attacked pieces have feature weights of their own
        ("has_passed_pawns", ctypes.c_uint64),  # 1 if they are another kind than other pawns
        ("feature_weights", ctypes.c_uint64),  # addresses
        ("output_weights", ctypes.c_uint64),
        ("output_biases", ctypes.c_uint64),
        ("blank", ctypes.c_uint64),  # the accumulator of an empty board
    ]


class ViewRecord(ctypes.Structure):
    """A `View` of `views`, word by word."""

    _fields_ = [
        ("low", ctypes.c_uint64),
        ("middle", ctypes.c_uint64),
        ("high", ctypes.c_uint64),
        ("own", ctypes.c_uint64),
        ("attacked", ctypes.c_uint64),
        ("occupied", ctypes.c_uint64),
        ("rows", ctypes.c_uint64),
        ("other_rows", ctypes.c_uint64),
    ]


class Changes(ctypes.Structure):
    """The rows of feature weights that lead from one board to another, by their addresses."""

    _fields_ = [("added", ctypes.c_uint64 * CHANGES), ("removed", ctypes.c_uint64 * CHANGES)]


HEADER_BYTES = ctypes.sizeof(ViewRecord)
REMOVED_CHANGES, OTHER_CHANGES = Changes.removed.offset, ctypes.sizeof(Changes)  # of side 1
CHANGES_BYTES = SIDES * ctypes.sizeof(Changes)  # at the beginning of a thread's accumulators


def accumulator_bytes(width: int) -> int:
    """The size of one accumulator: its view, then the numbers of both sides."""
    return HEADER_BYTES + SIDES * 2 * width
