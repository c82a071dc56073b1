"""Time management: how long to think about a move.

There are two limits. After the soft limit no new iteration begins; it is longer while the best move changes
and shorter while it is stable. At the hard limit the search is stopped wherever it is.
"""

from typing import NamedTuple

from bluekrait.core.timer import monotonic
from bluekrait.search.limits import Limits

MOVES_LEFT_AT_START = 30  # among which the remaining time is shared, if `go` does not say how many,
PLIES_UNTIL_LESS = 4  # one less after so many half-moves each,
MOVES_LEFT = 16  # and never less than this;
MORE_WITHOUT_INCREMENT = 1.4  # so many times more if the time that is left must last for the whole game,
FULL_INCREMENT = 0.01  # and not if each move gives this share of it back
INCREMENT_SHARE = 0.9  # of the increment that is spent at once
SOFT_SHARE = 0.85  # of a move's fair share of time: what is begun then takes longer than that
HARD_FACTOR = 3.6  # fair shares that one move may take at most
LARGEST_SHARE = 0.65  # of all remaining time
LAST_MOVE_SHARE = 0.9  # the same for the last move before the next time control
RESERVE = 60  # milliseconds of the clock that are left alone, for moments when the machine is busy elsewhere
LEAST_SECONDS = 0.001
MILLISECOND = 0.001

# How the soft limit is stretched and shrunk, in thousandths: the clock of self-play knows no fractions.
THOUSAND = 1000
BY_NODES, BY_NODES_SLOPE = 2100, 1600  # if no nodes went into the best move, and how much less if all did
BY_STABILITY, BY_STABILITY_SLOPE = 1350, 75  # if the best move has just changed, and less for each iteration
STABLE_AT_MOST = 8  # iterations that count
SCORE_RISE, SCORE_DROP = -10, 60  # centipawns that count
SCORE_THAT_DOUBLES = 120  # centipawns of a drop


class TimeBudget(NamedTuple):
    """Seconds that a move may take; None without a limit."""

    soft: float | None
    hard: float | None
    is_flexible: bool  # may the soft time be stretched and shrunk?


def time_budget(limits: Limits, overhead: int, ply: int = 0) -> TimeBudget:
    """How long to think by the limits of a `go`, so many half-moves into the game.

    `overhead` milliseconds are lost in transmission.
    """
    if limits.move_time is not None:
        seconds = max(LEAST_SECONDS, (limits.move_time - overhead) * MILLISECOND)
        return TimeBudget(None, seconds, False)
    if limits.remaining is None:
        return TimeBudget(None, None, False)
    remaining = max(0.0, limits.remaining - overhead - RESERVE) * MILLISECOND
    increment = max(0, limits.increment) * MILLISECOND
    moves = moves_left(remaining, increment, limits.moves_to_go, ply)
    fair = remaining / moves + INCREMENT_SHARE * increment
    most = remaining * (LARGEST_SHARE if moves > 1 else LAST_MOVE_SHARE)
    hard = max(LEAST_SECONDS, min(HARD_FACTOR * fair, most))
    return TimeBudget(min(SOFT_SHARE * fair, hard), hard, True)


def moves_left(remaining: float, increment: float, moves_to_go: int | None, ply: int) -> float:
    """Among how many moves to share the seconds that remain."""
    moves = max(MOVES_LEFT, MOVES_LEFT_AT_START - ply // PLIES_UNTIL_LESS)
    if moves_to_go:
        return min(moves, moves_to_go)
    lacking = max(0.0, 1 - increment / (FULL_INCREMENT * remaining)) if remaining else 0.0
    return moves * (1 + (MORE_WITHOUT_INCREMENT - 1) * lacking)


class Clock:
    """Measures one search against its time budget."""

    def __init__(self, limits: Limits, overhead: int, ply: int = 0) -> None:
        self._budget = time_budget(limits, overhead, ply)
        self.began = monotonic() if limits.asked_at is None else limits.asked_at
        self._counts_from: float | None = None if limits.ponder else self.began

    def ponder_hit(self) -> None:
        """The clock of the game is running from now on, unless it was before."""
        if self._counts_from is None:
            self._counts_from = monotonic()

    @property
    def seconds(self) -> float:
        """Since the search began."""
        return monotonic() - self.began

    @property
    def is_running(self) -> bool:
        """False while pondering, on the opponent's time."""
        return self._counts_from is not None

    @property
    def is_playing(self) -> bool:
        """True if the time comes from a game clock, so that stopping early saves it."""
        return self._budget.is_flexible

    def seconds_left(self) -> float | None:
        """Until the hard limit: None if there is none."""
        if self._counts_from is None or self._budget.hard is None:
            return None
        return max(0.0, self._counts_from + self._budget.hard - monotonic())

    def is_time_to_stop(self, factor: float) -> bool:
        """True if no new iteration should begin; the soft limit is multiplied by the factor.

        What was found on the opponent's time need not be looked for again: pondering counts, too.
        """
        soft, hard = self._budget.soft, self._budget.hard
        if soft is None or hard is None:
            return False
        return self.seconds >= min(soft * factor, hard)


def soft_limit_factor(best_share: float, stable_iterations: int, score_drop: int) -> float:
    """How much longer than usual to think.

    Less if most nodes went into the best move, or if it has been the best for long; more if its score fell,
    which is given in centipawns.
    """
    by_nodes = BY_NODES - BY_NODES_SLOPE * best_share
    by_stability = BY_STABILITY - BY_STABILITY_SLOPE * min(stable_iterations, STABLE_AT_MOST)
    by_score = 1 + min(max(score_drop, SCORE_RISE), SCORE_DROP) / SCORE_THAT_DOUBLES
    return by_nodes / THOUSAND * by_stability / THOUSAND * by_score
