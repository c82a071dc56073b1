"""Stamps of files: what the system notes of a file beside its content, to tell whether it was touched."""

import os

Stamp = tuple[int, int, int, int]  # size, times of the last write and change, number of the file
Stamps = dict[str, "Stamp | None"]  # by path; None: there is no such file


def stamp_of(path: str) -> Stamp | None:
    """The stamp of a file, None if there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino
