"""SPSA: tuning many numbers at once by the results of games.

Simultaneous perturbation stochastic approximation, after James C. Spall. In each iteration every number is
moved a little, up or down at random; these values play against those with all signs reversed, and every
number moves in the direction of the winner. In iteration t of N, in units of each number's own step:

    perturbation           c · (N / t) ** gamma
    step for each win      a · c² · ((A·N + N) / (A·N + t)) ** alpha, divided by the perturbation

So `c` and `a` are the values in the last iteration, and both are larger in the beginning. The same seed gives
the same signs.
"""

import math
import random
from collections.abc import Sequence
from typing import NamedTuple

from bluekrait.search.parameters import Parameter


class Gains(NamedTuple):
    """The constants of the schedule."""

    a: float = 0.002  # step for a won game in the last iteration, as a share of c
    c: float = 1.0  # perturbation in the last iteration, in steps
    A: float = 0.1  # share of the iterations that dampen the first steps
    alpha: float = 0.602  # exponent by which steps decrease
    gamma: float = 0.101  # exponent by which perturbations decrease


class Trial(NamedTuple):
    """Two sets of whole numbers to play against each other, and the signs of their perturbations."""

    plus: dict[str, int]
    minus: dict[str, int]
    signs: dict[str, int]


class Spsa:
    """The values in an SPSA run. `rows` are as in `search.parameters`."""

    def __init__(
        self, rows: Sequence[Parameter], iterations: int, seed: int, gains: Gains | None = None
    ) -> None:
        self.rows = rows
        self.values = {row.name: float(row.value) for row in rows}
        self._iterations, self._seed, self._gains = iterations, seed, gains or Gains()

    def trial(self, iteration: int) -> Trial:
        """The two sets of an iteration, counted from 0."""
        rng, signs = self._rng_and_signs(iteration)
        plus, minus = (
            {row.name: self._moved(row, sign * signs[row.name], iteration, rng) for row in self.rows}
            for sign in (1, -1)
        )
        return Trial(plus, minus, signs)

    def signs(self, iteration: int) -> dict[str, int]:
        """The signs of the perturbations of an iteration, also one that is done."""
        return self._rng_and_signs(iteration)[1]

    def _rng_and_signs(self, iteration: int) -> tuple[random.Random, dict[str, int]]:
        rng = random.Random(f"{self._seed}/{iteration}")
        return rng, {row.name: rng.choice((-1, 1)) for row in self.rows}

    def learn(self, iteration: int, trial: Trial, surplus: int) -> None:
        """Move towards the winner: `surplus` is the games that plus has won, less those it has lost."""
        for row in self.rows:
            way = self.step_per_win(row, iteration) * surplus * trial.signs[row.name]
            self.values[row.name] = min(max(self.values[row.name] + way, row.low), row.high)

    def perturbation(self, row: Parameter, iteration: int) -> float:
        """How far a number is perturbed in an iteration."""
        share: float = (self._iterations / (iteration + 1)) ** self._gains.gamma
        return self._gains.c * row.step * share

    def step_per_win(self, row: Parameter, iteration: int) -> float:
        """How far a number moves for each won game."""
        a, c, hold, alpha, _ = self._gains
        held = hold * self._iterations
        growth: float = ((held + self._iterations) / (held + iteration + 1)) ** alpha
        return a * (c * row.step) ** 2 * growth / self.perturbation(row, iteration)

    def _moved(self, row: Parameter, sign: int, iteration: int, rng: random.Random) -> int:
        """A perturbed number, rounded at random to a neighbour, the nearer one more often."""
        exact = self.values[row.name] + sign * self.perturbation(row, iteration)
        return min(max(math.floor(exact + rng.random()), row.low), row.high)


def rounded(spsa: Spsa) -> list[Parameter]:
    """The rows with the values that were found."""
    return [row._replace(value=round(spsa.values[row.name])) for row in spsa.rows]
