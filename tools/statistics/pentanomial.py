"""Strength from pairs of games.

Each opening is played twice with colours reversed, and the two games are one observation: the advantage of
the opening cancels out, so the error is smaller for the same number of games. A pair scores 0, 1/2, 1, 3/2 or
2 points: five outcomes, hence "pentanomial". Two scales are in use:

* Elo, from the mean score alone: a difference of 400 means odds of ten to one.
* Normalised Elo (nElo), the mean score above one half, in standard deviations of a game. It does not depend
  on the draw rate, and the number of games that a test needs follows from it.

Errors are half the width of the 95 % confidence interval.
"""

from collections.abc import Iterable, Sequence
from math import erf, inf, isfinite, log, log10, nan, sqrt
from typing import NamedTuple

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of a pair, as a share of its two points
NORMALISED_SCALE = 800 / log(10)  # nElo of one standard deviation: equal to Elo if no game is drawn
TWO_SIDED_95 = 1.959963984540054  # standard deviations


class Pairs(NamedTuple):
    """Pentanomial counts: pairs of games that scored 0, 1/2, 1, 3/2 and 2 points."""

    ll: int = 0
    ld: int = 0
    dd: int = 0
    wd: int = 0
    ww: int = 0

    @classmethod
    def of_results(cls, results: Sequence[float]) -> "Pairs":
        """From the points (1, 1/2 or 0) of games in order: games 1 and 2 are a pair, and so on.

        A last game without a partner is not counted.
        """
        counts = [0] * len(SCORES)
        firsts, seconds = results[::2], results[1::2]
        for first, second in zip(firsts, seconds):
            counts[round(2 * (first + second))] += 1
        return cls(*counts)

    def reversed(self) -> "Pairs":
        """The counts from the opponent's point of view."""
        return Pairs(*tuple(self)[::-1])

    def plus(self, others: Iterable[int]) -> "Pairs":
        """The sum of these counts and others."""
        return Pairs(*(mine + theirs for mine, theirs in zip(self, others)))


def mean_and_variance(pairs: Sequence[int]) -> tuple[float, float]:
    """Mean and variance of the score of a pair, from 0 to 1; nan if there is no pair."""
    total = sum(pairs)
    if not total:
        return nan, nan
    mean = sum(count * score for count, score in zip(pairs, SCORES)) / total
    variance = sum(count * (score - mean) ** 2 for count, score in zip(pairs, SCORES)) / total
    return mean, variance


def elo(pairs: Sequence[int]) -> tuple[float, float]:
    """Elo difference and its error; infinite if all games were won or all were lost."""
    mean, variance = mean_and_variance(pairs)
    value = elo_of_score(mean)
    if not isfinite(value):
        return value, nan
    margin = TWO_SIDED_95 * sqrt(variance / sum(pairs))
    return value, (elo_of_score(mean + margin) - elo_of_score(mean - margin)) / 2


def normalised_elo(pairs: Sequence[int]) -> tuple[float, float]:
    """Normalised Elo difference and its error; infinite if all pairs have the same score, not one half."""
    mean, variance = mean_and_variance(pairs)
    if not variance > 0:
        return (inf if mean > 0.5 else -inf if mean < 0.5 else nan), nan
    deviation = sqrt(2 * variance)  # of a game, if the two games of a pair were independent
    value = NORMALISED_SCALE * (mean - 0.5) / deviation
    return value, NORMALISED_SCALE * TWO_SIDED_95 / sqrt(2 * sum(pairs))


def los(pairs: Sequence[int]) -> float:
    """Likelihood of superiority (LOS): the probability that the first player is the stronger one."""
    mean, variance = mean_and_variance(pairs)
    if not variance > 0:
        return 1.0 if mean > 0.5 else 0.0 if mean < 0.5 else 0.5
    return (1 + erf((mean - 0.5) / sqrt(2 * variance / sum(pairs)))) / 2


def draw_ratio(pairs: Sequence[int]) -> float:
    """The share of the pairs that scored one point."""
    return ratio(pairs[2], sum(pairs))


def pairs_ratio(pairs: Sequence[int]) -> float:
    """Pairs won divided by pairs lost."""
    ll, ld, _, wd, ww = pairs
    return ratio(wd + ww, ll + ld)


def ratio(part: float, whole: float) -> float:
    """A quotient; inf or nan where the divisor is zero."""
    return part / whole if whole else inf if part else nan


def elo_of_score(score: float) -> float:
    """The Elo difference at which a score, from 0 to 1, is the expected one."""
    if score >= 1:
        return inf
    if score <= 0:
        return -inf
    return 400 * log10(score / (1 - score))


def score_of_elo(difference: float) -> float:
    """The expected score, from 0 to 1, at an Elo difference."""
    return 1 / (1 + 10 ** (-difference / 400))
