"""Time controls, and the clocks of a game."""

import pytest

from bluekrait.tools.match.setup.time_control import SideClock, TimeControl, parse_time_control


@pytest.mark.parametrize(
    ("text", "seconds", "increment", "moves"),
    [
        ("8+0.08", 8, 0.08, 0),
        ("40/60+0.5", 60, 0.5, 40),
        ("40/60", 60, 0, 40),
        ("1:30+1", 90, 1, 0),
        ("40/2:00", 120, 0, 40),
        (".5", 0.5, 0, 0),
        ("0+1", 1, 1, 0),
        ("12345.25+0.0000001", 12345.25, 1e-7, 0),
        ("inf", 0, 0, 0),
    ],
)
def test_time_controls(text, seconds, increment, moves):
    control = parse_time_control(text)
    assert control[:3] == (seconds, increment, moves)
    assert parse_time_control(control.text()) == control if seconds else control.text() == "-"


def test_times_are_written_with_all_digits():
    assert TimeControl(1_800_000, 12345.25, 40).text() == "40/1800000+12345.25"
    assert TimeControl(move_time=1234.5678).text() == "1234.5678/move"


@pytest.mark.parametrize(
    ("control", "told"),
    [
        (TimeControl(8.0, 0.08, nodes=500, depth=9), "8+0.08, 500 nodes, depth 9"),
        (TimeControl(move_time=0.5), "0.5/move"),
        (TimeControl(nodes=500), "500 nodes"),
        (TimeControl(depth=9), "depth 9"),
    ],
)
def test_every_limit_is_told_and_ends_a_search(control, told):
    assert control.short_text() == told
    assert control.is_limited


def test_without_a_limit_no_search_ends():
    assert TimeControl(margin=1.0).short_text() == "no limit"
    assert not TimeControl(margin=1.0).is_limited


ENDLESS = "9" * 400  # more than a floating-point number can be


@pytest.mark.parametrize("text", ["", "8+", "+1", "40/", "8+-1", "0", "0+0", "1e3", "nan", "8 + 1"])
def test_what_is_no_time_control(text):
    with pytest.raises(ValueError):
        parse_time_control(text)


@pytest.mark.parametrize("text", [ENDLESS, f"8+{ENDLESS}", f"{ENDLESS}:30", f"{ENDLESS}/8", "1" + "0" * 15])
def test_what_no_engine_can_be_told(text):
    with pytest.raises(ValueError, match="is too much time"):
        parse_time_control(text)


def test_the_clock_of_a_game():
    clock = SideClock(TimeControl(10.0, 0.5))
    assert clock.overrun(9.99) == 0
    assert clock.overrun(10.25) == 0.25
    clock.spend(4.0)
    assert clock.limit == 6.5


def test_the_clock_of_forty_moves():
    clock = SideClock(TimeControl(10.0, 0.0, moves=2))
    clock.spend(4.0)
    assert (clock.remaining, clock.moves_to_go) == (6.0, 1)
    clock.spend(1.0)
    assert (clock.remaining, clock.moves_to_go) == (15.0, 2)


def test_what_is_forgiven():
    clock = SideClock(TimeControl(1.0, 0.1, margin=0.05))
    assert clock.overrun(1.04) == 0
    assert clock.overrun(1.06) == pytest.approx(0.06)
    clock.spend(1.04)
    assert clock.remaining == pytest.approx(0.1)  # never less than nothing


def test_clocks_without_a_bank():
    move_time, nodes = SideClock(TimeControl(move_time=0.5)), SideClock(TimeControl(nodes=100))
    assert move_time.overrun(0.75) == 0.25
    move_time.spend(0.4)
    assert move_time.limit == 0.5
    assert nodes.limit is None
    assert nodes.overrun(1000.0) == 0
