"""Perft over several threads: a count is split into subtrees, which free threads take one by one.

Needs neither Numba nor NumPy. The threads run compiled code, which does not hold the interpreter lock.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from ctypes import addressof, c_char, sizeof
from threading import Thread
from time import perf_counter
from typing import Any, NamedTuple

from bluekrait.core.board import Position
from bluekrait.core.memory.shared_memory import HashTable
from bluekrait.core.records import BUCKET_BYTES, MAX_DEPTH, GameRecord, PerftJob, PositionRecord, write_record

CACHE_LINE = 64  # bytes
PROGRESS_SECONDS = 0.1
SMALLEST_SUBTREE = 2  # plies: of smaller ones the hash table knows nothing
GROWTH_PLIES = 3  # counted for an estimate of how many there are
PATHS_PER_POSITION = 1.5  # by which their number grows less than that of the paths, from ply to ply
BYTES_PER_SUBTREE = 16  # an entry of the hash table
DEEP_SHARE = 5  # one part in so many of the hash table is for subtrees deeper than two plies
SPLIT_DEPTH = 4  # from here on, several threads share the replies to a root move

Entries = Mapping[str, Callable[[Any], Any]]  # of `core.rules_entries`: each takes a record
OnMove = Callable[[int, int], object]
OnProgress = Callable[[int, float], object]
Results = deque[tuple[int, int]]  # the number of a root move, and how many leaves a subtree of it has


class PerftResult(NamedTuple):
    """The count, and whether it is complete."""

    nodes: int
    seconds: float
    complete: bool


class Subtree(NamedTuple):
    """A piece of work: the number of its root move, a position below it, and how deep to count."""

    root: int
    record: PositionRecord
    depth: int


Waiting = deque[Subtree]  # not an iterator: without an interpreter lock, two threads may be given the same


class Perft:
    """Counts trees, one after another, by as many threads as it has jobs."""

    def __init__(self, entries: Entries, threads: int = 1, table: HashTable | None = None) -> None:
        self._entries = entries
        self._table = table  # kept alive as long as the jobs that hold its address
        self._jobs = [new_job() for _ in range(threads)]
        self._stopped = False
        self._error: Exception | None = None
        if table:
            for job in self._jobs:
                share = table.buckets // DEEP_SHARE
                job.table, job.buckets = table.address, share
                job.small_table = table.address + share * BUCKET_BYTES
                job.small_buckets = table.buckets - share

    def stop(self) -> None:
        """End the count early; may be called from any thread."""
        self._stopped = True
        for job in self._jobs:
            job.stop = 1

    def run(
        self,
        position: Position,
        depth: int,
        on_move: OnMove | None = None,
        on_progress: OnProgress | None = None,
    ) -> PerftResult:
        """Count the leaves below a position.

        `on_move(move, nodes)` is called for each root move in their order, as soon as its count is known;
        `on_progress(nodes, fraction)` a few times a second.
        """
        if not 0 <= depth < MAX_DEPTH:
            raise ValueError(f"perft depth must be from 0 to {MAX_DEPTH - 1}, not {depth}")
        began = perf_counter()
        for job in self._jobs:
            job.nodes = 0
        if depth == 0:
            return PerftResult(1, perf_counter() - began, True)
        game = GameRecord()
        write_record(game.position, position)
        if len(self._jobs) == 1 and not (on_move or on_progress):  # then this thread can do it in one call
            self._work(self._jobs[0], Waiting([Subtree(0, game.position, depth)]), Results())
            return self._result(began)
        roots = list(children(self._entries, game.position))
        counts = RootMoveCounts([move for move, _ in roots], on_move)
        self._count(list(self._split(roots, depth - 1)), counts, on_progress)
        return self._result(began)

    def _split(self, roots: Sequence[tuple[int, PositionRecord]], depth: int) -> Iterator[Subtree]:
        """The subtrees below each root move: one, or one for each reply."""
        by_reply = len(self._jobs) > 1 and depth >= SPLIT_DEPTH
        for root, (_, child) in enumerate(roots):
            if by_reply:
                yield from (Subtree(root, reply, depth - 1) for _, reply in children(self._entries, child))
            else:
                yield Subtree(root, child, depth)

    def _count(
        self, subtrees: Sequence[Subtree], counts: "RootMoveCounts", on_progress: OnProgress | None
    ) -> None:
        """Let the threads take the subtrees, and collect the results, until none is left."""
        waiting, results = Waiting(subtrees), Results()
        counts.expect(subtrees)
        self._run_threads(waiting, results, counts, on_progress)
        counts.add(results)

    def _run_threads(
        self,
        waiting: Waiting,
        results: Results,
        counts: "RootMoveCounts",
        on_progress: OnProgress | None,
    ) -> None:
        """Start the threads and wait for them, reporting their results a few times a second."""
        workers = [Thread(target=self._work, args=(job, waiting, results), daemon=True) for job in self._jobs]
        running: list[Thread] = []
        try:
            for worker in workers:
                worker.start()
                running.append(worker)
            for worker in running:
                worker.join(PROGRESS_SECONDS)
                while worker.is_alive():
                    counts.add(results)
                    if on_progress:
                        on_progress(self._nodes(), counts.fraction)
                    worker.join(PROGRESS_SECONDS)
        except BaseException:  # no thread to be had, Ctrl-C, or an error in a callback
            self.stop()
            raise
        finally:
            for worker in running:
                worker.join()

    def _work(self, job: PerftJob, waiting: Waiting, results: Results) -> None:
        """Count subtrees until none is left: what each thread does."""
        try:
            while not self._stopped and (subtree := next_of(waiting)):
                before = job.nodes
                job.position, job.depth = subtree.record, subtree.depth
                self._entries["perft"](job)
                if not self._stopped:
                    results.append((subtree.root, job.nodes - before))
        except Exception as error:
            self._error = error
            self.stop()

    def _result(self, began: float) -> PerftResult:
        """The count; an error of any thread is raised here."""
        if self._error:
            raise self._error
        return PerftResult(self._nodes(), perf_counter() - began, not self._stopped)

    def _nodes(self) -> int:
        """Leaves counted so far."""
        return sum(job.nodes for job in self._jobs)


def next_of(waiting: Waiting) -> Subtree | None:
    """Take a subtree; None if there is none left."""
    try:
        return waiting.popleft()
    except IndexError:
        return None


def new_job() -> PerftJob:
    """A job that begins with a cache line, so that no vector in its columns lies in two of them."""
    memory = (c_char * (sizeof(PerftJob) + CACHE_LINE))()
    return PerftJob.from_buffer(memory, -addressof(memory) % CACHE_LINE)


def children(entries: Entries, record: PositionRecord) -> Iterator[tuple[int, PositionRecord]]:
    """The legal moves of a position, and where they lead."""
    game = GameRecord(position=record)
    count = entries["legal_moves"](game)
    for move in game.legal.moves[:count]:
        game.position, game.move = record, move
        entries["play_move"](game)
        yield move, PositionRecord.from_buffer_copy(game.position)


def useful_bytes(entries: Entries, position: Position, depth: int) -> int:
    """The size of a hash table with room for every subtree, by an estimate from the first plies.

    In a larger one more pages would be touched, each of which the system must provide and clear.
    """
    plies = max(0, depth - SMALLEST_SUBTREE)
    paths = [Perft(entries).run(position, ply).nodes for ply in range(min(plies, GROWTH_PLIES) + 1)]
    deeper = plies - GROWTH_PLIES
    if deeper <= 0:
        return sum(paths) * BYTES_PER_SUBTREE
    growth = max(1.0, paths[-1] / max(1, paths[-2]) / PATHS_PER_POSITION)
    return int(sum(paths) * growth**deeper) * BYTES_PER_SUBTREE


class RootMoveCounts:
    """The counts of the root moves, reported in their order as they become complete."""

    def __init__(self, moves: Sequence[int], on_move: OnMove | None) -> None:
        self._moves = moves
        self._on_move = on_move
        self._outstanding = [0] * len(moves)
        self._counts = [0] * len(moves)
        self._reported = 0
        self._subtrees = self._finished = 0

    @property
    def fraction(self) -> float:
        """How much of the work is done."""
        return self._finished / max(1, self._subtrees)

    def expect(self, subtrees: Sequence[Subtree]) -> None:
        """Note which subtrees are going to be counted."""
        self._subtrees = len(subtrees)
        for subtree in subtrees:
            self._outstanding[subtree.root] += 1

    def add(self, results: Results) -> None:
        """Take results off a queue, and report the root moves that are complete."""
        while results:
            root, nodes = results.popleft()
            self._counts[root] += nodes
            self._outstanding[root] -= 1
            self._finished += 1
        while self._reported < len(self._moves) and not self._outstanding[self._reported]:
            if self._on_move:
                self._on_move(self._moves[self._reported], self._counts[self._reported])
            self._reported += 1
