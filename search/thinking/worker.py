"""A worker: one thread that searches iteration by iteration, and keeps its histories between searches.

Between searches it waits for a task. The compiled search runs without the interpreter lock; the Python code
here runs only between two windows.
"""

from __future__ import annotations

import ctypes
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any

from bluekrait.search.iterations_record import Iterations
from bluekrait.search.reports import EXACT, LOWER_BOUND, UPPER_BOUND
from bluekrait.search.scores import INFINITE, LOWER, MAX_PLY, UPPER
from bluekrait.search.thread_memory import forget, new_thread
from bluekrait.search.thread_record import KEYS_CAPACITY, NO_NODE_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bluekrait.core.native import Entries
    from bluekrait.core.records import PositionRecord
    from bluekrait.search.evaluation.network.network_memory import ThreadEvaluation
    from bluekrait.search.limits import Settings
    from bluekrait.search.syzygy.table_library import TableLibrary
    from bluekrait.search.thread_record import RootMove
    from bluekrait.search.transposition_memory import TranspositionTable

    Task = Callable[..., None]
    Tasks = SimpleQueue[tuple[Task | None, tuple[Any, ...]]]
    OnBound = Callable[[int, int], None]

KEYS_KEPT = KEYS_CAPACITY - MAX_PLY - 4


class Worker:
    """A search record, and the thread that runs it."""

    def __init__(self, entries: Entries, parameters: Mapping[str, int]) -> None:
        self._tasks: Tasks = SimpleQueue()  # first: `__del__` needs it if memory lacks below
        self.record = new_thread()
        self._iterations = Iterations(thread=ctypes.addressof(self.record))
        self._open_window, self._search = entries["open_window"], entries["search"]
        self._thread: Thread | None = None
        self._evaluation: ThreadEvaluation | None = None  # what the record's addresses point into
        self.set_parameters(parameters)
        self.forget()

    def __del__(self) -> None:
        self.shut_down()

    @property
    def _has_thread(self) -> bool:
        """False also in a forked process: the threads of its parent are not there."""
        return self._thread is not None and self._thread.is_alive()

    def submit(self, task: Task, *arguments: Any) -> None:
        """Let the thread run a task, after those that were submitted before."""
        if not self._has_thread:
            self._tasks = SimpleQueue()
            self._thread = Thread(target=_run_tasks, args=(self._tasks,), daemon=True)
            self._thread.start()
        self._tasks.put((task, arguments))

    def set_parameters(self, parameters: Mapping[str, int]) -> None:
        """Put the numbers that shape the search into the record."""
        for name, value in parameters.items():
            setattr(self.record.parameters, name, value)

    def use_evaluation(self, evaluation: ThreadEvaluation) -> None:
        """Evaluate so from now on."""
        evaluation.attach(self.record)
        self._evaluation = evaluation

    def shut_down(self) -> None:
        """Let the thread end."""
        self._tasks.put((None, ()))

    def forget(self) -> None:
        """Clear the histories."""
        forget(self.record)

    def stop(self) -> None:
        """End the search that is running."""
        self.record.stop = 1

    def prepare(
        self,
        position: PositionRecord,
        keys: Sequence[int],
        moves: Sequence[int],
        table: TranspositionTable,
        node_limit: int | None,
    ) -> None:
        """Prepare a search: the position, the keys of those before it, and the moves to choose from."""
        self.prepare_position(position, keys, table, node_limit)
        record = self.record
        record.root_count = len(moves)
        for place, move in enumerate(moves):
            root = record.roots[place]
            root.move, root.score, root.nodes, root.length = move, -INFINITE, 0, 1
            root.line[0] = move
            record.ranking[place] = place

    def prepare_position(
        self,
        position: PositionRecord,
        keys: Sequence[int],
        table: TranspositionTable,
        node_limit: int | None,
    ) -> None:
        """Prepare a search, but for the moves to choose from."""
        record = self.record
        record.position = position
        keys = keys[-KEYS_KEPT:]
        record.game_length = len(keys)
        record.keys[: len(keys)] = keys
        record.nodes, record.stop = 0, 0
        record.node_limit = NO_NODE_LIMIT if node_limit is None else node_limit
        record.null_move_ply, record.repeatable_from = 0, 0
        record.table, record.clusters = table.address, table.clusters
        record.generation = table.generation

    def use_tablebases(self, library: TableLibrary | None, settings: Settings) -> None:
        """Look positions up in a library of tablebases, or in none."""
        record = self.record
        record.tablebases = library.address if library else 0
        record.tablebase_pieces = min(settings.tablebase_pieces, library.largest) if library else 0
        record.tablebase_depth, record.fifty_moves = settings.tablebase_depth, settings.fifty_moves
        record.tablebase_hits = 0

    def root(self, rank: int) -> RootMove:
        """The root move of that rank, 0 for the best."""
        root: RootMove = self.record.roots[self.record.ranking[rank]]
        return root

    def run_iterations(self, last_depth: int, ranks: int, moves: Sequence[int] = ()) -> Iterations:
        """Search all depths in this thread, without a report; `moves` to choose from, none for all."""
        job = self._iterations
        job.last_depth, job.ranks, job.is_restricted = last_depth, ranks, bool(moves)
        if moves:
            job.moves.count = len(moves)
            job.moves.moves[: len(moves)] = moves
        self._search(job)
        return job

    def run_iteration(self, depth: int, ranks: int, on_bound: OnBound | None = None) -> None:
        """Search one depth: the best `ranks` moves, each without those before it.

        `on_bound(score, alpha)` is called when a score falls outside its window, which begins at alpha.
        """
        ranks = min(ranks, self.record.root_count)
        expected = [self.root(rank).score for rank in range(ranks)]
        for rank in range(ranks):
            self.record.rank = rank
            self._search_windows(depth, expected[rank], on_bound)
            if self.record.stop:
                return
        self._sort(ranks)

    def _sort(self, ranks: int) -> None:
        """Let the best come first: a later line may have turned out better than one before it."""
        order = sorted(self.record.ranking[:ranks], key=lambda index: -self.record.roots[index].score)
        self.record.ranking[:ranks] = order

    def _search_windows(self, depth: int, expected: int, on_bound: OnBound | None) -> None:
        """Search an aspiration window around the expected score; widen it while the score is outside."""
        record = self.record
        record.iteration, record.expected = depth, expected
        self._iterations.last_depth = 0
        self._open_window(record)
        while True:
            alpha = record.alpha
            is_outside = self._search(self._iterations)
            if not is_outside:
                return
            if on_bound:
                on_bound(record.score, alpha)


def bound_of(root: RootMove) -> str:
    """Whether the score of a root move is exact, in the words of a report; it need not be after a stop."""
    return {UPPER: UPPER_BOUND, LOWER: LOWER_BOUND}.get(root.bound, EXACT)


def _run_tasks(tasks: Tasks) -> None:
    """Run tasks until one is None. The thread does not keep its worker alive while it waits."""
    while True:
        task, arguments = tasks.get()
        if task is None:
            return
        task(*arguments)
        del task, arguments
