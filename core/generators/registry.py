"""Other move generators than the engine's own, each with a perft of its own, for those who compare.

A generator is a module with a function `perft(position, depth)`. None is imported, nor compiled, before it is
asked for.
"""

from importlib import import_module

from bluekrait.core.board import Board, Position
from bluekrait.core.counting.perft_threads import children
from bluekrait.core.notation.fen import STARTING_FEN, parse_fen
from bluekrait.core.records import lift

LIVE = "live"  # the engine's own
GENERATORS = {
    "cerulean": "bluekrait.core.generators.cerulean.perft",
    "dirgolem": "bluekrait.core.generators.dirgolem.perft",
}
STEP_DEPTH = 4  # counted in one go; who wants to stop the count must wait so long


def load_perft(name):
    """The perft of a generator, compiled if it was not before, for positions as the engine has them."""
    import numpy as np

    perft = import_module(GENERATORS[name]).perft

    def count(position, depth):
        board, key = Board(*map(np.uint64, position.board)), np.uint64(position.key)
        with np.errstate(over="ignore"):  # where it is plain Python; NumPy keeps that setting per thread
            return int(perft(Position(board, key, position.clock, position.ply), depth))

    count(parse_fen(STARTING_FEN), 2)
    return count


def with_perft(entries, perft):
    """The entries of `core.rules_entries`, with another generator behind the one that counts."""

    def count(job):
        _count(job, job.position, job.depth)

    def _count(job, record, depth):
        if depth <= STEP_DEPTH:
            job.nodes += perft(lift(record), depth)
            return
        for _, child in children(entries, record):
            if job.stop:
                return
            _count(job, child, depth - 1)

    return {**entries, "perft": count}
