"""The engine's clock as CECP describes it, and the limits for a search. All times are in milliseconds."""

from __future__ import annotations

from bluekrait.core.timer import monotonic
from bluekrait.search.limits import Limits

CENTISECOND = 10
SECOND = 1000
MINUTE = 60 * SECOND
DEFAULT_BASE = 5 * MINUTE  # until `level` or `st` says otherwise


class CecpClock:
    """What is known of the engine's time."""

    def __init__(self) -> None:
        self._session: int | None = None  # moves until time is added, None for the whole game
        self._base = DEFAULT_BASE
        self._increment = 0
        self._per_move: int | None = None
        self._depth: int | None = None
        self._remaining = self._base
        self._started_at = 0.0

    def set_level(self, session: str, base: str, increment: str) -> None:
        """So many moves, 0 for all, in so much time, and an increment per move: words like `40 5:30 2.5`."""
        numbers = int(session) or None, _parse_base(base), int(SECOND * float(increment))
        self._session, self._base, self._increment = numbers  # all of them, or none if one is wrong
        self._per_move = None
        self._remaining = self._base

    def set_per_move(self, seconds: str) -> None:
        """So many seconds for each move."""
        self._per_move = int(SECOND * float(seconds))

    def set_depth(self, depth: str) -> None:
        """Limit the depth."""
        self._depth = max(1, int(depth))

    def clear_depth(self) -> None:
        """Lift the limit of the depth."""
        self._depth = None

    def restart(self) -> None:
        """A new game begins, with the time control of the last one."""
        self._remaining = self._base

    def set_remaining(self, centiseconds: str) -> None:
        """Set the remaining time."""
        self._remaining = CENTISECOND * int(centiseconds)

    def start(self) -> None:
        """The engine begins to think about a move."""
        self._started_at = monotonic()

    def stop(self, moves_made: int) -> None:
        """The engine has made a move; it has now made so many in this game."""
        self._remaining -= int(SECOND * (monotonic() - self._started_at)) - self._increment
        if self._session and moves_made % self._session == 0:
            self._remaining += self._base

    def limits(self, moves_made: int) -> Limits:
        """The limits of a search, when the engine has made so many moves in this game."""
        if self._per_move is not None:
            return Limits(move_time=self._per_move, depth=self._depth)
        moves_to_go = self._session and self._session - moves_made % self._session
        return Limits(self._remaining, self._increment, moves_to_go, depth=self._depth)


def _parse_base(text: str) -> int:
    """Minutes, or minutes and seconds with a colon between them."""
    minutes, _, seconds = text.partition(":")
    return MINUTE * int(minutes) + SECOND * int(seconds or 0)
