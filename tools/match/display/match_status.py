"""What the displays share: what they are told, what they ask for, and the lines that both print."""

from typing import Protocol

from bluekrait.tools.match.results.finished_games import FinishedGame
from bluekrait.tools.match.setup.contest import ScheduledGame
from bluekrait.tools.statistics.sequential import Bounds


class MatchStatus(Protocol):
    """What a display asks for; a match session answers."""

    bounds: Bounds | None  # of the sequential test

    @property
    def title(self) -> str:
        """What is being played, in one line."""

    def report(self) -> list[str]:
        """The standings."""

    def progress_text(self) -> str:
        """Games finished, time used, time left."""

    def share_done(self) -> float:
        """The share of the games that are finished."""

    def share_of_test(self) -> tuple[float, str]:
        """How far the LLR is towards the bound on its side, and the name of that bound."""


class Display(Protocol):
    """What a display is told. It is a context manager."""

    def __enter__(self) -> "Display": ...

    def __exit__(self, *error: object) -> None: ...

    def game_started(self, scheduled: ScheduledGame) -> None:
        """A game has started."""

    def game_finished(self, game: FinishedGame) -> None:
        """A game has ended."""

    def say(self, text: str) -> None:
        """Something that is as it should be."""

    def warn(self, text: str) -> None:
        """Something that may be wrong."""


def finished_text(game: FinishedGame) -> str:
    """The line for a finished game, in the format of fastchess."""
    number = f"{game.pair}.{game.game}"
    return f"Finished game {number} ({game.white} vs {game.black}): {game.result} {{{game.reason}}}"
