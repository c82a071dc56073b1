"""Lines of text about a running match, in the format of fastchess, so that programs can read them."""

from bluekrait.core.timer import monotonic
from bluekrait.tools.match.display.match_status import MatchStatus, finished_text
from bluekrait.tools.match.results.finished_games import FinishedGame
from bluekrait.tools.match.setup.contest import ScheduledGame

REPORT_SECONDS = 20.0  # between two reports of the standings
SEPARATOR = "-" * 50


class PlainDisplay:
    """Prints every event as a line, and the standings from time to time."""

    def __init__(self, status: MatchStatus) -> None:
        self._status = status
        self._next_report = monotonic() + REPORT_SECONDS

    def __enter__(self) -> "PlainDisplay":
        self._print(self._status.title)
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def game_started(self, scheduled: ScheduledGame) -> None:
        """A game has started: print nothing."""

    def game_finished(self, game: FinishedGame) -> None:
        """A game has ended."""
        self._print(finished_text(game))
        if monotonic() >= self._next_report:
            self._next_report = monotonic() + REPORT_SECONDS
            self.report()

    def say(self, text: str) -> None:
        """Something that is as it should be."""
        self._print(text)

    def warn(self, text: str) -> None:
        """Something that may be wrong."""
        self._print(f"Warning; {text}")

    def report(self) -> None:
        """Print the standings."""
        lines = (SEPARATOR, *self._status.report(), self._status.progress_text(), SEPARATOR)
        self._print("\n".join(lines))

    @staticmethod
    def _print(text: str) -> None:
        print(text, flush=True)
