"""Zeroed memory that threads share: hash tables, networks."""

import contextlib
import ctypes
import mmap

from bluekrait.core.compiler.physical_memory import physical_memory
from bluekrait.core.records import BUCKET_BYTES

MEGABYTE = 1 << 20
UNKNOWN_MEMORY = 1 << 62  # bytes: more than any request, where the machine does not say


class SharedMemory:
    """Memory of a given size, all zero; a ValueError if the machine has less."""

    def __init__(self, size: int) -> None:
        if not 0 < size <= (physical_memory() or UNKNOWN_MEMORY):
            raise ValueError(f"this machine has too little memory for a hash table of {size // MEGABYTE} MB")
        self.size = size
        try:
            self._memory = _anonymous_memory(size)
        except OSError as error:
            problem = f"no memory for a hash table of {size // MEGABYTE} MB: {error.strerror}"
            raise ValueError(problem) from None
        self._start = ctypes.c_char.from_buffer(self._memory)

    @property
    def address(self) -> int:
        """The address of its first byte."""
        return ctypes.addressof(self._start)

    def first_bytes(self, count: int) -> bytes:
        """A copy of its first bytes."""
        return self._memory[:count]

    def clear(self) -> None:
        """Make all of it zero."""
        ctypes.memset(self.address, 0, self.size)


class HashTable(SharedMemory):
    """The hash table of perft: a power of two of buckets."""

    def __init__(self, megabytes: int) -> None:
        super().__init__(1 << (megabytes * MEGABYTE).bit_length() - 1 if megabytes > 0 else 0)
        self.clear()  # so that no page is touched first while the clock runs

    @property
    def mask(self) -> int:
        """The number of buckets, less one."""
        return int(self.size // BUCKET_BYTES) - 1


def _anonymous_memory(size: int) -> mmap.mmap:
    """Private memory in large pages where the system offers them: a big table is mostly page misses."""
    if not hasattr(mmap, "MAP_PRIVATE"):
        return mmap.mmap(-1, size)
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):
            memory.madvise(mmap.MADV_HUGEPAGE)
    return memory
