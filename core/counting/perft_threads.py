"""Perft over several threads: a count is split into subtrees, which free threads take one by one.

Needs neither Numba nor NumPy. The threads run compiled code, which does not hold the interpreter lock.
"""

from collections import deque
from threading import Thread
from time import perf_counter
from typing import NamedTuple

from bluekrait.core.records import MAX_DEPTH, Desk, PerftJob, PositionRecord, lay

PROGRESS_SECONDS = 0.1
SPLIT_DEPTH = 4  # from here on one root move is too coarse a piece of work for several threads


class PerftResult(NamedTuple):
    """What a count found, and whether it was carried to the end."""

    nodes: int
    seconds: float
    complete: bool


class Subtree(NamedTuple):
    """A piece of work: the root move it belongs to, a position below it, and how deep to count."""

    root: int
    record: PositionRecord
    depth: int


class Perft:
    """One count, with its threads."""

    def __init__(self, entries, threads=1, table=None):
        self._entries = entries
        self._table = table  # kept alive as long as the jobs that hold its address
        self._jobs = [PerftJob() for _ in range(threads)]
        self._stopped = False
        self._error = None
        for job in self._jobs if table else ():
            job.table, job.table_mask = table.address, table.mask

    def stop(self):
        """End the count early; may be called from any thread."""
        self._stopped = True
        for job in self._jobs:
            job.stop = 1

    def run(self, position, depth, on_move=None, on_progress=None):
        """Count the leaves below a position.

        `on_move(move, nodes)` is told of each root move in their order, as soon as its count is known;
        `on_progress(nodes, fraction)` a few times a second.
        """
        if not 0 <= depth < MAX_DEPTH:
            raise ValueError(f"perft depth must be from 0 to {MAX_DEPTH - 1}, not {depth}")
        began = perf_counter()
        if depth == 0:
            return PerftResult(1, perf_counter() - began, True)
        desk = Desk()
        lay(desk.position, position)
        roots = list(children(self._entries, desk.position))
        ledger = Ledger([move for move, _ in roots], on_move)
        self._count(list(self._split(roots, depth - 1)), ledger, on_progress)
        return PerftResult(self._nodes(), perf_counter() - began, not self._stopped)

    def _split(self, roots, depth):
        """The subtrees below each root move: one, or one per reply where that is too coarse."""
        fine = len(self._jobs) > 1 and depth >= SPLIT_DEPTH
        for root, (_, child) in enumerate(roots):
            if fine:
                yield from (Subtree(root, reply, depth - 1) for _, reply in children(self._entries, child))
            else:
                yield Subtree(root, child, depth)

    def _count(self, subtrees, ledger, on_progress):
        """Let the threads take the subtrees, and enter what they find, until none is left."""
        waiting, results = iter(subtrees), deque()
        ledger.expect(subtrees)
        if len(self._jobs) == 1 and not (ledger.is_watched or on_progress):
            self._work(self._jobs[0], waiting, results)  # nobody watches: this thread can do the work
        else:
            self._oversee(waiting, results, ledger, on_progress)
        if self._error:
            raise self._error
        ledger.enter(results)

    def _oversee(self, waiting, results, ledger, on_progress):
        """Start the threads and wait for them, looking at what they have done a few times a second."""
        workers = [Thread(target=self._work, args=(job, waiting, results), daemon=True) for job in self._jobs]
        for worker in workers:
            worker.start()
        try:
            for worker in workers:
                worker.join(PROGRESS_SECONDS)
                while worker.is_alive():
                    ledger.enter(results)
                    if on_progress:
                        on_progress(self._nodes(), ledger.fraction)
                    worker.join(PROGRESS_SECONDS)
        except BaseException:  # Ctrl-C, or whatever the callbacks raise
            self.stop()
            raise
        finally:
            for worker in workers:
                worker.join()

    def _work(self, job, waiting, results):
        """Count subtrees until none waits: what each thread does."""
        try:
            for subtree in waiting:  # the threads share one iterator
                if self._stopped:
                    return
                before = job.nodes
                job.position, job.depth = subtree.record, subtree.depth
                self._entries["perft"](job)
                if not self._stopped:
                    results.append((subtree.root, job.nodes - before))
        except Exception as error:
            self._error = error
            self.stop()

    def _nodes(self):
        """Leaves counted so far."""
        return sum(job.nodes for job in self._jobs)


def children(entries, record):
    """The legal moves of a position, and where they lead."""
    desk = Desk(position=record)
    count = entries["survey"](desk)
    for move in desk.legal.moves[:count]:
        desk.position, desk.move = record, move
        entries["play"](desk)
        yield move, PositionRecord.from_buffer_copy(desk.position)


class Ledger:
    """What is known of each root move, told in their order."""

    def __init__(self, moves, on_move):
        self._moves = moves
        self._on_move = on_move
        self._outstanding = [0] * len(moves)
        self._counts = [0] * len(moves)
        self._told = 0
        self._subtrees = self._entered = 0

    @property
    def is_watched(self):
        """True if somebody wants to be told."""
        return self._on_move is not None

    @property
    def fraction(self):
        """How much of the work is done."""
        return self._entered / max(1, self._subtrees)

    def expect(self, subtrees):
        """These are to be counted."""
        self._subtrees = len(subtrees)
        for subtree in subtrees:
            self._outstanding[subtree.root] += 1

    def enter(self, results):
        """Take results off a queue, and tell of the root moves that are complete."""
        while results:
            root, nodes = results.popleft()
            self._counts[root] += nodes
            self._outstanding[root] -= 1
            self._entered += 1
        while self._told < len(self._moves) and not self._outstanding[self._told]:
            if self._on_move:
                self._on_move(self._moves[self._told], self._counts[self._told])
            self._told += 1
