"""Steps of training: AdamW, and the schedule of its learning rate."""

import math

from numba import types

from bluekrait.core.compiler.jit import int64, kernel
from bluekrait.search.evaluation.network.network_file import QA, QB

BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8  # for the mean of gradients, for that of their squares, against 0
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
    row, rounded, gradients, means, squares, bounds, first, end, share, length, epsilon, decay, largest
):
    """Let weights take a step against their gradients, which are given in several parts and are 0 afterwards.

    Beside the weights, those that the engine will know are kept: rounded as in the network's file.
    """
    for place in range(first, end):
        gradient = float32(0)
        for part in range(len(gradients)):
            gradient += gradients[part, place]
            gradients[part, place] = 0
        gradient *= share
        means[place] += float32(1 - BETA1) * (gradient - means[place])
        squares[place] += float32(1 - BETA2) * (gradient * gradient - squares[place])
        weight = row[place] * decay - length * means[place] / (math.sqrt(squares[place]) + epsilon)
        row[place] = min(max(weight, -largest), largest)
        fineness = (
            float32(QA) if place < bounds[0] else float32(QB) if place < bounds[1] else float32(QA * QB)
        )
        rounded[place] = math.floor(row[place] * fineness + float32(0.5)) / fineness


def step_constants(step: int, rate: float, decay: float) -> tuple[float, float, float]:
    """What `move_weights` needs in a step, counted from 0: the length, the least divisor, the decay."""
    mean_part, square_part = 1 - BETA1 ** (step + 1), 1 - BETA2 ** (step + 1)
    root = math.sqrt(square_part)
    return rate * root / mean_part, EPSILON * root, 1 - rate * decay


def rate_at(step: int, steps: int, first: float, last: float) -> float:
    """The learning rate: it rises quickly, then falls along a cosine."""
    warm_up = min(WARM_UP, int(steps * WARM_UP_SHARE))
    if step < warm_up:
        return first * (step + 1) / warm_up
    done = (step - warm_up) / max(1, steps - warm_up)
    return last + (first - last) * (1 + math.cos(math.pi * done)) / 2
