"""The rows of a sparse matrix for the tuner: for each position, how often the evaluation adds each weight.

The counts come from the same description of the terms as the evaluation itself; see `search.evaluation`.
"""

import ctypes
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numba
import numpy as np
from numba import types

from bluekrait.core.compiler.jit import int64, kernel, uint64
from bluekrait.core.tables import table_block
from bluekrait.search.evaluation.classical.evaluation_records import Trace
from bluekrait.search.evaluation.classical.sum_terms import trace, trace_at
from bluekrait.search.evaluation.classical.weight_layout import DANGER, GROUPS, SLOTS
from bluekrait.search.self_play.packing import board_of
from bluekrait.tools.data.formats.sample_array import LAYOUT, Array, Samples

CHUNK = 1 << 16  # positions that one thread works at
MOST_COUNTS = 256  # of a position: room for this many on average is plenty

IS_DANGER = np.array([group == DANGER for group in GROUPS])


class GradientRows(NamedTuple):
    """Rows of a sparse matrix: how often each weight counts in a position, in three runs."""

    starts: Array  # of runs: own less enemy counts, own danger, enemy danger; and the end of all
    slots: Array
    counts: Array
    phases: Array
    own_scales: Array
    enemy_scales: Array


def gradient_rows(samples: Samples) -> GradientRows:
    """The rows of an array of samples; on all cores."""
    table_block.block()
    chunks = [samples[start : start + CHUNK] for start in range(0, len(samples), CHUNK)]
    fill_gradient_rows.prepare()
    with ThreadPoolExecutor() as pool:
        return joined(list(pool.map(_rows_of_chunk, chunks)))


def joined(parts: Sequence[GradientRows]) -> GradientRows:
    """The rows of several chunks, one after the other."""
    starts, end = [np.zeros(1, np.int64)], 0
    for part in parts:
        starts.append(part.starts[1:] + end)
        end += part.starts[-1]
    others = (np.concatenate(column) for column in list(zip(*parts))[1:])
    return GradientRows(np.concatenate(starts), *others)


def _rows_of_chunk(samples: Samples) -> GradientRows:
    size, room = len(samples), len(samples) * MOST_COUNTS
    rows = GradientRows(
        np.zeros(3 * size + 1, np.int64),
        np.empty(room, np.uint16),
        np.empty(room, np.int16),
        *(np.empty(size, np.uint8) for _ in range(3)),
    )
    record = Trace()
    used = fill_gradient_rows(ctypes.addressof(record), samples, IS_DANGER, *rows)
    return rows._replace(slots=rows.slots[:used].copy(), counts=rows.counts[:used].copy())


_bytes = types.uint8[::1]


@kernel(
    int64(
        uint64,
        numba.from_dtype(LAYOUT)[::1],
        types.boolean[::1],
        types.int64[::1],
        types.uint16[::1],
        types.int16[::1],
        _bytes,
        _bytes,
        _bytes,
    )
)
def fill_gradient_rows(address, samples, is_danger, starts, slots, counts, phases, own_scales, enemy_scales):
    """Write the rows of samples one after the other; how many counts there are in all."""
    record, end = trace_at(address), 0
    for place in range(len(samples)):
        sample = samples[place]
        trace(address, board_of(sample.occupied, sample.first_pieces, sample.last_pieces))
        phases[place] = record.phase
        own_scales[place], enemy_scales[place] = record.own_scale, record.enemy_scale
        for run in range(3):
            for slot in range(SLOTS):
                if is_danger[slot] == (run == 0):
                    continue
                count = 0 if run == 2 else record.own.counts[slot]
                if run == 0:
                    count -= record.enemy.counts[slot]
                elif run == 2:
                    count = record.enemy.counts[slot]
                if count:
                    slots[end], counts[end] = slot, count
                    end += 1
            starts[3 * place + run + 1] = end
    return end
