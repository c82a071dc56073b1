"""Playing weakly, but as people do.

Who is weak sees less, and is easily content. So a handicap is, first, a number of nodes beyond which
nothing is looked at: tactics deeper than that are overlooked, what is in front of one's eyes is not. And
second, of the best few moves found that way any may be played, the more often the better it looks; never
one that knowingly gives much away, and never anything but the mate that was seen.

The constants were fitted in games against Stockfish 15.1 at its own UCI_Elo, and between levels. There 2300
turned out as 2340, 2000 as 2070, 1400 as 1570, 1200 as 1230, 1000 as 900 and 800 as 800, each give or take
100 to 150.
"""

from math import ceil, exp
from typing import NamedTuple

LOWEST_ELO, HIGHEST_ELO = 800, 2800
HIGHEST_SKILL = 20  # the first level that is no handicap any more

FEWEST_NODES = 1000  # at the lowest strength: with fewer, there are not so many lines to choose from
ELO_PER_DOUBLING = 192  # of the nodes

MOST_LINES = 6  # moves that the weakest choose from
HIGHEST_TEMPERATURE = 320.0  # centipawns by which a move may look worse to be taken 2.7 times as rarely
LARGEST_LOSS = 320  # centipawns that the weakest may give away knowingly

DECIDED = 100_000  # a mate in centipawns


class Handicap(NamedTuple):
    """How weakly to play."""

    nodes: int
    lines: int  # moves to choose from
    temperature: float
    largest_loss: float


def handicap_of(elo):
    """The handicap that makes for such a strength."""
    above = min(max(elo, LOWEST_ELO), HIGHEST_ELO) - LOWEST_ELO
    missing = 1 - above / (HIGHEST_ELO - LOWEST_ELO)
    nodes = FEWEST_NODES * 2 ** (above / ELO_PER_DOUBLING)
    lines = 1 + ceil((MOST_LINES - 1) * missing)
    return Handicap(int(nodes), lines, HIGHEST_TEMPERATURE * missing**3, LARGEST_LOSS * missing)


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
