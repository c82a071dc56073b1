"""What is learnt from labelled positions: the rows, the gradient, the weights."""

import json
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

from bluekrait.core.notation.fen import parse_fen
from bluekrait.search.evaluation.classical import weights
from bluekrait.search.evaluation.classical.weight_layout import END_GAME, GROUPS, MIDDLE_GAME, SLOTS
from bluekrait.tools.data.formats.samples import DRAWN, WON, Sample
from bluekrait.tools.tuning import tune_command
from bluekrait.tools.tuning.evaluation import tune_evaluation
from bluekrait.tools.tuning.evaluation.gradient import add_gradient
from bluekrait.tools.tuning.evaluation.gradient_rows import IS_DANGER, gradient_rows
from bluekrait.tools.tuning.evaluation.weights_file import IN_USE, centred, weights_text
from helpers.labelled import as_array, some_samples
from helpers.search.judgements import evaluation, trace_of
from helpers.support import cases

# --- rows_of_all and slopes ----------------------------------------------------------------------------


MUCH_SPACE = "rnbqkbnr/pp4pp/8/2PPPP2/8/8/PP4PP/RNBQKBNR w - - 0 1"  # a count of 192


def test_rows_of_all_are_those_of_the_evaluation():
    samples = [*some_samples()[::7], Sample(parse_fen(MUCH_SPACE).board, 0, 0, 0, 0, DRAWN)]
    rows_of_all = gradient_rows(as_array(samples))
    for place, sample in enumerate(samples):
        trace = trace_of(sample.board)
        own, enemy = np.array(trace.own.counts), np.array(trace.enemy.counts)
        expected = np.where(IS_DANGER, 0, own - enemy), own * IS_DANGER, enemy * IS_DANGER
        for run, counts in enumerate(expected):
            found = np.zeros(SLOTS, int)
            part = slice(*rows_of_all.starts[3 * place + run : 3 * place + run + 2])
            found[rows_of_all.slots[part]] = rows_of_all.counts[part]
            assert (found == counts).all()
        assert rows_of_all.phases[place] == trace.phase


def test_chunks_make_the_same_rows(monkeypatch):
    samples = as_array(some_samples()[:40])
    whole = gradient_rows(samples)
    monkeypatch.setattr(sys.modules[gradient_rows.__module__], "CHUNK", 7)
    for found, expected in zip(gradient_rows(samples), whole, strict=True):
        assert np.array_equal(found, expected)


def error_and_gradient(values, rows_of_all, labels, steepness=0.006):
    gradient = np.zeros_like(values)
    places = np.arange(len(labels))
    return add_gradient(values, gradient, places, labels, steepness, *rows_of_all), gradient


def test_the_tuner_sees_the_scores_of_the_evaluation():
    samples = some_samples()[::7]
    rows_of_all, values = gradient_rows(as_array(samples)), np.array([MIDDLE_GAME, END_GAME], float)
    scores = np.array([evaluation(sample.board) for sample in samples])
    error, _ = error_and_gradient(values, rows_of_all, tune_evaluation.expectation(0.001, scores), 0.001)
    assert error / len(samples) < 1e-6  # but for rounding


def test_sums_do_not_depend_on_how_many_processors_there_are(monkeypatch):
    samples, values = as_array(some_samples()), np.array([MIDDLE_GAME, END_GAME], float)
    found = []
    for processors in ([0], [0, 1, 2]):
        monkeypatch.setattr(tune_evaluation, "usable_processors", lambda numbers=processors: numbers)
        error, gradient = tune_evaluation.Objective(samples, 0.3).error_and_gradient(
            values, np.arange(len(samples))
        )
        found.append((error, gradient.tobytes()))
    assert found[0] == found[1]


