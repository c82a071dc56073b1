"""Adding terms: each term is written once, and serves both the score and the trace that explains it.

Every term takes a total and returns it with more in it: `total = add_term(total, SLOT, count)`. There are two
kinds of total. A number is the score: it adds the weight `count` times. It holds the points for the middle
game in its low half and those for the end game in its high half, so that one addition serves both. A
`TermCounter` is the trace: it adds up how often each weight counts, for `explain` and for the tuner.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from bluekrait.core.compiler.jit import GENERIC, generic, inline, int64, record_reader
from bluekrait.core.rules.bits import U64
from bluekrait.search.evaluation.classical import weight_layout
from bluekrait.search.evaluation.classical.evaluation_records import Counts
from bluekrait.search.evaluation.classical.tapered import danger_points

HALF, HALF_SIGN = 32, 1 << 31

counts_at, _ = record_reader(Counts)


class TermCounter(NamedTuple):
    """A total that counts how often each weight is used, in the `Counts` at an address."""

    address: int


def slot(group: str, term: str) -> np.uint64:
    """The slot of a term's first weight, as kernels want it."""
    return U64(weight_layout.first_slot(group, term))


@generic
def packed(middle_game, end_game):
    """Both kinds of points in one number."""
    return middle_game + (end_game << HALF)


WEIGHTS = np.array(
    [packed(*pair) for pair in zip(weight_layout.MIDDLE_GAME, weight_layout.END_GAME)], dtype=np.int64
)


@inline(int64(int64))
def middle_game(points):
    """The low half of packed points."""
    return ((points + HALF_SIGN) & ((HALF_SIGN << 1) - 1)) - HALF_SIGN


@inline(int64(int64))
def end_game(points):
    """The high half of packed points."""
    return (points + HALF_SIGN) >> HALF


generic(danger_points)

# --- the two kinds of total ---------------------------------------------------------------------------


def add_term(total, slot, count):
    """The total after adding the weight in a slot `count` times."""
    return (_add_to_points if _is_points(total) else _count_term)(total, slot, count)


def new_danger(total):
    """An empty total for king danger: its weights are not points yet."""
    return (_no_points if _is_points(total) else _same_counter)(total)


def add_danger_points(total, danger):
    """The total after adding the points that king danger is worth; a trace needs nothing more."""
    return (_add_points_of_danger if _is_points(total) else _same_counter_without_danger)(total, danger)


def _add_to_points(total, slot, count):
    return total + WEIGHTS[slot] * int64(count)


def _count_term(total, slot, count):
    counts_at(total.address).counts[slot] += int64(count)
    return total


def _no_points(total):
    return int64(0)


def _same_counter(total):
    return total


def _add_points_of_danger(total, danger):
    return total + packed(*danger_points(danger))


def _same_counter_without_danger(total, danger):
    return total


def _is_points(total: int | TermCounter) -> bool:
    return not isinstance(total, TermCounter)


# In kernels, the type of the total decides.


@overload(add_term, jit_options=GENERIC)
def _choose_add_term(total, slot, count):
    return _add_to_points if isinstance(total, types.Integer) else _count_term


@overload(new_danger, jit_options=GENERIC)
def _choose_new_danger(total):
    return _no_points if isinstance(total, types.Integer) else _same_counter


@overload(add_danger_points, jit_options=GENERIC)
def _choose_add_danger_points(total, danger):
    return _add_points_of_danger if isinstance(total, types.Integer) else _same_counter_without_danger
