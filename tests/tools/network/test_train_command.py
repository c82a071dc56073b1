"""`bluekrait tune network`: that it learns, and what it refuses."""

import json
import os
import shutil
import sys

import numpy as np
import pytest

from bluekrait.search.evaluation.network.network_file import NARROWEST, WIDEST, WIDTH_STEP
from bluekrait.tools.common.pictures import new_figure
from bluekrait.tools.data.formats.labelled_file import samples_of
from bluekrait.tools.data.formats.sample_file import pack_block
from bluekrait.tools.data.formats.samples import pack_sample, unpack_sample
from bluekrait.tools.network import train_command, weights
from bluekrait.tools.network.folder import LAST, LOG, NETWORK, SETTINGS, RunFolder, read_checkpoint
from bluekrait.tools.network.trainer import Trainer
from bluekrait.tools.tuning import tune_command
from bluekrait.uci.exits import INTERRUPTED
from helpers.network import network_reference as reference
from helpers.network.network_runs import LONGEST, material_samples, write_positions
from helpers.support import cases

SMALL_RUN = ["--width", "32", "--batch", "256", "--rate", "0.01", "--every", "5"]


def tune_network(*arguments):
    return tune_command.main(["network", *map(str, arguments)])


def test_a_run_is_judged_by_other_files_and_continued(positions_file, tmp_path, capsys):
    other = shutil.copy(positions_file, tmp_path / "other.bks")
    run = tmp_path / "run"
    assert tune_network(run, positions_file, *SMALL_RUN, "--epochs", 1, "--judge", other) == 0
    settings = json.loads((run / "settings.json").read_text())
    assert settings["training"] == settings["held-out"] == settings["judges"][0]["positions"]
    assert tune_network(run) == 0
    with open(other, "r+b") as file:
        file.truncate(100)
    assert tune_network(run) == 2
    assert "other.bks has become shorter than it was" in capsys.readouterr().err


def test_a_network_learns_material(positions_file, tmp_path, capsys):
    picture = tmp_path / "losses.png"
    arguments = [*SMALL_RUN, "--epochs", 25, "--result-share", 0, "--buckets", 8, "--plot", picture]
    assert tune_network(tmp_path / "run", positions_file, *arguments) == 0
    told = capsys.readouterr()
    assert "label" in told.out and "positions a second" in told.err
    assert picture.stat().st_size > 1000
    reports = [json.loads(line) for line in (tmp_path / "run" / LOG).read_text().splitlines()]
    assert reports[0]["held_out"]["target"] > 5 * reports[-1]["held_out"]["target"]
    assert reports[-1]["held_out"]["target"] < 0.01
    assert reports[-1]["speed"] > 0
    differences = [
        abs(whole - 400 * reference.output(case.board, *learnt_weights(tmp_path / "run")))
        for case, whole in zip(cases()[::50], integer_evaluations(tmp_path / "run"))
    ]
    assert max(differences) < 0.1  # centipawns


def learnt_weights(run):
    """The weights of the best network of a run, out of its checkpoint, and its sets."""
    best = weights.over(read_checkpoint(run / "best.npz")["weights"], weights.Shape(32, 8))
    return *(array.astype(float) for array in weights.rounded_copy(best).arrays), best.shape.sets


def integer_evaluations(run):
    """What the file of the network says of some positions."""
    content = (run / NETWORK).read_bytes()
    return [reference.integer_evaluation(content, case.board) for case in cases()[::50]]


def test_what_only_shows_writes_nothing_and_disturbs_nobody(positions_file, tmp_path, capsys):
    other, run = tmp_path / "other", tmp_path / "run"
    other.mkdir()
    assert tune_network(other, "--show") == 0
    assert "nothing has been reported" in capsys.readouterr().out and not list(other.iterdir())
    assert tune_network(other, tmp_path / "missing.bks") == 2
    assert other.exists() and not list(other.iterdir())
    assert tune_network(run, positions_file, *SMALL_RUN, "--epochs", 1) == 0
    capsys.readouterr()
    with RunFolder(str(run)):
        assert tune_network(run, "--show") == 0
    assert "best at step" in capsys.readouterr().out


def losses(error):
    return {"target": error, "result": 2 * error, "score": 3 * error, "phases": [error] + [None] * 7}


RUN = {"training": 900, "held-out": 100, "steps": 40, "classical": losses(0.1), "search": losses(0.08)}
REPORTS = [
    {"step": step, "positions": step * 100_000, "loss": 0.04, "held_out": losses(error)}
    for step, error in ((10, 0.06), (20, 0.05), (30, 0.07))
]


