"""Gradients, compared with differences of the loss."""

import numpy as np
import pytest

from bluekrait.tools.data.formats.look_ahead import RESULT_SCALE
from bluekrait.tools.data.formats.samples import Sample
from bluekrait.tools.network import weights
from bluekrait.tools.network.kernels import gradients
from bluekrait.tools.network.kernels.gradients import SHARPNESS
from helpers.labelled import as_array
from helpers.network import network_reference as reference
from helpers.network.network_runs import small
from helpers.support import cases


@pytest.mark.parametrize("most_error", [1.0, 0.1])
def test_gradients_are_those_of_the_loss(most_error):
    network, some = small(), cases()[::60]
    rng = np.random.default_rng(5)
    network.row[:] += rng.normal(scale=1e-3, size=network.row.shape)  # no hidden value is exactly 0 or 1
    samples = as_array(
        [
            Sample(case.position.board, int(rng.integers(-900, 900)), 0, 0, 0, int(rng.integers(3)))
            for case in some
        ]
    )
    bases = rng.normal(size=len(samples)).astype(np.float32)
    found, workspace = weights.zeros(network.shape), gradients.new_workspace(32, 4, 2, 7)
    error = gradients.add_gradients(
        samples, bases, 0, len(samples), 0.3, most_error, *network.arrays, *found.arrays, workspace
    )

    def errors_at(row):
        """The errors in double precision, by the plain network."""
        arrays = weights.over(row, network.shape).arrays
        outputs = bases + np.array(
            [reference.output(case.board, *arrays, network.shape.sets) for case in some]
        )
        labels = 0.3 * samples["result"] / 2 + 0.7 / (1 + np.exp(-samples["score"] / RESULT_SCALE))
        return np.abs(1 / (1 + np.exp(-SHARPNESS * outputs)) - labels)

    def loss_at(row):
        """The Huber loss: from some error on, a line continues the square."""
        errors = errors_at(row)
        return np.where(errors < most_error, errors**2, most_error * (2 * errors - most_error)).sum()

    row = network.row.astype(float)
    assert error == pytest.approx(np.square(errors_at(row)).sum(), rel=1e-4)
    for _ in range(10):
        direction = rng.normal(size=row.shape)
        ahead, behind = (loss_at(row + step * direction) for step in (1e-6, -1e-6))
        assert found.row @ direction == pytest.approx((ahead - behind) / 2e-6, rel=2e-3, abs=2e-3)
