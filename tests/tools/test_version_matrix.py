"""`make matrix`: which interpreters are found, what is done with a pair of versions, and what is told."""

import re
import sys
from pathlib import Path

import pytest

from bluekrait.tools import version_matrix
from bluekrait.tools.version_matrix import NEWEST, Pair, Step, find_interpreter, main, steps

OLDEST, LATEST = Pair("3.12", "0.61.0"), Pair("3.12", NEWEST)
LOG = """\
$ python -m pip list
Package    Version
llvmlite   0.44.0
numba      0.61.0
numpy      2.1.3
numpydoc   1.8.0
.....                                                                    [100%]
5 passed, 1 skipped in 3.21s
Bench: 2153868, as commit 0123abcd says
"""


def program(path, line):
    """A script in place of an interpreter."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty folder for environments, and only interpreters that a test makes."""
    monkeypatch.setattr(version_matrix, "PLACE", tmp_path / "matrix")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    return tmp_path


def try_with(monkeypatch, *commands):
    """Let Python programs stand for the steps of every pair."""
    found = [Step(name, [sys.executable, "-c", text]) for name, text in commands]
    monkeypatch.setattr(version_matrix, "steps", lambda pair, interpreter: found)
    monkeypatch.setattr(version_matrix, "find_interpreter", lambda version: sys.executable)


# --- interpreters ---------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="scripts stand for interpreters")
def test_an_interpreter_is_found_in_the_path_or_in_the_folder_of_pyenv(place):
    assert find_interpreter("3.12") is None
    program(place / "pyenv" / "versions" / "3.1.2" / "bin" / "python3.1", "exit 0")
    kept = program(place / "pyenv" / "versions" / "3.12.4" / "bin" / "python3.12", "exit 0")
    assert find_interpreter("3.12") == kept
    program(place / "bin" / "python3.12", "exit 127")  # as pyenv's placeholder for a version not chosen
    assert find_interpreter("3.12") == kept
    installed = program(place / "bin" / "python3.12", "exit 0")
    assert find_interpreter("3.12") == installed


def test_an_interpreter_must_be_able_to_make_environments():
    assert version_matrix.is_usable(sys.executable)


# --- pairs and steps ------------------------------------------------------------------------------


def test_each_python_is_tried_with_the_oldest_and_the_newest_numba():
    found = list(version_matrix.pairs(["3.12", "3.14"]))
    assert found == [OLDEST, LATEST, Pair("3.14", "0.63.0"), Pair("3.14", NEWEST)]


@pytest.mark.parametrize(("pair", "numba"), [(OLDEST, "numba==0.61.0"), (LATEST, "numba")])
def test_everything_is_done_in_the_environment_of_the_pair(pair, numba):
    commands = [step.command for step in steps(pair, "/usr/bin/python3.12")]
    scripts = pair.environment / "bin"
    assert commands[0] == ["/usr/bin/python3.12", "-m", "venv", "--clear", str(pair.environment)]
    assert {Path(command[0]) for command in commands[1:-1]} == {scripts / "python", scripts / "bluekrait"}
    assert numba in commands[1] and "pytest" in commands[1]
    assert commands[-1][1:] == [str(scripts / "bluekrait")]
    named = [word for command in commands for word in command if word.startswith("tests/")]
    assert named and all((version_matrix.ROOT / word).exists() for word in (*named, commands[-1][0]))


def test_two_pairs_share_neither_environment_nor_cache():
    assert OLDEST.environment != LATEST.environment
    caches = {version_matrix.surroundings(pair)["BLUEKRAIT_CACHE_DIR"] for pair in (OLDEST, LATEST)}
    assert len(caches) == 2


# --- what is told ---------------------------------------------------------------------------------


def test_versions_and_tests_are_told():
    assert version_matrix.summary_of(LOG) == "llvmlite 0.44.0, numba 0.61.0, numpy 2.1.3, 5 passed, 1 skipped"


def test_a_pair_that_passes_is_told_with_what_its_log_says(place, monkeypatch, capsys):
    cache = "import os; print('numba', os.environ['BLUEKRAIT_CACHE_DIR'])"
    try_with(monkeypatch, ("listing", cache), ("testing", "print('7 passed in 0.1s')"))
    assert main(["--python", "3.12"]) == 0
    told = capsys.readouterr()
    for line, pair in zip(told.out.splitlines(), (OLDEST, LATEST), strict=True):
        expected = rf"{pair} +passed in \d+ s: numba {re.escape(str(pair.environment))}\S*cache, 7 passed"
        assert re.fullmatch(expected, line)
    assert f"{OLDEST}: testing\n" in told.err


def test_the_step_that_fails_is_the_last_one_and_its_log_is_named(place, monkeypatch, capsys):
    wrong = "import sys; sys.exit('it does not compile')"
    try_with(monkeypatch, ("compiling", wrong), ("testing", "print('7 passed in 0.1s')"))
    assert main(["--python", "3.12"]) == 1
    logs = re.findall(r"failed: compiling, see (.+)", capsys.readouterr().out)
    assert len(set(logs)) == 2
    for log in map(Path, logs):
        assert log.parent == place / "matrix"
        content = log.read_text(encoding="utf-8")
        assert content.startswith("$ ") and "it does not compile" in content and "passed" not in content


def test_a_missing_interpreter_is_told_and_fails_nothing(place, capsys):
    assert main(["--python", "3.12"]) == 0
    assert capsys.readouterr().out.count("missing: there is no such interpreter here") == 2


def test_the_list_tries_nothing(place, monkeypatch, capsys):
    try_with(monkeypatch, ("compiling", "raise SystemExit(1)"))
    assert main(["--python", "3.12", "--list"]) == 0
    assert capsys.readouterr().out.splitlines() == [f"{pair}: {sys.executable}" for pair in (OLDEST, LATEST)]
    assert not (place / "matrix").exists()
