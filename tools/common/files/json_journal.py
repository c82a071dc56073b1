"""Journals: files of JSON lines that make long work resumable. The first line describes the work."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bluekrait.tools.common.files.append_only import append, complete_lines, lock_for_writing
from bluekrait.tools.common.files.named_file import open_named

JOURNAL = ".journal"  # what is added to the name of the file that the work is about


def journal_beside(path: Path) -> Path:
    """The place of the journal of the work that a file is written by, or read by."""
    return path.with_name(path.name + JOURNAL)


class Journal:
    """A journal, open for more lines. ValueError if the file is something else, or in use."""

    def __init__(self, path: str | Path, kind: str) -> None:
        self._path, self._kind = path, kind
        self._file = open_named(path, "ab+")
        try:
            lock_for_writing(self._file)
            lines = self._read()
        except (OSError, ValueError):
            self._file.close()
            raise
        self._is_begun = bool(lines)
        self.head = {key: value for line in lines[:1] for key, value in line.items() if key != "journal"}
        self.entries = [line for line in lines[1:] if "journal" not in line]  # an old fault: two first lines

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def begin(self, head: dict[str, Any]) -> None:
        """Write the first line, unless there is one."""
        if not self._is_begun:
            self._is_begun, self.head = True, head
            self._write({"journal": self._kind, **head})

    def add(self, entry: dict[str, Any]) -> None:
        """Write another line."""
        self.entries.append(entry)
        self._write(entry)

    def _write(self, entry: Mapping[str, Any]) -> None:
        append(self._file, json.dumps(entry).encode() + b"\n")

    def _read(self) -> list[dict[str, Any]]:
        """All lines, after the file has proved to be such a journal."""
        beginning = json.dumps({"journal": self._kind})[:-1].encode()
        self._file.seek(0)
        if not beginning.startswith(self._file.read(len(beginning))):
            raise ValueError(f"{self._path} is no journal of {self._kind}")
        try:
            return [json.loads(line) for line in complete_lines(self._file)]
        except ValueError:
            raise ValueError(f"{self._path} is damaged") from None
