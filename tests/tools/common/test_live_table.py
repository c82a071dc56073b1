"""Tables on a terminal, and what is shown in their stead."""

import io
import sys

import pytest

from bluekrait.tools.common import compiling
from bluekrait.tools.common.live_table import LiveTable
from bluekrait.uci import progress

ERASE_LINE = "\x1b[2K"


class Terminal(io.StringIO):
    """What standard error is where somebody looks at it."""

    def isatty(self):
        return True


def shown(monkeypatch, terminal):
    """What is printed there of a table, and of a line that stays."""
    monkeypatch.setattr(sys, "stderr", terminal)
    with LiveTable() as display:
        display.show("1 of 2", lambda: "a table")
        display.log("a report")
        display.show("2 of 2", lambda: "a table")
    return terminal.getvalue()


def test_a_table_on_a_terminal_takes_the_place_of_lines_and_is_removed(monkeypatch):
    pytest.importorskip("rich", reason="the extra [tools] is not installed")
    told = shown(monkeypatch, Terminal())
    assert "a table" in told and " of 2" not in told and "a report" not in told
    assert ERASE_LINE in told.rpartition("a table")[2]


def test_a_terminal_shows_a_line_where_tables_cannot_be_drawn(monkeypatch):
    monkeypatch.setitem(sys.modules, "rich.live", None)
    assert shown(monkeypatch, Terminal()) == "\r1 of 2\r      \ra report\n\r2 of 2\r      \r"


def test_elsewhere_only_what_stays_is_printed(monkeypatch):
    assert shown(monkeypatch, io.StringIO()) == "a report\n"


def test_without_standard_error_nothing_is_shown(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    with LiveTable() as display:
        display.show("1 of 2", lambda: "a table")
        display.log("a report")


def test_what_is_compiled_for_a_tool_is_told(monkeypatch, capsys):
    def load(module, on_progress):
        on_progress(3, 4, "rook moves")
        return module

    monkeypatch.setattr(progress, "LOG_SECONDS", 0.0)
    monkeypatch.setattr(compiling.native, "load", load)
    assert compiling.load_entries("some.module") == "some.module"
    assert capsys.readouterr().err == "compiling, 75 % (rook moves)\n"
