"""Let an installed match runner play the missing games, and read its PGN while it is written."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection

from bluekrait.tools.cluster.terminal_signals import terminal_signals_blocked
from bluekrait.tools.match.external.runner_command import Batch, Runner, batches, command_line, write_openings
from bluekrait.tools.match.external.runner_output import (
    PgnTail,
    RunnerScore,
    game_of,
    round_and_white,
    score,
    started_game,
    warning,
)
from bluekrait.tools.match.results.finished_games import FinishedGame
from bluekrait.tools.match.runner.processes import end_with_parent, kill_group, register_group, start_options
from bluekrait.tools.match.setup.contest import ScheduledGame

POLL_SECONDS = 0.3  # between two reads of the PGN
MOST_WARNINGS = 6  # passed on to the display: a runner may warn about every move
EXIT_SECONDS = 5.0

OnStart = Callable[[ScheduledGame], object]
OnNote = Callable[[str], object]


def play_with_runner(
    runner: Runner,
    schedule: Iterable[ScheduledGame],
    concurrency: int = 1,
    cpus: Collection[int] | None = None,
    on_start: OnStart | None = None,
    on_note: OnNote | None = None,
) -> Generator[FinishedGame, None, None]:
    """Play games, and yield each when it is finished. To stop, close the generator."""
    for batch in batches(schedule):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
            run = _Run(runner, batch, directory, concurrency, cpus)
            try:
                yield from run.games(on_start, on_note)
            finally:
                run.close()


class _Run:
    """One run of the runner. It is started by a process that ends it when this process ends."""

    def __init__(
        self,
        runner: Runner,
        batch: Batch,
        directory: str,
        concurrency: int,
        cpus: Collection[int] | None,
    ) -> None:
        pgn = os.path.join(directory, "games.pgn")
        openings = write_openings(batch, directory)
        command = command_line(runner, batch, openings, pgn, concurrency, cpus)
        self._runner, self._tail = runner, PgnTail(pgn)
        self._scheduled = batch.scheduled
        self._waiting = {
            (f"{1 + index // batch.games}", f.white.name): f for index, f in enumerate(self._scheduled)
        }
        self._score: RunnerScore | None = None
        self._last_line, self._warnings = "nothing", 0
        self._wins = self._losses = 0
        self._first = batch.first.name
        context = get_context("spawn")
        self._connection, child_end = context.Pipe()
        self._process = context.Process(target=_watch, args=(child_end, command, directory), daemon=True)
        with terminal_signals_blocked():
            self._process.start()
        child_end.close()

    def games(self, on_start: OnStart | None, on_note: OnNote | None) -> Iterator[FinishedGame]:
        """The games, until all are there; RuntimeError if the runner ends before."""
        is_running = True
        while is_running:
            if self._connection.poll(POLL_SECONDS):
                is_running = self._take_line(on_start, on_note)
            yield from self._new_games()
        if self._waiting:
            missing = f"{len(self._waiting)} of {len(self._scheduled)} games missing"
            raise RuntimeError(f"{self._runner.kind} ended with {missing}: {self._last_line}")
        if self._score and (self._score.wins, self._score.losses) != (self._wins, self._losses) and on_note:
            on_note(f"{self._runner.kind} counts {self._score}, its games say {self._wins} - {self._losses}")

    def _take_line(self, on_start: OnStart | None, on_note: OnNote | None) -> bool:
        """Read a line of the runner's output; False at its end."""
        try:
            line = self._connection.recv()
        except (EOFError, OSError):
            return False
        number, text = started_game(line), warning(line)
        if number and on_start and number <= len(self._scheduled):
            on_start(self._scheduled[number - 1])
        if text and on_note and self._warnings < MOST_WARNINGS:
            self._warnings += 1
            on_note(f"{self._runner.kind}: {text}")
        self._score = score(line) or self._score
        self._last_line = line.strip() or self._last_line
        return True

    def _new_games(self) -> Iterator[FinishedGame]:
        for pgn in self._tail.games():
            key = round_and_white(pgn)
            game = game_of(pgn, self._waiting[key]) if key in self._waiting else None
            if game:
                del self._waiting[key]
                mine, theirs = game.points if game.white == self._first else game.points[::-1]
                self._wins += mine > theirs
                self._losses += mine < theirs
                yield game

    def close(self) -> None:
        """End the runner and the engines."""
        self._process.terminate()
        self._process.join(EXIT_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._connection.close()


def _watch(connection: Connection, command: list[str], directory: str) -> None:
    """Run a command and send its output. If this process or its parent ends, the command ends too."""
    end_with_parent(lambda: shutil.rmtree(directory, ignore_errors=True))
    try:
        runner = subprocess.Popen(
            command,
            cwd=directory,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            **start_options(),
        )
    except OSError as error:
        connection.send(f"{error}")
        return
    register_group(runner.pid)
    with contextlib.suppress(OSError):
        for line in runner.stdout or ():
            connection.send(line)
    kill_group(runner.pid)
