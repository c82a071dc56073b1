"""Ratings of many players from all the games between them.

A player r points above another is expected to score E = 1 / (1 + 10**(-r / 400)). The fitted ratings make
every player's expected points equal to the points scored. They are the maximum-likelihood ratings if a draw
counts as half a win and half a loss (the model of Bradley and Terry). The log-likelihood is concave, so
Newton's method finds its maximum.

Errors come from the curvature at the maximum: the flatter, the larger the error. Draws make results vary less
than the model assumes, so the variance is scaled by the observed scatter of the results.

Games only determine differences of ratings. The scale is fixed by players whose ratings are given (anchors);
without anchors the mean is zero.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bluekrait.tools.statistics.pentanomial import TWO_SIDED_95

ELO = log(10) / 400  # one rating point, in log-odds
PRIOR_DRAWS = 0.5  # added to every player's games, so that no rating is infinite
PRIOR_DECIDED = 1  # decided games added to the scatter, so that draws alone do not give an error of zero
LONGEST_STEP = 400  # points that a rating may change in one step
PRECISION = 1e-6  # points
MOST_STEPS = 1000
MOST_NAMED = 4  # players that an error names

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Encounter(NamedTuple):
    """Games between two players, counted from the first one's point of view."""

    first: str
    second: str
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The points of the first player."""
        return self.wins + self.draws / 2


class Rating(NamedTuple):
    """A player's rating and its error, which is 0 for an anchor."""

    name: str
    value: float
    error: float
    games: int
    points: float


class UnconnectedPlayers(ValueError):
    """Some players cannot be compared with others."""


def fit_ratings(encounters: Iterable[Encounter], anchors: Mapping[str, float] | None = None) -> list[Rating]:
    """Ratings of all players, the best first; `anchors` are given ratings by name."""
    encounters = [one for one in encounters if one.games and one.first != one.second]
    if not encounters:
        return []
    names = sorted({name for encounter in encounters for name in encounter[:2]})
    anchors = {name: rating for name, rating in (anchors or {}).items() if name in names}
    _demand_connection(names, encounters, anchors)
    table = _Crosstable(names, encounters)
    values, errors = _most_likely(table, names, anchors)
    rows = zip(names, values, errors, table.games.sum(1), table.points.sum(1))
    ratings = [Rating(name, float(v), float(e), int(n), float(p)) for name, v, e, n, p in rows]
    return sorted(ratings, key=lambda rating: -rating.value)


class _Crosstable:
    """Games, points and draws of every player against every other."""

    def __init__(self, names: Sequence[str], encounters: Iterable[Encounter]) -> None:
        index = {name: number for number, name in enumerate(names)}
        self.games: Floats
        self.points: Floats
        self.draws: Floats
        self.games, self.points, self.draws = np.zeros((3, len(names), len(names)))
        for encounter in encounters:
            for one, other, points in (
                (encounter.first, encounter.second, encounter.points),
                (encounter.second, encounter.first, encounter.games - encounter.points),
            ):
                self.games[index[one], index[other]] += encounter.games
                self.points[index[one], index[other]] += points
                self.draws[index[one], index[other]] += encounter.draws

    def with_prior(self) -> tuple[Floats, Floats]:
        """Games and points, with the prior draws added."""
        share = self.games / self.games.sum(1, keepdims=True)  # everybody has played
        prior = PRIOR_DRAWS * (share + share.T)
        return self.games + prior, self.points + prior / 2

    def scatter(self, expected: Floats) -> float:
        """The variance of the results about their expectation, relative to that of games without draws."""
        squares = self.points - self.draws / 4 - 2 * expected * self.points + self.games * expected**2
        undrawn = self.games * expected * (1 - expected)
        return float((squares.sum() / 2 + PRIOR_DECIDED / 4) / (undrawn.sum() / 2 + PRIOR_DECIDED / 4))


def _most_likely(
    table: _Crosstable, names: Sequence[str], anchors: Mapping[str, float]
) -> tuple[Floats, Floats]:
    """The ratings of maximum likelihood, and their errors."""
    games, points = table.with_prior()
    start = sum(anchors.values()) / len(anchors) if anchors else 0.0
    values = np.array([anchors.get(name, start) for name in names])
    is_free = np.array([name not in anchors for name in names])
    for _ in range(MOST_STEPS):
        expected = 1 / (1 + np.exp(ELO * (values - values[:, None])))
        covariance = _inverse(_curvature(games * expected * (1 - expected)), is_free)
        step = covariance @ (ELO * (points - games * expected).sum(1))
        values += np.clip(step, -LONGEST_STEP, LONGEST_STEP)
        if np.abs(step).max(initial=0) < PRECISION:
            break
    variances = table.scatter(expected) * covariance.diagonal()
    return values, TWO_SIDED_95 * np.sqrt(np.maximum(variances, 0))


def _curvature(weights: Floats) -> Floats:
    """The second derivatives of the log-likelihood, negated."""
    return np.asarray(ELO**2 * (np.diag(weights.sum(1)) - weights))


def _inverse(curvature: Floats, is_free: Bools) -> Floats:
    """The inverse over players without an anchor; without any anchor the pseudo-inverse (mean zero)."""
    if is_free.all():
        return _pseudo_inverse(curvature)
    inverse = np.zeros_like(curvature)
    free = np.ix_(is_free, is_free)
    inverse[free] = np.linalg.inv(curvature[free])
    return inverse


def _pseudo_inverse(curvature: Floats) -> Floats:
    """The inverse for changes of ratings that leave the mean as it is.

    The curvature is zero where all ratings change alike, and only there: it is replaced there by a number as
    large as the others, and the inverse of that is taken away again.
    """
    players = len(curvature)
    shift = curvature.trace() / players
    return np.asarray(np.linalg.inv(curvature + shift / players) - 1 / (shift * players), dtype=np.float64)


def _demand_connection(
    names: Sequence[str], encounters: Iterable[Encounter], anchors: Mapping[str, float]
) -> None:
    """Raise UnconnectedPlayers if no chain of games leads from some players to the others."""
    group = {name: {name} for name in names}  # the players connected with each by games
    for encounter in encounters:
        merged = group[encounter.first] | group[encounter.second]
        group.update(dict.fromkeys(merged, merged))
    groups = sorted({tuple(sorted(members)) for members in group.values()})
    loose = [members for members in groups if not anchors.keys() & set(members)]
    if len(groups) > 1 and loose:
        one, other = loose[0], next(members for members in groups if members != loose[0])
        raise UnconnectedPlayers(
            f"nobody of {_listed(one)} has played anybody of {_listed(other)}: "
            "add games between them, or a given rating in each group"
        )


def _listed(names: Sequence[str]) -> str:
    """The names, or the first few of them."""
    others = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {others} others" if others > 0 else "")
