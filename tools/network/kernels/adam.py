"""Steps of training: AdamW, and the schedule of its learning rate."""

import math

import numpy as np
from numba import types

from bluekrait.core.compiler.jit import int64, kernel

BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8  # for the mean of gradients, for that of their squares, against 0
WARM_UP = 200  # steps, at most ...
WARM_UP_SHARE = 0.05  # ... of all steps

float32 = types.float32
KINDS = 3  # of weights: of features, of outputs, and the biases of the outputs, one behind the other
_floats, _ends, _by_kind = types.float32[::1], types.UniTuple(int64, KINDS), types.UniTuple(float32, KINDS)
AT_ONCE = 2048  # weights that several loops pass over while they lie in the processor's L1 cache


# Each of the loops below is short because LLVM makes vector instructions only of loops with few arrays: each
# pair of them has to be shown not to overlap. All in one loop took ten times as long.


@kernel(types.void(_floats, _floats))
def add_up(totals, numbers):
    """Add numbers to totals; the numbers are 0 afterwards."""
    for place in range(len(totals)):
        totals[place] += numbers[place]
        numbers[place] = 0


@kernel(types.void(_floats, _floats, _floats, float32))
def update_moments(gradients, means, squares, share):
    """Update the means of gradients and of their squares; the gradients are 0 afterwards."""
    for place in range(len(gradients)):
        gradient = gradients[place] * share
        gradients[place] = 0
        means[place] += float32(1 - BETA1) * (gradient - means[place])
        squares[place] += float32(1 - BETA2) * (gradient * gradient - squares[place])


@kernel(types.void(_floats, _floats, _floats, float32, float32, float32, float32))
def take_steps(row, means, squares, length, epsilon, decay, largest):
    """Move weights against their mean gradients."""
    for place in range(len(row)):
        weight = row[place] * decay - length * means[place] / (math.sqrt(squares[place]) + epsilon)
        row[place] = min(max(weight, -largest), largest)


@kernel(types.void(_floats, _floats, float32))
def put_rounded(row, rounded, fineness):
    """Write down weights as the network's file has them: whole numbers of such a fineness."""
    for place in range(len(row)):
        rounded[place] = np.floor(row[place] * fineness + float32(0.5)) / fineness


@kernel(
    types.void(
        _floats, _floats, types.float32[:, ::1], _floats, _floats, _ends, _by_kind, _by_kind, int64, int64,
        *(float32,) * 4,
    ),
)  # fmt: skip
def move_weights(
    row, rounded, gradients, means, squares, ends, fineness, largest, first, end,
    share, length, epsilon, decay,
):  # fmt: skip
    """Let weights take a step against their gradients, which are given in several parts and are 0 afterwards.

    Beside the weights, those that the engine will know are kept: rounded as in the network's file. For
    each kind of weights it is given where they end in the row, how fine they are, and how large they may be.
    """
    for start in range(first, end, AT_ONCE):
        stop = min(start + AT_ONCE, end)
        gradient = gradients[0, start:stop]
        for part in range(1, len(gradients)):
            add_up(gradient, gradients[part, start:stop])
        update_moments(gradient, means[start:stop], squares[start:stop], share)
        begin = start
        for kind in range(KINDS):
            finish = min(max(ends[kind], start), stop)
            part = slice(begin, finish)
            take_steps(row[part], means[part], squares[part], length, epsilon, decay, largest[kind])
            put_rounded(row[part], rounded[part], fineness[kind])
            begin = finish


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
