"""The two clocks of a game on the board."""

import pytest

from bluekrait.tools.board.game import clocks as clocks_module
from bluekrait.tools.board.game.clocks import Clocks, TimeControl


@pytest.fixture
def hands(monkeypatch):
    """A clock on the wall that stands until it is moved."""
    hands = {"now": 100.0}
    monkeypatch.setattr(clocks_module, "monotonic", lambda: hands["now"])
    return hands


def test_each_side_uses_its_own_time(hands):
    clocks = Clocks(TimeControl(60, 2))
    clocks.run("white")
    hands["now"] += 10
    assert (clocks.left("white"), clocks.left("black")) == (50, 60)
    clocks.run("black")
    hands["now"] += 15
    clocks.stop()
    hands["now"] += 100
    assert (clocks.left("white"), clocks.left("black")) == (50, 45)
    clocks.add_increment("white")
    assert clocks.left("white") == 52


def test_no_side_has_less_than_no_time(hands):
    clocks = Clocks(TimeControl(60, 2))
    clocks.run("black")
    hands["now"] += 61
    assert clocks.left("black") == 0
    clocks.stop()
    assert clocks.left("black") == 0


def test_clocks_that_are_set_stand(hands):
    clocks = Clocks(TimeControl(60, 2))
    clocks.run("white")
    clocks.set(30, 40)
    hands["now"] += 10
    assert (clocks.left("white"), clocks.left("black"), clocks.running) == (30, 40, None)
