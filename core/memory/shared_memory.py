"""Zeroed memory that threads share: hash tables, networks, records of search threads."""

from __future__ import annotations

import ctypes
import mmap
import sys
from threading import Thread

from bluekrait.core.memory.anonymous_memory import SMALL_PAGE, anonymous_memory
from bluekrait.core.memory.usable_memory import MEGABYTE, usable_memory
from bluekrait.core.processors import usable_processors
from bluekrait.core.records import BUCKET_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from bluekrait.core.memory.large_pages import LargePages

    Record = TypeVar("Record", bound=ctypes.Structure)

UNKNOWN_MEMORY = 1 << 62  # bytes: more than any request, where the machine does not say
RESIDENT = 2048 * MEGABYTE  # memory up to this size keeps its pages when it is cleared
CLEARED_BY_ONE = 16 * MEGABYTE  # what one thread clears, before it is worth while to start another
LEAST_BUCKETS = 64  # of a hash table


class SharedMemory:
    """Memory of a given size, all zero; a ValueError if there is less."""

    def __init__(self, size: int) -> None:
        if not 0 < size <= (usable_memory() or UNKNOWN_MEMORY):
            raise ValueError(f"there is too little memory for {size // MEGABYTE} MB")
        self.size = size
        try:
            self._memory = anonymous_memory(size)
        except OSError as error:
            problem = f"there is not enough memory for {size // MEGABYTE} MB: {error.strerror}"
            raise ValueError(problem) from None
        self._start = ctypes.c_char.from_buffer(self._memory)

    @property
    def address(self) -> int:
        """The address of its first byte."""
        return ctypes.addressof(self._start)

    def as_record(self, kind: type[Record]) -> Record:
        """A `ctypes` structure in this memory, which lives as long as the structure."""
        return kind.from_buffer(self._memory)

    def first_bytes(self, count: int) -> bytes:
        """A copy of its first bytes."""
        return self._memory[:count]

    def make_resident(self) -> None:
        """Let the system provide every page now, while all of it is zero, and not when it is first used."""
        if self.size > CLEARED_BY_ONE:
            self._write_zeros()  # by several threads
        else:  # a byte of each page is enough
            self._memory[: self.size : SMALL_PAGE] = bytes(-(-self.size // SMALL_PAGE))

    def large_pages_later(self) -> LargePages | None:
        """What exchanges its pages, which are small from now on; None where the system cannot do that."""
        if not hasattr(mmap, "MADV_NOHUGEPAGE"):  # not on Linux, or Python was built on a very old one
            return None
        from bluekrait.core.memory.large_pages import LargePages

        return LargePages(self._memory)

    def clear(self) -> None:
        """Make all of it zero: large memory by new pages, where the system gives them, else by writing."""
        if self.size > RESIDENT and sys.platform == "linux":
            self._memory.madvise(mmap.MADV_DONTNEED)  # private pages are zero when they are next used
        else:
            self._write_zeros()

    def _write_zeros(self) -> None:
        """Clear by as many threads as are worth while; memset does not hold the interpreter lock."""
        count = max(1, min(len(usable_processors()), self.size // CLEARED_BY_ONE))
        bounds = [self.size * number // count for number in range(count + 1)]
        threads = [
            Thread(target=ctypes.memset, args=(self.address + start, 0, end - start))
            for start, end in zip(bounds[1:], bounds[2:], strict=False)
        ]
        for thread in threads:
            thread.start()
        ctypes.memset(self.address, 0, bounds[1])
        for thread in threads:
            thread.join()


class HashTable(SharedMemory):
    """The hash table of perft: buckets. Its pages are provided while perft runs."""

    def __init__(self, megabytes: int) -> None:
        super().__init__(megabytes * MEGABYTE)
        self._used = self.size

    def use(self, size: int) -> None:
        """Use its first bytes only, so many of them."""
        self._used = min(self.size, max(LEAST_BUCKETS * BUCKET_BYTES, size))

    @property
    def buckets(self) -> int:
        """The number of buckets in use."""
        return self._used // BUCKET_BYTES
