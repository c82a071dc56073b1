"""The records that the evaluation works in; see `core.records`."""

import ctypes

from bluekrait.core.records import BoardRecord
from bluekrait.search.evaluation.classical.weight_layout import SLOTS


class Counts(ctypes.Structure):
    """How often each weight counts for one side."""

    _fields_ = [("counts", ctypes.c_int32 * SLOTS)]


class Trace(ctypes.Structure):
    """The trace of an evaluation: how often each weight counts."""

    _fields_ = [
        ("own", Counts),
        ("enemy", Counts),
        ("phase", ctypes.c_int64),  # from 0, no pieces but pawns, to `tapered.FULL_PHASE`
        ("own_scale", ctypes.c_int64),  # of the whole score if the side to move is ahead ...
        ("enemy_scale", ctypes.c_int64),  # ... and if the other is; in 64ths
    ]


class EvaluationRequest(ctypes.Structure):
    """A board to evaluate, and how its score comes about."""

    _fields_ = [("board", BoardRecord), ("trace", Trace)]
