"""Commands whose terminal is closed."""

import os
import signal
import sys

import pytest

from bluekrait.tools.common.errors import with_errors_reported
from bluekrait.uci.exits import INTERRUPTED, SUCCESS

WORK_OF_A_COMMAND = """
import sys
import time
from bluekrait.tools.common.errors import with_errors_reported

@with_errors_reported("work")
def main():
    with open(sys.argv[1], "w") as kept:
        try:
            print("begun", flush=True)
            time.sleep(60)
        finally:
            print("ended", flush=True)
            kept.write("all")

sys.exit(main())
"""


def test_a_command_outlives_its_terminal_until_its_work_is_kept(tmp_path):
    pty = pytest.importorskip("pty", reason="a system without terminals of this kind")
    kept = tmp_path / "kept"
    process, terminal = pty.fork()
    if process == 0:
        os.execv(sys.executable, [sys.executable, "-c", WORK_OF_A_COMMAND, str(kept)])
    try:
        assert os.read(terminal, 5) == b"begun"
    finally:
        os.close(terminal)
        _, status = os.waitpid(process, 0)
    assert os.waitstatus_to_exitcode(status) == INTERRUPTED
    assert kept.read_text() == "all"


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="nobody closes a terminal")
def test_a_command_under_nohup_goes_on_without_its_terminal():
    @with_errors_reported("work")
    def command():
        signal.raise_signal(signal.SIGHUP)
        return SUCCESS

    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert command() == SUCCESS
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("continues", [True, False])
@pytest.mark.parametrize("is_told_by_code", [True, False])
def test_an_interrupted_command_says_if_it_continues(continues, is_told_by_code, capsys):
    @with_errors_reported("work", continues=continues)
    def command():
        if is_told_by_code:
            return INTERRUPTED
        raise KeyboardInterrupt

    assert command() == INTERRUPTED
    told = "work: interrupted. The same command continues\n"
    assert capsys.readouterr() == ("", told if continues else "")


def test_a_command_that_is_done_says_nothing(capsys):
    assert with_errors_reported("work", continues=True)(lambda: SUCCESS)() == SUCCESS
    assert capsys.readouterr() == ("", "")
