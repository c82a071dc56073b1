"""Games of self-play for the tests of what is done with them."""

import pytest

from bluekrait.tools.data import datagen_command
from helpers.labelled import generate


@pytest.fixture(scope="module")
def small_units():
    """Every game is a block of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(datagen_command, "UNIT_NODES", 1)
        yield


@pytest.fixture(scope="module")
def played(small_units, tmp_path_factory):
    """A file of five games."""
    path = tmp_path_factory.mktemp("played") / "positions.bkg"
    assert generate(path, "--games", 5, "--nodes", 40, "--seed", 7) == 0
    return path
