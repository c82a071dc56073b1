"""Steps of training: AdamW, and how long its steps are."""

import math

from numba import types

from bluekrait.core.compiler.jit import int64, kernel
from bluekrait.search.evaluation.network.network_file import QA, QB

INERTIA, MEMORY, TINY = 0.9, 0.999, 1e-8  # for the mean of slopes, for that of their squares, against 0
WARM_UP = 200  # steps, at most ...
WARM_UP_SHARE = 0.05  # ... of all steps

float32 = types.float32
_floats, _bounds = types.float32[::1], types.UniTuple(int64, 2)


@kernel(
    types.void(
        _floats, _floats, types.float32[:, ::1], _floats, _floats, _bounds, int64, int64, *(float32,) * 5
    ),
)
def move_weights(
    row, rounded, slopes, means, squares, bounds, first, end, share, length, tininess, decay, largest
):
    """Let weights take a step against their slopes, which are given in several parts and are 0 afterwards.

    Beside the weights, those that the engine will know are kept: rounded as in the network's file.
    """
    for place in range(first, end):
        slope = float32(0)
        for part in range(len(slopes)):
            slope += slopes[part, place]
            slopes[part, place] = 0
        slope *= share
        means[place] += float32(1 - INERTIA) * (slope - means[place])
        squares[place] += float32(1 - MEMORY) * (slope * slope - squares[place])
        weight = row[place] * decay - length * means[place] / (math.sqrt(squares[place]) + tininess)
        row[place] = min(max(weight, -largest), largest)
        fineness = (
            float32(QA) if place < bounds[0] else float32(QB) if place < bounds[1] else float32(QA * QB)
        )
        rounded[place] = math.floor(row[place] * fineness + float32(0.5)) / fineness


def step_constants(step, rate, decay):
    """What `move_weights` needs in a step, counted from 0: the length, the least divisor, the decay."""
    mean_part, square_part = 1 - INERTIA ** (step + 1), 1 - MEMORY ** (step + 1)
    root = math.sqrt(square_part)
    return rate * root / mean_part, TINY * root, 1 - rate * decay


def rate_at(step, steps, first, last):
    """The learning rate: it rises quickly, then falls along a cosine."""
    warm_up = min(WARM_UP, int(steps * WARM_UP_SHARE))
    if step < warm_up:
        return first * (step + 1) / warm_up
    done = (step - warm_up) / max(1, steps - warm_up)
    return last + (first - last) * (1 + math.cos(math.pi * done)) / 2