def test_what_is_told_of_a_run_is_about_its_best_network(tmp_path, capsys):
    (tmp_path / SETTINGS).write_text(json.dumps(RUN))
    (tmp_path / LOG).write_text("".join(f"{json.dumps(report)}\n" for report in REPORTS))
    assert tune_network(tmp_path, "--show") == 0
    first, heading, *rows, last = capsys.readouterr().out.splitlines()
    assert first == f"{tmp_path}: 900 positions, 100 held out; step 30 of 40, best at step 20"
    assert heading.split() == ["held", "out", "classical", "network", "its", "search"]
    assert [row.split() for row in rows] == [
        ["label", "0.10000", "(1.000)", "0.05000", "(0.500)", "0.08000", "(0.800)"],
        ["result", "0.20000", "(1.000)", "0.10000", "(0.500)", "0.16000", "(0.800)"],
        ["score", "0.30000", "(1.000)", "0.15000", "(0.500)", "0.24000", "(0.800)"],
        ["label,", "2-5", "pieces", "0.10000", "(1.000)", "0.05000", "(0.500)", "0.08000", "(0.800)"],
    ]
    assert last == f"{tmp_path / NETWORK}: the best network; best.npz its weights"


def test_losses_are_drawn_beside_those_of_the_classical_evaluation(monkeypatch):
    pytest.importorskip("matplotlib")
    painted = []
    monkeypatch.setattr(train_command, "draw_picture", lambda path, paint, columns: painted.append(paint))
    train_command.draw_losses(RUN, REPORTS, "losses.svg")
    figure = new_figure()
    frames = list(figure.subplots(1, 3))
    painted[0](figure, frames)
    lines = [{line.get_label(): line.get_xydata().tolist() for line in frame.lines} for frame in frames]
    assert lines[0]["training"] == [[1, 0.04], [2, 0.04], [3, 0.04]]
    assert [list(drawn) for drawn in lines[1:]] == [["held out", "classical"]] * 2
    for factor, drawn in enumerate(lines, 1):
        held_out = [[1, factor * 0.06], [2, factor * 0.05], [3, factor * 0.07]]
        assert drawn["held out"] == held_out and drawn["classical"] == [[0, factor * 0.1], [1, factor * 0.1]]


