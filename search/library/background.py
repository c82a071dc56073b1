"""Searches that run in the background, while the program looks at what they have found so far."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from functools import partial
from math import inf
from queue import Empty, SimpleQueue
from threading import RLock, Thread
from typing import TYPE_CHECKING

from bluekrait.core.timer import LONGEST_WAIT, monotonic
from bluekrait.search.library.results import Line, Result

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Generator, Iterator
    from typing import Any, NoReturn, TypeAlias

    from bluekrait.search import reports
    from bluekrait.search.library.position import Position

    OnEnd: TypeAlias = Callable[[], None]
    Work: TypeAlias = Callable[[reports.OnLine, reports.OnStart, OnEnd], reports.Choice]
    Waker: TypeAlias = Callable[[], object]


class Search:
    """A search that runs in the background: `Engine.analyse` and `Engine.play` return one.

    It can be used in four ways, and in several at once:

    * `for line in search`: each line as soon as it is found. Leaving the loop stops the search.
    * `async for line in search`, and `await search` for the result: the same without blocking the event loop.
    * `search.result()`: wait for the end.
    * `search.lines`: the best lines at this moment, for a program that looks now and then.

    Examples:
        >>> from bluekrait import Engine
        >>> with Engine() as engine:
        ...     for line in engine.analyse("8/8/8/8/8/4k3/7q/4K3 b - - 0 1"):
        ...         if line.score.mate:
        ...             break
        >>> line.san
        '1... Qg1#'
    """

    def __init__(
        self,
        position: Position,
        work: Work,
        stop: Callable[[], None],
        check_wait: Callable[[Search], None],
        owner: object,
    ) -> None:
        self.position = position
        """The position that is searched."""
        self._run = _Run(position, work, stop)
        self._check_wait = check_wait  # raises an error if waiting for a turn would never end
        self._owner = owner  # the engine: it must not be closed while somebody waits for the search
        Thread(target=self._run.run, daemon=True, name="bluekrait search").start()

    def stop(self) -> None:
        """End the search. What it has found remains, and `result` returns it."""
        self._run.stop()

    @property
    def is_stopped(self) -> bool:
        """True if `stop` was called: it ends soon, or has ended."""
        return self._run.is_stopped

    @property
    def is_running(self) -> bool:
        """False as soon as the result is there."""
        return not self._run.is_done

    @property
    def lines(self) -> tuple[Line, ...]:
        """The best lines found so far, the best first."""
        return tuple(self._run.best[rank] for rank in sorted(self._run.best))

    def result(self, timeout: float | None = None) -> Result:
        """Wait for the end of the search; its result. TimeoutError after so many seconds, and it goes on."""
        if timeout is None:
            self._check_turn()
        return self._run.wait(timeout)

    def _check_turn(self) -> None:
        """EngineBusy if it waits for its turn, and this thread would have to stop another search first.

        A task of an event loop that waits does not block the thread, so nothing is checked there.
        """
        if not self._run.had_turn:
            self._check_wait(self)

    # These keep a reference to the search while they are iterated: `for line in engine.analyse(position)`.

    def __iter__(self) -> Iterator[Line]:
        try:
            self._check_turn()
            yield from self._run.follow()
        finally:
            self.stop()

    async def __aiter__(self) -> AsyncIterator[Line]:
        try:
            async for line in self._run.follow_async():
                yield line
        finally:
            self.stop()

    def __await__(self) -> Generator[Any, None, Result]:
        return self._wait().__await__()

    async def _wait(self) -> Result:
        """Wait for the result; stop the search if the task is cancelled."""
        async for _ in self:
            pass
        return self._run.result()

    def __enter__(self) -> Search:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()
        self._check_turn()
        self._run.finish()

    async def __aenter__(self) -> Search:
        return self

    async def __aexit__(self, *error: object) -> None:
        self.stop()
        with suppress(Exception):  # it was raised before, or nobody has asked for it
            await self

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Search cannot be copied or pickled: its `result()` can")

    def __del__(self) -> None:
        self._run.stop()

    def __repr__(self) -> str:
        best = self._run.best.get(1)
        state = "running" if self.is_running else "done"
        return f"<Search: {state}, {best}>"


class _Run:
    """What the thread of a search knows. It does not know the `Search`: if that is dropped, it is stopped."""

    def __init__(self, position: Position, work: Work, stop: Callable[[], None]) -> None:
        self.best: dict[int, Line] = {}  # by rank
        self.is_done = False
        self._position, self._work, self._stop_engine = position, work, stop
        self._lines: list[Line] = []
        self._lock = RLock()  # no Condition: Ctrl-C at the wrong moment would leave that locked for ever
        self._wakers: list[Waker] = []  # one for each who waits for news
        self.is_stopped = self._is_in_engine = False
        self.had_turn = False  # it is in the engine, or was
        self._choice: reports.Choice | None = None
        self._error: BaseException | None = None

    # The thread of the search.

    def run(self) -> None:
        """Search, and tell everybody who waits."""
        try:
            self._choice = self._work(self._add, self._start, self._end)
        except BaseException as error:
            self._error = error
        with self._lock:
            self.is_done = True
            self._wake()

    def _start(self) -> None:
        with self._lock:
            self._is_in_engine = self.had_turn = True
            if self.is_stopped:
                self._stop_engine()

    def _end(self) -> None:
        with self._lock:  # after this, `stop` must not reach the engine: it may be at another search
            self._is_in_engine, self.had_turn = False, True

    def _add(self, report: reports.Line) -> None:
        line = Line(report, self._position)
        with self._lock:
            self._lines.append(line)
            self.best = {**self.best, line.rank: line}
            self._wake()

    def _wake(self) -> None:
        for waker in self._wakers:
            with suppress(RuntimeError):  # the event loop is closed
                waker()

    # Every other thread.

    def stop(self) -> None:
        """Stop the search, now or as soon as it begins."""
        with self._lock:
            if self._is_in_engine and not self.is_stopped:
                self._stop_engine()
            self.is_stopped = True

    def finish(self) -> None:
        """Wait for the end."""
        self._wait_until(lambda: self.is_done)

    def wait(self, timeout: float | None) -> Result:
        """Wait for the result."""
        if not self._wait_until(lambda: self.is_done, timeout):
            raise TimeoutError(f"the search goes on after {timeout} seconds")
        return self.result()

    def _wait_until(self, condition: Callable[[], bool], timeout: float | None = None) -> bool:
        """Wait until a condition holds; False if it does not after so many seconds."""
        end = inf if timeout is None else monotonic() + timeout
        news: SimpleQueue[None] = SimpleQueue()
        with self._news_for(partial(news.put, None)):
            while not condition():
                left = end - monotonic()
                if not left > 0:  # also of no number, NaN, which would never be reached
                    return False
                with suppress(Empty):
                    news.get(timeout=min(LONGEST_WAIT, left))
        return True

    @contextmanager
    def _news_for(self, waker: Waker) -> Iterator[None]:
        """A block in which somebody is woken whenever there is something new."""
        with self._lock:
            self._wakers.append(waker)
        try:
            yield
        finally:
            with self._lock:
                self._wakers.remove(waker)

    def follow(self) -> Iterator[Line]:
        """Yield all lines, each as soon as it is there."""
        place = 0
        while (line := self._line_at(place)) is not None:
            place += 1
            yield line
        self.result()

    def _line_at(self, place: int) -> Line | None:
        """Wait for a line; None if there will be no more."""
        self._wait_until(lambda: len(self._lines) > place or self.is_done)
        return self._lines[place] if len(self._lines) > place else None

    async def follow_async(self) -> AsyncIterator[Line]:
        """The same in an event loop."""
        import asyncio  # takes longer than everything else that the library imports

        event, place = asyncio.Event(), 0
        with self._news_for(partial(asyncio.get_running_loop().call_soon_threadsafe, event.set)):
            while True:
                event.clear()
                is_done = self.is_done  # first: lines may come between the two questions
                while place < len(self._lines):
                    place += 1
                    yield self._lines[place - 1]
                if is_done:
                    break
                await event.wait()
        self.result()

    def result(self) -> Result:
        """The result, once it is there; the error if there is one."""
        if self._error:
            raise self._error
        assert self._choice is not None
        return Result(self._choice, self._position)
