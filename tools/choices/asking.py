"""Ask an engine about many positions, several processes of it at a time."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import chess
import chess.engine

from bluekrait.tools.common.errors import CommandError
from bluekrait.tools.match.runner.engine_process import (
    EngineFailure,
    EngineMove,
    EngineProcess,
    limit_without_clock,
)
from bluekrait.tools.match.setup.engine_spec import EngineSpec

MATE = 10_000  # centipawns: the score of a mate


class Question(NamedTuple):
    """A position, and a move that is made there before the engine is asked ("" for none)."""

    fen: str
    move: str = ""

    def board(self) -> chess.Board:
        """The board that the engine sees."""
        board = chess.Board(self.fen, chess960=True)
        board.chess960 = board.has_chess960_castling_rights()
        if self.move:
            board.push_uci(self.move)
        return board


class Answer(NamedTuple):
    """The move that an engine chose, and its score for the side to move; None if it told none."""

    move: str
    score: int | None


Keep = Callable[[Question, Answer], None]


def ask(engine: EngineSpec, questions: Iterable[Question], processes: int, keep: Keep) -> None:
    """Ask all questions; `keep` is called with each answer. CommandError if the engine fails."""
    asyncio.run(_ask(engine, iter(questions), processes, keep))


async def _ask(engine: EngineSpec, questions: Iterator[Question], processes: int, keep: Keep) -> None:
    tasks = [asyncio.ensure_future(_one_process(engine, questions, keep)) for _ in range(processes)]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _one_process(engine: EngineSpec, questions: Iterator[Question], keep: Keep) -> None:
    """Ask one question after the other, each as the beginning of a new game: no answer helps another."""
    process, fen = EngineProcess(engine), ""
    limit = limit_without_clock(engine.time)
    try:
        await process.start()
        for question in questions:
            fen = question.fen
            keep(question, answer_of(await process.move(question.board(), limit, object())))
    except EngineFailure as failure:
        where = f" in {fen}" if fen else ""
        raise CommandError(f"{engine.name}{failure.reason}{where}") from None
    finally:
        await process.end()


def answer_of(move: EngineMove) -> Answer:
    """The part of an engine's answer that is kept."""
    return Answer(move.move.uci(), move.score.relative.score(mate_score=MATE) if move.score else None)
