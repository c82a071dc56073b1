"""Locks on open files, which end with the process that holds them.

The builder of the executable loads this file before anything is installed: standard library only.
"""

import contextlib
import os
import time
from typing import IO, Any

fcntl: Any
msvcrt: Any
try:
    import fcntl
except ImportError:
    import msvcrt

    fcntl = None

# Windows locks ranges of bytes, which others then cannot read: this byte is beyond the end of most files.
LOCKED_BYTE = (1 << 31) - 2
SECONDS_BETWEEN_ATTEMPTS = 0.2


def try_lock(file: IO[Any]) -> bool:
    """Lock an open file for this process alone; False if another process has locked it.

    OSError if the file system has no locks.
    """
    try:
        if fcntl:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            _lock_byte(file.fileno())
    except (BlockingIOError, PermissionError):
        return False
    return True


def wait_for_lock(file: IO[Any]) -> None:
    """Lock an open file for this process alone, as soon as no other has it, if the file system has locks."""
    with contextlib.suppress(OSError):
        while not try_lock(file):
            time.sleep(SECONDS_BETWEEN_ATTEMPTS)


def _lock_byte(descriptor: int) -> None:
    """Lock one byte; the file position stays as it was."""
    before = os.lseek(descriptor, 0, os.SEEK_CUR)
    try:
        os.lseek(descriptor, LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    finally:
        os.lseek(descriptor, before, os.SEEK_SET)
