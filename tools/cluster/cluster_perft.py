"""`bluekrait perft N` with `--cluster` or `--journal`: perft on many machines, or one that can be resumed.

The tree is cut a few plies below its root. Equal positions at the cut are counted once, and the count is
multiplied by the number of paths that lead to the position.
"""

import argparse
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from itertools import chain
from time import perf_counter
from typing import Any

from bluekrait.core import native
from bluekrait.core.board import Position
from bluekrait.core.counting.perft_threads import Perft, PerftResult, children, useful_bytes
from bluekrait.core.memory.shared_memory import HashTable
from bluekrait.core.memory.usable_memory import MEGABYTE
from bluekrait.core.notation.fen import STARTING_FEN, format_fen, needs_chess960, parse_fen
from bluekrait.core.notation.san_and_uci import move_to_uci
from bluekrait.core.records import BoardRecord, PositionRecord, read_record, write_record
from bluekrait.search.engine import ENTRIES_MODULE
from bluekrait.tools.cluster.local_pool import open_thread_pool
from bluekrait.tools.cluster.pools import open_pool
from bluekrait.tools.cluster.worker_pool import WorkerPool, run_units
from bluekrait.tools.common.errors import with_errors_reported
from bluekrait.tools.common.files.append_only import REMOVE_JOURNAL, merge_settings
from bluekrait.tools.common.files.json_journal import Journal
from bluekrait.uci.exits import INTERRUPTED, SUCCESS
from bluekrait.uci.programs.perft import PROGRAM, parse_arguments, progress_text, summary
from bluekrait.uci.progress import ProgressLine
from bluekrait.uci.streams.output import write

SPLIT = 3  # plies above the cut: enough subtrees for a hundred machines
DEEP, DEEP_SPLIT = 10, 4  # from depth 10 subtrees are large, and more of them are equal
PIECE_LEAVES = 10**8  # of a unit, about: it takes several milliseconds to give one out and get its result
BRANCHING = 30  # typical number of moves in a position

Entries = Mapping[str, Any]  # compiled functions by name
Count = Callable[..., dict[bytes, int]]  # what counts a unit
Paths = dict[int | None, int]  # the number of paths by first move; None: there is no move


