"""What a search reports: records, which a front end puts into words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from bluekrait.core.move import NO_MOVE

EXACT, LOWER_BOUND, UPPER_BOUND = "exact", "lowerbound", "upperbound"


class Score(NamedTuple):
    """How good a position is for the side to move: one of the two is None."""

    centipawns: int | None
    mate: int | None  # in so many moves, negative if one is being mated; 0 if one is mated

    def __str__(self) -> str:
        if self.mate is not None:
            return f"#{self.mate}"
        return f"{(self.centipawns or 0) / 100:+.2f}"


class Line(NamedTuple):
    """The best way to go on that was found so far, or one of several."""

    depth: int
    selective_depth: int
    rank: int  # 1 for the best line
    score: Score
    bound: str  # EXACT, or on which side of the score the truth lies
    win_draw_loss: tuple[int, int, int]  # chances in a thousand
    nodes: int
    seconds: float
    hash_permille: int
    tablebase_hits: int
    moves: list[int]  # packed, each as its mover sees it

    def as_of(self, later: Line) -> Line:
        """The same line, told when as much is searched as for a later one."""
        return self._replace(
            nodes=later.nodes,
            seconds=later.seconds,
            hash_permille=later.hash_permille,
            tablebase_hits=later.tablebase_hits,
        )


def led_by(better: Line, lines: list[Line]) -> list[Line]:
    """As many lines, with a better one in front, and without the old line of its move.

    All of them tell how much was searched until the better one was found.
    """
    others = [line for line in lines if line.moves[0] != better.moves[0]]
    ranked = enumerate([better, *others][: len(lines)], 1)
    return [line._replace(rank=rank).as_of(better) for rank, line in ranked]


class CurrentMove(NamedTuple):
    """The root move that is being looked at."""

    depth: int
    move: int
    number: int  # 1 for the first


class Choice(NamedTuple):
    """What a search ends with; NO_MOVE where there is nothing to play."""

    move: int
    ponder_move: int
    lines: list[Line]  # the last complete set of `Line`s, best first


def choice_of(moves: Sequence[int], lines: list[Line]) -> Choice:
    """The choice of the first of some moves, with the second as the reply to ponder on."""
    return Choice(moves[0], moves[1] if len(moves) > 1 else NO_MOVE, lines)


OnLine = Callable[[Line], None]  # is told of each line that is found
OnCurrentMove = Callable[[CurrentMove], None]  # is told which root move is being searched
OnStart = Callable[[], None]  # is called as soon as the search can be stopped
