"""What is read more than once is an ordinary file: a pipe gives what it holds only once."""

import errno
import os
from pathlib import Path


def check_ordinary(path: str | os.PathLike[str]) -> None:
    """ValueError if a path leads to a pipe or a device: it may be empty when it is opened again, or wait.

    A missing file and a folder are left to what opens them.
    """
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        raise ValueError(f"{path} is not an ordinary file, which can be read again and again")


def check_no_folder(path: str | os.PathLike[str]) -> None:
    """OSError if a path leads to a folder: names of other files are made of that of a file, `.` has none."""
    if os.path.isdir(Path(path)):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(Path(path)))
