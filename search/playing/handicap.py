"""Playing weakly in a human way.

A weak player sees less and makes do with less than the best move. So a handicap is, first, a limit on the
nodes: deep tactics are overlooked, shallow ones are not. And second, any of the best few moves that are found
may be played, the better its score the more often. A move whose score is much worse is never played, and if
a mate was found, nothing else is.

The constants were fitted in games of network 13 against Stockfish 15.1 at its own UCI_Elo, stopped at the
depth where it chooses its move. 1400 was measured there as 1404, 1600 as 1607, 1800 as 1833 and 2000 as 1988,
each with an error of 21 (1 000 games, the last 800), and 2400, with an earlier search and more nodes, as 2438
with one of 70 (82 games). Stockfish 15.1 has no level below 1350. So the lower ones played against each
other, in earlier games: 1400 was 164 Elo stronger than 1200, 1200 by 207 than 1000, and 1000 by 197 than 800,
each with an error of 38 (400 games). A new scale of the centipawns that are shown asks for new constants.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, exp
from random import Random
from typing import NamedTuple

from bluekrait.search.reports import Line, Score

LOWEST_ELO, HIGHEST_ELO = 800, 2800
HIGHEST_SKILL = 20  # full strength; all levels below it are handicaps

MIDDLE_ELO, MIDDLE_NODES = 1600, 300
ELO_PER_DOUBLING_BELOW = 1000  # of the nodes: the weaker levels differ most by their choice
ELO_PER_DOUBLING_ABOVE = 100

ELO_PER_LINE = 400  # below the highest, for one more move to choose from
BEGINNER_ELO, ELO_PER_BEGINNERS_LINE = 1400, 150  # below it, for one more again
HIGHEST_TEMPERATURE = 450.0  # a move that looks worse by so many centipawns is played 2.7 times less often
LARGEST_LOSS = 320  # centipawns that the weakest level may give away knowingly
SHOWN_LINES_POWER = 0.75  # twice as many lines need 1.7 times as many nodes to be searched as deep

DECIDED = 100_000  # a mate in centipawns


class Handicap(NamedTuple):
    """How weakly to play."""

    nodes: int
    lines: int  # moves to choose from
    temperature: float
    largest_loss: float


def handicap_of(elo: int) -> Handicap:
    """The handicap for a strength."""
    elo = min(max(elo, LOWEST_ELO), HIGHEST_ELO)
    missing = (HIGHEST_ELO - elo) / (HIGHEST_ELO - LOWEST_ELO)
    above = elo - MIDDLE_ELO
    nodes = MIDDLE_NODES * 2 ** (above / (ELO_PER_DOUBLING_BELOW if above < 0 else ELO_PER_DOUBLING_ABOVE))
    beginners_lines = max(BEGINNER_ELO - elo, 0) // ELO_PER_BEGINNERS_LINE
    lines = 1 + ceil((HIGHEST_ELO - elo) / ELO_PER_LINE) + beginners_lines
    return Handicap(int(nodes), lines, HIGHEST_TEMPERATURE * missing**3, LARGEST_LOSS * missing)


def nodes_for(handicap: Handicap, lines: int) -> int:
    """How many nodes to search if so many lines are shown.

    Those beyond what the handicap chooses from would leave it less to search, and it would play worse.
    """
    return int(handicap.nodes * max(1.0, lines / handicap.lines) ** SHOWN_LINES_POWER)


def elo_of_skill(level: int) -> int:
    """The strength of a skill level below the highest."""
    return LOWEST_ELO + (HIGHEST_ELO - LOWEST_ELO) * level // (HIGHEST_SKILL - 1)


def choose_line(lines: Sequence[Line], handicap: Handicap, random: Random) -> Line:
    """One of the lines, of which the first is the best."""
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
    """How often to choose a line. A better score than the best is an old one, and refuted since."""
    return exp(-loss / handicap.temperature) if 0 <= loss <= handicap.largest_loss else 0.0