def test_an_interrupted_run_says_so(positions_file, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(Trainer, "run", lambda trainer, view: False)
    assert tune_network(tmp_path / "run", positions_file, *SMALL_RUN) == INTERRUPTED
    told = capsys.readouterr()
    assert "nothing has been reported yet" in told.out
    assert told.err.endswith("bluekrait tune network: interrupted. The same command continues\n")


def test_where_a_run_started_is_told_by_an_absolute_path(positions_file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert tune_network("first", positions_file, *SMALL_RUN, "--epochs", 1) == 0
    again = ("second", positions_file, *SMALL_RUN, "--epochs", 1, "--start", "first")
    assert tune_network(*again) == 0
    place = tmp_path / "second" / SETTINGS
    settings = json.loads(place.read_text())
    assert settings["start"] == str(tmp_path / "first")
    place.write_text(json.dumps(settings | {"start": "first"}))  # as older versions wrote it
    assert tune_network(*again) == 0


def refusal(capsys, *arguments):
    """The one line with which the command refuses to work."""
    assert tune_network(*arguments) == 2
    told = capsys.readouterr().err
    assert told.startswith("bluekrait tune network: ") and told.count("\n") == 1
    return told


def test_settings_of_a_begun_run_stay(positions_file, tmp_path, capsys):
    run = tmp_path / "run"
    assert tune_network(run, positions_file, *SMALL_RUN, "--epochs", 1) == 0
    capsys.readouterr()
    assert "was begun with --width 32, not 64" in refusal(capsys, run, "--width", 64)
    assert "other files" in refusal(capsys, run, tmp_path / "other.bks")
    with RunFolder(str(run)):
        assert "another process is writing" in refusal(capsys, run)


def test_what_is_missing_or_damaged_is_refused(positions_file, tmp_path, capsys):
    assert "name files" in refusal(capsys, tmp_path / "new")
    assert "no folder" in refusal(capsys, tmp_path / "nowhere", "--show")
    assert "missing.bks" in refusal(capsys, tmp_path / "new", tmp_path / "missing.bks")
    few = write_positions(tmp_path / "few.bks", material_samples()[:100])
    assert "no folder" in refusal(capsys, few, "--show")
    assert "losses.doc" in refusal(capsys, tmp_path / "new", positions_file, "--plot", "losses.doc")
    assert "too few" in refusal(capsys, tmp_path / "new", few)
    text = tmp_path / "text.bks"
    text.write_text("no positions")
    assert "no file of labelled positions" in refusal(capsys, tmp_path / "new", text)
    assert "no network" in refusal(capsys, tmp_path / "new", positions_file, "--start", text)
    (tmp_path / "empty").mkdir()
    assert "holds no run" in refusal(capsys, tmp_path / "new", positions_file, "--start", tmp_path / "empty")
    wide = tmp_path / "wide"
    assert tune_network(wide, positions_file, *SMALL_RUN, "--width", 64, "--epochs", 1) == 0
    capsys.readouterr()
    narrow = "--start", wide, "--width", 32
    assert "has --width 64, not 32" in refusal(capsys, tmp_path / "new", positions_file, *narrow)
    assert not (tmp_path / "new").exists()


def test_a_run_that_cannot_be_trained_here_is_not_begun(positions_file, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "torch", None)
    run = tmp_path / "run"
    assert "this needs PyTorch" in refusal(capsys, run, positions_file, *SMALL_RUN, "--device", "cpu-torch")
    assert not run.exists()
    assert tune_network(run, positions_file, *SMALL_RUN, "--epochs", 1) == 0


def test_a_damaged_run_is_refused(positions_file, tmp_path, capsys):
    whole = tmp_path / "whole"
    copied = shutil.copy(positions_file, tmp_path / "positions.bks")
    assert tune_network(whole, copied, *SMALL_RUN, "--epochs", 1) == 0
    capsys.readouterr()
    for name, content in ((LAST, b"PK torn"), (SETTINGS, b"{"), (LOG, b"not a report\n")):
        broken = tmp_path / f"without {name}"
        shutil.copytree(whole, broken)
        (broken / name).write_bytes(content)
        assert name in refusal(capsys, broken)
    numbers = read_checkpoint(whole / LAST)
    np.savez(broken / LAST, **numbers | {"means": np.zeros(1, np.float32)})
    shutil.copy(whole / LOG, broken)
    assert "is a checkpoint of something else" in refusal(capsys, broken)
    samples = bytearray(samples_of(copied).tobytes()[:32])
    with open(copied, "r+b") as file:
        content = file.read()
        place = content.index(samples)
        block = [pack_sample(unpack_sample(bytes(samples))._replace(score=1))] * LONGEST
        file.seek(place - 16)
        file.write(pack_block(0, block))
    assert "is not the file that the run was begun with" in refusal(capsys, whole)


@pytest.mark.parametrize(
    "wrong",
    [
        *("--width=48", f"--width={NARROWEST - WIDTH_STEP}", f"--width={WIDEST + WIDTH_STEP}"),
        *("--buckets=4", "--regions=8", "--threats=8", "--kinds=8", "--result-share=2", "--rate=0"),
        *("--last-rate=0", "--decay=2", "--most-error=0", "--batch=x"),
    ],
)
def test_wrong_numbers_are_refused(wrong, tmp_path, capsys):
    with pytest.raises(SystemExit) as left:
        tune_network(tmp_path, "positions.bks", wrong)
    assert left.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    ["run --width 64 one.bks two.bks", "run one.bks --width 64 two.bks", "--width 64 run one.bks two.bks"],
)
def test_options_may_stand_between_folder_and_files(words):
    options = tune_command.parser().parse_args(["network", *words.split()])
    assert (options.folder, options.files, options.width) == ("run", ["one.bks", "two.bks"], 64)


@pytest.mark.parametrize(
    ("words", "name", "value"),
    [
        *((f"--width {width}", "width", width) for width in (NARROWEST, WIDEST)),
        *(("--buckets 8", "buckets", 8), ("--regions 4", "regions", 4)),
        *(("--threats 2", "threats", 2), ("--kinds 7", "kinds", 7)),
        *(("--last-rate 2", "last_rate", 2), ("--decay 0", "decay", 0)),
        *(
            ("--result-share 0.1:0.3", "result_share", [0.1, 0.3]),
            ("--result-share 0.2", "result_share", [0.2, 0.2]),
        ),
        *(("--residual", "residual", True), ("", "residual", None)),  # None: as the run was begun
        ("--judge one.bks /two.bks", "judge", [os.path.abspath("one.bks"), os.path.abspath("/two.bks")]),
        ("--judge /a --judge /b", "judge", [os.path.abspath("/a"), os.path.abspath("/b")]),
    ],
)
def test_what_options_say(words, name, value):
    options = tune_command.parser().parse_args(["network", "run", *words.split()])
    assert getattr(options, name) == value


def test_words_that_no_option_knows_are_refused(capsys):
    with pytest.raises(SystemExit):
        tune_command.parser().parse_args(["network", "run", "--widht", "64", "one.bks"])
    assert "--widht" in capsys.readouterr().err
