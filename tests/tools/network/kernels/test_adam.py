"""The steps of AdamW, and the rate of learning."""

import numpy as np
import pytest

from bluekrait.tools.network import weights
from bluekrait.tools.network.kernels.adam import (
    AT_ONCE,
    BETA1,
    BETA2,
    EPSILON,
    move_weights,
    rate_at,
    step_constants,
)


@pytest.mark.parametrize("bounds", [(AT_ONCE + 100, 2 * AT_ONCE + 7), (3 * AT_ONCE, 3 * AT_ONCE), (0, 50)])
def test_steps_are_those_of_adamw(bounds):
    size, parts, step, rate, decay, batch = 3 * AT_ONCE, 3, 4, 0.01, 0.1, 8
    rng = np.random.default_rng(9)
    row, gradients = rng.normal(size=size).astype(np.float32), rng.normal(size=(parts, size))
    means, squares = rng.normal(size=size).astype(np.float32), rng.random(size).astype(np.float32)
    gradient = gradients.sum(axis=0) / batch
    mean, square = BETA1 * means + (1 - BETA1) * gradient, BETA2 * squares + (1 - BETA2) * gradient**2
    move = mean / (1 - BETA1 ** (step + 1)) / (np.sqrt(square / (1 - BETA2 ** (step + 1))) + EPSILON)
    fineness, largest = (by_kind(numbers, size, bounds) for numbers in (weights.FINENESS, weights.LARGEST))
    expected = np.clip(row * (1 - rate * decay) - rate * move, -largest, largest)
    gradients, rounded = gradients.astype(np.float32), np.zeros(size, np.float32)
    constants = 1 / batch, *step_constants(step, rate, decay)
    kinds = (*bounds, size), weights.FINENESS, weights.LARGEST
    for first, end in (0, AT_ONCE + 60), (AT_ONCE + 60, size):
        move_weights(row, rounded, gradients, means, squares, *kinds, first, end, *constants)
    np.testing.assert_allclose(row, expected, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(means, mean, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(squares, square, rtol=1e-4, atol=1e-5)
    assert not gradients.any()
    np.testing.assert_array_equal(rounded, np.floor(row * fineness + np.float32(0.5)) / fineness)


def by_kind(numbers, size, bounds):
    """A number for each weight of a row: features first, outputs between the bounds, then their biases."""
    result = np.full(size, numbers[2], np.float32)
    result[: bounds[1]], result[: bounds[0]] = numbers[1], numbers[0]
    return result


def test_the_rate_rises_and_falls():
    rates = [rate_at(step, 10_000, 1e-3, 1e-5) for step in range(10_000)]
    assert rates[0] < 1e-5
    assert max(rates) == rates[199] == pytest.approx(1e-3)
    assert all(later <= earlier for earlier, later in zip(rates[200:], rates[201:]))
    assert rates[-1] == pytest.approx(1e-5, rel=0.01)
    short = [rate_at(step, 100, 1e-3, 1e-5) for step in range(100)]
    assert max(short) == pytest.approx(1e-3) == pytest.approx(short[4]) and short[3] < short[4] > short[9]
