"""Waiting to the millisecond.

On Windows a wait with a timeout ends up to 15.6 milliseconds late, unless a program asks for a finer timer.
That costs power, so it is asked for only while the engine thinks. Other systems need nothing.
"""

import contextlib
import sys
from collections.abc import Iterator

MILLISECONDS = 1  # as fine as Windows allows


@contextlib.contextmanager
def fine_timer() -> Iterator[None]:
    """In this block, waits end on time, to the millisecond."""
    if sys.platform != "win32":
        yield
        return
    import ctypes

    multimedia = ctypes.windll.winmm
    multimedia.timeBeginPeriod(MILLISECONDS)
    try:
        yield
    finally:
        multimedia.timeEndPeriod(MILLISECONDS)
