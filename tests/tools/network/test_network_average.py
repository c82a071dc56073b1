"""`bluekrait tune average`: the mean of two networks."""

import numpy as np
import pytest

from bluekrait.search.evaluation.network.network_file import pack, read_network
from bluekrait.tools.network.weights import FINENESS, read_weights
from bluekrait.tools.tuning import tune_command
from helpers.network.networks import random_network


def average(*arguments):
    """The command in this process; the exit code."""
    return tune_command.main(["average", *map(str, arguments)])


@pytest.fixture
def networks(tmp_path):
    """The files of two networks of one shape."""
    paths = [tmp_path / "one.bknn", tmp_path / "other.bknn"]
    for seed, path in enumerate(paths):
        path.write_bytes(pack(random_network(32, buckets=8, regions=4, seed=seed)))
    return paths


@pytest.mark.parametrize("share", [0.5, 0.8])
def test_every_weight_is_the_mean(networks, tmp_path, share, capsys):
    target = tmp_path / "mean.bknn"
    assert average(*networks, "--share", share, "-o", target) == 0
    assert f"{target}: {share} of" in capsys.readouterr().out
    (one, _), (other, _), (found, head) = map(read_weights, (*networks, target))
    for fineness, *arrays in zip(FINENESS, one.arrays, other.arrays, found.arrays):
        first, second, mean = arrays
        assert np.abs(share * first + (1 - share) * second - mean).max() <= 0.5 / fineness + 1e-6
    parts = head.data["mean of"]
    assert [part["file"] for part in parts] == ["one.bknn", "other.bknn"]
    assert [part["share"] for part in parts] == pytest.approx([share, 1 - share])


def test_all_of_one_is_that_one(networks, tmp_path):
    target = tmp_path / "same.bknn"
    assert average(*networks, "--share", 1, "-o", target) == 0
    assert read_network(target).arrays == read_network(networks[0]).arrays


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"regions": 1}, "differ in their regions: 4 and 1"),
        ({"width": 64}, "differ in their width: 32 and 64"),
    ],
)
def test_networks_of_two_kinds_have_no_mean(networks, tmp_path, capsys, changes, reason):
    networks[1].write_bytes(pack(random_network(**{"width": 32, "buckets": 8, "regions": 4, **changes})))
    assert average(*networks, "-o", tmp_path / "mean.bknn") == 2
    assert reason in capsys.readouterr().err
    assert not (tmp_path / "mean.bknn").exists()


def test_what_is_no_network_is_refused(networks, tmp_path, capsys):
    networks[1].write_bytes(b"x" * 100)
    assert average(*networks, "-o", tmp_path / "mean.bknn") == 2
    assert "no network" in capsys.readouterr().err
