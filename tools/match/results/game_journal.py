"""The journal of a contest: one line of JSON for every finished game, written at once and never changed.

It makes a contest resumable: whatever ends the program, the games in the journal are not played again, and
only unfinished games are lost. A line cut short by a crash is dropped. The PGN beside it is written from it.
The first line describes the contest, so that two contests are never mixed. It also describes the sequential
test; if the contest is continued with another test, a line of the same kind with that test follows.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO

from bluekrait.tools.common.files.append_only import append, complete_lines, lock_for_writing
from bluekrait.tools.common.files.json_journal import journal_beside
from bluekrait.tools.common.files.named_file import open_named
from bluekrait.tools.common.files.whole_file import whole_file
from bluekrait.tools.match.results.finished_games import FinishedGame

FORMAT = "bluekrait match 1"


class GameJournal:
    """The journal of one contest and its PGN, open for more games."""

    def __init__(
        self,
        pgn_path: str | Path,
        identity: Mapping[str, Any],
        overwrite: bool = False,
        test: Mapping[str, Any] | None = None,
    ) -> None:
        """Open or begin it. `test` describes a sequential test, for those who only look at the journal."""
        self.games: list[FinishedGame] = []  # of earlier runs, without their PGN, to save memory
        self._test: object = None  # the last one in the journal
        self._pgn_path = Path(pgn_path)
        self.path = journal_beside(self._pgn_path)
        if not overwrite and self._pgn_path.exists() and not self.path.exists():
            raise ValueError(f"{pgn_path} exists without a journal: name another file, or --overwrite it")
        self._file = open_named(self.path, "ab+")
        try:
            lock_for_writing(self._file)
            if overwrite:
                self._file.truncate(0)
            self._resume(json.loads(json.dumps(identity)))
            if not self._file.seek(0, os.SEEK_END):
                self._write({"journal": FORMAT, "contest": identity, "test": test})
            elif test != self._test:
                self._write({"journal": FORMAT, "test": test})
        except BaseException:
            self._file.close()
            raise
        self._pgn = open_named(self._pgn_path, "a")

    def add(self, game: FinishedGame) -> None:
        """Keep a game."""
        self._write(game._asdict())
        self._pgn.write(game.pgn)
        self._pgn.flush()

    def close(self) -> None:
        """Close both files."""
        self._pgn.close()
        self._file.close()

    def _resume(self, identity: Mapping[str, Any]) -> None:
        """Read the journal and write the PGN anew: its last game may be missing or incomplete."""
        with whole_file(self._pgn_path) as pgn:
            differences = self._read(identity, pgn)
            if differences and self.games:
                raise ValueError(
                    f"{self.path} is of another contest ({', '.join(differences)}): "
                    "name another file with --pgn, or --overwrite it"
                )
            if differences:  # no game would be lost
                self._file.truncate(0)

    def _read(self, identity: Mapping[str, Any], pgn: TextIO) -> list[str]:
        """Read the journal and copy its games to a PGN. The differences between its contest and this one."""
        differences: list[str] = []
        try:
            for number, line in enumerate(complete_lines(self._file)):
                record = json.loads(line)
                if number and "journal" not in record:
                    game = FinishedGame(**record)
                    pgn.write(game.pgn)
                    self.games.append(game._replace(pgn=""))
                elif record["journal"] != FORMAT:
                    raise ValueError
                else:
                    self._test = record.get("test")
                    if not number:
                        differences = different_parts(record["contest"], identity)
        except (ValueError, TypeError, KeyError):
            raise ValueError(f"{self.path} is no journal of a match, or damaged") from None
        return differences

    def _write(self, record: Mapping[str, Any]) -> None:
        append(self._file, json.dumps(record, separators=(",", ":")).encode() + b"\n")


def different_parts(before: object, after: object, path: str = "") -> list[str]:
    """The paths at which two descriptions differ, for people."""
    if isinstance(before, dict) and isinstance(after, dict):
        return [
            part
            for key in sorted(before.keys() | after.keys())
            for part in different_parts(before.get(key), after.get(key), f"{path} {key}".strip())
        ]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        if all(isinstance(item, dict) for item in (*before, *after)):
            return [
                part
                for number, (old, new) in enumerate(zip(before, after), 1)
                for part in different_parts(old, new, f"{path} {number}")
            ]
    return [] if before == after else [path]
