"""The games on the boards, kept in files: they outlive the program, also if it is killed.

Each page has a file of its own, which is replaced as a whole after each move. The next program gives the
games of the last one to the pages that are opened, the latest first. A file that cannot be read, as one of a
later version, is set aside under another name, so that it takes no place among the games.
"""

import asyncio
import contextlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from bluekrait.core.file_lock import try_lock
from bluekrait.tools.board.game.game_tree import GameTree
from bluekrait.tools.board.game.match_play import MatchPlay
from bluekrait.tools.board.game.snapshot import restored, snapshot
from bluekrait.tools.common.files.whole_file import DRAFT, write_whole
from bluekrait.tools.common.user_folder import user_folder

MOST_KEPT = 16  # the latest; older ones are removed
SUFFIX, SET_ASIDE, LOCK = ".json", ".unread", "lock"
NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")  # of a visitor

Game = TypeVar("Game")


def usual_folder() -> Path:
    """Where the games are kept unless another folder is named."""
    return user_folder() / "board"


class KeptGames:
    """The files of a folder. It is made when the first game is kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock: Any = None  # a file, locked by the one program that may give out the games of others
        self._left: list[Path] = []
        self._unread: list[Path] = []
        if folder.is_dir() and self._has_lock():
            self._left = [*self._files(SET_ASIDE), *self._files(SUFFIX)]  # the last of them comes first
            self._remove_drafts()

    def keep(self, visitor: str, game: str) -> None:
        """Keep the game of a visitor in place of an earlier one. OSError if it cannot be written."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._has_lock()  # so that a program that starts now leaves this game alone
        write_whole(self._place(visitor), game)
        self._remove_old()

    def take(self, known: str, visitor: str, restore: Callable[[Any], Game]) -> Game | None:
        """A game for a visitor: the one that was kept under a known name, or the latest that no page has.

        `restore` makes it from what was read, or says ValueError: then the file is set aside.
        """
        own = self._place(known) if NAME.fullmatch(known) else None
        if own in self._left:
            self._left.remove(own)
            self._left.append(own)
        while self._left:
            path = self._left.pop()
            try:
                game = restore(json.loads(path.read_text(encoding="utf-8")))
                path.replace(self._place(visitor))
            except (OSError, ValueError, RecursionError):
                self._set_aside(path)
                continue
            return game
        return None

    def unread(self) -> list[Path]:
        """The files that `take` has set aside since this was asked last."""
        unread, self._unread = self._unread, []
        return unread

    def _set_aside(self, path: Path) -> None:
        if path.suffix == SET_ASIDE:  # by an earlier program, which has told it
            return
        with contextlib.suppress(OSError):
            path = path.replace(path.with_suffix(SET_ASIDE))
        self._unread.append(path)

    def _has_lock(self) -> bool:
        with contextlib.suppress(OSError):  # the folder may be missing, or have no locks
            self._lock = self._lock or open(self._folder / LOCK, "a")  # noqa: SIM115, it stays open
            return try_lock(self._lock)
        return False

    def _files(self, suffix: str) -> list[Path]:
        dated = []
        for path in self._folder.glob(f"*{suffix}"):
            with contextlib.suppress(OSError):
                dated.append((path.stat().st_mtime, path))
        return [path for _, path in sorted(dated)]

    def _remove_old(self) -> None:
        for path in self._files(SUFFIX)[:-MOST_KEPT]:
            path.unlink(missing_ok=True)

    def _remove_drafts(self) -> None:
        """Remove what programs that were killed have left."""
        for path in self._folder.glob(f"*{SUFFIX}.*{DRAFT}"):
            with contextlib.suppress(OSError):
                path.unlink()

    def _place(self, visitor: str) -> Path:
        return self._folder / f"{visitor}{SUFFIX}"


class KeptGame:
    """The file of one visitor; without a folder there is none."""

    def __init__(self, games: KeptGames | None, visitor: str) -> None:
        self._games, self._visitor = games, visitor
        self._last = ""  # as it was kept last

    def take(self, known: str) -> tuple[GameTree, MatchPlay | None] | None:
        """The game that was kept under a known name, or the latest that no page has."""
        return self._games.take(known, self._visitor, restored) if self._games else None

    def unread(self) -> list[Path]:
        """The files that were set aside since this was asked last."""
        return self._games.unread() if self._games else []

    async def keep(self, tree: GameTree, match: MatchPlay | None) -> None:
        """Keep a game, if it has a move and is another than before. OSError, once, if that is impossible."""
        if not (self._games and (tree.root.children or self._last)):
            return
        game = json.dumps(snapshot(tree, match), separators=(",", ":"))
        if game == self._last:
            return
        self._last = game
        try:
            await asyncio.to_thread(self._games.keep, self._visitor, game)
        except OSError:
            self._games = None  # to be told once is enough
            raise
