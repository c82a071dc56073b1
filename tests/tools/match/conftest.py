"""What all tests of matches are given."""

import pytest

from bluekrait.tools.match.runner import processes


@pytest.fixture(autouse=True)
def nobody_is_left_behind():
    """Every engine has been ended."""
    yield
    assert not processes._leaders
