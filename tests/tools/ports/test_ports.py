"""The trials on other machines, as far as they can be tried without those machines."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest

from bluekrait.core.notation.fen import STARTING_FEN, parse_fen
from bluekrait.search.playing.book import Book
from bluekrait.tools.ports import dialogue, emulators, try_emulated, try_windows, wine
from bluekrait.tools.ports.checklist import (
    LONGEST_DETAIL,
    CheckError,
    CheckResult,
    expect,
    name_of,
    run_checks,
    table,
)
from bluekrait.tools.ports.dialogue import Dialogue
from bluekrait.tools.ports.windows_checks import CHECK_NAMES, FIRST_GAMES, WindowsChecks, nodes_of, write_book
from bluekrait.tools.ports.wine import Windows

WINDOWS_WHEEL = "bluekrait-1-py3-none-win_amd64.whl"
PARROT = "import sys\nfor line in sys.stdin.buffer: sys.stdout.buffer.write(line); sys.stdout.flush()\n"


def passing():
    """all is well."""
    return "17 nodes"


def failing():
    """all is lost"""
    expect(1 + 1 == 3, "there are 2")


def breaking():
    """nothing is there"""
    raise FileNotFoundError("no such file")


def test_every_check_is_run_whatever_became_of_those_before():
    said = []
    outcomes = run_checks([failing, breaking, passing], said.append)
    assert [(outcome.name, outcome.passed, outcome.detail) for outcome in outcomes] == [
        ("all is lost", False, "there are 2"),
        ("nothing is there", False, "no such file"),
        ("all is well", True, "17 nodes"),
    ]
    assert said[0] == "[1/3] all is lost ..."
    lines = table(outcomes).splitlines()
    assert lines[0].split() == ["check", "passed", "seconds", "detail"]
    assert lines[4].split()[:4] == ["all", "is", "well", "yes"]
    assert lines[-1] == "1 of 3 checks passed"


@pytest.mark.parametrize(
    ("error", "detail"),
    [
        (ValueError("no number"), "no number"),
        (subprocess.TimeoutExpired("wine", 5), "Command 'wine' timed out after 5 seconds"),
        (OSError(), "OSError"),
    ],
)
def test_whatever_goes_wrong_fails_its_check_only(error, detail):
    check = MagicMock(side_effect=error, __doc__="a check")
    (outcome,) = run_checks([check], lambda text: None)
    assert (outcome.passed, outcome.detail) == (False, detail)


def test_a_long_detail_is_cut():
    detail = "x" * 2 * LONGEST_DETAIL
    assert table([CheckResult("a check", False, detail, 1)]).count("x") == LONGEST_DETAIL


def test_a_windows_computer_names_files_as_windows_does(tmp_path):
    windows = Windows(tmp_path)
    assert windows.path(windows.scripts / "bluekrait.exe") == r"C:\Python\Scripts\bluekrait.exe"
    assert windows.path("/tmp/a b/c") == r"Z:\tmp\a b\c"
    assert windows.local_path(r"C:\users\chess\log.txt") == windows.drive / "users" / "chess" / "log.txt"


def test_compiled_code_is_removed_and_nothing_else(tmp_path):
    windows = Windows(tmp_path)
    local = windows.drive / "users" / "chess" / "AppData" / "Local"
    for name in ("bluekrait", "other"):
        (local / name).mkdir(parents=True)
    windows.forget()
    assert [path.name for path in local.iterdir()] == ["other"]


def test_nothing_of_this_machine_reaches_the_windows_computer(tmp_path, monkeypatch):
    monkeypatch.setenv("BLUEKRAIT_CACHE_DIR", "/somewhere")
    settings = Windows(tmp_path).environment()
    assert "BLUEKRAIT_CACHE_DIR" not in settings
    assert settings["WINEPREFIX"].startswith(str(tmp_path))


def test_processes_are_found_by_their_prefix(tmp_path):
    windows = Windows(tmp_path)
    settings = {"PATH": os.environ["PATH"], "WINEPREFIX": str(tmp_path / "prefix")}
    command = [sys.executable, "-c", "input('bluekrait')"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=settings) as process:
        process.stdout.read(1)  # it is there
        assert windows.processes("bluekrait") == [process.pid]
        assert windows.processes("stockfish") == []
        assert Windows(tmp_path / "another").processes("bluekrait") == []
        process.kill()


def test_there_are_twelve_checks_and_each_has_a_name():
    assert len(CHECK_NAMES) == 12
    names = {name_of(getattr(WindowsChecks, name)) for name in CHECK_NAMES}
    assert len(names) == 12


class ScriptedWindows(Windows):
    """One whose engine does not play: it writes files of certain sizes, and less if it is killed."""

    whole, killed, continued = 2 * FIRST_GAMES, FIRST_GAMES + 1, 2 * FIRST_GAMES
    code = r"C:\Local\bluekrait"  # where the compiled code is

    def path(self, path):
        return str(path)

    def run(self, words, text="", cwd=None):
        if "datagen" in words:
            file = Path(words[-1])
            file.write_bytes(bytes(self.continued if file.exists() else self.whole))
        if "warmup" in words:
            (self.drive / "Local" / "bluekrait" / "code").mkdir(parents=True)
        output = f"compiled code  {self.code}" if "compiler" in words else r"C:\Local"
        return subprocess.CompletedProcess(words, 0, output, "")

    def start(self, words, cwd=None, stdout=subprocess.PIPE):
        Path(words[-1]).write_bytes(bytes(self.killed))
        return MagicMock()


def outcome_of(name, folder, wheel="bluekrait-1-py3-none-any.whl", **facts):
    """How a check ends on a computer of which some facts are others."""
    windows = ScriptedWindows(folder)
    for fact, value in facts.items():
        setattr(windows, fact, value)
    (outcome,) = run_checks(WindowsChecks(windows, folder / wheel, print).chosen([name]), print)
    return outcome


@pytest.mark.parametrize("name", ["cache", "resume"])
def test_a_check_does_not_need_those_before_it(name, tmp_path):
    outcome = outcome_of(name, tmp_path)
    assert outcome.passed, outcome.detail


@pytest.mark.parametrize(
    ("name", "facts", "complaint"),
    [
        ("resume", {"killed": 2 * FIRST_GAMES}, "it had come to its end before it was killed"),
        ("resume", {"continued": FIRST_GAMES}, f"{FIRST_GAMES} bytes, uninterrupted {2 * FIRST_GAMES}"),
        ("cache", {"code": "nowhere"}, "names nothing in C:\\Local"),
        ("cache", {"wheel": WINDOWS_WHEEL}, r"compiled code C:\Local\bluekrait"),
        ("cache", {"wheel": WINDOWS_WHEEL, "code": "from the package"}, "the first start wrote files"),
    ],
)
def test_what_is_wrong_on_windows_is_noticed(name, facts, complaint, tmp_path):
    outcome = outcome_of(name, tmp_path, **facts)
    assert not outcome.passed and complaint in " ".join(outcome.detail.split())


def test_all_checks_are_made_unless_some_are_chosen(tmp_path):
    checks = WindowsChecks(ScriptedWindows(tmp_path), tmp_path, print)
    assert [check.__name__ for check in checks.chosen()] == list(CHECK_NAMES)
    assert [check.__name__ for check in checks.chosen(["perft", "version"])] == ["version", "perft"]


def test_the_book_for_the_trial_is_a_book(tmp_path):
    write_book(tmp_path / "book.bin")
    position = parse_fen(STARTING_FEN)
    move = dict(legal_moves_of(STARTING_FEN))["a2a3"]
    assert Book(str(tmp_path / "book.bin")).moves(position, [move]) == [(move, 1)]


def legal_moves_of(fen):
    from bluekrait.search.engine import load_engine

    engine = load_engine()
    engine.set_position(fen, [])
    from bluekrait.core.notation.san_and_uci import move_to_uci

    return [(move_to_uci(move, engine.turn), move) for move in engine.legal_moves()]


def test_a_dialogue_says_lines_with_their_ends_and_hears_them():
    process = subprocess.Popen(
        [sys.executable, "-c", PARROT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    with Dialogue(process, "\r\n") as parrot:
        parrot.send("one", "two")
        assert parrot.wait_for("tw") == "two"
        assert parrot.received == ["one", "two"]
        process.stdin.close()
        with pytest.raises(CheckError, match="no three"):
            parrot.wait_for("three")


def test_a_dialogue_ends_with_the_exit_code():
    pipe = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    program = "import sys; sys.exit(3 if input() == 'quit' else 4)"
    with Dialogue(subprocess.Popen([sys.executable, "-c", program], **pipe)) as engine:
        assert engine.quit() == 3


def test_a_dialogue_waits_for_some_time_and_leaves_no_process(monkeypatch):
    monkeypatch.setattr(dialogue, "PATIENCE", 0.01)
    pipe = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], **pipe)
    with Dialogue(process) as silent, pytest.raises(CheckError, match="no uciok within 0.01 s"):
        silent.wait_for("uciok")
    assert process.poll() is not None


@pytest.mark.parametrize(
    ("checks", "code"), [([passing], 0), ([passing, failing], 1), ([failing, passing], 1)]
)
def test_a_trial_fails_with_any_of_its_checks(tmp_path, monkeypatch, checks, code, capsys):
    machine, ended = MagicMock(), []
    machine.return_value.name = "other"
    monkeypatch.setattr(try_emulated, "EmulatedChecks", lambda *_: SimpleNamespace(all=lambda: checks))
    machines = [machine, machine] if code == 0 else [machine]
    assert try_emulated.attempt(machines, [tmp_path] * 2, tmp_path, False) == code
    monkeypatch.setattr(try_windows, "Windows", machine)
    monkeypatch.setattr(try_windows, "WindowsChecks", lambda *_: SimpleNamespace(chosen=lambda only: checks))
    machine.return_value.end = lambda: ended.append(True)
    assert try_windows.attempt(tmp_path / "a.whl", tmp_path, ()) == code
    machine.return_value.install.side_effect = OSError("the wheel cannot be installed")
    with pytest.raises(OSError):
        try_windows.attempt(tmp_path / "a.whl", tmp_path, ())
    assert len(ended) == 2  # nothing is left running


def test_the_signature_is_read():
    assert nodes_of("info string hello\n4421488 nodes 325786 nps\n") == "4421488"
    with pytest.raises(CheckError):
        nodes_of("nothing")


def test_a_wheel_that_is_not_there_is_told(tmp_path, capsys):
    assert try_windows.main([str(tmp_path / "missing.whl")]) == 2
    assert re.fullmatch(r"python -m \S+: there is no wheel .*missing.whl\n", capsys.readouterr().err)


def test_each_emulated_machine_gets_its_wheel(tmp_path, capsys):
    assert try_emulated.main([str(tmp_path), "--machine", "aarch64"]) == 2
    assert "there is no wheel for manylinux2014_aarch64 in " in capsys.readouterr().err
    tags = "any", "manylinux2014_aarch64", "manylinux2014_x86_64.musllinux_1_1_x86_64"
    names = [f"bluekrait-1.0-py3-none-{tag}.whl" for tag in tags]
    for name in names:
        (tmp_path / name).touch()
    wheel_for = try_emulated.wheel_for
    assert wheel_for(emulators.Arm, tmp_path, False).name == names[1]
    assert wheel_for(emulators.OldIntel, tmp_path, False).name == names[2]
    assert wheel_for(emulators.OldIntel, tmp_path, True).name == names[0]


class Compiling(emulators.Emulated):
    """A machine on which the engine is compiled by a number of starts."""

    def __init__(self, directory, times):
        super().__init__(directory)
        self._times = list(range(times))

    def run(self, *words):
        if words == ("warmup",) and self._times:
            self.cache.mkdir(parents=True, exist_ok=True)
            (self.cache / "play.native").touch()
            os.utime(self.cache / "play.native", (0, self._times.pop()))
        return "ready"


@pytest.mark.parametrize("times, passed", [(0, False), (1, True), (2, False)])
def test_the_engine_is_compiled_once(times, passed, tmp_path):
    checks = try_emulated.EmulatedChecks(Compiling(tmp_path, times), True)
    (outcome,) = run_checks([checks.compile], print)
    assert outcome.passed is passed and passed is ("compiled again" not in outcome.detail)


def test_an_unknown_check_is_told(tmp_path, capsys):
    wheel = tmp_path / "some.whl"
    wheel.touch()
    assert try_windows.main([str(wheel), "--only", "chess"]) == 2
    assert "there is no check chess" in capsys.readouterr().err


def test_an_emulated_machine_has_its_own_cache_and_packages(tmp_path, monkeypatch):
    seen = {}

    def run(words, env, **options):
        seen.update(words=words, settings=env)
        return SimpleNamespace(returncode=0, stdout="ready")

    monkeypatch.setattr(emulators.subprocess, "run", run)
    machine = emulators.Arm(tmp_path)
    assert machine.run("warmup") == "ready"
    assert seen["words"][0].endswith("qemu-aarch64-static")
    assert seen["words"][-3:] == ["-m", "bluekrait", "warmup"]
    assert seen["settings"]["BLUEKRAIT_CACHE_DIR"] == str(tmp_path / "aarch64" / "cache")


def prepared_for(machine, module, monkeypatch):
    """Which of the engine's needs are downloaded for a machine when it is prepared again and again."""
    downloads = []

    def call(*words, cwd=None):
        if "pip" in words:
            downloads.extend(word for word in words if str(word).startswith("numba"))
            folder = words[words.index("-d") + 1]
            zipfile.ZipFile(folder / "pip-1-py3-none-any.whl", "w").close()

    for each in (module, wine):  # which calls pip for both
        monkeypatch.setattr(each, "call", call)
    for needs in ("numba<1", "numba<1", "numba<2"):
        monkeypatch.setattr(module, "runtime_requirements", lambda needs=needs: [needs, "numpy"])
        machine.prepare(lambda text: None)
    return downloads


def test_machines_are_prepared_anew_when_the_engine_needs_other_packages(tmp_path, monkeypatch):
    for step in ("_unpack_wine", "_unpack_python", "_start_wine"):
        monkeypatch.setattr(Windows, step, lambda self: None)
    monkeypatch.setattr(Windows, "run", lambda self, words: subprocess.CompletedProcess(words, 0))
    windows, arm = Windows(tmp_path), emulators.Arm(tmp_path)
    assert prepared_for(windows, wine, monkeypatch) == ["numba<1", "numba<2"]
    assert prepared_for(arm, emulators, monkeypatch) == ["numba<1", "numba<2"]


def test_a_download_that_fails_says_which(tmp_path):
    with pytest.raises(OSError, match="false failed"):
        wine.call("false", cwd=tmp_path)
