"""Other move generators than the engine's own, each with its own perft, for comparison.

A generator is a module with a function `perft(position, depth)`. It is imported and compiled only when it is
asked for.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from bluekrait.core.board import Board, Position
from bluekrait.core.counting.perft_threads import Entries, children
from bluekrait.core.notation.fen import STARTING_FEN, parse_fen
from bluekrait.core.records import PerftJob, PositionRecord, read_record

LIVE = "live"  # the engine's own
GENERATORS = {
    "cerulean": "bluekrait.core.generators.cerulean.perft",
    "dirgolem": "bluekrait.core.generators.dirgolem.perft",
}
STEP_DEPTH = 4  # plies counted in one call, which cannot be stopped

Count = Callable[[Position, int], int]


def load_perft(name: str) -> Count:
    """The perft of a generator, compiled if necessary, for positions as `parse_fen` makes them."""
    import numpy as np

    perft = import_module(GENERATORS[name]).perft

    def count(position: Position, depth: int) -> int:
        sized: Callable[[int], Any] = np.uint64
        board, key = Board(*map(sized, position.board)), sized(position.key)
        with np.errstate(over="ignore"):  # if not compiled; NumPy keeps this setting per thread
            return int(perft(Position(board, key, position.clock, position.ply), depth))

    count(parse_fen(STARTING_FEN), 2)
    return count


def with_perft(entries: Entries, perft: Count) -> Entries:
    """The entries of `core.rules_entries`, with the perft of another generator."""

    def count(job: PerftJob) -> None:
        _count(job, job.position, job.depth)

    def _count(job: PerftJob, record: PositionRecord, depth: int) -> None:
        if depth <= STEP_DEPTH:
            job.nodes += perft(read_record(record), depth)
            return
        for _, child in children(entries, record):
            if job.stop:
                return
            _count(job, child, depth - 1)

    return {**entries, "perft": count}