def test_the_gradient_is_the_slope_of_the_error():
    samples = some_samples()[::7]
    rows_of_all, values = gradient_rows(as_array(samples)), np.array([MIDDLE_GAME, END_GAME], float)
    labels = np.array([sample.result / 2 for sample in samples])
    rng = np.random.default_rng(1)
    values += rng.normal(size=values.shape) / 10  # no danger just at the point where it begins
    _, gradient = error_and_gradient(values, rows_of_all, labels)
    for _ in range(20):
        direction = rng.normal(size=values.shape)
        ahead, _ = error_and_gradient(values + 1e-5 * direction, rows_of_all, labels)
        behind, _ = error_and_gradient(values - 1e-5 * direction, rows_of_all, labels)
        assert (ahead - behind) / 2e-5 == pytest.approx((gradient * direction).sum(), rel=1e-3, abs=1e-5)


def test_tuning_finds_what_the_labels_were_made_of(capsys):
    samples = [
        sample._replace(score=evaluation(sample.board))
        for sample in some_samples()
        if abs(evaluation(sample.board)) < 1000
    ]
    tuner = tune_evaluation.Tuner(as_array(samples), result_share=0.0)
    tuner.weights[:, :20] += 15
    before = tuner.held_out_error()
    tuner.run(8)
    assert tuner.held_out_error() < before / 3
    assert "epoch   8 of 8" in capsys.readouterr().out


def test_a_label_is_a_mixture_of_result_and_score():
    samples = as_array([sample._replace(score=0, result=WON) for sample in some_samples()[:40]])
    nothing = np.zeros((2, SLOTS))  # which expects half a point, as a score of 0 does
    for share in (0, 0.3, 1):
        error, _ = tune_evaluation.Objective(samples, share).error_and_gradient(nothing, np.arange(40))
        assert error == pytest.approx(40 * (share / 2) ** 2)


def test_nothing_is_learnt_from_held_out_positions():
    def weights_after(samples):
        tuner = tune_evaluation.Tuner(as_array(samples), 0.5)
        tuner.run(2)
        return tuner.weights

    samples = some_samples()[:200]
    held_out = [new._replace(score=old.score, result=old.result) for old, new in zip(samples[190:], samples)]
    learnt = weights_after(samples)
    assert np.array_equal(weights_after([*samples[:190], *held_out]), learnt)
    assert not np.array_equal(weights_after([*held_out, *samples[10:]]), learnt)


def test_weights_that_find_mates_stay_and_unused_ones_return():
    samples = as_array(some_samples()[:60])
    tuner = tune_evaluation.Tuner(samples, 0.3)
    before = tuner.weights.copy()
    is_mating = np.array([group == "mating" for group in GROUPS])
    is_unused = ~np.isin(np.arange(SLOTS), gradient_rows(samples).slots) & ~IS_DANGER & ~is_mating
    tuner.weights[:, is_mating | is_unused] += 40
    tuner.run(20)
    left = tuner.weights - before
    assert is_mating.any() and (left[:, is_mating] == 40).all()
    assert is_unused.any() and (left[:, is_unused] < 40).all()  # held near their old values
    assert left[:, ~is_unused & ~is_mating].any()


def test_a_pass_holds_weights_alike_however_large_its_batches_are(monkeypatch):
    tuner, pulls = tune_evaluation.Tuner(as_array(some_samples()[:100]), 0.3), []
    monkeypatch.setattr(tune_evaluation, "BATCH", 16)
    nothing = np.zeros_like(tuner.weights)
    monkeypatch.setattr(tuner._objective, "error_and_gradient", lambda *_: (0.0, nothing.copy()))
    monkeypatch.setattr(tuner._adam, "direction", lambda gradient: pulls.append(gradient) or nothing)
    tuner.weights += 2
    tuner.run(1)
    assert len(pulls) == 6
    np.testing.assert_allclose(sum(pulls), 2 * tune_evaluation.PRIOR * tune_evaluation.CURVATURE)


