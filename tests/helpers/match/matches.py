"""What the tests of matches share: engines that need no compiler, and contests between them."""

import os
import sys
from pathlib import Path

from bluekrait.tools.match.setup.contest import Contest, Rules
from bluekrait.tools.match.setup.engine_spec import OURSELVES, parse_engine
from bluekrait.tools.match.setup.opening_files import Opening
from helpers.paths import HELPERS
from helpers.waiting import wait_until

FAKE = HELPERS / "match" / "fake_engine.py"
MIDDLE_GAME = Opening("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 3 8")
END_GAME = Opening("8/5k2/8/3p4/3P4/8/5K2/8 w - - 0 1")
SHORT = Rules(max_moves=8)


def words_of(name, *settings):
    """The words that describe a fake engine."""
    return [f"cmd={sys.executable}", f"name={name}", f"arg={FAKE}", *(f"arg={word}" for word in settings)]


def fake(name, *settings, tc="tc=20+0.1"):
    """A fake engine: its mode, then its settings."""
    return parse_engine(words_of(name, *settings), (tc,))


def script_of(folder):
    """A script like the one that pip makes for this program."""
    path = folder / OURSELVES
    folder.mkdir()
    path.write_text("#!/usr/bin/env python3\n")
    path.chmod(0o755)
    return path


def contest_of(*engines, openings=(MIDDLE_GAME,), rounds=1, rules=SHORT, **settings):
    """A contest of few and short games."""
    return Contest(engines, openings, rounds, rules=rules, **settings)


def noted_processes(path):
    """The processes of the fake engines that were told to note them in that file."""
    return [int(line) for line in path.read_text().split()]


def wait_until_gone(path):
    """Wait until none of the noted processes is left."""
    wait_until(lambda: not any(is_running(process) for process in noted_processes(path)))


def is_running(process):
    """True if there is such a process, and more of it than its name."""
    try:
        os.kill(process, 0)
        status = Path(f"/proc/{process}/stat")
        return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
