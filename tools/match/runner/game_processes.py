"""Many games at once: a process for each, with the two engines of its game, on processors of their own.

So no game waits for another's messages, and each one's stopwatch is its own.
"""

import asyncio
import contextlib
import traceback
from multiprocessing import get_context
from multiprocessing.connection import wait

from bluekrait.tools.match.runner.game_play import GamePlayer
from bluekrait.tools.match.runner.processes import end_with_parent, set_affinity, sigint_blocked

ATTEMPTS = 3  # to play a game whose process dies
LEAVING_SECONDS = 5.0  # to end the engines


def play_games(schedule, concurrency=1, cpus=None, on_start=None):
    """Games as they are finished, so many at a time.

    `cpus` has a set of processors for each slot; `on_start` is told of every game that begins. To stop,
    close the generator: games that are not finished are dropped.
    """
    waiting = iter(schedule)
    slots = [_GameProcess(cpus[index] if cpus else None) for index in range(concurrency)]
    try:
        busy = {}
        for slot in slots:
            _give(slot, waiting, busy, on_start)
        while busy:
            for connection in wait(list(busy)):
                slot = busy.pop(connection)
                game = slot.result()
                if game is None:  # its process died: it plays the game again
                    busy[slot.connection] = slot
                    continue
                _give(slot, waiting, busy, on_start)
                yield game
    finally:
        for slot in slots:
            slot.close()


def _give(slot, waiting, busy, on_start):
    """Give a slot the next game, if there is one."""
    scheduled = next(waiting, None)
    if scheduled is None:
        slot.dismiss()
        return
    slot.give(scheduled)
    busy[slot.connection] = slot
    if on_start:
        on_start(scheduled)


class _GameProcess:
    """One process that plays one game at a time."""

    def __init__(self, cpus):
        self._cpus = cpus
        self._process = self.connection = None
        self._fixture, self._attempts = None, 0

    def give(self, scheduled):
        """Let a game be played."""
        self._fixture, self._attempts = scheduled, 1
        if self._process is None:
            self._start()
        self._send()

    def result(self):
        """The finished game; None if it has to be played again. RuntimeError if that is of no use."""
        try:
            kind, value = self.connection.recv()
        except (EOFError, OSError):
            kind, value = "died", f"the process of game {self._fixture.round_text} died"
        if kind == "game":
            self._fixture = None
            return value
        if kind == "error" or self._attempts == ATTEMPTS:
            raise RuntimeError(value)
        self._attempts += 1
        self.close()
        self._start()
        self._send()
        return None

    def _start(self):
        context = get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, self._cpus), daemon=True)
        with sigint_blocked():
            self._process.start()
        theirs.close()

    def _send(self):
        with contextlib.suppress(OSError):  # it is dead, which `result` notices
            self.connection.send(self._fixture)

    def dismiss(self):
        """There is nothing more to do."""
        if self._process is not None:
            with contextlib.suppress(OSError):
                self.connection.send(None)

    def close(self):
        """End the process, whatever it is doing, and the engines with it."""
        if self._process is None:
            return
        self.dismiss()
        self._process.join(0 if self._fixture else LEAVING_SECONDS)
        self._process.terminate()
        self._process.join(LEAVING_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self.connection.close()
        self._process = None


def _work(connection, cpus):
    """Play the games that come through a connection, until None comes."""
    end_with_parent()
    set_affinity(cpus)
    try:
        asyncio.run(_play_games(connection))
    except (EOFError, OSError):  # nobody is there any more
        return
    except Exception as error:
        line = traceback.extract_tb(error.__traceback__)[-1]
        with contextlib.suppress(OSError):
            connection.send(("error", f"{type(error).__name__}: {error} ({line.filename}:{line.lineno})"))


async def _play_games(connection):
    player = GamePlayer()
    try:
        while (scheduled := connection.recv()) is not None:
            connection.send(("game", await player.play(scheduled)))
    finally:
        await player.close()
