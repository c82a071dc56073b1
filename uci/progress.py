"""Progress: on a terminal one line that is overwritten and removed at the end, elsewhere a log."""

from __future__ import annotations

import sys
from contextlib import suppress
from math import isfinite

from bluekrait.core.timer import monotonic
from bluekrait.uci.exits import tell

LOG_SECONDS = 5.0  # between two lines of a log


def compiling_text(done: int, total: int, what: str) -> str:
    """How far the compiler is."""
    return f"compiling, {100 * done // total} % ({what})"


def duration_text(seconds: float) -> str:
    """Hours, minutes and seconds; without the hours if there are none. A question mark if nobody can tell."""
    if not isfinite(seconds):
        return "?"
    minutes, seconds = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def count_text(number: int, noun: str) -> str:
    """`1 game`, `2 games`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


class ProgressLine:
    """A line on standard error."""

    def __init__(self, delay: float = 0.0) -> None:
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._next = monotonic() + (delay if self._is_terminal else LOG_SECONDS)
        self._width = 0

    def show(self, text: str) -> None:
        """Show the text in place of the previous one; in a log, only if that is some seconds old."""
        if monotonic() < self._next or sys.stderr is None:
            return
        if self._is_terminal:
            self._replace(text)
        else:
            self.log(text)
            self._next = monotonic() + LOG_SECONDS

    def log(self, text: str) -> None:
        """Print a line that stays."""
        self.clear()
        tell(text)

    def clear(self) -> None:
        """Remove the line, before other output."""
        if self._width:
            self._replace("")

    def _replace(self, text: str) -> None:
        with suppress(OSError):  # the terminal was closed
            sys.stderr.write(f"\r{text:{self._width}}" + ("" if text else "\r"))
            sys.stderr.flush()
        self._width = len(text)
