"""How much better the moves of some engines are than those of the first one, by the scores of a judge."""

import math
import statistics
from collections.abc import Callable, Sequence
from typing import NamedTuple

from bluekrait.tools.choices.asking import MATE, Answer, Question
from bluekrait.tools.common.errors import CommandError
from bluekrait.tools.match.setup.engine_spec import EngineSpec
from bluekrait.tools.statistics.pentanomial import TWO_SIDED_95

CURVE = 300.0  # centipawns ahead with which ten of eleven points are expected
WON, DRAWN = 1.0, 0.5

Ask = Callable[[EngineSpec, Sequence[Question]], Sequence[Answer]]


class Verdict(NamedTuple):
    """What the moves of an engine are worth against those of the first one."""

    name: str
    differing: int  # positions in which it chose another move
    gain: float  # points a move, the mean of all positions
    error: float  # of the gain, 95 %


def compare(engines: Sequence[EngineSpec], judge: EngineSpec, fens: Sequence[str], ask: Ask) -> list[Verdict]:
    """Let all engines choose a move in each position, and the judge score those moves that differ."""
    chosen = [[answer.move for answer in ask(engine, [Question(fen) for fen in fens])] for engine in engines]
    first, *others = chosen
    differing = {
        Question(fen, move)
        for other in others
        for fen, *both in zip(fens, first, other)
        if both[0] != both[1]
        for move in both
    }
    worth = scored(sorted(differing), judge, ask)
    verdicts = []
    for engine, other in zip(engines[1:], others):
        pairs = [(Question(fen, one), Question(fen, two)) for fen, one, two in zip(fens, first, other)]
        gains = [0.0 if one == two else worth[two] - worth[one] for one, two in pairs]
        differ = sum(one != two for one, two in pairs)
        verdicts.append(Verdict(engine.name, differ, *mean_and_error(gains)))
    return verdicts


def scored(questions: Sequence[Question], judge: EngineSpec, ask: Ask) -> dict[Question, float]:
    """The points that the side which makes the move of each question may expect.

    CommandError if the judge tells no score.
    """
    ended = {question: outcome(question) for question in questions}
    worth = {question: points for question, points in ended.items() if points is not None}
    going_on = [question for question in questions if question not in worth]
    for question, reply in zip(going_on, ask(judge, going_on)):
        if reply.score is None:
            raise CommandError(f"{judge.name} tells no score in {question.board().fen()}")
        worth[question] = expectation(reply.score)
    return worth


def outcome(question: Question) -> float | None:
    """The points of the side that made the move, if that ended the game."""
    board = question.board()
    if board.is_checkmate():
        return WON
    return None if any(board.legal_moves) else DRAWN


def expectation(score: int) -> float:
    """The points that the side which made the move may expect, by the score of the opponent's reply."""
    return 1 / (1 + 10 ** (max(-MATE, min(MATE, score)) / CURVE))


def mean_and_error(gains: Sequence[float]) -> tuple[float, float]:
    """The mean of some gains, and its error."""
    spread = statistics.stdev(gains) if len(gains) > 1 else math.inf
    return statistics.mean(gains), TWO_SIDED_95 * spread / math.sqrt(len(gains))
