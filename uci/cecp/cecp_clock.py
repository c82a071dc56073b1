"""Time as CECP tells of it, turned into limits for a search. Everything is kept in milliseconds."""

from bluekrait.core.timer import monotonic
from bluekrait.search.limits import Limits

CENTISECOND = 10
SECOND = 1000
MINUTE = 60 * SECOND
USUAL_BASE = 5 * MINUTE  # until something else is said


class Clock:
    """What is known of the engine's time."""

    def __init__(self):
        self._session = None  # moves until time is added, None for all
        self._base = USUAL_BASE
        self._increment = 0
        self._per_move = None
        self._depth = None
        self._remaining = self._base
        self._begin = None

    def set_level(self, session, base, increment):
        """So many moves, 0 for all, in so much time, and an increment for each: words like `40 5:30 2.5`."""
        self._session = int(session) or None
        self._base = _parse_base(base)
        self._increment = int(SECOND * float(increment))
        self._per_move = None
        self._remaining = self._base

    def set_per_move(self, seconds):
        """So many seconds for each move."""
        self._per_move = int(SECOND * float(seconds))

    def set_depth(self, depth):
        """No deeper than this."""
        self._depth = max(1, int(depth))

    def lift_depth(self):
        """As deep as time allows."""
        self._depth = None

    def restart(self):
        """A new game begins, with the time of the last one."""
        self._remaining = self._base

    def set_remaining(self, centiseconds):
        """What the clock shows."""
        self._remaining = CENTISECOND * int(centiseconds)

    def start(self):
        """The engine's time begins to run."""
        self._begin = monotonic()

    def stop(self, moves_made):
        """The engine has made a move, its so-manieth of the game."""
        self._remaining -= int(SECOND * (monotonic() - self._begin)) - self._increment
        if self._session and moves_made % self._session == 0:
            self._remaining += self._base

    def limits(self, moves_made):
        """What a search must keep to when the engine has made so many moves of the game."""
        if self._per_move is not None:
            return Limits(move_time=self._per_move, depth=self._depth)
        moves_to_go = self._session and self._session - moves_made % self._session
        return Limits(self._remaining, self._increment, moves_to_go, depth=self._depth)


def _parse_base(text):
    """Minutes, or minutes and seconds with a colon between them."""
    minutes, _, seconds = text.partition(":")
    return MINUTE * int(minutes) + SECOND * int(seconds or 0)
