"""What the processor works out in training: outputs, and weights after some steps."""

import numpy as np

from bluekrait.search.evaluation.network.network_file import QA, QB, Head
from bluekrait.tools.data.formats.samples import DRAWN, Sample
from bluekrait.tools.network import weights
from bluekrait.tools.network.numba_device import NumbaDevice
from helpers.labelled import as_array
from helpers.network import network_reference as reference
from helpers.network.network_runs import material_samples, small
from helpers.support import cases


def test_outputs_are_those_of_the_plain_network():
    network, some = small(), cases()[::40]
    samples = as_array([Sample(case.position.board, 0, 0, 0, 0, DRAWN) for case in some])
    bases = np.linspace(-1, 1, len(samples), dtype=np.float32)
    found = NumbaDevice(network, 3, 0.0).outputs(samples, bases)
    expected = [
        reference.output(case.board, *map(np.float64, network.arrays), network.shape.sets) for case in some
    ]
    np.testing.assert_allclose(found, expected + bases, atol=2e-5)


def test_parts_make_no_difference_but_rounding():
    samples, bases = as_array(material_samples()), np.zeros(len(material_samples()), np.float32)
    found = []
    for parts in 1, 3:
        network = small()
        device = NumbaDevice(network, parts, 0.01)
        for step in range(3):
            device.step(step, 1e-3, 0.5, samples, bases)
        found.append(network.row)
    np.testing.assert_allclose(*found, atol=3e-4)
    assert not np.array_equal(found[0], small().row)


def test_weights_stay_small_enough_for_whole_numbers():
    network = small()
    device = NumbaDevice(network, 2, 0.0)
    samples = as_array(material_samples()[:200])
    for step in range(5):
        device.step(step, 5.0, 0.0, samples, np.zeros(200, np.float32))
    table, outputs, biases = (np.abs(array).max() for array in network.arrays)
    assert (table * QA, outputs * QB, biases) == (127, 256, 2)  # a byte holds 127


def test_what_is_rounded_after_a_step_is_what_a_file_holds():
    device = NumbaDevice(small(), 2, 0.01)
    samples = as_array(material_samples()[:200])
    for step in range(5):
        device.step(step, 1e-2, 0.0, samples, np.zeros(200, np.float32))
    expected = weights.from_network(
        weights.quantised(device.weights, Head(32, 8, regions=4, threats=2, kinds=7))
    )
    np.testing.assert_array_equal(device.rounded.row, weights.rounded_copy(device.weights).row)
    np.testing.assert_allclose(device.rounded.row, expected.row, atol=1e-6)
    assert not np.allclose(device.rounded.row, device.weights.row, atol=1e-3)
