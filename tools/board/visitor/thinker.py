"""What the engine of a visitor does: one thing at a time, until the next message."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeAlias

from bluekrait.search.library.background import Search
from bluekrait.search.library.engine import Engine
from bluekrait.search.library.position import Move, Position
from bluekrait.tools.analyst.game_search import final_outcome
from bluekrait.tools.board.game.clocks import Limit
from bluekrait.tools.board.messages import views
from bluekrait.tools.board.visitor.engines import Engines, NoEngineFree

LONGEST_ANALYSIS = 600.0  # seconds for one position
PAUSE = 0.08  # seconds between two looks at the lines of a search

Say: TypeAlias = Callable[[dict[str, Any]], Awaitable[None]]


class Thinker:
    """Chooses moves and analyses for one visitor.

    `waits` is called when an engine has to be waited for, and again when there is one.
    """

    def __init__(
        self, visitor: str, engines: Engines, say: Say, waits: Callable[[], Awaitable[None]]
    ) -> None:
        self._visitor, self._engines, self._say, self._waits = visitor, engines, say, waits
        self.is_waiting = False  # for an engine: all are at work for others
        self._task: asyncio.Task[None] | None = None
        self._search: Search | None = None
        self._is_hurried = False

    @property
    def is_busy(self) -> bool:
        """True while it chooses a move or analyses."""
        return self._task is not None and not self._task.done()

    async def stop(self) -> None:
        """End what it does, and wait for that. A move that was not played yet is not played."""
        task, self._task = self._task, None
        if task:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    def hurry(self) -> None:
        """Let it move at once, with the best move so far."""
        self._is_hurried = True  # for a search that is just about to begin
        if self._search:
            self._search.stop()

    async def rest(self) -> None:
        """Stop, and give the engine back."""
        await self.stop()
        self._engines.release(self._visitor)

    def begin_move(
        self,
        position: Position,
        elo: int | None,
        limit: Callable[[], Limit],
        play: Callable[[Move], Awaitable[None]],
    ) -> None:
        """Begin to choose a move; `play` is called with it. `limit` is asked when there is an engine."""

        async def choose(engine: Engine) -> Move | None:
            engine.options.elo = elo
            if elo:
                engine.new_game()  # a weak player does not know what the analysis has found
            async with engine.play(position, **limit()._asdict()) as self._search:
                if self._is_hurried:
                    self._search.stop()
                return (await self._search).move

        self._is_hurried = False
        self._task = asyncio.create_task(self._run(choose, play))

    def begin_analysis(self, position: Position, lines: int, with_terms: bool) -> None:
        """Begin to analyse a position: first its evaluation by term if it is wanted, then lines, if any."""

        async def analyse(engine: Engine) -> None:
            if with_terms:
                await self._say(views.evaluation_view(engine.evaluate(position), position))
            if lines and not final_outcome(position):
                async with engine.analyse(position, seconds=LONGEST_ANALYSIS, multi_pv=lines) as search:
                    await self._follow(search)

        self._task = asyncio.create_task(self._run(analyse))

    async def _follow(self, search: Search) -> None:
        """Tell the lines of a search as they grow."""
        told = None
        is_running = True
        while is_running:
            is_running = search.is_running
            lines = search.lines
            if lines and (lines != told or not is_running):
                await self._say(views.lines_view(lines, is_running))
                told = lines
            await asyncio.sleep(PAUSE if told else PAUSE / 4)

    async def _run(
        self,
        work: Callable[[Engine], Coroutine[Any, Any, Move | None]],
        play: Callable[[Move], Awaitable[None]] | None = None,
    ) -> None:
        try:
            engine = await self._begin_work()
            try:
                await self._set_waiting(False)
                move = await work(engine)
            finally:
                self._search = None
                self._engines.end_work(self._visitor)
        except Exception as error:  # whatever it is, the page must know why nothing happens
            await self._say(views.notice(str(error) or f"the engine has failed: {type(error).__name__}"))
            return
        finally:
            self.is_waiting = False
        if play and move:
            self._task = None  # what follows may begin something else
            await play(move)

    async def _begin_work(self) -> Engine:
        """The engine of the visitor, as soon as one is free."""
        while True:
            try:
                return await self._engines.begin_work(self._visitor)
            except NoEngineFree:
                await self._set_waiting(True)
                await self._engines.until_one_rests()

    async def _set_waiting(self, is_waiting: bool) -> None:
        if is_waiting != self.is_waiting:
            self.is_waiting = is_waiting
            await self._waits()
