"""Play one game, from its opening to its result."""

import asyncio
import gc
from time import perf_counter

import chess
import chess.engine

from bluekrait.tools.match.results.finished_games import (
    TIME_FORFEIT,
    FinishedGame,
    GameResult,
    finished_game,
    lost_by,
    now,
)
from bluekrait.tools.match.runner.engine_process import (
    EngineFailure,
    EngineMove,
    EngineProcess,
    StartFailure,
    limit_of,
)
from bluekrait.tools.match.runner.referee import Referee
from bluekrait.tools.match.setup.contest import ScheduledGame
from bluekrait.tools.match.setup.engine_spec import EngineSpec
from bluekrait.tools.match.setup.time_control import SideClock

START_ATTEMPTS = 3
RETRY_SECONDS = 1.0  # between two of them: a new build may just be replacing the engine


class GamePlayer:
    """Plays games one after the other. Engines that also play the next game keep running."""

    def __init__(self) -> None:
        self._engines: dict[EngineSpec, EngineProcess] = {}
        self._restarted: list[str] = []  # for this game, since they had ended by themselves

    async def play(self, scheduled: ScheduledGame) -> FinishedGame:
        """Play a game. StartFailure if an engine does not start: no result would tell about its play."""
        started, start = now(), perf_counter()
        board = scheduled.opening.board(scheduled.chess960)
        comments: list[str] = []
        self._restarted.clear()
        gc.disable()  # a collection would be charged to the side to move
        try:
            result = await self._result(scheduled, board, comments)
        finally:
            gc.enable()
        seconds = perf_counter() - start
        return finished_game(scheduled, board, comments, result, started, seconds, self._restarted)

    async def _result(self, scheduled: ScheduledGame, board: chess.Board, comments: list[str]) -> GameResult:
        """Start the engines and play on the board until the game ends."""
        await self._end_all_but(scheduled)
        engines = {
            chess.WHITE: await self._running(scheduled.white),
            chess.BLACK: await self._running(scheduled.black),
        }
        return await self._play_on(scheduled, board, comments, engines)

    async def _play_on(
        self,
        scheduled: ScheduledGame,
        board: chess.Board,
        comments: list[str],
        engines: dict[chess.Color, EngineProcess],
    ) -> GameResult:
        clocks = {colour: SideClock(engine.spec.time) for colour, engine in engines.items()}
        referee, game_id = Referee(scheduled.rules), object()
        if result := referee.by_rules(board):
            return result
        while True:
            mover = board.turn
            engine, clock = engines[mover], clocks[mover]
            try:
                answer = await engine.move(board, limit_of(scheduled, clocks, mover), game_id)
            except EngineFailure as failure:
                await self._end(engine)
                return lost_by(mover, failure.termination, failure.reason)
            board.push(answer.move)
            comments.append(comment_of(answer, mover))
            overrun = clock.overrun(answer.seconds)
            if overrun:
                return lost_by(mover, TIME_FORFEIT, f" loses on time ({overrun * 1000:.0f}ms overrun)")
            clock.spend(answer.seconds)
            result = (
                referee.by_rules(board)
                or referee.by_tablebases(board)
                or referee.by_scores(board, answer.score)
            )
            if result:
                return result

    async def _running(self, spec: EngineSpec) -> EngineProcess:
        """The process of an engine, started if it is not running or must not play another game."""
        engine = self._engines.get(spec)
        if engine is not None and not engine.is_reusable:
            await self._end(engine, send_quit=True)
            engine = None
        elif engine is not None and await engine.has_ended():
            self._restarted.append(spec.name)
            await self._end(engine)
            engine = None
        if engine is None:
            engine = self._engines[spec] = await _started(spec)
        return engine

    async def _end_all_but(self, scheduled: ScheduledGame) -> None:
        for engine in tuple(self._engines.values()):
            if engine.spec not in (scheduled.white, scheduled.black):
                await self._end(engine, send_quit=True)

    async def _end(self, engine: EngineProcess, send_quit: bool = False) -> None:
        self._engines.pop(engine.spec, None)
        await engine.end(send_quit)

    async def close(self) -> None:
        """End all engines."""
        for engine in tuple(self._engines.values()):
            await self._end(engine, send_quit=True)


async def _started(spec: EngineSpec) -> EngineProcess:
    """A process of an engine; StartFailure if none of a few attempts succeeds."""
    attempts_left = START_ATTEMPTS
    while True:
        engine = EngineProcess(spec)
        try:
            await engine.start()
            return engine
        except StartFailure:
            attempts_left -= 1
            if not attempts_left:
                raise
        await asyncio.sleep(RETRY_SECONDS)


def comment_of(answer: EngineMove, mover: chess.Color) -> str:
    """The PGN comment of a move, as fastchess writes it: score, depth, time, nodes, selective depth."""
    counts = [("n", answer.nodes), ("sd", answer.selective_depth)]
    told = [f"{name}={count}" for name, count in counts if count is not None]
    return ", ".join([f"{score_text(answer.score, mover)}/{answer.depth} {answer.seconds:.3f}s", *told])


def score_text(score: chess.engine.PovScore | None, mover: chess.Color) -> str:
    """A score for the side that moved, in pawns, or in plies to mate."""
    if score is None:
        return "0.00"
    own_score = score.pov(mover)
    mate = own_score.mate()
    if mate is not None:
        return f"{'-' if mate < 0 or own_score < chess.engine.Cp(0) else '+'}M{plies_to_mate(mate)}"
    points = own_score.score()
    return f"{points / 100:+.2f}" if points else "0.00"


def plies_to_mate(mate: int) -> int:
    """Plies to mate in `mate` moves, counted before the move of the side that announces it."""
    return 2 * mate - 1 if mate > 0 else -2 * mate
