"""The records that the evaluation works in; see `core.records`."""

import ctypes

from bluekrait.core.records import BoardRecord
from bluekrait.search.evaluation.classical.weight_layout import SLOTS

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


class Counts(ctypes.Structure):
    """How often each weight counts for one side."""

    _fields_ = [("counts", ctypes.c_int32 * SLOTS)]


class Trace(ctypes.Structure):
    """The trace of an evaluation: how often each weight counts."""

    _fields_ = [
        ("own", Counts),
        ("enemy", Counts),
        ("phase", ctypes.c_int64),  # from 0, no pieces but pawns, to `scaling.FULL_PHASE`
        ("own_scale", ctypes.c_int64),  # of the end-game points if they favour the side to move ...
        ("enemy_scale", ctypes.c_int64),  # ... and if they favour the other; in 64ths
    ]


class EvaluationRequest(ctypes.Structure):
    """A board to evaluate, and the result."""

    _fields_ = [
        ("board", BoardRecord),
        ("score", ctypes.c_int64),
        ("trace", Trace),
        ("pawn_cache", PawnCache),
    ]
