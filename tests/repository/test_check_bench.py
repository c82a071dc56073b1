"""The check of the nodes of `bench` against commit messages, with an engine that counts what it is told."""

import shutil
import subprocess
import sys

import pytest

from helpers.paths import ROOT

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or not shutil.which("git"), reason="needs git and a shell of Unix"
)

ENGINE = """#!/bin/sh
case "$*" in *classical*) echo "{classical} nodes 7 nps" ;; *) echo "{network} nodes 7 nps" ;; esac
"""
IDENTITY = ("-c", "user.name=a", "-c", "user.email=a@b.example")


@pytest.fixture
def check(tmp_path):
    """Check a new repository whose last commits have these messages; exit code, output and errors."""
    (tmp_path / ".ci").mkdir()
    script = shutil.copy(ROOT / ".ci" / "check_bench", tmp_path / ".ci" / "check_bench")
    engine = tmp_path / "bluekrait"

    def checked(network, classical, *messages):
        git = ["git", "-C", tmp_path, *IDENTITY]
        subprocess.run([*git, "init", "-q"], check=True)
        for message in messages:
            subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", message], check=True)
        engine.write_text(ENGINE.format(network=network, classical=classical))
        engine.chmod(0o755)
        done = subprocess.run([script, engine], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    return checked


def test_equal_nodes_pass(check):
    code, output, errors = check(12, 34, "search: it is\n\nBench: 12 (classical 34)", "docs: it says so")
    assert (code, errors) == (0, "")
    assert "Bench: 12, as commit" in output and "Bench, classical: 34, as commit" in output


def test_the_last_commit_that_names_nodes_counts(check):
    code, output, _ = check(56, 34, "one\n\nBench: 12 (classical 34)", "two\n\nBench: 56")
    assert code == 0 and "Bench: 56, as commit" in output


def test_both_numbers_are_told_where_the_nodes_differ(check):
    code, _, errors = check(56, 78, "search: it is\n\nBench: 12 (classical 34)")
    assert code == 1
    first, second, advice = errors.splitlines()
    assert first.startswith("Bench: 56, but commit ") and first.endswith(" says 12.")
    assert second.startswith("Bench, classical: 78, but commit ") and second.endswith(" says 34.")
    assert "Bench: N (classical N)" in advice


def test_one_that_differs_fails(check):
    code, output, errors = check(12, 78, "search: it is\n\nBench: 12 (classical 34)")
    assert code == 1
    assert "Bench: 12, as commit" in output and "Bench, classical: 78, but" in errors
