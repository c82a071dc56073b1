"""What is seen of a contest while it runs: on a terminal a picture that is kept up to date, elsewhere lines.

The lines are those of match runners, so that programs that read theirs can read ours.
"""

import sys

from bluekrait.core.timer import monotonic

REPORT_SECONDS = 20.0  # between two reports among the lines
REFRESH = 4  # pictures a second
RULE = "-" * 50


def display_for(session):
    """The display that fits where the output goes."""
    if sys.stdout.isatty():
        try:
            from bluekrait.tools.match.live import LiveDisplay
        except ModuleNotFoundError:  # rich is not installed
            return PlainDisplay(session)
        return LiveDisplay(session)
    return PlainDisplay(session)


class PlainDisplay:
    """A log of what happens."""

    def __init__(self, session):
        self._session = session
        self._next_report = monotonic() + REPORT_SECONDS

    def __enter__(self):
        self._say(self._session.title)
        return self

    def __exit__(self, *_):
        return None

    def started(self, fixture):
        """A game has begun."""

    def finished(self, game):
        """A game has ended."""
        self._say(finished_text(game))
        if monotonic() >= self._next_report:
            self._next_report = monotonic() + REPORT_SECONDS
            self.report()

    def note(self, text):
        """Something else is worth knowing."""
        self._say(f"Warning; {text}")

    def report(self):
        """How it stands."""
        self._say("\n".join((RULE, *self._session.report(), self._session.progress_text(), RULE)))

    @staticmethod
    def _say(text):
        print(text, flush=True)


def finished_text(game):
    """A line about a finished game."""
    number = f"{game.pair}.{game.game}"
    return f"Finished game {number} ({game.white} vs {game.black}): {game.result} {{{game.reason}}}"


def duration_text(seconds):
    """Hours, minutes and seconds, as short as they can be said."""
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
