"""What is read more than once is no pipe: there nothing is left the second time."""

import errno
import os

import pytest

from bluekrait.tools.common.files.ordinary_file import check_ordinary
from bluekrait.tools.data import data_command
from bluekrait.tools.gauntlet import gauntlet_command
from bluekrait.tools.match import match_command
from bluekrait.tools.report import report_command
from bluekrait.tools.tuning import fit_win_rate, tune_command
from helpers.match.matches import MIDDLE_GAME

PIPES = "/dev/fd"  # a folder with the open files of this process; a shell names `<(command)` so
TWO = ["--engine", "true", "--engine", "true"]
GAME = '[Event "?"]\n[White "a"]\n[Black "b"]\n[Result "1-0"]\n\n1. e4 1-0\n'
LINE = f"{MIDDLE_GAME.fen}; 0.5; 0; -\n"


@pytest.mark.skipif(not os.path.isdir(PIPES), reason="open files have no names here")
@pytest.mark.parametrize(
    ("command", "before", "after", "content"),
    [
        (match_command, [*TWO, "--openings"], [], f"{MIDDLE_GAME.fen}\n"),
        (gauntlet_command, ["--from"], [], GAME),
        (report_command, [], ["-o", "page.html", "--plot", "plot.svg"], GAME),
        (data_command, ["check"], [], "BKG1"),
        (data_command, ["filter"], ["-o", "new.bks"], "BKG1"),
        (fit_win_rate, [], [], "BKG1"),
        (tune_command, ["evaluation"], ["--dry-run", "--epochs", "1"], 40 * LINE),
    ],
)
def test_a_pipe_is_refused(command, before, after, content, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(match_command, "check_engines", lambda *_, **__: pytest.fail("too late"))
    monkeypatch.chdir(tmp_path)
    reading, writing = os.pipe()
    try:
        os.write(writing, content.encode())
        os.close(writing)
        path = f"{PIPES}/{reading}"
        assert command.main([*before, path, *after]) == 2
    finally:
        os.close(reading)
    told = capsys.readouterr().err
    assert f"{path} is not an ordinary file" in told and told.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_files_folders_and_what_is_missing_are_left_to_others(tmp_path):
    (tmp_path / "file").touch()
    for name in ("file", ".", "missing"):
        check_ordinary(tmp_path / name)


OURS = ["--engine", "bluekrait", "--engine", "bluekrait"]


@pytest.mark.parametrize("folder", [".", os.path.abspath(os.sep), "games"])
@pytest.mark.parametrize(
    ("command", "before", "after"),
    [
        (match_command, [*OURS, "--openings"], []),
        (gauntlet_command, ["--from"], []),
        (report_command, [], []),
        (report_command, [], ["-o", "page.html"]),
        (tune_command, ["evaluation"], ["-o", "weights.py"]),
        (tune_command, ["search"], ["--plot", "plot.svg"]),
    ],
)
def test_a_folder_in_place_of_a_file_is_told(command, before, after, folder, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").mkdir()
    assert command.main([*before, folder, *after]) == 2
    told = capsys.readouterr().err
    assert told.endswith(f": {folder}: {os.strerror(errno.EISDIR)}\n") and told.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["games"]


def test_a_folder_in_place_of_a_log_is_told_before_the_positions_are_read(capsys):
    assert tune_command.main(["evaluation", "missing.bks", "--dry-run", "--log", "."]) == 2
    assert ". cannot be written" in capsys.readouterr().err
