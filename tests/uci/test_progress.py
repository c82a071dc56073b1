"""What is told of work that takes long: on a terminal in one line, elsewhere in a log."""

import io
import math
import sys

import pytest

from bluekrait.uci import progress
from bluekrait.uci.progress import ProgressLine, compiling_text, count_text, duration_text
from helpers.processes.machines import FullStream


@pytest.mark.parametrize(
    "seconds, text",
    [
        *((0, "0:00"), (9.4, "0:09"), (59.6, "1:00"), (61, "1:01"), (3599, "59:59")),
        *((3600, "1:00:00"), (7199, "1:59:59"), (-3, "0:00"), (math.inf, "?"), (math.nan, "?")),
    ],
)
def test_durations(seconds, text):
    assert duration_text(seconds) == text


def test_counts_and_what_is_compiled():
    assert [count_text(number, "game") for number in range(3)] == ["0 games", "1 game", "2 games"]
    assert compiling_text(3, 4, "rook moves") == "compiling, 75 % (rook moves)"


class Terminal(io.StringIO):
    """A terminal, as far as a line of progress asks."""

    def isatty(self):
        return True


def open_terminal(monkeypatch):
    """Standard error; the time is its `now`."""
    terminal = Terminal()
    terminal.now = 100.0
    monkeypatch.setattr(progress, "monotonic", lambda: terminal.now)
    monkeypatch.setattr(sys, "stderr", terminal)
    return terminal


def test_a_line_on_a_terminal_is_overwritten_and_removed(monkeypatch):
    terminal = open_terminal(monkeypatch)
    line = ProgressLine()
    line.show("1 of 10")
    line.show("ten")
    line.clear()
    line.clear()
    assert terminal.getvalue() == "\r1 of 10\rten    \r   \r"


def test_a_line_that_stays_takes_the_place_of_the_one_that_does_not(monkeypatch):
    terminal = open_terminal(monkeypatch)
    line = ProgressLine()
    line.show("1 of 2")
    line.log("done")
    line.show("2 of 2")
    assert terminal.getvalue() == "\r1 of 2\r      \rdone\n\r2 of 2"


def test_short_work_shows_no_line_on_a_terminal(monkeypatch):
    terminal = open_terminal(monkeypatch)
    line = ProgressLine(delay=2)
    for second in range(4):
        terminal.now = 100.0 + second
        line.show(str(second))
    line.clear()
    assert terminal.getvalue() == "\r2\r3\r \r"


def test_a_terminal_that_is_gone_ends_nothing(monkeypatch):
    def fail(text):
        raise OSError

    terminal = open_terminal(monkeypatch)
    line = ProgressLine()
    monkeypatch.setattr(terminal, "write", fail)
    line.show("1 of 2")
    line.log("done")
    monkeypatch.setattr(sys, "stderr", None)
    line.show("2 of 2")
    assert terminal.getvalue() == ""


def test_without_standard_error_nothing_is_shown(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    line = ProgressLine()
    line.show("1 of 2")
    line.log("done")
    line.clear()


def test_a_log_of_progress_has_a_line_every_few_seconds(monkeypatch, capsys):
    now = [0.0]
    monkeypatch.setattr(progress, "monotonic", lambda: now[0])
    line = ProgressLine()
    for second in range(12):
        now[0] = second
        line.show(f"{second} of 12")
    line.clear()
    assert capsys.readouterr().err == "5 of 12\n10 of 12\n"


def test_a_log_of_progress_that_cannot_be_written_ends_nothing(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(progress, "monotonic", lambda: now[0])
    monkeypatch.setattr(sys, "stderr", FullStream())
    line = ProgressLine()
    for second in range(12):
        now[0] = second
        line.show(f"{second} of 12")
    line.log("done")
    line.clear()
