"""The sequential probability ratio test (SPRT): stop a match as soon as its result is significant.

Two hypotheses are compared while the match is played: H0, the difference is `elo0`, and H1, it is `elo1`. The
log-likelihood ratio (LLR) says how much better H1 explains the pairs seen so far. The test ends when the LLR
leaves the interval (`lower`, `upper`): H0 is then wrongly rejected in at most `alpha` of all matches, and H1
in at most `beta`.

The hypotheses do not fix the draw rate, so for each the most likely distribution that it allows is taken (a
*generalised* SPRT): the one of maximum likelihood among those with the given mean (model "logistic") or with
the given mean in standard deviations ("normalized"). Such a distribution is

    p(i) = observed(i) / (1 + theta * slope(i))

where slope(i) is the derivative of the constraint by p(i), and theta is such that the sum of p is 1.
Counts may also be arrays of many matches, with the five outcomes along the last axis.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from bluekrait.tools.statistics.pentanomial import NORMALISED_SCALE, SCORES, score_of_elo

UNSEEN = 1e-3  # replaces a count of zero: every outcome is possible
PRECISION = 1e-10
# Largest differences: beyond 200 normalised Elo the maximum-likelihood distribution may not exist.
WIDEST = {"normalized": 200, "logistic": 1000}
MODELS = tuple(WIDEST)
MOST_STEPS = 200
OUTCOMES = np.array(SCORES)

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Bounds:
    """The two hypotheses of a test, and how often each may be rejected wrongly."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "normalized"

    def __post_init__(self) -> None:
        if self.model not in MODELS:
            raise ValueError(f"{self.model!r} is not a model of Elo; the models are {', '.join(MODELS)}")
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 ({self.elo0:g}) must be less than elo1 ({self.elo1:g})")
        widest = WIDEST[self.model]
        if max(-self.elo0, self.elo1) > widest:
            raise ValueError(f"{self.model} Elo differences must lie between -{widest} and {widest}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("alpha and beta must lie between 0 and 0.5")

    @property
    def lower(self) -> float:
        """The LLR at which H0 is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The LLR at which H1 is accepted."""
        return log((1 - self.beta) / self.alpha)


def llr(pairs: Sequence[int], bounds: Bounds) -> float:
    """The log-likelihood ratio of H1 and H0 after these pairs."""
    return float(llrs(pairs, bounds))


def llrs(pairs: Sequence[int] | Sequence[Sequence[int]] | Floats, bounds: Bounds) -> Floats:
    """The log-likelihood ratios after the pairs of many matches, one match in each row."""
    counts = np.asarray(pairs, dtype=float)
    seen = counts.sum(-1) > 0
    counts = np.where(counts > 0, counts, UNSEEN)
    most_likely = most_likely_with_t_value if bounds.model == "normalized" else most_likely_with_mean
    log0, log1 = (np.log(most_likely(counts, _target(elo, bounds))) for elo in (bounds.elo0, bounds.elo1))
    ratio = np.where(seen, (counts * (log1 - log0)).sum(-1), 0.0)
    return np.asarray(ratio)


def accepted_hypothesis(pairs: Sequence[int], bounds: Bounds) -> str | None:
    """The hypothesis that the test accepts, "H0" or "H1"; None while it continues."""
    ratio = llr(pairs, bounds)
    return "H1" if ratio >= bounds.upper else "H0" if ratio <= bounds.lower else None


def _target(elo: float, bounds: Bounds) -> float:
    """The constraint of a hypothesis: a mean score, or (mean - 1/2) in standard deviations of a pair."""
    return sqrt(2) * elo / NORMALISED_SCALE if bounds.model == "normalized" else score_of_elo(elo)


def most_likely_with_mean(counts: Floats, mean: float) -> Floats:
    """The maximum-likelihood distribution of outcomes with the given mean."""
    observed = counts / counts.sum(-1, keepdims=True)
    return _tilted(observed, np.broadcast_to(OUTCOMES - mean, observed.shape))


def most_likely_with_t_value(counts: Floats, t_value: float) -> Floats:
    """The maximum-likelihood distribution whose mean is 1/2 + t_value standard deviations.

    The constraint is not linear. It is linearised at the last distribution found, until that converges.
    """
    observed = counts / counts.sum(-1, keepdims=True)
    found: Floats = np.full_like(observed, 1 / len(SCORES))
    moving = np.ones(observed.shape[:-1], dtype=bool)
    for _ in range(MOST_STEPS):
        before = found[moving]
        found[moving] = _tilted(observed[moving], _slope_of_t_value(before, t_value))
        moving[moving] = np.abs(found[moving] - before).max(-1) > PRECISION
        if not moving.any():
            break
    return found


def _slope_of_t_value(chances: Floats, t_value: float) -> Floats:
    mean = (chances * OUTCOMES).sum(-1, keepdims=True)
    distance = OUTCOMES - mean
    deviation = np.sqrt((chances * distance**2).sum(-1, keepdims=True))
    return np.asarray(OUTCOMES - 0.5 - t_value / 2 * (deviation + distance**2 / deviation))


def _tilted(observed: Floats, slope: Floats) -> Floats:
    """The distribution observed / (1 + theta * slope) whose mean slope is zero.

    The sum of observed * slope / (1 + theta * slope) falls from plus to minus infinity between the poles, so
    Newton's method finds its zero; a step that would leave the remaining interval is replaced by bisection.
    """
    low, high = -1 / slope.max(-1, keepdims=True), -1 / slope.min(-1, keepdims=True)
    theta = np.zeros_like(low)
    for _ in range(MOST_STEPS):
        share = slope / (1 + theta * slope)
        weighed = observed * share
        excess = weighed.sum(-1, keepdims=True)
        step = excess / (weighed * share).sum(-1, keepdims=True)
        has_converged = np.abs(step * share).max(-1, keepdims=True) < PRECISION
        if has_converged.all():
            break
        low, high = np.where(excess > 0, theta, low), np.where(excess > 0, high, theta)
        target = np.where((theta + step > low) & (theta + step < high), theta + step, (low + high) / 2)
        theta = np.where(has_converged, theta, target)
    return np.asarray(observed / (1 + theta * slope))
