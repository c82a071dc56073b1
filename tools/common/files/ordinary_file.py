"""What is read more than once is an ordinary file: a pipe gives what it holds only once."""

import os


def check_ordinary(path: str | os.PathLike[str]) -> None:
    """ValueError if a path leads to a pipe or a device: it may be empty when it is opened again, or wait.

    A missing file and a folder are left to what opens them.
    """
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        raise ValueError(f"{path} is not an ordinary file, which can be read again and again")
