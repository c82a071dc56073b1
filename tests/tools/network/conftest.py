"""Positions for the tests of training."""

import pytest

from helpers.network.network_runs import write_positions


@pytest.fixture(scope="module")
def positions_file(tmp_path_factory):
    return write_positions(tmp_path_factory.mktemp("positions") / "material.bks")
