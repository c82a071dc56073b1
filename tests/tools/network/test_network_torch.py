"""PyTorch trains the same network; only where it is installed."""

import numpy as np
import pytest

from bluekrait.search.evaluation.network.network_file import Head
from bluekrait.tools.network import weights
from bluekrait.tools.network.numba_device import NumbaDevice
from bluekrait.tools.network.torch_device import TorchDevice
from helpers.labelled import as_array
from helpers.network.network_runs import Watcher, material_samples, small, train, write_positions

pytest.importorskip("torch")


def both(decay=0.01, most_error=1.0):
    return (
        NumbaDevice(small(), 2, decay, most_error),
        TorchDevice(small(), "cpu-torch", decay, most_error),
    )


def test_outputs_are_the_same():
    samples = as_array(material_samples())
    bases = np.linspace(-1, 1, len(samples), dtype=np.float32)
    ours, theirs = (device.outputs(samples, bases) for device in both())
    np.testing.assert_allclose(ours, theirs, atol=1e-5)


@pytest.mark.parametrize("most_error", [1.0, 0.05])
def test_steps_are_the_same(most_error):
    samples, devices = as_array(material_samples()[:2000]), both(most_error=most_error)
    bases = np.zeros(len(samples), np.float32)
    for step in range(5):
        errors = [device.step(step, 1e-3, 0.3, samples, bases) for device in devices]
        assert errors[0] == pytest.approx(errors[1], rel=1e-3)
    ours, theirs = (device.weights.row for device in devices)
    assert not np.allclose(ours, small().row, atol=1e-3)
    differences = np.abs(ours - theirs)
    assert differences.mean() < 2e-5  # a gradient near 0 may have either sign, and steps are equally long
    assert differences.max() < 2e-3 * 5


def test_equal_weights_make_equal_files():
    ours, theirs = both()
    head = Head(32, 8, regions=4, threats=2, kinds=7)
    assert weights.packed(ours.rounded, head) == weights.packed(theirs.rounded, head)
    noisy = small().row + np.random.default_rng(2).normal(size=small().row.shape).astype(np.float32) / 9
    zeros = np.zeros_like(noisy)
    for device in ours, theirs:
        device.restore(noisy, zeros, zeros)
    assert weights.packed(ours.rounded, head) == weights.packed(theirs.rounded, head)


def test_a_run_ends(tmp_path):
    path = write_positions(tmp_path / "material.bks")
    assert train(tmp_path / "run", [path], Watcher(), device="cpu-torch")
    assert (tmp_path / "run" / "network.bknn").exists()
