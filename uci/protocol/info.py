"""How the results of a search are worded in UCI."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bluekrait.core.move import NO_MOVE
from bluekrait.core.notation.san_and_uci import move_to_uci
from bluekrait.search.reports import EXACT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bluekrait.search.reports import CurrentMove, Line, Score

NO_MOVE_TEXT = "(none)"


class Wording:
    """How the moves and scores of one search are written."""

    def __init__(self, turn: int, chess960: bool = False, shows_chances: bool = False) -> None:
        self._turn = turn
        self._chess960 = chess960
        self._shows_chances = shows_chances

    def line(self, line: Line) -> str:
        """An `info` line for one of the best lines."""
        words = [
            f"depth {line.depth} seldepth {line.selective_depth} multipv {line.rank}",
            f"score {score_text(line.score)}",
            *([line.bound] if line.bound != EXACT else []),
            *(["wdl {} {} {}".format(*line.win_draw_loss)] if self._shows_chances else []),
            f"nodes {line.nodes} nps {per_second(line.nodes, line.seconds)} hashfull {line.hash_permille}",
            f"tbhits {line.tablebase_hits} time {milliseconds(line.seconds)}",
            *(["pv", *self._moves(line.moves)] if line.moves else []),
        ]
        return "info " + " ".join(words)

    def current_move(self, current: CurrentMove) -> str:
        """An `info` line for the root move that is being searched."""
        move = self.move(current.move)
        return f"info depth {current.depth} currmove {move} currmovenumber {current.number}"

    def best_move(self, move: int, reply: int = NO_MOVE) -> str:
        """The `bestmove` line; the reply is the move to ponder on, if any."""
        if move == NO_MOVE:
            return f"bestmove {NO_MOVE_TEXT}"
        expected = [] if reply == NO_MOVE else ["ponder", *self._moves([move, reply])[1:]]
        return " ".join(["bestmove", self.move(move), *expected])

    def move(self, move: int) -> str:
        """A move of the side to move."""
        return move_to_uci(move, self._turn, self._chess960)

    def _moves(self, moves: Iterable[int]) -> list[str]:
        """A sequence of moves; the sides take turns."""
        return [move_to_uci(move, self._turn ^ ply & 1, self._chess960) for ply, move in enumerate(moves)]


def score_text(score: Score) -> str:
    """A score for the side to move."""
    return f"mate {score.mate}" if score.mate is not None else f"cp {score.centipawns}"


def per_second(nodes: int, seconds: float) -> int:
    """Nodes per second; a time below a millisecond counts as a millisecond."""
    return int(nodes / max(seconds, 0.001))


def milliseconds(seconds: float) -> int:
    """Whole milliseconds."""
    return int(1000 * seconds)
