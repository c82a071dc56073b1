"""Memory that holds machine code: written first, then executed and never written again."""

import ctypes
import sys
from collections.abc import Sequence
from typing import Any

_COMMIT_AND_RESERVE, _READ_WRITE, _READ_EXECUTE = 0x3000, 0x04, 0x20  # of Windows


class ExecutableMemory:
    """Memory of some size, which can be written until `seal`. Its functions need it as long as they live."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.address, self._owner = _windows_pages(size) if sys.platform == "win32" else _pages(size)

    def write(self, content: bytes) -> None:
        """Fill it from its beginning."""
        ctypes.memmove(self.address, content, min(self.size, len(content)))

    def seal(self) -> None:
        """From now on it can be executed, and not be written. OSError if the system forbids that."""
        if sys.platform == "win32":
            before = ctypes.c_uint32()
            _protect = ctypes.windll.kernel32.VirtualProtect
            _protect.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint32, ctypes.c_void_p
            succeeded = _protect(self.address, self.size, _READ_EXECUTE, ctypes.byref(before))
        else:
            import mmap

            _protect = ctypes.CDLL(None).mprotect
            _protect.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
            succeeded = not _protect(self.address, self.size, mmap.PROT_READ | mmap.PROT_EXEC)
        if not succeeded:
            raise OSError("the system does not let memory be executed")

    def function(self, result: Any, arguments: Sequence[Any], offset: int = 0) -> Any:
        """The function that begins at an offset."""
        return ctypes.CFUNCTYPE(result, *arguments)(self.address + offset)


def _pages(size: int) -> tuple[int, object]:
    import mmap

    pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return ctypes.addressof(ctypes.c_char.from_buffer(pages)), pages


def _windows_pages(size: int) -> tuple[int, object]:
    allocate = ctypes.windll.kernel32.VirtualAlloc  # type: ignore[attr-defined,unused-ignore]
    allocate.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint32, ctypes.c_uint32
    allocate.restype = ctypes.c_void_p
    address = allocate(None, size, _COMMIT_AND_RESERVE, _READ_WRITE)
    if not address:
        raise OSError("no memory for machine code")
    return address, None
