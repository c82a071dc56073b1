"""Journals: files of JSON lines that make long work resumable. The first line describes the work."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bluekrait.tools.common.append_only import append, complete_lines, lock_for_writing

JOURNAL = ".journal"  # what is added to the name of the file that the work is about


def journal_beside(path: Path) -> Path:
    """The place of the journal of the work that a file is written by, or read by."""
    return path.with_name(path.name + JOURNAL)


class Journal:
    """A journal, open for more lines. ValueError if the file is something else, or in use."""

    def __init__(self, path: str | Path, kind: str) -> None:
        self._path, self._kind = path, kind
        self._file = open(path, "ab+")  # noqa: SIM115, it stays open
        try:
            lock_for_writing(self._file)
            self.head, self.entries = self._read()
        except ValueError:
            self._file.close()
            raise

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def begin(self, head: dict[str, Any]) -> None:
        """Write the first line, unless there is one."""
        if not self.head:
            self.head = head
            self._write({"journal": self._kind, **head})

    def add(self, entry: dict[str, Any]) -> None:
        """Write another line."""
        self.entries.append(entry)
        self._write(entry)

    def _write(self, entry: Mapping[str, Any]) -> None:
        append(self._file, json.dumps(entry).encode() + b"\n")

    def _read(self) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The first line (empty if there is none) and the others."""
        beginning = json.dumps({"journal": self._kind})[:-1].encode()
        self._file.seek(0)
        if not beginning.startswith(self._file.read(len(beginning))):
            raise ValueError(f"{self._path} is no journal of {self._kind}")
        lines = list(complete_lines(self._file)) or [b"{}"]
        try:
            head, *entries = map(json.loads, lines)
        except ValueError:
            raise ValueError(f"{self._path} is damaged") from None
        head.pop("journal", None)
        return head, entries
