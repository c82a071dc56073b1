"""`bluekrait perft N --cluster ADDRESS`: the count of `bluekrait perft`, spread over many machines.

The tree is cut a few plies below its root. Positions there that are the same, by whatever moves they came
about, are one unit of work: it is counted once, and counts as often as there are paths to it.
"""

import signal
import sys
import threading
from functools import cache
from itertools import chain
from time import perf_counter

from bluekrait.core.compiler import native
from bluekrait.core.compiler.shared_memory import HashTable
from bluekrait.core.counting.perft_threads import Perft, PerftResult, children
from bluekrait.core.notation.fen import STARTING_FEN, format_fen, parse_fen
from bluekrait.core.notation.san_and_uci import move_to_uci
from bluekrait.core.records import BoardRecord, PositionRecord, lay, lift
from bluekrait.search.engine import ENTRIES_MODULE
from bluekrait.tools.cluster.pools import open_pool
from bluekrait.tools.cluster.worker_pool import PoolError, run_units
from bluekrait.tools.common.append_only import agreed
from bluekrait.tools.common.json_journal import Journal
from bluekrait.uci.exits import INTERRUPTED, SUCCESS, WRONG_ARGUMENTS, fail
from bluekrait.uci.programs.perft import PROGRAM, parse_arguments, progress_text, summary
from bluekrait.uci.progress import ProgressLine

SPLIT = 3  # plies below which a subtree is a unit: enough of them for a hundred machines
DEEP, DEEP_SPLIT = 10, 4  # from that depth on subtrees are large, and more of them the same
MOST_PIECES = 256  # of work, if they are small: every one costs the scheduler about a millisecond
PIECE_LEAVES = 10**8  # in about so many, a piece is not small
BRANCHING = 30  # moves in a position, roughly


def main(arguments=None):
    """Count and print; the exit code."""
    wishes = parse_arguments(arguments)
    wishes.split = wishes.split or (DEEP_SPLIT if wishes.depth >= DEEP else SPLIT)
    try:
        position = parse_fen(wishes.fen or STARTING_FEN)
        tree = PerftTree(native.load(ENTRIES_MODULE), position, min(wishes.depth, wishes.split))
        with ResumableCount(tree, position, wishes) as progress:
            return count_and_print(tree, progress, position.ply & 1, wishes)
    except PoolError as error:
        return fail(error, error.exit_code, PROGRAM)
    except BrokenPipeError:  # nobody listens any more
        raise
    except (OSError, ValueError) as error:
        return fail(error, WRONG_ARGUMENTS, PROGRAM)


def count_and_print(tree, progress, turn, wishes):
    """Have everything counted; the exit code."""
    begin, line, is_interrupted = perf_counter(), ProgressLine(delay=1.0), False
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    rest = wishes.depth - tree.plies
    units = ((boards, rest, wishes.threads, wishes.hash) for boards in pieces(progress.missing, rest))
    try:
        with open_pool(wishes.threads, wishes.cluster) as pool:
            for counts in run_units(pool, count, units):
                progress.enter(counts)
                line.show(progress_text(tree.nodes, tree.fraction, perf_counter() - begin))
    except KeyboardInterrupt:
        is_interrupted = True
    finally:
        line.clear()
    if wishes.divide:
        for move, nodes in tree.by_move():
            print(f"{move_to_uci(move, turn)}: {nodes}")
        print()
    result = PerftResult(tree.nodes, perf_counter() - begin, not is_interrupted)
    print(summary(wishes.depth, result))
    return INTERRUPTED if is_interrupted else SUCCESS


def pieces(boards, depth):
    """Several boards together where there is little to count below each."""
    size = min(PIECE_LEAVES // BRANCHING**depth, len(boards) // MOST_PIECES) + 1
    return [boards[start : start + size] for start in range(0, len(boards), size)]


class PerftTree:
    """The top of a tree, and what is known of the subtrees below."""

    def __init__(self, entries, position, plies):
        root = PositionRecord()
        lay(root, position)
        self.plies = plies
        self._moves = [move for move, _ in children(entries, root)]
        self._paths = _level(entries, root, plies)
        self._counts = [0] * len(self._moves)
        self._entered = 0
        self.nodes = 0

    @property
    def boards(self):
        """The different positions at the cut, packed."""
        return list(self._paths)

    @property
    def fraction(self):
        """How much of the work is done."""
        return self._entered / max(1, len(self._paths))

    def enter(self, board, nodes):
        """The subtree below a board has so many leaves."""
        self._entered += 1
        for first, paths in self._paths[board].items():
            self.nodes += nodes * paths
            if first is not None:
                self._counts[first] += nodes * paths

    def by_move(self):
        """The first moves and the leaves below each, in their order."""
        return zip(self._moves, self._counts)


class ResumableCount:
    """Enters counts into a tree, and keeps them in a journal if one is wished."""

    def __init__(self, tree, position, wishes):
        self._tree, self._journal = tree, None
        self.missing = tree.boards
        if wishes.journal is None:
            return
        self._journal = Journal(wishes.journal, PROGRAM)
        work = {"fen": format_fen(position), "depth": wishes.depth, "split": wishes.split}
        self._journal.begin(agreed(self._journal.head, work, {}, wishes.journal))
        entries = (entry.items() for entry in self._journal.entries)
        done = {bytes.fromhex(board): nodes for board, nodes in chain.from_iterable(entries)}
        for board, nodes in done.items():
            tree.enter(board, nodes)
        self.missing = [board for board in tree.boards if board not in done]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._journal:
            self._journal.close()

    def enter(self, counts):
        """So many leaves are below some boards."""
        for board, nodes in counts.items():
            self._tree.enter(board, nodes)
        if self._journal:
            self._journal.add({board.hex(): nodes for board, nodes in counts.items()})


def _level(entries, root, plies):
    """For each board so many plies below the root, how many paths lead to it by each first move."""
    level = {bytes(root.board): (root, {None: 1})}
    for ply in range(plies):
        deeper = {}
        for record, paths in level.values():
            for place, (_, child) in enumerate(children(entries, record)):
                _, known = deeper.setdefault(bytes(child.board), (child, {}))
                for first, number in paths.items():
                    first = first if ply else place
                    known[first] = known.get(first, 0) + number
        level = deeper
    return {board: paths for board, (_, paths) in level.items()}


# --- on the worker --------------------------------------------------------------------------------


def count(boards, depth, threads, megabytes):
    """A piece of work: how many leaves there are so far below each of some boards."""
    table = _table(megabytes) if megabytes else None
    with _turns:
        return {
            board: Perft(_entries(), threads, table).run(_position(board), depth).nodes for board in boards
        }


def _position(board):
    return lift(PositionRecord(board=BoardRecord.from_buffer_copy(board)))


_turns = threading.Lock()  # of the threads of a process, if there are several


@cache
def _entries():
    return native.load(ENTRIES_MODULE)


@cache
def _table(megabytes):
    return HashTable(megabytes)


if __name__ == "__main__":
    sys.exit(main())
