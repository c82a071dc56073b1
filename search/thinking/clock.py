"""The clock: how long to think about a move.

There are two times. After the soft one no further iteration is begun; it is stretched while the search is
unsure of its move and shrunk while it is sure. At the hard one the search is ended wherever it is.
"""

from typing import NamedTuple

from bluekrait.core.timer import monotonic

MOVES_LEFT = 22  # that the remaining time is shared between, if nobody says how many there are
INCREMENT_SHARE = 0.8  # of the increment that is spent at once
SOFT_SHARE = 0.85  # of a move's fair share of time: what is begun then takes longer than that
HARD_FACTOR = 3.6  # fair shares that one move may take at most
LARGEST_SHARE = 0.65  # of all remaining time
LAST_MOVE_SHARE = 0.9  # the same for the last move before the next time control
RESERVE = 100  # milliseconds of the clock that are left alone, for moments when the machine is busy elsewhere
LEAST_SECONDS = 0.001
MILLISECOND = 0.001


class Allowance(NamedTuple):
    """Seconds that a move may take: None for as long as it likes."""

    soft: float | None
    hard: float | None
    is_flexible: bool  # may the soft time be stretched and shrunk?


def allowance(limits, overhead):
    """How long to think, by the wishes of a `go`; `overhead` milliseconds are lost on the way."""
    if limits.move_time is not None:
        seconds = max(LEAST_SECONDS, (limits.move_time - overhead) * MILLISECOND)
        return Allowance(None, seconds, False)
    if limits.remaining is None:
        return Allowance(None, None, False)
    remaining = max(0.0, limits.remaining - overhead - RESERVE) * MILLISECOND
    increment = max(0, limits.increment) * MILLISECOND
    moves = min(limits.moves_to_go or MOVES_LEFT, MOVES_LEFT)
    fair = remaining / moves + INCREMENT_SHARE * increment
    most = remaining * (LARGEST_SHARE if moves > 1 else LAST_MOVE_SHARE)
    hard = max(LEAST_SECONDS, min(HARD_FACTOR * fair, most))
    return Allowance(min(SOFT_SHARE * fair, hard), hard, True)


class Clock:
    """Watches one search."""

    def __init__(self, limits, overhead):
        self._allowance = allowance(limits, overhead)
        self.began = monotonic() if limits.asked_at is None else limits.asked_at
        self._counts_from = None if limits.ponder else self.began

    def ponder_hit(self):
        """From now on, time counts."""
        self._counts_from = monotonic()

    @property
    def seconds(self):
        """Since the search began."""
        return monotonic() - self.began

    @property
    def is_running(self):
        """False while pondering, when time is not ours."""
        return self._counts_from is not None

    @property
    def is_playing(self):
        """True if there is time to be saved."""
        return self._allowance.is_flexible

    def seconds_left(self):
        """Until the hard limit: None if there is none."""
        if self._counts_from is None or self._allowance.hard is None:
            return None
        return max(0.0, self._counts_from + self._allowance.hard - monotonic())

    def is_time_to_stop(self, urgency):
        """True if no further iteration should begin; `urgency` stretches the soft limit."""
        if self._counts_from is None or self._allowance.soft is None:
            return False
        spent = monotonic() - self._counts_from
        return spent >= min(self._allowance.soft * urgency, self._allowance.hard)


def urgency(best_share, stable_iterations, score_drop):
    """How much longer than usual to think.

    Less if most nodes went into the best move, or if it has been the best for long; more if its score fell,
    which is given in centipawns.
    """
    by_nodes = 2.1 - 1.6 * best_share
    by_stability = 1.35 - 0.075 * min(stable_iterations, 8)
    by_score = 1.0 + min(max(score_drop, -10), 60) / 120
    return by_nodes * by_stability * by_score
