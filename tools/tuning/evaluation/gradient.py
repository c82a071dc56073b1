"""The error of the evaluation over labelled positions, and its gradient by each weight.

The expected result of a position is 1 / (1 + exp(-steepness · score)); its error is the squared difference to
the label, which lies between 0 and 1. All this is differentiable, also where danger becomes points.

Weights are an array of two rows, for the middle game and for the end game; dangers stand in the first.
"""

import math

from numba import types

from bluekrait.core.compiler.jit import inline, int64, kernel
from bluekrait.search.evaluation.classical.tapered import (
    DANGER_LINE,
    DANGER_SQUARE,
    FULL_PHASE,
    FULL_SCALE,
    MOST_DANGER,
)

float64 = types.float64
_floats, _bytes = types.float64[::1], types.uint8[::1]
_rows = (types.int64[::1], types.uint16[::1], types.int16[::1], _bytes, _bytes, _bytes)


@kernel(float64(types.float64[:, ::1], types.float64[:, ::1], types.int64[::1], _floats, float64, *_rows))
def add_gradient(
    weights, gradient, chosen, labels, steepness, starts, slots, counts, phases, own_scales, enemy_scales
):
    """The summed error over the chosen positions; its gradient is added up."""
    error = 0.0
    for place in chosen:
        first, own, enemy, end = (
            starts[3 * place],
            starts[3 * place + 1],
            starts[3 * place + 2],
            starts[3 * place + 3],
        )
        middle_game, end_game = 0.0, 0.0
        for index in range(first, own):
            slot, count = slots[index], float64(counts[index])
            middle_game += weights[0, slot] * count
            end_game += weights[1, slot] * count
        own_danger = danger_of(weights, slots, counts, own, enemy)
        enemy_danger = danger_of(weights, slots, counts, enemy, end)
        middle_game += (own_danger * own_danger - enemy_danger * enemy_danger) / DANGER_SQUARE
        end_game += (own_danger - enemy_danger) / DANGER_LINE

        share = phases[place] / FULL_PHASE
        mixed = middle_game * share + end_game * (1 - share)
        scale = (own_scales[place] if mixed > 0 else enemy_scales[place]) / FULL_SCALE
        expected = 1 / (1 + math.exp(-steepness * mixed * scale))
        miss = expected - labels[place]
        error += miss * miss

        slope = 2 * miss * expected * (1 - expected) * steepness * scale
        by_middle_game, by_end_game = slope * share, slope * (1 - share)
        for index in range(first, own):
            slot, count = slots[index], float64(counts[index])
            gradient[0, slot] += by_middle_game * count
            gradient[1, slot] += by_end_game * count
        add_danger_gradient(gradient, slots, counts, own, enemy, own_danger, by_middle_game, by_end_game)
        add_danger_gradient(gradient, slots, counts, enemy, end, enemy_danger, -by_middle_game, -by_end_game)
    return error


@inline(float64(types.float64[:, ::1], types.uint16[::1], types.int16[::1], int64, int64))
def danger_of(weights, slots, counts, start, end):
    """The danger that a run of counts makes."""
    danger = 0.0
    for index in range(start, end):
        danger += weights[0, slots[index]] * counts[index]
    return min(max(danger, 0.0), float64(MOST_DANGER))


@inline(
    int64(
        types.float64[:, ::1],
        types.uint16[::1],
        types.int16[::1],
        int64,
        int64,
        float64,
        float64,
        float64,
    )
)
def add_danger_gradient(gradient, slots, counts, start, end, danger, by_middle_game, by_end_game):
    """The same for the weights that danger is made of."""
    if danger <= 0 or danger >= MOST_DANGER:
        return 0
    slope = by_middle_game * 2 * danger / DANGER_SQUARE + by_end_game / DANGER_LINE
    for index in range(start, end):
        gradient[0, slots[index]] += slope * counts[index]
    return 0
