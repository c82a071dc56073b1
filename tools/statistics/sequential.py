"""The sequential probability ratio test: stop a match as soon as its result is sure enough.

Two hypotheses are compared while the games come in: H0, the difference is `elo0`, and H1, it is `elo1`. The
log-likelihood ratio (LLR) says how much better H1 explains the pairs seen so far. If it leaves the interval
(`lower`, `upper`) the test is over: H0 is then wrongly rejected in at most `alpha` of all matches, H1 in at
most `beta`.

How often pairs are drawn is nobody's hypothesis, so each gets the most favourable distribution that it allows
(a *generalised* test): the one of maximum likelihood among those with the given mean (model "logistic") or
with the given mean in standard deviations ("normalized"). Such a distribution is

    p(i) = observed(i) / (1 + theta * slope(i))

where slope(i) is what more of outcome i does to the constraint, and theta is such that the sum of p is 1.
Counts may also be arrays of many matches, with the five outcomes along the last axis.
"""

from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from bluekrait.tools.statistics.pentanomial import NORMALISED_SCALE, SCORES, score_of_elo

MODELS = ("normalized", "logistic")
UNSEEN = 1e-3  # what a count of nothing counts: every outcome is possible
PRECISION = 1e-10
WIDEST = 200  # normalised Elo that can be asked for: beyond, not every match has a likeliest explanation
MOST_STEPS = 200
OUTCOMES = np.array(SCORES)


@dataclass(frozen=True)
class Bounds:
    """What a test asks: two hypotheses, and how often each may be rejected wrongly."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "normalized"

    def __post_init__(self):
        if self.model not in MODELS:
            raise ValueError(f"{self.model!r} is no model of Elo, these are: {', '.join(MODELS)}")
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 ({self.elo0:g}) must be less than elo1 ({self.elo1:g})")
        if self.model == "normalized" and max(-self.elo0, self.elo1) > WIDEST:
            raise ValueError(f"normalised Elo differences must lie between -{WIDEST} and {WIDEST}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("alpha and beta must lie between 0 and 0.5")

    @property
    def lower(self):
        """The LLR at which H0 is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self):
        """The LLR at which H1 is accepted."""
        return log((1 - self.beta) / self.alpha)


def llr(pairs, bounds):
    """Log-likelihood ratio of H1 and H0 after these pairs: a number, or an array for an array of pairs."""
    counts = np.asarray(pairs, dtype=float)
    seen = counts.sum(-1) > 0
    counts = np.where(counts > 0, counts, UNSEEN)
    most_likely = most_likely_with_t_value if bounds.model == "normalized" else most_likely_with_mean
    log0, log1 = (np.log(most_likely(counts, _target(elo, bounds))) for elo in (bounds.elo0, bounds.elo1))
    ratio = np.where(seen, (counts * (log1 - log0)).sum(-1), 0.0)
    return float(ratio) if ratio.ndim == 0 else ratio


def verdict(pairs, bounds):
    """Which hypothesis the test accepts, "H0" or "H1"; None while it goes on."""
    ratio = llr(pairs, bounds)
    return "H1" if ratio >= bounds.upper else "H0" if ratio <= bounds.lower else None


def _target(elo, bounds):
    """What a hypothesis demands: a mean score, or a mean score above 1/2 in standard deviations of a pair."""
    return sqrt(2) * elo / NORMALISED_SCALE if bounds.model == "normalized" else score_of_elo(elo)


def most_likely_with_mean(counts, mean):
    """The likeliest distribution of outcomes that has the given mean."""
    observed = counts / counts.sum(-1, keepdims=True)
    return _tilted(observed, np.broadcast_to(OUTCOMES - mean, observed.shape))


def most_likely_with_t_value(counts, t_value):
    """The likeliest distribution whose mean lies the given number of its deviations above 1/2.

    The constraint is not linear; it is replaced by its tangent at the distribution found last, until that
    stays where it is.
    """
    observed = counts / counts.sum(-1, keepdims=True)
    found = np.full_like(observed, 1 / len(SCORES))
    moving = np.ones(observed.shape[:-1], dtype=bool)
    for _ in range(MOST_STEPS):
        before = found[moving]
        found[moving] = _tilted(observed[moving], _slope_of_t_value(before, t_value))
        moving[moving] = np.abs(found[moving] - before).max(-1) > PRECISION
        if not moving.any():
            break
    return found


def _slope_of_t_value(chances, t_value):
    mean = (chances * OUTCOMES).sum(-1, keepdims=True)
    distance = OUTCOMES - mean
    deviation = np.sqrt((chances * distance**2).sum(-1, keepdims=True))
    return OUTCOMES - 0.5 - t_value / 2 * (deviation + distance**2 / deviation)


def _tilted(observed, slope):
    """The distribution nearest to the observed one whose mean slope is zero.

    The sum of observed * slope / (1 + theta * slope) falls from plus to minus infinity between the poles, so
    Newton's method finds its zero; it bisects where a step would leave what is left of the interval.
    """
    low, high = -1 / slope.max(-1, keepdims=True), -1 / slope.min(-1, keepdims=True)
    theta = np.zeros_like(low)
    for _ in range(MOST_STEPS):
        share = slope / (1 + theta * slope)
        weighed = observed * share
        excess = weighed.sum(-1, keepdims=True)
        step = excess / (weighed * share).sum(-1, keepdims=True)
        has_arrived = np.abs(step * share).max(-1, keepdims=True) < PRECISION  # nothing changes any more
        if has_arrived.all():
            break
        low, high = np.where(excess > 0, theta, low), np.where(excess > 0, high, theta)
        target = np.where((theta + step > low) & (theta + step < high), theta + step, (low + high) / 2)
        theta = np.where(has_arrived, theta, target)
    return observed / (1 + theta * slope)
