"""How much memory the engine may use: what the machine has, or less in a container."""

import os
import sys

from bluekrait.core.memory.control_groups import memory_limit

MEGABYTE = 1 << 20
USUAL_MEMORY = 65536  # megabytes, where the system does not say; a request for too much fails later


def memory_megabytes() -> int:
    """The memory that may be used in megabytes, as a limit for options."""
    memory = usable_memory()
    return max(1, memory // MEGABYTE) if memory else USUAL_MEMORY


def usable_memory() -> int | None:
    """Bytes of memory in this machine, or as many as this process may have; None if neither is known."""
    amounts = [amount for amount in (_physical_memory(), memory_limit()) if amount]
    return min(amounts, default=None)


def _physical_memory() -> int | None:
    """Bytes of memory in this machine; None if it does not say."""
    if sys.platform == "win32":
        return _windows_memory()
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None


def _windows_memory() -> int | None:
    """What GlobalMemoryStatusEx says."""
    if sys.platform != "win32":  # so that mypy passes over the rest elsewhere
        return None
    import ctypes

    class MemoryStatus(ctypes.Structure):
        """MEMORYSTATUSEX: its own size, the share in use, and seven counts of bytes."""

        _fields_ = [
            ("length", ctypes.c_uint32),
            ("load", ctypes.c_uint32),
            ("total", ctypes.c_uint64),
            ("others", ctypes.c_uint64 * 6),
        ]

    status = MemoryStatus(length=ctypes.sizeof(MemoryStatus))
    is_known = ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status))
    return status.total if is_known else None
