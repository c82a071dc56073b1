"""Which of several threads chooses the move at the end of a search: they vote.

A vote weighs more if the thread has searched deeper, and the higher its score is above the lowest of all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bluekrait.search.scores import is_decided

if TYPE_CHECKING:
    from collections.abc import Sequence

LEAST_WEIGHT = 14  # centipawns: the vote with the lowest score counts, too


class Vote(NamedTuple):
    """What a thread found: its best move, and the depth of its last complete iteration."""

    move: int
    score: int
    depth: int


def elected(votes: Sequence[Vote]) -> int:
    """The place of the vote to follow: the first one if it is for the move that is chosen."""
    best = max(votes, key=lambda vote: vote.score)
    if is_decided(best.score):  # the shortest way to win; or the longest, if all are lost
        return votes.index(best)
    lowest = min(vote.score for vote in votes)
    weights: dict[int, int] = {}
    for vote in votes:
        weights[vote.move] = weights.get(vote.move, 0) + (vote.score - lowest + LEAST_WEIGHT) * vote.depth
    chosen = max(weights, key=lambda move: weights[move])
    if votes[0].move == chosen:
        return 0
    return votes.index(max((vote for vote in votes if vote.move == chosen), key=lambda vote: vote.depth))
