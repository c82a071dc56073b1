"""Zeroed private memory, in large pages where the system offers them: a big table is mostly page misses."""

import contextlib
import ctypes
import mmap

SMALL_PAGE = 4096  # bytes: no system has smaller ones
LARGE_PAGE = 2 << 20  # bytes, of x86-64, and usually of ARM
WORTH_A_LARGE_PAGE = LARGE_PAGE // 4  # from this size on


def anonymous_memory(size: int) -> mmap.mmap:
    """Memory of at least that size. Linux lets whole large pages begin where the processor's do."""
    if not hasattr(mmap, "MAP_PRIVATE"):
        return mmap.mmap(-1, size)
    private = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    if not hasattr(mmap, "MADV_HUGEPAGE") or size < WORTH_A_LARGE_PAGE:
        return mmap.mmap(-1, size, flags=private)
    memory = mmap.mmap(-1, -(-size // LARGE_PAGE) * LARGE_PAGE, flags=private)
    with contextlib.suppress(OSError):
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memory


def array_of_words(content: bytes) -> ctypes.Array[ctypes.c_uint64]:
    """An array of words with a content, in memory that lives as long as the array."""
    memory = anonymous_memory(len(content))
    memory[: len(content)] = content
    return (ctypes.c_uint64 * (len(content) // 8)).from_buffer(memory)