def test_a_pass_goes_over_all_positions_with_smaller_and_smaller_steps(monkeypatch):
    monkeypatch.setattr(tune_evaluation, "BATCH", 16)
    batches, lengths, ways = [], [], []
    tuner = tune_evaluation.Tuner(as_array(some_samples()[:100]), 0.3)
    step = tuner._step

    def noted(batch, length):
        before = tuner.weights.copy()
        batches.append(batch)
        lengths.append(length)
        error = step(batch, length)
        ways.append(np.abs(tuner.weights - before).max())
        return error

    monkeypatch.setattr(tuner, "_step", noted)
    tuner.run(10)
    assert len(batches) == 60
    for start in range(0, 60, 6):
        assert sorted(np.concatenate(batches[start : start + 6])) == list(
            range(95)
        )  # the others are held out
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] == tune_evaluation.FIRST_STEP and lengths[-1] < 2 * tune_evaluation.LAST_STEP
    assert ways[0] == pytest.approx(lengths[0], rel=0.01) and ways[-1] < 4 * lengths[-1]


def test_steepness_is_fitted():
    scores = np.linspace(-600, 600, 1001)
    results = tune_evaluation.expectation(0.0042, scores)
    assert tune_evaluation.fitted_steepness(scores, results) == pytest.approx(0.0042, rel=1e-3)


# --- weights --------------------------------------------------------------------------------------


def test_weights_are_written_as_they_are_read(tmp_path):
    path = tmp_path / "weights.py"
    path.write_text(weights_text(weights.WEIGHTS), encoding="utf-8")
    assert runpy.run_path(str(path))["WEIGHTS"] == weights.WEIGHTS


def test_centred_weights_make_the_same_scores():
    samples = some_samples()[::20]
    rows_of_all, labels = gradient_rows(as_array(samples)), np.zeros(len(samples))
    rook = weights.WEIGHTS["rook"]
    uncentred = weights.WEIGHTS | {"rook": rook | {"place": [(m + 30, e - 20) for m, e in rook["place"]]}}
    before, after = (np.array(flat(groups), float).T.copy() for groups in (uncentred, centred(uncentred)))
    assert not np.array_equal(before, after)
    assert error_and_gradient(before, rows_of_all, labels)[0] == pytest.approx(
        error_and_gradient(after, rows_of_all, labels)[0]
    )


def test_a_pawn_is_worth_the_average_of_the_squares_that_it_can_stand_on():
    pawn = weights.WEIGHTS["pawn"]
    place = list(pawn["place"])
    place[8:56] = [(middle + 30, end - 20) for middle, end in place[8:56]]
    ((middle, end),) = pawn["value"]
    (moved,) = centred({"pawn": pawn | {"place": place}}).values()
    assert moved == pawn | {"place": list(pawn["place"]), "value": [(middle + 30, end - 20)]}


def test_other_pieces_are_worth_the_average_of_all_squares_and_mobilities():
    rook = weights.WEIGHTS["rook"]
    ((middle, end),) = rook["value"]
    place = [(middle + 30, end - 20) for middle, end in rook["place"]]
    mobility = [(middle - 4, end + 7) for middle, end in rook["mobility"]]
    (moved,) = centred({"rook": rook | {"place": place, "mobility": mobility}}).values()
    tables = {"place": list(rook["place"]), "mobility": list(rook["mobility"])}
    assert moved == rook | tables | {"value": [(middle + 26, end - 13)]}


def flat(groups):
    """The weights of all groups in a row; dangers stand for the middle game."""
    rows = (row for terms in groups.values() for rows in terms.values() for row in rows)
    return [(row, 0) if isinstance(row, int) else row for row in rows]


@pytest.mark.parametrize("hardly", [-0.4, 0, 0.4])
def test_weights_that_hardly_moved_stay_as_they_are(hardly):
    groups = tune_evaluation.as_groups(np.array([MIDDLE_GAME, END_GAME]) + hardly)
    assert weights_text(groups) == Path(weights.__file__).read_text(encoding="utf-8")


# --- the command ----------------------------------------------------------------------------------


