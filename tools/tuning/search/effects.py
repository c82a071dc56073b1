"""What each number does to the result, from the same games that tune them.

In every iteration each number is perturbed up or down at random, independently of all others. So all games
of a run tell about every number: the surplus of won games is fitted by a sum of one effect for each sign, by
least squares. With steps so small that nothing moves (`--a 1e-9`), a run is a factorial experiment: twenty
ideas are tested with the games that one alone would need.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from bluekrait.tools.statistics.pentanomial import TWO_SIDED_95
from bluekrait.tools.statistics.summary import signed

ELO_PER_SURPLUS = 800 / math.log(10)  # near equality; a surplus is (won - lost) / games


class Effect(NamedTuple):
    """By how many Elo the higher value of a number is better than the lower one."""

    name: str
    elo: float
    error: float


def effects(signs: Sequence[Mapping[str, int]], games: Sequence[Sequence[int]]) -> list[Effect]:
    """The effect of every number, the surest first; none if there are too few iterations to tell.

    `signs` and `games`, which were won, drawn and lost by the side with these signs, are of each iteration.
    """
    names = list(signs[0]) if signs else []
    if len(signs) <= len(names):
        return []
    factors = np.array([[sign[name] for name in names] for sign in signs], float)
    played = np.array(games, float)
    surplus = (played[:, 0] - played[:, 2]) / played.sum(1)
    found, *_ = np.linalg.lstsq(factors, surplus, rcond=None)
    missed = surplus - factors @ found
    variance = missed @ missed / (len(signs) - len(names))
    errors = np.sqrt(variance * np.diag(np.linalg.pinv(factors.T @ factors)))
    scaled = [
        Effect(name, ELO_PER_SURPLUS * effect, ELO_PER_SURPLUS * TWO_SIDED_95 * error)
        for name, effect, error in zip(names, found, errors)
    ]
    return sorted(scaled, key=lambda effect: -abs(effect.elo) / (effect.error or math.inf))


def effect_lines(found: Sequence[Effect]) -> list[str]:
    """Effects as a table."""
    width = max((len(effect.name) for effect in found), default=0)
    return [f"{effect.name:{width}} {signed(effect.elo, 1):>7} ± {effect.error:.1f}" for effect in found]
