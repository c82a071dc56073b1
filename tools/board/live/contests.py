"""A running `match` or `sprt`, from its journal."""

from functools import partial
from pathlib import Path
from typing import Any

from bluekrait.tools.board.live.work import MOST_GAMES, JsonLines, LiveView, ShownGame, Tile, plots
from bluekrait.tools.common.files.json_journal import JOURNAL
from bluekrait.tools.common.pictures import thinned
from bluekrait.tools.report.match_facts import Match
from bluekrait.tools.report.pgn_games import PgnGame
from bluekrait.tools.report.writing import drawings, figures, opponents_of, rating_rows, ratings_of
from bluekrait.tools.statistics.sequential import Bounds
from bluekrait.uci.progress import count_text

KIND = "bluekrait match"  # the journal's first line names it, with the version of the format


class ContestView:
    """The games of a journal so far."""

    def __init__(self, path: Path) -> None:
        self._name = path.name.removesuffix(JOURNAL)
        self._lines = JsonLines(path)
        self._forget()

    def _forget(self) -> None:
        self._games: list[PgnGame] = []
        self._latest: list[ShownGame] = []
        self._bounds: Bounds | None = None
        self._first = ""  # the first engine, which has White in the first game of a pair

    def read(self) -> bool:
        """Take the games that were finished since the last time."""
        entries = self._lines.more_entries()
        if self._lines.has_begun_anew:
            self._forget()
        for entry in entries:
            if "journal" in entry:
                self._bounds = Bounds(**entry["test"]) if entry.get("test") else None
            else:
                self._add(entry)
        return bool(entries)

    def _add(self, entry: dict[str, Any]) -> None:
        pair, game, white, black, result = (
            entry[name] for name in ("pair", "game", "white", "black", "result")
        )
        number = len(self._games) + 1
        tags = {"White": white, "Black": black, "Result": result, "Round": f"{pair}.{game}"}
        tags["Termination"] = entry["termination"]
        self._games.append(PgnGame(number, tags, ""))
        self._first = self._first or (white if game == 1 else black)
        title = f"{number}. {white} – {black} {result}, {entry['reason']}"
        shown = ShownGame(number, title, partial(str, entry["pgn"]))
        self._latest = [shown, *self._latest[: MOST_GAMES - 1]]

    def view(self) -> LiveView:
        """Figures, curves, ratings and games."""
        finished = [game for game in self._games if game.is_finished]
        if not finished:
            return LiveView(self._name, "no game is finished yet")
        match = Match(self._first, finished, len(self._games) - len(finished))
        drawn, problem = plots(drawings(thinned(match.history()), self._bounds))
        ratings = ratings_of(match)
        about = f"{count_text(len(finished), 'game')} in {self._name}"
        tiles = [Tile(*figure) for figure in figures(match, self._bounds)]
        return LiveView(
            f"{self._first} against {opponents_of(match)}",
            ". ".join(filter(None, (about, problem))),
            tiles,
            drawn,
            rating_rows(ratings) if ratings else [],
            self._latest,
        )
