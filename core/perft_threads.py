"""Perft over several threads: a count is split into subtrees, which free threads take one by one.

Needs neither Numba nor NumPy. The threads run compiled code, which does not hold the interpreter lock.
"""

import contextlib
import ctypes
import mmap
import os
from collections import deque
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic, perf_counter
from typing import NamedTuple

from bluekrait.core.records import BUCKET_BYTES, MAX_DEPTH, Desk, PerftJob, lay, lift

PROGRESS_SECONDS = 0.1
SPLIT_DEPTH = 4  # from here on one root move is too coarse a piece of work for several threads
MEGABYTE = 1 << 20


class PerftResult(NamedTuple):
    """What a count found, and whether it was carried to the end."""

    nodes: int
    seconds: float
    complete: bool


class Subtree(NamedTuple):
    """A piece of work: the root move it belongs to, a position below it, and how deep to count."""

    root: int
    position: object
    depth: int


class HashTable:
    """Zeroed memory for counts that threads share; a power of two of buckets."""

    def __init__(self, megabytes):
        if not 0 < megabytes * MEGABYTE <= _physical_memory():
            raise ValueError(f"this machine's memory has no room for a hash table of {megabytes} MB")
        self.size = 1 << (megabytes * MEGABYTE).bit_length() - 1
        try:
            self._memory = _anonymous_memory(self.size)
        except OSError as error:
            raise ValueError(f"no memory for a hash table of {megabytes} MB: {error.strerror}") from None
        self._start = ctypes.c_char.from_buffer(self._memory)
        ctypes.memset(self.address, 0, self.size)  # so that no page is touched first while the clock runs

    @property
    def address(self):
        """Where the first bucket is."""
        return ctypes.addressof(self._start)

    @property
    def mask(self):
        """The number of buckets, less one."""
        return self.size // BUCKET_BYTES - 1


class Perft:
    """One count, with its threads."""

    def __init__(self, entries, threads=1, table=None):
        self._entries = entries
        self._table = table  # kept alive as long as the jobs that hold its address
        self._jobs = [PerftJob() for _ in range(threads)]
        self._stopped = False
        self._next_report = 0.0
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
        roots = list(self._children(position))
        subtrees = list(self._split(roots, depth - 1))
        total = 0
        for move, nodes in self._count(subtrees, [move for move, _ in roots], on_progress):
            total += nodes
            if on_move:
                on_move(move, nodes)
        return PerftResult(total, perf_counter() - began, not self._stopped)

    def _children(self, position):
        """The legal moves of a position, and where they lead."""
        desk = Desk()
        lay(desk.position, position)
        count = self._entries["survey"](desk)
        for move in desk.legal.moves[:count]:
            lay(desk.position, position)
            desk.move = move
            self._entries["play"](desk)
            yield move, lift(desk.position)

    def _split(self, roots, depth):
        """The subtrees below each root move: one, or one per reply where that is too coarse."""
        fine = len(self._jobs) > 1 and depth >= SPLIT_DEPTH
        for root, (_, child) in enumerate(roots):
            if fine:
                yield from (Subtree(root, reply, depth - 1) for _, reply in self._children(child))
            else:
                yield Subtree(root, child, depth)

    def _count(self, subtrees, moves, on_progress):
        """Let the threads work, and yield each root move with its count once all of it is known."""
        waiting, results = deque(subtrees), SimpleQueue()
        outstanding, counts = [0] * len(moves), [0] * len(moves)
        for subtree in subtrees:
            outstanding[subtree.root] += 1
        workers = [Thread(target=self._work, args=(job, waiting, results), daemon=True) for job in self._jobs]
        for worker in workers:
            worker.start()
        try:
            next_root = 0
            for done in range(len(subtrees) + 1):
                while next_root < len(moves) and not outstanding[next_root]:
                    yield moves[next_root], counts[next_root]
                    next_root += 1
                if done < len(subtrees):
                    root, nodes = self._await(results, on_progress, done / len(subtrees))
                    if self._stopped:
                        return
                    counts[root] += nodes
                    outstanding[root] -= 1
        finally:
            waiting.clear()
            for job in self._jobs:
                job.stop = 1
            for worker in workers:
                worker.join()

    def _await(self, results, on_progress, fraction):
        """The next result; meanwhile, tell of progress."""
        while True:
            if on_progress and monotonic() >= self._next_report:
                self._next_report = monotonic() + PROGRESS_SECONDS
                on_progress(sum(job.nodes for job in self._jobs), fraction)
            try:
                result = results.get(timeout=PROGRESS_SECONDS)
            except Empty:
                continue
            if isinstance(result, Exception):
                raise result
            return result

    def _work(self, job, waiting, results):
        """A thread: count subtrees until none waits."""
        try:
            while True:
                subtree = waiting.popleft()
                before = job.nodes
                lay(job.position, subtree.position)
                job.depth = subtree.depth
                self._entries["perft"](job)
                results.put((subtree.root, job.nodes - before))
        except IndexError:
            return
        except Exception as error:
            results.put(error)


def _anonymous_memory(size):
    """Private memory in large pages where the system offers them: a big table is mostly page misses."""
    if not hasattr(mmap, "MAP_PRIVATE"):
        return mmap.mmap(-1, size)
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):
            memory.madvise(mmap.MADV_HUGEPAGE)
    return memory


def _physical_memory():
    """Bytes of memory in this machine; where it does not tell, enough for anything."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 1 << 62
