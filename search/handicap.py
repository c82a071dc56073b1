"""Playing weakly, but as people do.

Who is weak sees less, and is easily content. So a handicap is, first, a number of nodes beyond which
nothing is looked at: tactics deeper than that are overlooked, what is in front of one's eyes is not. And
second, of the best few moves found that way any may be played, the more often the better it looks; never
one that knowingly gives much away, and never anything but the mate that was seen.
"""

from math import exp
from typing import NamedTuple

LOWEST_ELO, HIGHEST_ELO = 800, 2800
HIGHEST_SKILL = 20  # the first level that is no handicap any more

LINES = 5  # moves to choose from
FEWEST_NODES = 2000  # at the lowest strength: with fewer, the search overlooks what people do not
ELO_PER_DOUBLING = 300  # of the nodes

HIGHEST_TEMPERATURE = 70.0  # centipawns by which a move may look worse to be taken 2.7 times as rarely
LARGEST_LOSS = 180  # centipawns that the weakest may give away knowingly

DECIDED = 100_000  # a mate in centipawns


class Handicap(NamedTuple):
    """How weakly to play."""

    nodes: int
    temperature: float
    largest_loss: float


def handicap_of(elo):
    """The handicap that makes for such a strength."""
    above = min(max(elo, LOWEST_ELO), HIGHEST_ELO) - LOWEST_ELO
    missing = 1 - above / (HIGHEST_ELO - LOWEST_ELO)
    nodes = FEWEST_NODES * 2 ** (above / ELO_PER_DOUBLING)
    return Handicap(int(nodes), HIGHEST_TEMPERATURE * missing, LARGEST_LOSS * missing)


def elo_of_skill(level):
    """The strength of a skill level below the highest."""
    return LOWEST_ELO + (HIGHEST_ELO - LOWEST_ELO) * level // (HIGHEST_SKILL - 1)


def choose_line(lines, handicap, dice):
    """One of the lines, best first; `dice` is a `random.Random`."""
    best = _worth(lines[0].score)
    losses = [best - _worth(line.score) for line in lines]
    if best >= DECIDED or handicap.temperature <= 0:
        return lines[0]
    weights = [_weight(loss, handicap) for loss in losses]
    return dice.choices(lines, weights)[0]


def _worth(score):
    if score.mate is None:
        return score.centipawns
    return DECIDED if score.mate > 0 else -DECIDED


def _weight(loss, handicap):
    return exp(-max(loss, 0) / handicap.temperature) if loss <= handicap.largest_loss else 0.0
