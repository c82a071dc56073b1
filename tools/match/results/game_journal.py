"""The journal of a contest: one line for every finished game, written at once and never changed.

It is what makes a contest resumable: whatever kills the program, the games in the journal are not played
again, and no other game is lost than those under way. A line torn by a crash is dropped. The PGN beside it is
made from it. The first line says what contest it is, so that no two contests are ever mixed.
"""

import json
import os
from pathlib import Path

from bluekrait.tools.common.file_lock import try_lock
from bluekrait.tools.match.results.finished_games import FinishedGame

FORMAT = "bluekrait match 1"


class GameJournal:
    """The journal of one contest and its PGN, open for more games."""

    def __init__(self, pgn_path, identity, overwrite=False):
        self.games = []  # those that are kept, without their moves: there may be very many
        self._pgn_path = Path(pgn_path)
        self.path = self._pgn_path.with_name(self._pgn_path.name + ".journal")
        if not overwrite and self._pgn_path.exists() and not self.path.exists():
            raise ValueError(f"{pgn_path} exists without a journal: name another file, or --overwrite it")
        self._file = open(self.path, "ab+")  # noqa: SIM115, for it stays open
        try:
            self._lock()
            if overwrite:
                self._file.truncate(0)
            self._resume(json.loads(json.dumps(identity)))
            if not self._file.seek(0, os.SEEK_END):
                self._write({"journal": FORMAT, "contest": identity})
        except BaseException:
            self._file.close()
            raise
        self._pgn = open(self._pgn_path, "a", encoding="utf-8")  # noqa: SIM115, for it stays open

    def add(self, game):
        """Keep a game."""
        self._write(game._asdict())
        self._pgn.write(game.pgn)
        self._pgn.flush()
        self.games.append(game._replace(pgn=""))

    def close(self):
        """Nothing more is to be kept."""
        self._pgn.close()
        self._file.close()

    def _lock(self):
        if not try_lock(self._file):
            raise ValueError(f"{self.path} is in use: this contest is being played already")

    def _resume(self, identity):
        """Read the games there are, and write the PGN anew: it may lack the last one, or have half of it."""
        fresh = self._pgn_path.with_name(self._pgn_path.name + ".new")
        try:
            with open(fresh, "w", encoding="utf-8") as pgn:
                differences = self._read(identity, pgn)
            if differences:
                raise ValueError(
                    f"{self.path} is of another contest ({', '.join(differences)}): "
                    "name another file with --pgn, or --overwrite it"
                )
            os.replace(fresh, self._pgn_path)
        finally:
            fresh.unlink(missing_ok=True)

    def _read(self, identity, pgn):
        """Read the journal, and copy its games to a PGN; in what it is of another contest."""
        self._file.seek(0)
        whole, differences = 0, []
        try:
            for line in self._file:
                if not line.endswith(b"\n"):
                    break  # torn
                record = json.loads(line)
                if whole == 0:
                    differences = self._differences(record, identity)
                else:
                    self._add_read(FinishedGame(**record), pgn)
                whole += len(line)
        except (ValueError, TypeError, KeyError):
            raise ValueError(f"{self.path} is no journal of a match, or damaged") from None
        if differences and not self.games:
            whole, differences = 0, []  # nothing is lost
        self._file.truncate(whole)
        return differences

    @staticmethod
    def _differences(first, identity):
        if first["journal"] != FORMAT:
            raise ValueError
        return different_parts(first["contest"], identity)

    def _add_read(self, game, pgn):
        pgn.write(game.pgn)
        self.games.append(game._replace(pgn=""))

    def _write(self, record):
        self._file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")
        self._file.flush()


def different_parts(before, after, path=""):
    """Where two descriptions differ, as paths for people."""
    if isinstance(before, dict) and isinstance(after, dict):
        keys = sorted(before.keys() | after.keys())
        return [
            part
            for key in keys
            for part in different_parts(before.get(key), after.get(key), f"{path} {key}".strip())
        ]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pairs = enumerate(zip(before, after), 1)
        if all(isinstance(item, dict) for item in (*before, *after)):
            return [
                part for number, (old, new) in pairs for part in different_parts(old, new, f"{path} {number}")
            ]
    return [] if before == after else [path]
