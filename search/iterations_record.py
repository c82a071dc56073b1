"""What a call of the compiled search is asked to do, and what has come of it."""

import ctypes

from bluekrait.core.records import MAX_MOVES, MoveList
from bluekrait.search.thread_record import RootMove


class Iterations(ctypes.Structure):
    """Iterations of one search thread: one window of one of them, or all of them without a report between."""

    _fields_ = [
        ("thread", ctypes.c_uint64),  # address of the SearchThread
        ("last_depth", ctypes.c_int64),  # 0 for one window, as the thread's record describes it
        ("ranks", ctypes.c_int64),  # how many of the best moves are wanted
        ("is_restricted", ctypes.c_int64),  # whether `moves` is given; otherwise it is filled in
        ("moves", MoveList),  # to choose from
        ("expected", ctypes.c_int64 * MAX_MOVES),  # scores of the last iteration, by rank
        # The last iteration that was completed.
        ("depth", ctypes.c_int64),  # 0 if there is none
        ("count", ctypes.c_int64),  # of lines
        ("lines", RootMove * MAX_MOVES),  # the best first
    ]
