"""Progress: on a terminal one line that is written over and over and vanishes in the end, elsewhere a log."""

import sys

from bluekrait.core.timer import monotonic

LOG_SECONDS = 5.0  # between two lines of a log


class ProgressLine:
    """A line on standard error."""

    def __init__(self, delay=0.0):
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._next = monotonic() + (delay if self._is_terminal else LOG_SECONDS)
        self._width = 0

    def show(self, text):
        """Show the text in place of the one before, or log it if the last was a while ago."""
        if monotonic() < self._next or sys.stderr is None:
            return
        if self._is_terminal:
            self._replace(text)
        else:
            print(text, file=sys.stderr, flush=True)
            self._next = monotonic() + LOG_SECONDS

    def clear(self):
        """Make room for what is to stay on the screen."""
        if self._width:
            self._replace("")

    def _replace(self, text):
        sys.stderr.write(f"\r{text:{self._width}}" + ("" if text else "\r"))
        sys.stderr.flush()
        self._width = len(text)
