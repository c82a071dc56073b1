"""What is shown while a match runs: a live view on a terminal, lines of text elsewhere."""

import sys

from bluekrait.tools.match.display.match_status import Display, MatchStatus
from bluekrait.tools.match.display.plain import PlainDisplay


def display_for(status: MatchStatus) -> Display:
    """The live display on a terminal if rich is installed, else plain lines."""
    if sys.stdout is not None and sys.stdout.isatty():  # it is None if it was closed at the start
        try:
            from bluekrait.tools.match.display.live import LiveDisplay
        except ModuleNotFoundError:  # rich is not installed
            return PlainDisplay(status)
        return LiveDisplay(status)
    return PlainDisplay(status)
