"""What the page shows of long work, and how its files are followed."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from bluekrait.tools.report.plots import Drawing

MOST_GAMES = 100  # the latest, that the page offers
MOST_BYTES = 1 << 24  # that are read at once: files of self-play can be larger than the memory


class Tile(NamedTuple):
    """A figure in large print."""

    name: str
    value: str
    note: str = ""
    style: str = ""  # `good`, `bad` or nothing


class ShownGame(NamedTuple):
    """A finished game that can be shown."""

    number: int  # by which the page asks for it: its place in the list changes when others end
    title: str
    pgn: Callable[[], str]


class LiveView(NamedTuple):
    """How far some work is."""

    title: str
    about: str
    tiles: Sequence[Tile] = ()
    plots: Sequence[str] = ()  # SVG elements
    rows: Sequence[Sequence[str]] = ()  # of a table; the first is its head
    games: Sequence[ShownGame] = ()  # the latest first

    def message(self) -> dict[str, Any]:
        """What the page is told."""
        return {
            "say": "live",
            "title": self.title,
            "about": self.about,
            "tiles": [tile._asdict() for tile in self.tiles],
            "plots": list(self.plots),
            "rows": [list(row) for row in self.rows],
            "games": [{"number": game.number, "title": game.title} for game in self.games],
        }


class Work(Protocol):
    """Work that writes to a file."""

    def read(self) -> bool:
        """Read what is new; True if there was something."""

    def view(self) -> LiveView:
        """How far it is."""


class GrowingFile:
    """A file to which another process appends. It may not exist yet, and it may begin anew."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._place = 0
        self.has_begun_anew = False

    def more(self) -> bytes:
        """What was appended since the last call, or is not consumed yet."""
        try:
            with open(self.path, "rb") as file:
                size = file.seek(0, 2)
                if self._place:
                    self.has_begun_anew = size < self._place  # and nothing of it is consumed yet
                if self.has_begun_anew:
                    self._place = 0
                file.seek(self._place)
                return file.read(MOST_BYTES)
        except FileNotFoundError:
            return b""

    def consume(self, count: int) -> None:
        """So many bytes have been dealt with."""
        self._place += count


class JsonLines(GrowingFile):
    """A file of JSON, one object a line."""

    def more_entries(self) -> list[dict[str, Any]]:
        """The objects of the lines that were completed since the last call. ValueError if one is none."""
        data = self.more()
        whole = data[: data.rfind(b"\n") + 1]
        try:
            entries = [json.loads(line) for line in whole.splitlines() if line.strip()]
        except ValueError as error:
            raise ValueError(f"{self.path} has a line that is no JSON: {error}") from None
        if not all(isinstance(entry, dict) for entry in entries):
            raise ValueError(f"{self.path} has a line that is no object")
        self.consume(len(whole))  # last: a damaged line stays an error
        return entries


def plots(drawings: "Sequence[Drawing]") -> tuple[list[str], str]:
    """Plots as SVG elements; without matplotlib none, and why."""
    from bluekrait.tools.report.plots import inline_svg  # the board starts sooner without its imports

    try:
        return [inline_svg(*drawing) for drawing in drawings], ""
    except ValueError as error:
        return [], str(error)
