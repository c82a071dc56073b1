"""Taking note of what counts: the terms say it once, and a sink makes of it a number or a trace.

A term is told a sink and gives it back with more in it: `sink = note(sink, SLOT, count)`. What becomes of
that depends on the sink. A number adds the weight so many times: it holds the points for the middle game
in its low half and those for the end game in its high half, so that one addition serves both. A `Tally`
counts.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from bluekrait.core.compiler.jit import inline, int64, record_reader, uint64
from bluekrait.core.rules.bits import U64
from bluekrait.search.evaluation.classical import weight_layout
from bluekrait.search.evaluation.classical.evaluation_records import Counts
from bluekrait.search.evaluation.classical.generic import GENERIC, generic
from bluekrait.search.evaluation.classical.tapered import danger_points

HALF, HALF_SIGN = 32, 1 << 31

counts_at, _ = record_reader(Counts)


class Tally(NamedTuple):
    """A sink that counts, in the `Counts` at an address."""

    address: int


tally_type = types.NamedUniTuple(uint64, 1, Tally)


def slot(group, term):
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

# --- what sinks do ----------------------------------------------------------------------------------


def note(sink, slot, count):
    """The sink, and so many times what stands in a slot."""
    return (_note_number if _is_number(sink) else _note_tally)(sink, slot, count)


def new_danger(sink):
    """A sink for the danger that a king is in: its weights are not points yet."""
    return (_new_danger_number if _is_number(sink) else _same_tally)(sink)


def with_danger(sink, danger):
    """The sink, and the points that a danger amounts to; counts are complete without."""
    return (_with_danger_number if _is_number(sink) else _same_tally_too)(sink, danger)


def _note_number(sink, slot, count):
    return sink + WEIGHTS[slot] * int64(count)


def _note_tally(sink, slot, count):
    counts_at(sink.address).counts[slot] += int64(count)
    return sink


def _new_danger_number(sink):
    return int64(0)


def _same_tally(sink):
    return sink


def _with_danger_number(sink, danger):
    return sink + packed(*danger_points(danger))


def _same_tally_too(sink, danger):
    return sink


def _is_number(sink):
    return not isinstance(sink, Tally)


# In kernels, the type of the sink decides.


@overload(note, jit_options=GENERIC)
def _choose_note(sink, slot, count):
    return _note_number if isinstance(sink, types.Integer) else _note_tally


@overload(new_danger, jit_options=GENERIC)
def _choose_new_danger(sink):
    return _new_danger_number if isinstance(sink, types.Integer) else _same_tally


@overload(with_danger, jit_options=GENERIC)
def _choose_with_danger(sink, danger):
    return _with_danger_number if isinstance(sink, types.Integer) else _same_tally_too