@with_errors_reported(PROGRAM)
def main(arguments: list[str]) -> int:
    """Count and print; the exit code."""
    options = parse_arguments(arguments)
    options.split = options.split or (DEEP_SPLIT if options.depth >= DEEP else SPLIT)
    position, entries = parse_fen(options.fen or STARTING_FEN), native.load(ENTRIES_MODULE)
    options.hash = min(options.hash, -(-useful_bytes(entries, position, options.depth) // MEGABYTE))
    tree = PerftTree(entries, position, min(options.depth, options.split))
    with ResumableCount(tree, position, options) as progress:
        return count_and_print(tree, progress, position, options)


def count_and_print(
    tree: "PerftTree", progress: "ResumableCount", position: Position, options: argparse.Namespace
) -> int:
    """Count on the cluster and print the result; the exit code."""
    begin, line, is_interrupted = perf_counter(), ProgressLine(delay=1.0), False
    rest, earlier = options.depth - tree.plies, tree.nodes
    threads = options.threads if options.cluster else 1  # of a unit
    units = ((boards, rest, threads, options.hash) for boards in pieces(progress.missing, rest))
    try:
        with open_counters(options.threads, options.cluster) as (pool, function):
            progress.begin()
            for counts in run_units(pool, function, units):
                progress.enter(counts)
                line.show(progress_text(tree.nodes, tree.fraction, perf_counter() - begin, earlier))
    except KeyboardInterrupt:
        is_interrupted = True
    finally:
        line.clear()
    if options.divide:
        for move, nodes in tree.by_move():
            text = move_to_uci(move, position.ply & 1, needs_chess960(position.board))
            write(f"{text}: {nodes}")
        write("")
    result = PerftResult(tree.nodes, perf_counter() - begin, not is_interrupted)
    write(summary(options.depth, result, earlier))
    return INTERRUPTED if is_interrupted else SUCCESS


@contextmanager
def open_counters(threads: int, cluster: str | None) -> Iterator[tuple[WorkerPool, Count]]:
    """Where units are counted, and what counts one: here, threads that share a hash table."""
    if cluster is None:
        with open_thread_pool(threads) as pool:
            yield pool, count
    else:
        with open_pool(threads, cluster) as pool:
            yield pool, count_alone


def pieces(boards: list[bytes], depth: int) -> list[list[bytes]]:
    """The boards of each unit: several where there is little to count below each."""
    size = PIECE_LEAVES // BRANCHING**depth + 1
    return [boards[start : start + size] for start in range(0, len(boards), size)]


class PerftTree:
    """The tree above the cut, and the counts of the subtrees below it."""

    def __init__(self, entries: Entries, position: Any, plies: int) -> None:
        root = PositionRecord()
        write_record(root, position)
        self.plies = plies
        self._moves = [move for move, _ in children(entries, root)]
        self._paths = _level(entries, root, plies)
        self._counts = [0] * len(self._moves)
        self._entered = 0
        self.nodes = 0

    @property
    def boards(self) -> list[bytes]:
        """The distinct positions at the cut, packed."""
        return list(self._paths)

    @property
    def fraction(self) -> float:
        """The share of the subtrees that are counted."""
        return self._entered / max(1, len(self._paths))

    def enter(self, board: bytes, nodes: int) -> None:
        """Add the number of leaves below a board."""
        self._entered += 1
        for first, paths in self._paths[board].items():
            self.nodes += nodes * paths
            if first is not None:
                self._counts[first] += nodes * paths

    def by_move(self) -> Iterator[tuple[int, int]]:
        """The first moves, and the number of leaves below each."""
        return zip(self._moves, self._counts)


class ResumableCount:
    """Adds counts to a tree, and to a journal if there is one."""

    def __init__(self, tree: PerftTree, position: Any, options: argparse.Namespace) -> None:
        self._tree = tree
        self._journal: Journal | None = None
        self._settings: dict[str, Any] = {}
        self.missing = tree.boards
        if options.journal is None:
            return
        self._journal = Journal(options.journal, PROGRAM)
        begun = self._journal.head.get("depth", options.depth)
        if begun != options.depth:
            raise ValueError(f"{options.journal} is of perft {begun}, not {options.depth}{REMOVE_JOURNAL}")
        work = {"fen": format_fen(position), "depth": options.depth, "split": options.split}
        self._settings = merge_settings(self._journal.head, work, {}, options.journal, REMOVE_JOURNAL)
        done = self._kept_counts(options.journal)
        self.missing = [board for board in tree.boards if board not in done]

    def __enter__(self) -> "ResumableCount":
        return self

    def __exit__(self, *error: object) -> None:
        if self._journal:
            self._journal.close()

    def _kept_counts(self, journal: str) -> set[bytes]:
        """Enter the counts of a journal into the tree; the boards below which they are."""
        assert self._journal is not None
        try:
            entries = chain.from_iterable(entry.items() for entry in self._journal.entries)
            done = {bytes.fromhex(board): int(nodes) for board, nodes in entries}
            for board, nodes in done.items():
                self._tree.enter(board, nodes)
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{journal} is damaged{REMOVE_JOURNAL}") from None
        return set(done)

    def begin(self) -> None:
        """Write the settings to a new journal."""
        if self._journal:
            self._journal.begin(self._settings)

    def enter(self, counts: Mapping[bytes, int]) -> None:
        """Add the numbers of leaves below some boards."""
        for board, nodes in counts.items():
            self._tree.enter(board, nodes)
        if self._journal:
            self._journal.add({board.hex(): nodes for board, nodes in counts.items()})


def _level(entries: Entries, root: Any, plies: int) -> dict[bytes, Paths]:
    """For each board `plies` below the root: the number of paths to it, by first move."""
    level: dict[bytes, tuple[Any, Paths]] = {bytes(root.board): (root, {None: 1})}
    for ply in range(plies):
        deeper: dict[bytes, tuple[Any, Paths]] = {}
        for record, paths in level.values():
            for place, (_, child) in enumerate(children(entries, record)):
                _, known = deeper.setdefault(bytes(child.board), (child, {}))
                for first, number in paths.items():
                    first = first if ply else place
                    known[first] = known.get(first, 0) + number
        level = deeper
    return {board: paths for board, (_, paths) in level.items()}


# --- on the worker --------------------------------------------------------------------------------


def count_alone(boards: Iterable[bytes], depth: int, threads: int, megabytes: int) -> dict[bytes, int]:
    """A unit of work on a worker of a cluster, which may have several threads: one unit uses them all."""
    with _one_at_a_time:
        return count(boards, depth, threads, megabytes)


def count(boards: Iterable[bytes], depth: int, threads: int, megabytes: int) -> dict[bytes, int]:
    """A unit of work: the number of leaves `depth` plies below each board."""
    perft = Perft(_entries(), threads, _table(megabytes) if megabytes else None)
    return {board: perft.run(_position(board), depth).nodes for board in boards}


def _position(packed: bytes) -> Position:
    """The position of a packed board, without its key: counts have keys of their own."""
    return read_record(PositionRecord(board=BoardRecord.from_buffer_copy(packed)))


_one_at_a_time = threading.Lock()


@cache
def _entries() -> Entries:
    entries: Entries = native.load(ENTRIES_MODULE)
    return entries


@lru_cache(maxsize=1)  # the next count may ask for another size
def _table(megabytes: int) -> HashTable:
    return HashTable(megabytes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