def test_text_goes_in_and_weights_come_out(tmp_path, capsys):
    positions, output = tmp_path / "positions.txt", tmp_path / "weights.py"
    lines = (f"{case.board.fen()}; 0.5; 0; -" for case in cases()[:60])
    positions.write_text("\n".join(lines) + "\n\n")
    command = ["evaluation", str(positions), "--epochs", "1"]
    assert tune_command.main([*command, "--dry-run"]) == 0
    assert list(tmp_path.iterdir()) == [positions]
    log = tmp_path / "run.log"
    assert tune_command.main([*command, "-o", str(output), "--log", str(log)]) == 0
    written = runpy.run_path(str(output))["WEIGHTS"]
    assert written.keys() == weights.WEIGHTS.keys()
    assert output.read_text(encoding="utf-8") == weights_text(centred(written))
    assert "epoch   1 of 1" in capsys.readouterr().out
    head, epoch = map(json.loads, log.read_text().splitlines())
    assert tune_command.main([*command, str(positions), "--dry-run"]) == 0
    assert "120 positions" in capsys.readouterr().out
    assert head["positions"] == 60 and epoch["epoch"] == 1 and epoch["held_out"] > 0


def test_a_bad_line_of_text_is_told_with_its_number(tmp_path, capsys):
    positions = tmp_path / "positions.txt"
    positions.write_text(
        "4k3/8/8/8/8/8/4P3/4K3 w - - 3 1; 1; 120\n\n4k3/8/8/8/8/8/4P3/4K3 w - - 3 1; 0.3; 20\n"
    )
    assert tune_command.main(["evaluation", str(positions), "--dry-run"]) == 2
    assert f"{positions}, line 3: no such result: '0.3'" in capsys.readouterr().err


def test_inputs_and_other_files_are_not_replaced(tmp_path, capsys):
    positions, other = tmp_path / "positions.txt", tmp_path / "other.txt"
    positions.write_text("".join(f"{case.board.fen()}; 0.5; 0; -\n" for case in cases()[:60]))
    other.write_text("precious")
    before = positions.read_bytes()
    new = str(tmp_path / "new.py")
    for wrong, reason in (
        (["--dry-run", "--log", str(positions)], "would replace what this command works on"),
        (["-o", str(positions)], "would replace what this command works on"),
        (["-o", new, "--log", new], "is named for two files"),
        (["-o", new, "--log", str(other)], "is no log of bluekrait tune evaluation"),
        (["-o", str(other)], "other.txt is there, and was not written by this command"),
    ):
        assert tune_command.main(["evaluation", str(positions), "--epochs", "1", *wrong]) == 2
        told = capsys.readouterr().err
        assert reason in told and told.count("\n") == 1
    assert (positions.read_bytes(), other.read_text()) == (before, "precious")
    tune_evaluation.check_outputs([str(positions)], IN_USE, None)
    log = tmp_path / "run.log"
    for _ in range(2):
        assert tune_command.main(["evaluation", str(positions), "--dry-run", "--log", str(log)]) == 0
        assert log.read_text().count('"journal"') == 1  # a log is replaced


def test_what_is_neither_positions_nor_text_is_named(tmp_path, capsys):
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\r\n")
    assert tune_command.main(["evaluation", str(picture), "--dry-run"]) == 2
    assert f"{picture} is neither labelled positions nor text" in capsys.readouterr().err


def test_no_file_is_removed_before_work_begins(tmp_path):
    few, other = tmp_path / "few.txt", tmp_path / "weights.py.draft"
    few.write_text("4k3/8/8/8/8/8/4P3/4K3 w - - 3 1; 1; 120\n")
    other.write_text("precious")
    assert tune_command.main(["evaluation", str(few), "-o", str(tmp_path / "weights.py")]) == 2
    assert other.read_text() == "precious"


def test_what_cannot_be_done_is_told_in_one_line(tmp_path, capsys):
    few = tmp_path / "few.txt"
    few.write_text("4k3/8/8/8/8/8/4P3/4K3 w - - 3 1; 1; 120\n")
    nowhere = str(tmp_path / "nowhere" / "weights.py")
    for arguments in (["missing.bks", "--dry-run"], [str(few), "--dry-run"], [str(few), "-o", nowhere]):
        assert tune_command.main(["evaluation", *arguments]) == 2
        assert capsys.readouterr().err.count("\n") == 1
