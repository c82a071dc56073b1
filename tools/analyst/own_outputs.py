"""Outputs that are there already: what this command has written may be replaced, other files may not."""

import mmap
import os
import re
from pathlib import Path

from bluekrait.tools.common.files.whole_file import is_replaced

# What every annotated game has in its first comment, also where that is broken into lines; and every page.
GAMES = re.compile(rb"Accuracy:\s+(?:White|Black)\s+\d+\.\d\s+%|\"\]\s+\{[^}]*\[%eval\s")
PAGE = re.compile(rb'<script type="application/json" id="games">')


def check_own(output: Path, page: Path | None) -> None:
    """ValueError if one of the files to write is there, but nothing that this command has written."""
    for path, mark in ((output, GAMES), (page, PAGE)):
        if path and is_replaced(path) and path.exists() and not _has(path, mark):
            raise ValueError(
                f"{path} is there, and was not written by this command: remove it, or name another"
            )


def _has(path: Path, mark: re.Pattern[bytes]) -> bool:
    """True for a file with such a mark, or an empty one."""
    if not os.path.getsize(path):
        return True
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return mark.search(content) is not None
