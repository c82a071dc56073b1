"""SPSA: finding the best values of many numbers at once, where all that is known is who wins.

Simultaneous perturbation stochastic approximation, after James C. Spall. In each iteration every number is
moved a little, up or down by the toss of a coin; the values so found play against those with all coins
turned over, and every number goes a little in the direction in which it had been moved by the winner. With
t iterations done of N, in units of each number's own step:

    moved by                c · (N / t) ** gamma
    learnt from each game   a · c² · ((A·N + N) / (A·N + t)) ** alpha, divided by how far it had been moved

so that `c` and `a` are what counts in the end, and both are larger in the beginning. The same seed tosses the
same coins.
"""

import math
import random
from typing import NamedTuple


class Gains(NamedTuple):
    """How far things move."""

    a: float = 0.002  # learnt from a game that is won, as a share of c, in the end
    c: float = 1.0  # steps by which a number is moved in the end
    A: float = 0.1  # share of the iterations in which the first great strides are held back
    alpha: float = 0.602  # how fast one learns less
    gamma: float = 0.101  # how fast moves become smaller


class Trial(NamedTuple):
    """Two sets of whole numbers that are to play against each other, and the coins that made them."""

    plus: dict
    minus: dict
    coins: dict


class Spsa:
    """Values on their way to where more games are won. `rows` are as in `search.parameters`."""

    def __init__(self, rows, iterations, seed, gains=None):
        self.rows = rows
        self.values = {row.name: float(row.value) for row in rows}
        self._iterations, self._seed, self._gains = iterations, seed, gains or Gains()

    def trial(self, iteration):
        """What shall play in an iteration, counted from 0."""
        dice = random.Random(f"{self._seed}/{iteration}")
        coins = {row.name: dice.choice((-1, 1)) for row in self.rows}
        plus, minus = (
            {row.name: self._moved(row, sign * coins[row.name], iteration, dice) for row in self.rows}
            for sign in (1, -1)
        )
        return Trial(plus, minus, coins)

    def learn(self, iteration, trial, surplus):
        """Go where the winner was: `surplus` are the games that plus has won, less those it has lost."""
        for row in self.rows:
            way = self.stride(row, iteration) * surplus * trial.coins[row.name]
            self.values[row.name] = min(max(self.values[row.name] + way, row.low), row.high)

    def reach(self, row, iteration):
        """How far a number is moved."""
        return self._gains.c * row.step * (self._iterations / (iteration + 1)) ** self._gains.gamma

    def stride(self, row, iteration):
        """How far a number goes for each game that is won."""
        a, c, hold, alpha, _ = self._gains
        held = hold * self._iterations
        growth = ((held + self._iterations) / (held + iteration + 1)) ** alpha
        return a * (c * row.step) ** 2 * growth / self.reach(row, iteration)

    def _moved(self, row, sign, iteration, dice):
        """A moved number, rounded to one of its neighbours, the more often the nearer that is."""
        exact = self.values[row.name] + sign * self.reach(row, iteration)
        return min(max(math.floor(exact + dice.random()), row.low), row.high)


def rounded(spsa):
    """The rows with the values that were found."""
    return [row._replace(value=round(spsa.values[row.name])) for row in spsa.rows]
