"""Memory for the records of search threads. No kernel needs this module, so an edit here compiles nothing."""

import ctypes

from bluekrait.core.memory.shared_memory import SharedMemory
from bluekrait.search.scores import UNKNOWN
from bluekrait.search.thread_record import LOOK_BACK, SearchThread


def new_thread() -> SearchThread:
    """A record in memory of its own, which goes back to the system when nothing refers to it any more.

    What the allocator of Python gets from the system for some megabytes, it may keep.
    """
    return SharedMemory(ctypes.sizeof(SearchThread)).as_record(SearchThread)


def forget(thread: SearchThread, keep_pawns: bool = False) -> None:
    """Clear what earlier searches left: all fields from the plies on, which hold the killers.

    The pawn cache changes no result, so it may be kept.
    """
    if keep_pawns:
        _clear(thread, SearchThread.plies.offset, SearchThread.pawns.offset)
        _clear(thread, SearchThread.butterfly.offset, ctypes.sizeof(thread))
    else:
        _clear(thread, SearchThread.plies.offset, ctypes.sizeof(thread))
    for ply in thread.plies[:LOOK_BACK]:
        ply.static_eval = UNKNOWN


def _clear(thread: SearchThread, start: int, end: int) -> None:
    ctypes.memset(ctypes.addressof(thread) + start, 0, end - start)
