"""Memory for the records of search threads. No kernel needs it, so an edit here compiles nothing."""

import ctypes

from bluekrait.core.compiler.shared_memory import SharedMemory
from bluekrait.search.thread_record import SearchThread


def new_thread() -> SearchThread:
    """A record in memory of its own, which goes back to the system when nothing refers to it any more.

    What the allocator of Python gets from the system for some megabytes, it may keep.
    """
    return SharedMemory(ctypes.sizeof(SearchThread)).as_record(SearchThread)
