"""A worker: one thread that deepens a search iteration by iteration, and keeps what it learns.

It is parked between searches. The compiled search runs without the interpreter lock; what is written in
Python here happens between two iterations only.
"""

from queue import SimpleQueue
from threading import Thread

from bluekrait.core.records import write_record
from bluekrait.search.evaluation.network.memory import attach
from bluekrait.search.scores import INFINITE, MAX_PLY
from bluekrait.search.thread_record import KEYS_CAPACITY, SearchThread, forget

NO_NODE_LIMIT = (1 << 64) - 1
KEYS_KEPT = KEYS_CAPACITY - MAX_PLY - 4


class Worker:
    """A search record, and the thread that runs it."""

    def __init__(self, entries, parameters):
        self.record = SearchThread()
        self._open_window, self._search = entries["open_window"], entries["search"]
        self._orders = SimpleQueue()
        self._accumulators = None
        self.set_parameters(parameters)
        self.forget()
        Thread(target=self._work, daemon=True).start()

    def give(self, task, *details):
        """Have the thread carry out a task after those that were given before."""
        self._orders.put((task, details))

    def _work(self):
        while True:
            task, details = self._orders.get()
            if task is None:
                return
            task(*details)

    def set_parameters(self, parameters):
        """Put the numbers that shape the search into the record."""
        for name, value in parameters.items():
            setattr(self.record.parameters, name, value)

    def use_network(self, network):
        """Evaluate by a `NetworkMemory`, or classically if it is None."""
        self._accumulators = attach(self.record, network)

    def dismiss(self):
        """Let the thread end."""
        self._orders.put((None, ()))

    def forget(self):
        """Forget what was learnt."""
        forget(self.record)

    def stop(self):
        """End the search that is running."""
        self.record.stop = 1

    def prepare(self, position, keys, moves, table, node_limit):
        """Lay out a search: the position, those before it, and the moves to choose from."""
        record = self.record
        write_record(record.position, position)
        keys = keys[-KEYS_KEPT:]
        record.game_length = len(keys)
        record.keys[: len(keys)] = keys
        record.nodes, record.stop = 0, 0
        record.node_limit = NO_NODE_LIMIT if node_limit is None else node_limit
        record.null_move_ply = 0
        record.table, record.clusters = table.address, table.clusters
        record.generation = table.generation
        record.root_count = len(moves)
        for place, move in enumerate(moves):
            root = record.roots[place]
            root.move, root.score, root.nodes, root.length = move, -INFINITE, 0, 1
            root.line[0] = move
            record.ranking[place] = place

    def use_tables(self, library, settings):
        """Look positions up in a library of tablebases, or in none."""
        record = self.record
        record.shelf = library.address if library else 0
        record.table_pieces = min(settings.table_pieces, library.largest) if library else 0
        record.table_depth, record.fifty_moves = settings.table_depth, settings.fifty_moves
        record.table_hits = 0

    def root(self, rank):
        """The root move of that rank, 0 for the best."""
        return self.record.roots[self.record.ranking[rank]]

    def deepen(self, depth, ranks, on_bound=None):
        """One iteration: the best moves, each searched with those before it left out.

        `on_bound(score, alpha, beta)` is told when a score falls out of its window.
        """
        ranks = min(ranks, self.record.root_count)
        expected = [self.root(rank).score for rank in range(ranks)]
        for rank in range(ranks):
            self.record.rank = rank
            self._aspire(depth, expected[rank], on_bound)
            if self.record.stop:
                return
        self._sort(ranks)

    def _sort(self, ranks):
        """Let the best come first: a later line may have turned out better than one before it."""
        order = sorted(self.record.ranking[:ranks], key=lambda index: -self.record.roots[index].score)
        self.record.ranking[:ranks] = order

    def _aspire(self, depth, expected, on_bound):
        """Search in a narrow window around the expected score, and in a wider one while that fails."""
        record = self.record
        record.iteration, record.expected = depth, expected
        self._open_window(record)
        while True:
            alpha, beta = record.alpha, record.beta
            is_outside = self._search(record)
            if not is_outside:
                return
            if on_bound:
                on_bound(record.score, alpha, beta)
