"""The pawn cache of a search thread. It stands alone, so that a start need not read the weights."""

import ctypes

PAWN_ENTRIES = 1 << 13  # small enough for the processor's own cache


class PawnEntry(ctypes.Structure):
    """Points of the pawns of both sides, as the side to move sees them."""

    _fields_ = [
        ("own", ctypes.c_uint64),
        ("enemy", ctypes.c_uint64),
        ("points", ctypes.c_int64),  # packed, of the own pawns less the enemy's
        ("passed", ctypes.c_uint64),  # the passed pawns of both sides
        ("own_king", ctypes.c_uint64),  # where the kings stood when their shelter was judged
        ("enemy_king", ctypes.c_uint64),
        ("shelter", ctypes.c_int64),  # packed, of the own king less the enemy's
        ("unused", ctypes.c_uint64),  # to fill a cache line
    ]


class PawnCache(ctypes.Structure):
    """The pawn cache of one thread."""

    _fields_ = [("entries", PawnEntry * PAWN_ENTRIES)]
