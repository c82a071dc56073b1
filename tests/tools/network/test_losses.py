"""Losses, and the table of them."""

import numpy as np
import pytest

from bluekrait.tools.data.formats.look_ahead import RESULT_SCALE
from bluekrait.tools.data.formats.sample_array import LAYOUT
from bluekrait.tools.data.formats.samples import DRAWN, LOST, WON
from bluekrait.tools.network.losses import PHASES, Labels, Losses, table


def test_losses_are_told_for_each_label_and_by_phase():
    samples = np.zeros(3, LAYOUT)
    samples["occupied"] = [2**pieces - 1 for pieces in (2, 17, 32)]
    samples["score"], samples["result"] = [0, 100, -200], [LOST, WON, DRAWN]
    found = Labels(samples, 0.25).losses(np.zeros(3, np.float32))  # half a point is expected
    results = np.array([0, 1, 0.5])
    scores = 1 / (1 + np.exp(-samples["score"] / RESULT_SCALE))
    errors = np.square(0.25 * results + 0.75 * scores - 0.5)
    expected = [np.mean(errors), np.mean(np.square(results - 0.5)), np.mean(np.square(scores - 0.5))]
    assert found[:3] == pytest.approx(expected, rel=1e-5)
    few, none, middle, many = (found.phases[place] for place in (0, 1, 3, 7))
    assert none is None and [few, middle, many] == pytest.approx(errors, rel=1e-5)


def test_losses_are_called_as_in_the_guide():
    first, second = Losses(0.2, 0.4, 0.8, [0.1] * PHASES), Losses(0.1, 0.4, 0.8, [0.2] * PHASES)
    heading, *lines = table([("classical", first), ("network", second)])
    assert heading.split() == ["held", "out", "classical", "network"]
    assert lines[0].split() == ["label", "0.20000", "(1.000)", "0.10000", "(0.500)"]
    assert [line.split()[0] for line in lines[1:3]] == ["result", "score"]
    assert [line.split()[1] for line in lines[3:]] == [
        *("2-5", "6-9", "10-13", "14-17", "18-21", "22-25", "26-29", "30-32")
    ]
