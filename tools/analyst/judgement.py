"""What a move is worth: winning chances lost, the mark that this earns, and the accuracy of a player.

A chance is what the side to move can expect from the game, from 0 to 1: a win counts one, a draw a half.
"""

from collections.abc import Iterable
from math import exp

BLUNDER, MISTAKE, INACCURACY = "??", "?", "?!"
THRESHOLDS = ((0.30, BLUNDER), (0.16, MISTAKE), (0.08, INACCURACY))  # chances lost, the worst first
NAGS = {MISTAKE: 2, BLUNDER: 4, INACCURACY: 6}

STEEPNESS = 4.0  # of the accuracy: a move that loses 0.17 of the chances is half accurate


def mark_of(loss: float) -> str:
    """The mark of a move that loses so much; empty for a good one."""
    return next((mark for threshold, mark in THRESHOLDS if loss >= threshold), "")


def accuracy(losses: Iterable[float]) -> float | None:
    """How accurate moves were that lost so much, in percent; None if there are none."""
    each = [100 * exp(-STEEPNESS * max(0.0, loss)) for loss in losses]
    return sum(each) / len(each) if each else None
