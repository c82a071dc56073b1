"""Play several games at a time: one process for each game and its two engines, on processors of its own.

So no game waits for another game's messages, and every move is timed in its own process.
"""

import asyncio
import contextlib
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from bluekrait.tools.cluster.terminal_signals import terminal_signals_blocked
from bluekrait.tools.common.errors import CommandError
from bluekrait.tools.match.results.finished_games import FinishedGame
from bluekrait.tools.match.runner.game_play import GamePlayer
from bluekrait.tools.match.runner.processes import end_with_parent, set_affinity
from bluekrait.tools.match.setup.contest import ScheduledGame

ATTEMPTS = 3  # to play a game whose process dies
EXIT_SECONDS = 5.0  # for a process to end its engines
GAME, ERROR = "game", "error"  # the kinds of message that a process sends

OnStart = Callable[[ScheduledGame], object]


def play_games(
    schedule: Iterable[ScheduledGame],
    concurrency: int = 1,
    cpus: Sequence[set[int]] | None = None,
    on_start: OnStart | None = None,
) -> Generator[FinishedGame, None, None]:
    """Play games, `concurrency` at a time, and yield each when it is finished.

    `cpus` has a set of processors for each process; `on_start` is called for every game that starts. To stop,
    close the generator: unfinished games are dropped. RuntimeError if an engine does not start.
    """
    waiting = iter(schedule)
    processes = [_GameProcess(cpus[index] if cpus else None) for index in range(concurrency)]
    try:
        busy: dict[Connection, _GameProcess] = {}
        for process in processes:
            _start_next(process, waiting, busy, on_start)
        while busy:
            ready = wait(list(busy))
            for connection in [each for each in busy if each in ready]:
                process = busy.pop(connection)
                game = process.result()
                if game is None:  # the process died and was replaced: it plays the game again
                    busy[process.connection] = process
                    continue
                _start_next(process, waiting, busy, on_start)
                yield game
    finally:
        for process in processes:
            process.close()


def _start_next(
    process: "_GameProcess",
    waiting: Iterator[ScheduledGame],
    busy: "dict[Connection, _GameProcess]",
    on_start: OnStart | None,
) -> None:
    """Give a process the next game, if there is one."""
    scheduled = next(waiting, None)
    if scheduled is None:
        process.send_end()
        return
    process.start_game(scheduled)
    busy[process.connection] = process
    if on_start:
        on_start(scheduled)


class _GameProcess:
    """A process that plays one game at a time."""

    connection: Connection

    def __init__(self, cpus: set[int] | None) -> None:
        self._cpus = cpus
        self._process: SpawnProcess | None = None
        self._scheduled: ScheduledGame | None = None
        self._attempts = 0

    def start_game(self, scheduled: ScheduledGame) -> None:
        """Start a game."""
        self._scheduled, self._attempts = scheduled, 1
        if self._process is None:
            self._start()
        self._send(scheduled)

    def result(self) -> FinishedGame | None:
        """The finished game; None if it has to be played again. RuntimeError if the process failed."""
        assert self._scheduled is not None
        try:
            kind, value = self.connection.recv()
        except (EOFError, OSError):
            kind, value = "died", f"the process of game {self._scheduled.round_text} died"
        if kind == GAME:
            assert isinstance(value, FinishedGame)
            self._scheduled = None
            return value
        if kind == ERROR or self._attempts == ATTEMPTS:
            raise RuntimeError(value)
        self._attempts += 1
        self.close()
        self._start()
        self._send(self._scheduled)
        return None

    def _start(self) -> None:
        context = get_context("spawn")
        self.connection, child_end = context.Pipe()
        process = context.Process(target=_run_process, args=(child_end, self._cpus), daemon=True)
        with terminal_signals_blocked():
            process.start()
            self._process = process
        child_end.close()

    def _send(self, scheduled: ScheduledGame | None) -> None:
        with contextlib.suppress(OSError):  # the process is dead: `result` notices
            self.connection.send(scheduled)

    def send_end(self) -> None:
        """Tell the process that there are no more games."""
        if self._process is not None:
            self._send(None)

    def close(self) -> None:
        """End the process and its engines, whatever it is doing."""
        if self._process is None:
            return
        self.send_end()
        self._process.join(0 if self._scheduled else EXIT_SECONDS)
        self._process.terminate()
        self._process.join(EXIT_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self.connection.close()
        self._process = None


def _run_process(connection: Connection, cpus: set[int] | None) -> None:
    """Play the games that arrive through the connection, until None arrives."""
    end_with_parent()
    set_affinity(cpus)
    try:
        asyncio.run(_play_received(connection))
    except (EOFError, OSError):  # the parent is gone
        return
    except Exception as error:
        with contextlib.suppress(OSError):
            connection.send((ERROR, _described(error)))


def _described(error: Exception) -> str:
    """An error in one line. What is not meant for users tells where it was raised."""
    if isinstance(error, CommandError):
        return str(error)
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({place.filename}:{place.lineno})"


async def _play_received(connection: Connection) -> None:
    player = GamePlayer()
    try:
        while (scheduled := connection.recv()) is not None:
            connection.send((GAME, await player.play(scheduled)))
    finally:
        await player.close()
