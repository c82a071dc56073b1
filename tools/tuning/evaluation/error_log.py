"""The errors after each pass of `bluekrait tune evaluation`, as a file that others can follow."""

import json
import os
from pathlib import Path
from typing import Any

from bluekrait.tools.common.files.append_only import append
from bluekrait.tools.common.files.json_journal import may_be_journal
from bluekrait.tools.common.files.named_file import open_named

KIND = "bluekrait tune evaluation"


def check_log(path: str) -> None:
    """ValueError if a file is no such log: it would be replaced."""
    if not os.path.isfile(path):
        return
    with open(path, "rb") as file:
        if not may_be_journal(file, KIND):
            raise ValueError(f"{path} is no log of {KIND}: name another file with --log")


class ErrorLog:
    """A file of JSON lines: what the run was begun with, then a line for each pass."""

    def __init__(self, path: str, settings: dict[str, Any]) -> None:
        self._path = Path(path)
        self._path.write_bytes(b"")
        self._add({"journal": KIND, **settings})

    def add(self, epoch: int, error: float, held_out: float, seconds: float) -> None:
        """A pass is done."""
        self._add({"epoch": epoch, "error": error, "held_out": held_out, "seconds": round(seconds, 1)})

    def _add(self, entry: dict[str, Any]) -> None:
        with open_named(self._path, "ab") as file:
            append(file, json.dumps(entry).encode() + b"\n")
