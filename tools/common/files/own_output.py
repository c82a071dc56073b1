"""Outputs that are there already: what a command has written may be replaced, other files may not."""

import mmap
import os
import re
from pathlib import Path

from bluekrait.tools.common.files.whole_file import is_replaced


def check_own(path: str | Path, mark: re.Pattern[bytes]) -> None:
    """ValueError if a file to write is there, but without the mark of what the command writes."""
    if is_replaced(path) and os.path.exists(path) and not _has(path, mark):
        raise ValueError(f"{path} is there, and was not written by this command: remove it, or name another")


def _has(path: str | Path, mark: re.Pattern[bytes]) -> bool:
    """True for a file with such a mark, or an empty one."""
    if not os.path.getsize(path):
        return True
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return mark.search(content) is not None
