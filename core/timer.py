"""The clock for all time measurements: seconds since some moment, never set back.

`time.monotonic` advances in steps of 15.6 milliseconds on Windows before Python 3.13, which is more than a
fast game has for a move. `time.perf_counter` counts in less than a microsecond on every system, is monotonic
too, and is the same clock as `time.monotonic` on Linux.

Who waits for another thread waits for `LONGEST_WAIT` again and again. On Windows a thread that waits does not
notice Ctrl-C; elsewhere it does not if Ctrl-C comes at the very moment at which the wait begins.
"""

from time import perf_counter as monotonic

__all__ = ["LONGEST_WAIT", "monotonic"]

LONGEST_WAIT = 1.0  # seconds
