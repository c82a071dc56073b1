"""The journal of an analysis: every stretch as soon as it is judged, so that a kill costs nothing.

Only the places of the lines are kept in memory: the games may be many.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from bluekrait.tools.analyst.game_search import Judged, Stretch
from bluekrait.tools.common.files.append_only import (
    REMOVE_JOURNAL,
    append,
    check_unchanged,
    complete_lines,
    merge_settings,
    opened_to_append,
)

KIND = "bluekrait analyse"
IDENTITY = {"journal": KIND, "format": 1}  # what the first line begins with


class AnalysisJournal:
    """A journal, open for more. ValueError if the file is something else, in use, or of another analysis.

    It is begun with the first stretch. One that is new and never begun leaves no file.
    """

    def __init__(self, path: Path, settings: Mapping[str, Any]) -> None:
        self.path = path
        self._places: dict[int, int] = {}  # by stretch
        self._head = {**IDENTITY, **settings}
        with ExitStack() as stack:
            self._file = stack.enter_context(opened_to_append(str(path), "ab+"))
            self._is_begun = self._read(settings)
            self._open = stack.pop_all()

    def _read(self, settings: Mapping[str, Any]) -> bool:
        """Read what is there; whether the journal is begun."""
        head, place = None, 0
        for line in complete_lines(self._file):
            try:
                entry = json.loads(line)
                if head is None:
                    head = entry
                else:
                    self._places[_key(entry[0], entry[1])] = place
            except (ValueError, LookupError, TypeError):
                raise ValueError(f"{self.path} is damaged: remove it to begin again") from None
            place += len(line)
        if head is None:
            return False
        if not (isinstance(head, dict) and IDENTITY.items() <= head.items()):
            raise ValueError(f"{self.path} is no journal of {KIND}")
        check_unchanged(head, settings, "games", self.path)
        merge_settings(head, settings, {}, self.path, REMOVE_JOURNAL)
        return True

    def __enter__(self) -> "AnalysisJournal":
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    def has(self, number: int, stretch: Stretch) -> bool:
        """True if a stretch of a game is judged."""
        return _key(number, stretch.first) in self._places

    def add(self, number: int, first: int, judged: Sequence[Judged]) -> None:
        """Keep the judgements of a stretch."""
        if not self._is_begun:
            self._write(self._head)
            self._is_begun = True
        self._file.seek(0, 2)
        self._places[_key(number, first)] = self._file.tell()
        self._write([number, first, judged])

    def judgements(self, number: int, first: int) -> list[Judged]:
        """The judgements of a stretch that is there."""
        self._file.seek(self._places[_key(number, first)])
        return [Judged(*fields) for fields in json.loads(self._file.readline())[2]]

    def remove(self) -> None:
        """The work is done: the journal is not needed any more."""
        self._open.close()
        self.path.unlink(missing_ok=True)

    def _write(self, entry: object) -> None:
        append(self._file, json.dumps(entry, separators=(",", ":")).encode() + b"\n")


def _key(number: int, first: int) -> int:
    """One number for a stretch of a game: a tuple for each would take more memory than all else."""
    return number << 32 | first
