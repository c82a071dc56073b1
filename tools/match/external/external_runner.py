"""Let an installed match runner play: it gets the games that are missing, and its PGN is read as it grows."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from multiprocessing import get_context

from bluekrait.tools.match.external.runner_command import batches, command_line, write_openings
from bluekrait.tools.match.external.runner_output import (
    PgnTail,
    game_of,
    round_and_white,
    score,
    started_game,
    warning,
)
from bluekrait.tools.match.runner.processes import (
    end_with_parent,
    kill_group,
    register_group,
    sigint_blocked,
    start_options,
)

POLL_SECONDS = 0.3  # between two looks at the PGN
MOST_NOTES = 6  # that are passed on: a runner may complain about every move
LEAVING_SECONDS = 5.0


def play_with_runner(runner, schedule, concurrency=1, cpus=None, on_start=None, on_note=None):
    """Games as they are finished. To stop, close the generator."""
    for batch in batches(schedule):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
            call = _Call(runner, batch, directory, concurrency, cpus)
            try:
                yield from call.games(on_start, on_note)
            finally:
                call.close()


class _Call:
    """One run of the runner."""

    def __init__(self, runner, batch, directory, concurrency, cpus):
        pgn = os.path.join(directory, "games.pgn")
        openings = write_openings(batch, directory)
        command = command_line(runner, batch, openings, pgn, concurrency, cpus)
        self._runner, self._tail = runner, PgnTail(pgn)
        self._fixtures = batch.scheduled
        self._waiting = {
            (f"{1 + index // batch.games}", f.white.name): f for index, f in enumerate(self._fixtures)
        }
        self._score, self._last_line, self._notes = None, "nothing", 0
        self._wins = self._losses = 0
        self._first = batch.first.name
        context = get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_watch, args=(theirs, command, directory), daemon=True)
        with sigint_blocked():
            self._process.start()
        theirs.close()

    def games(self, on_start, on_note):
        """The games, until all are there; RuntimeError if the runner ends before."""
        is_running = True
        while is_running:
            if self._connection.poll(POLL_SECONDS):
                is_running = self._take_line(on_start, on_note)
            yield from self._new_games()
        if self._waiting:
            missing = f"{len(self._waiting)} of {len(self._fixtures)} games missing"
            raise RuntimeError(f"{self._runner.kind} ended with {missing}: {self._last_line}")
        if self._score and (self._score.wins, self._score.losses) != (self._wins, self._losses) and on_note:
            on_note(f"{self._runner.kind} counts {self._score}, its games say {self._wins} - {self._losses}")

    def _take_line(self, on_start, on_note):
        """Read a line of what the runner prints; False if there is none any more."""
        try:
            line = self._connection.recv()
        except (EOFError, OSError):
            return False
        number, complaint = started_game(line), warning(line)
        if number and on_start and number <= len(self._fixtures):
            on_start(self._fixtures[number - 1])
        if complaint and on_note and self._notes < MOST_NOTES:
            self._notes += 1
            on_note(f"{self._runner.kind}: {complaint}")
        self._score = score(line) or self._score
        self._last_line = line.strip() or self._last_line
        return True

    def _new_games(self):
        for pgn in self._tail.games():
            key = round_and_white(pgn)
            game = game_of(pgn, self._waiting[key]) if key in self._waiting else None
            if game:
                del self._waiting[key]
                mine, theirs = game.points if game.white == self._first else game.points[::-1]
                self._wins += mine > theirs
                self._losses += mine < theirs
                yield game

    def close(self):
        """End the runner and the engines."""
        self._process.terminate()
        self._process.join(LEAVING_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._connection.close()


def _watch(connection, command, directory):
    """Run a command and pass on what it prints; if we are ended, or our parent is, everything ends."""
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
        for line in runner.stdout:
            connection.send(line)
    kill_group(runner.pid)
