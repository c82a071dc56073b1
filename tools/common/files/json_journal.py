"""Journals: files of JSON lines that make long work resumable. The first line describes the work."""

import json
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

from bluekrait.tools.common.files.append_only import append, complete_lines, opened_to_append, whole_lines

JOURNAL = ".journal"  # what is added to the name of the file that the work is about


def journal_beside(path: Path) -> Path:
    """The place of the journal of the work that a file is written by, or read by."""
    return path.with_name(path.name + JOURNAL)


class Journal:
    """A journal, open for more lines. ValueError if the file is something else, or in use.

    One that is new and never begun leaves no file.
    """

    def __init__(self, path: str | Path, kind: str) -> None:
        self._kind = kind
        with ExitStack() as stack:
            self._file = stack.enter_context(opened_to_append(str(path), "ab+"))
            _check_kind(self._file, path, kind)
            lines = _parsed(complete_lines(self._file), path)
            self._open = stack.pop_all()
        self._is_begun = bool(lines)
        self.head, self.entries = _head_and_entries(lines)

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._open.close()

    def begin(self, head: dict[str, Any]) -> None:
        """Write the first line, unless there is one. A journal that cannot be begun is closed."""
        if not self._is_begun:
            self._is_begun, self.head = True, head
            try:
                self._write({"journal": self._kind, **head})
            except OSError:
                self.close()
                raise

    def add(self, entry: dict[str, Any]) -> None:
        """Write another line."""
        self.entries.append(entry)
        self._write(entry)

    def _write(self, entry: Mapping[str, Any]) -> None:
        append(self._file, json.dumps(entry).encode() + b"\n")


def read_journal(path: str | Path, kind: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The head and the entries of a journal, to which another process may be writing.

    Without a head, it is not begun. ValueError if the file is something else.
    """
    with open(path, "rb") as file:
        _check_kind(file, path, kind)
        return _head_and_entries(_parsed(whole_lines(file), path))


def _check_kind(file: BinaryIO, path: str | Path, kind: str) -> None:
    """ValueError if a file cannot be a journal of this kind."""
    if not may_be_journal(file, kind):
        raise ValueError(f"{path} is no journal of {kind}")


def may_be_journal(file: BinaryIO, kind: str) -> bool:
    """True if a file begins as a journal of this kind does, as far as it goes."""
    beginning = json.dumps({"journal": kind})[:-1].encode()
    file.seek(0)
    return beginning.startswith(file.read(len(beginning)))


def _parsed(lines: Iterable[bytes], path: str | Path) -> list[dict[str, Any]]:
    try:
        parsed: list[Any] = [json.loads(line) for line in lines]
    except ValueError:
        parsed = [None]
    if not all(isinstance(entry, dict) for entry in parsed):
        raise ValueError(f"{path} is damaged")
    return parsed


def _head_and_entries(lines: list[dict[str, Any]]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    head = {key: value for line in lines[:1] for key, value in line.items() if key != "journal"}
    return head, [line for line in lines[1:] if "journal" not in line]  # an old fault: two first lines
