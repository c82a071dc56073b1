"""Playing weakly in a human way.

A weak player sees less and makes do with less than the best move. So a handicap is, first, a limit on the
nodes: deep tactics are overlooked, shallow ones are not. And second, any of the best few moves that are found
may be played, the better its score the more often. A move whose score is much worse is never played, and if
a mate was found, nothing else is.

The constants were fitted in games against Stockfish 15.1 at its own UCI_Elo, and between levels. There 2300
was measured as 2340, 2000 as 2070, 1400 as 1570, 1200 as 1230, 1000 as 900 and 800 as 800, each with an
error of 100 to 150.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, exp
from random import Random
from typing import NamedTuple

from bluekrait.search.reports import Line, Score

LOWEST_ELO, HIGHEST_ELO = 800, 2800
HIGHEST_SKILL = 20  # full strength; all levels below it are handicaps

FEWEST_NODES = 1000  # at the lowest strength; fewer do not find enough lines to choose from
ELO_PER_DOUBLING = 192  # of the nodes

MOST_LINES = 6  # moves that the weakest level chooses from
HIGHEST_TEMPERATURE = 320.0  # a move that looks worse by so many centipawns is played 2.7 times less often
LARGEST_LOSS = 320  # centipawns that the weakest level may give away knowingly

DECIDED = 100_000  # a mate in centipawns


class Handicap(NamedTuple):
    """How weakly to play."""

    nodes: int
    lines: int  # moves to choose from
    temperature: float
    largest_loss: float


def handicap_of(elo: int) -> Handicap:
    """The handicap for a strength."""
    above = min(max(elo, LOWEST_ELO), HIGHEST_ELO) - LOWEST_ELO
    missing = 1 - above / (HIGHEST_ELO - LOWEST_ELO)
    nodes = FEWEST_NODES * 2 ** (above / ELO_PER_DOUBLING)
    lines = 1 + ceil((MOST_LINES - 1) * missing)
    return Handicap(int(nodes), lines, HIGHEST_TEMPERATURE * missing**3, LARGEST_LOSS * missing)


def elo_of_skill(level: int) -> int:
    """The strength of a skill level below the highest."""
    return LOWEST_ELO + (HIGHEST_ELO - LOWEST_ELO) * level // (HIGHEST_SKILL - 1)


def choose_line(lines: Sequence[Line], handicap: Handicap, random: Random) -> Line:
    """One of the lines, which are sorted from best to worst."""
    best = _worth(lines[0].score)
    losses = [best - _worth(line.score) for line in lines]
    if best >= DECIDED or handicap.temperature <= 0:
        return lines[0]
    weights = [_weight(loss, handicap) for loss in losses]
    return random.choices(lines, weights)[0]


def _worth(score: Score) -> int:
    """A score in centipawns, whether or not it is a mate."""
    if score.centipawns is not None:
        return score.centipawns
    return DECIDED if score.mate is not None and score.mate > 0 else -DECIDED


def _weight(loss: int, handicap: Handicap) -> float:
    return exp(-max(loss, 0) / handicap.temperature) if loss <= handicap.largest_loss else 0.0
