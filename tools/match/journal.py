"""The journal of a contest: one line for every finished game, written at once and never changed.

It is what makes a contest resumable: whatever kills the program, the games in the journal are not played
again, and no other game is lost than those under way. A line torn by a crash is dropped. The PGN beside it is
made from it. The first line says what contest it is, so that no two contests are ever mixed.
"""

import json
import os
from pathlib import Path

from bluekrait.tools.match.records import Game

try:
    import fcntl
except ImportError:  # not on this system
    fcntl = None

FORMAT = "bluekrait match 1"


class Journal:
    """The journal of one contest and its PGN, open for more games."""

    def __init__(self, pgn_path, identity, overwrite=False):
        self.pgn_path = Path(pgn_path)
        self.path = self.pgn_path.with_name(self.pgn_path.name + ".journal")
        if not overwrite and self.pgn_path.exists() and not self.path.exists():
            raise ValueError(f"{pgn_path} exists without a journal: name another file, or --overwrite it")
        self._file = open(self.path, "ab+")  # noqa: SIM115, for it stays open
        try:
            self._lock()
            if overwrite:
                self._file.truncate(0)
            self.games = self._resume(identity)
            if not self._file.seek(0, os.SEEK_END):
                self._write({"journal": FORMAT, "contest": identity})
            self._write_pgn()
        except BaseException:
            self._file.close()
            raise

    def add(self, game):
        """Keep a game."""
        self._write(game._asdict())
        self.games.append(game)
        self._pgn.write(game.pgn)
        self._pgn.flush()

    def close(self):
        """Nothing more is to be kept."""
        self._pgn.close()
        self._file.close()

    def _lock(self):
        if fcntl is None:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ValueError(f"{self.path} is in use: this contest is being played already") from None

    def _resume(self, identity):
        """The games that are in the file; ValueError if it belongs to another contest."""
        self._file.seek(0)
        content = self._file.read()
        whole = content[: content.rfind(b"\n") + 1]
        self._file.truncate(len(whole))  # what follows is torn
        lines = whole.splitlines()
        if not lines:
            return []
        try:
            first, *records = (json.loads(line) for line in lines)
            if first["journal"] != FORMAT:
                raise ValueError
            games = {game.key: game for game in (Game(**record) for record in reversed(records))}
        except (ValueError, TypeError, KeyError):
            raise ValueError(f"{self.path} is no journal of a match, or damaged") from None
        differences = different_parts(first["contest"], json.loads(json.dumps(identity)))
        if differences and not games:
            self._file.truncate(0)
        elif differences:
            raise ValueError(
                f"{self.path} is of another contest ({', '.join(differences)}): "
                "name another file with --pgn, or --overwrite it"
            )
        return list(reversed(games.values()))

    def _write(self, record):
        self._file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")
        self._file.flush()

    def _write_pgn(self):
        """Write the PGN anew: it may lack the last game of the journal, or have half of it."""
        fresh = self.pgn_path.with_name(self.pgn_path.name + ".new")
        with open(fresh, "w", encoding="utf-8") as file:
            file.writelines(game.pgn for game in self.games)
        os.replace(fresh, self.pgn_path)
        self._pgn = open(self.pgn_path, "a", encoding="utf-8")  # noqa: SIM115, for it stays open


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
