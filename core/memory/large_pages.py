"""Large pages for memory that is in use already.

A table of many gigabytes is slower in small pages: most of its accesses miss the processor's list of pages.
But in large ones each first access waits until the system has cleared two megabytes, so that a search of a
thousand nodes takes a second. So the memory begins with small pages, and a thread exchanges them.
"""

from __future__ import annotations

import ctypes
import mmap
from threading import Thread

from bluekrait.core.memory.anonymous_memory import LARGE_PAGE, SMALL_PAGE

# What the module `mmap` does not name: Linux knows them since versions 5.14 and 6.1.
MADV_POPULATE_WRITE, MADV_COLLAPSE = 23, 25


class LargePages:
    """Gives memory large pages, one after another, between `resume` and `pause`. Only Linux can do that."""

    def __init__(self, memory: mmap.mmap) -> None:
        self._start = ctypes.c_char.from_buffer(memory)  # as long as this is here, the memory is
        self._address, self._size = ctypes.addressof(self._start), len(memory)
        self._madvise = ctypes.CDLL(None).madvise  # the method of `mmap` holds the interpreter lock
        self._madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        self._thread: Thread | None = None
        self._is_wanted = False
        self.begin_again()

    def begin_again(self) -> None:
        """From now on, new pages are small; those that are there stay as they are."""
        self.pause()
        self._join()
        self._madvise(self._address, self._size, mmap.MADV_NOHUGEPAGE)
        self._next = -(-self._address // LARGE_PAGE) * LARGE_PAGE

    def resume(self) -> None:
        """Go on, until all pages are large."""
        self._join()
        if not self._is_done():
            self._is_wanted = True
            self._thread = Thread(target=self._exchange, daemon=True)
            self._thread.start()

    def pause(self) -> None:
        """End after the page at which the thread is."""
        self._is_wanted = False

    def _join(self) -> None:
        if self._thread:
            self._thread.join()
            self._thread = None

    def _is_done(self) -> bool:
        return self._next + LARGE_PAGE > self._address + self._size

    def _exchange(self) -> None:
        while self._is_wanted and not self._is_done():
            self._exchange_one(self._next)
            self._next += LARGE_PAGE

    def _exchange_one(self, address: int) -> None:
        """Let a large page be at an address; what is in the memory stays the same.

        Older systems refuse the last two steps. There a page is large if it is not used before the first.
        """
        self._madvise(address, LARGE_PAGE, mmap.MADV_HUGEPAGE)
        self._madvise(address, SMALL_PAGE, MADV_POPULATE_WRITE)
        self._madvise(address, LARGE_PAGE, MADV_COLLAPSE)
