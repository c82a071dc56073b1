"""Strength from pairs of games.

An opening is played twice with colours reversed, and the two games are one observation: what the opening is
worth cancels out, so the same number of games tells more. A pair brings 0, 1/2, 1, 3/2 or 2 points, hence
"pentanomial". Two scales are in use:

* Elo, from the mean score alone: 400 points are ten to one.
* Normalised Elo, the mean score above one half in standard deviations of a game. It does not shrink when a
  balanced book makes most games drawn, and it says how many games a proof will take.

Errors are half the width of the interval that holds the truth 95 times in 100.
"""

from math import erf, inf, isfinite, log, log10, nan, sqrt
from typing import NamedTuple

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of a pair, as a share of its points
NORMALISED_SCALE = 800 / log(10)  # points a standard deviation: so both scales agree when no game is drawn
TWO_SIDED_95 = 1.959963984540054  # standard deviations


class Pairs(NamedTuple):
    """How many pairs of games brought 0, 1/2, 1, 3/2 and 2 points."""

    ll: int = 0
    ld: int = 0
    dd: int = 0
    wd: int = 0
    ww: int = 0

    @classmethod
    def of_results(cls, results):
        """From points (1, 1/2 or 0) of games in order: every two of them are a pair, a last one waits."""
        counts = [0] * len(SCORES)
        firsts, seconds = results[::2], results[1::2]
        for first, second in zip(firsts, seconds):
            counts[round(2 * (first + second))] += 1
        return cls(*counts)

    @property
    def total(self):
        """Number of pairs."""
        return sum(self)

    def reversed(self):
        """The same as the opponent sees it."""
        return Pairs(*tuple(self)[::-1])

    def plus(self, others):
        """These and others."""
        return Pairs(*(mine + theirs for mine, theirs in zip(self, others)))


def mean_and_variance(pairs):
    """Of the score of a pair, from 0 to 1; not a number before the first pair."""
    total = sum(pairs)
    if not total:
        return nan, nan
    mean = sum(count * score for count, score in zip(pairs, SCORES)) / total
    variance = sum(count * (score - mean) ** 2 for count, score in zip(pairs, SCORES)) / total
    return mean, variance


def elo(pairs):
    """Elo difference and its error; infinite if all was won or all was lost."""
    mean, variance = mean_and_variance(pairs)
    value = elo_of_score(mean)
    if not isfinite(value):
        return value, nan
    margin = TWO_SIDED_95 * sqrt(variance / sum(pairs))
    return value, (elo_of_score(mean + margin) - elo_of_score(mean - margin)) / 2


def normalised_elo(pairs):
    """Normalised Elo difference and its error; infinite if all pairs were the same, and not a draw."""
    mean, variance = mean_and_variance(pairs)
    if not variance > 0:
        return (inf if mean > 0.5 else -inf if mean < 0.5 else nan), nan
    deviation = sqrt(2 * variance)  # of a game, had its pair been two independent ones
    value = NORMALISED_SCALE * (mean - 0.5) / deviation
    return value, NORMALISED_SCALE * TWO_SIDED_95 / sqrt(2 * sum(pairs))


def los(pairs):
    """Likelihood of superiority: how sure it is, from 0 to 1, that the first player is the stronger one."""
    mean, variance = mean_and_variance(pairs)
    if not variance > 0:
        return 1.0 if mean > 0.5 else 0.0 if mean < 0.5 else 0.5
    return (1 + erf((mean - 0.5) / sqrt(2 * variance / sum(pairs)))) / 2


def draw_ratio(pairs):
    """Share of the pairs that nobody won."""
    return pairs[2] / sum(pairs) if any(pairs) else nan


def pairs_ratio(pairs):
    """Pairs won for every pair lost."""
    ll, ld, _, wd, ww = pairs
    if not ll + ld:
        return inf if wd + ww else nan
    return (wd + ww) / (ll + ld)


def elo_of_score(score):
    """Elo difference that makes one expect a score from 0 to 1."""
    if score >= 1:
        return inf
    if score <= 0:
        return -inf
    return 400 * log10(score / (1 - score))


def score_of_elo(difference):
    """The score, from 0 to 1, that an Elo difference makes one expect."""
    return 1 / (1 + 10 ** (-difference / 400))
