"""`bluekrait tune`: each mode is the command of its module."""

import subprocess
import sys

import pytest

from bluekrait.tools.network import train_command
from bluekrait.tools.tuning import tune_command
from bluekrait.tools.tuning.compare import compare_versions
from bluekrait.tools.tuning.evaluation import tune_evaluation
from bluekrait.tools.tuning.search import tune_search


@pytest.mark.parametrize(
    ("words", "run"),
    [
        (["evaluation", "positions.bks"], tune_evaluation.run),
        (["network", "run", "--width", "64", "positions.bks"], train_command.run),
        (["search", "tuning.jsonl"], tune_search.run),
        (["compare"], compare_versions.run),
    ],
)
def test_each_mode_runs_its_own_command(words, run):
    assert tune_command.parser().parse_args(words).run is run


@pytest.mark.parametrize("mode", ["search", "compare"])
def test_what_plays_games_does_not_wait_for_the_compiler(mode):
    code = f"""import sys
from bluekrait.tools.tuning import tune_command
try:
    tune_command.main(["{mode}", "--help"])
finally:
    print("numba" in sys.modules)"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.splitlines()[-1] == "False"


def test_arguments_may_stand_between_options():
    options = tune_command.parser().parse_args(["network", "run", "--width", "64", "one.bks", "two.bks"])
    assert (options.folder, options.files, options.width) == ("run", ["one.bks", "two.bks"], 64)


def test_the_exit_code_is_that_of_the_mode(tmp_path, capsys):
    assert tune_command.main(["network", str(tmp_path), "--show"]) == 0
    assert tune_command.main(["network", str(tmp_path / "none"), "--show"]) == 2
    assert "no folder" in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["nothing"]])
def test_without_a_mode_it_is_told_what_is_wrong_in_one_line(words, capsys):
    with pytest.raises(SystemExit) as leaving:
        tune_command.main(words)
    assert leaving.value.code == 2
    errors = capsys.readouterr().err
    assert errors.startswith("bluekrait tune: ") and errors.count("\n") == 1


def test_help_has_examples_of_every_mode(capsys):
    with pytest.raises(SystemExit) as leaving:
        tune_command.main(["--help"])
    assert leaving.value.code == 0
    text = capsys.readouterr().out
    assert all(
        f"\n  bluekrait tune {mode} " in text for mode in ("evaluation", "search", "network", "compare")
    )
