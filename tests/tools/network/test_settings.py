"""The settings of a run: how a network to start from may be made larger."""

import pytest

from bluekrait.tools.network.settings import DEFAULTS, check_start

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
