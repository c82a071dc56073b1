"""The settings of a run: what it is judged by, and how a network to start from may be made larger."""

import numpy as np
import pytest

from bluekrait.tools.network.classical import classical_scores
from bluekrait.tools.network.losses import Labels
from bluekrait.tools.network.settings import DEFAULTS, check_start, prepare

SHARES = [0.9, 0.2]  # of the result in the labels, at the beginning and at the end


@pytest.mark.parametrize("residual", [False, True])
def test_what_a_run_is_judged_by(positions_file, residual):
    settings = DEFAULTS | {"batch": 256, "result-share": SHARES, "residual": residual}
    found, data = prepare(settings, [positions_file])
    labels, classical = Labels(data.held_out, SHARES[1]), classical_scores(data.held_out)
    assert np.array_equal(data.labels.targets, labels.targets)
    assert found["search"]["score"] == pytest.approx(0, abs=1e-9)
    expected = labels.losses(classical / found["classical-scale"])
    assert found["classical"]["target"] == pytest.approx(expected.target)
    if residual:
        np.testing.assert_allclose(data.held_out_bases, classical / found["classical-scale"], rtol=1e-6)
    else:
        assert data.training_bases is None and not data.held_out_bases.any()


def test_a_run_keeps_its_parts_on_a_machine_with_other_processors(positions_file):
    found, _ = prepare(DEFAULTS | {"batch": 256, "parts": 1000}, [positions_file])
    assert found["parts"] == 1000


SMALLEST = {"width": 32, "buckets": 1, "regions": 1, "threats": 1, "kinds": 6, "residual": False}


def check(wishes, start):
    """Check a run that is to begin with a network of that shape."""
    check_start(DEFAULTS | {"start": "run"} | start | wishes, start)


@pytest.mark.parametrize("larger", [{}, {"width": 64}, {"regions": 4}, {"threats": 2}, {"kinds": 7}])
def test_a_network_to_start_from_may_grow(larger):
    check(larger, SMALLEST)


@pytest.mark.parametrize(
    ("name", "value", "wish"),
    [
        ("width", 64, 32),
        ("buckets", 1, 8),
        ("buckets", 8, 1),
        ("regions", 4, 1),
        ("regions", 4, 16),
        ("threats", 2, 1),
        ("kinds", 7, 6),
        ("residual", False, True),
    ],
)
def test_otherwise_it_keeps_its_shape(name, value, wish):
    with pytest.raises(ValueError, match=f"run has --{name} {value}, not {wish}"):
        check({name: wish}, SMALLEST | {name: value})
