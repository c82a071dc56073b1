"""The part of an analysis that workers do: search the positions of a stretch of a game.

The result depends on the arguments alone, so it does not matter where and in which order stretches are done.
"""

import threading
from collections.abc import Sequence
from typing import NamedTuple

from bluekrait.search.library.engine import Engine
from bluekrait.search.library.position import Outcome, Position

STRETCH = 20  # half-moves in a unit of work, so that a single game keeps several processors busy
CLAIMED = ("repetition", "fifty moves")  # draws after which a game may have gone on
LONGEST_LINE = 10  # half-moves of a better line


class Limit(NamedTuple):
    """How long to search each position; one of the three."""

    nodes: int | None = None
    seconds: float | None = None
    depth: int | None = None


class Judged(NamedTuple):
    """A position, as the engine sees it. Scores and chances are White's."""

    centipawns: int | None
    mate: int | None  # in so many moves; 0 if the side to move is mated
    chance: float
    depth: int
    line: list[str]  # the best moves from here, in UCI notation


class Stretch(NamedTuple):
    """Some positions of a game to be judged: those before the moves `first` to `last` - 1."""

    fen: str  # in which the game began
    chess960: bool
    moves: tuple[str, ...]  # of the whole game
    first: int
    last: int


_here = threading.local()  # a Dask worker may have several threads


def fresh_engine() -> Engine:
    """The engine of this thread, which has forgotten what it searched before."""
    if not hasattr(_here, "engine"):
        _here.engine = Engine()
    engine: Engine = _here.engine
    engine.new_game()
    return engine


def judge_stretch(number: int, stretch: Stretch, limit: Limit) -> tuple[int, int, list[Judged]]:
    """Judge the positions of a stretch of game `number`; the number and the first place come back, too.

    The last position comes first: what is found there is in the transposition table for those before.
    """
    engine = fresh_engine()
    position = Position(stretch.fen, stretch.moves[: stretch.first], chess960=stretch.chess960)
    positions = [position]
    for move in stretch.moves[stretch.first : stretch.last - 1]:
        position = position.play(move)
        positions.append(position)
    judged = [judge(engine, position, limit) for position in reversed(positions)]
    return number, stretch.first, judged[::-1]


def final_outcome(position: Position) -> Outcome | None:
    """How the game has ended for certain; None where it goes on, or may have gone on."""
    outcome = position.outcome
    return None if outcome and outcome.reason in CLAIMED else outcome


def judge(engine: Engine, position: Position, limit: Limit) -> Judged:
    """Judge one position."""
    if outcome := final_outcome(position):
        chance = {"1-0": 1.0, "0-1": 0.0}.get(outcome.result, 0.5)
        is_mate = outcome.reason == "checkmate"
        return Judged(None if is_mate else 0, 0 if is_mate else None, chance, 0, [])
    line = engine.search(position, nodes=limit.nodes, seconds=limit.seconds, depth=limit.depth).line
    chance = line.chances.expectation
    white_chance = chance if position.turn == "white" else 1 - chance
    moves: Sequence[str] = line.moves[:LONGEST_LINE]
    return Judged(*line.white_score, round(white_chance, 4), line.depth, list(map(str, moves)))


def stretches(fen: str, chess960: bool, moves: Sequence[str]) -> list[Stretch]:
    """The stretches of a game; the position after its last move is part of the last one."""
    places = range(0, len(moves) + 1, STRETCH)
    ends = [*places[1:], len(moves) + 1]
    return [Stretch(fen, chess960, tuple(moves), first, last) for first, last in zip(places, ends)]
