"""Labelled positions and what is learnt from them: the file, the games, the traces, the slope."""

import io
import runpy

import numpy as np
import pytest
from judgements import evaluation, trace_of
from support import cases

from bluekrait.core.fen import parse_fen
from bluekrait.search.evaluation import weights
from bluekrait.search.evaluation.layout import END_GAME, MIDDLE_GAME, SLOTS
from bluekrait.tools import datagen, tune
from bluekrait.tools.gradient import add_gradient
from bluekrait.tools.samples import (
    DRAWN,
    LOST,
    WON,
    Sample,
    mend,
    pack_block,
    pack_sample,
    read_blocks,
    sample_from_text,
    unpack_sample,
)
from bluekrait.tools.selfplay import DRAW_FROM, DRAW_PLIES, WIN_PLIES, WIN_SCORE, Player, Verdict
from bluekrait.tools.traces import IS_DANGER, LAYOUT, traced
from bluekrait.tools.weights_file import centred, weights_text


def some_samples():
    """Positions of every kind with made-up labels."""
    numbered = enumerate(cases()[::3], start=-800)
    return [
        Sample(case.position.board, number, number & 511, number & 0xFFFF, number & 127, number % 3)
        for number, case in numbered
    ]


def as_array(samples):
    return np.frombuffer(bytearray(b"".join(map(pack_sample, samples))), LAYOUT)


# --- samples --------------------------------------------------------------------------------------


def test_a_sample_is_unpacked_as_it_was_packed():
    for sample in some_samples():
        assert len(pack_sample(sample)) == 32
        assert unpack_sample(pack_sample(sample)) == sample


def test_a_line_of_text_is_seen_by_the_side_to_move():
    fen = "4k3/8/8/8/8/8/4P3/4K3 {} - - 3 1"
    white, black = (sample_from_text(f"{fen.format(side)}; 1; 120") for side in "wb")
    assert white == Sample(parse_fen(fen.format("w")).board, 120, 0, 0, 3, WON)
    assert black == Sample(parse_fen(fen.format("b")).board, -120, 1, 0, 3, LOST)


@pytest.mark.parametrize(
    "line", ["", "8/8/8/8/8/8/8/8 w - - 0 1; 1; 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 1; 3; 0"]
)
def test_a_bad_line_of_text_is_refused(line):
    with pytest.raises(ValueError):
        sample_from_text(line)


def test_blocks_are_read_as_they_were_written():
    packed = [pack_sample(sample) for sample in some_samples()[:5]]
    file = io.BytesIO(pack_block(7, packed[:2]) + pack_block(9, []) + pack_block(8, packed[2:]))
    assert list(read_blocks(file)) == [(7, b"".join(packed[:2])), (9, b""), (8, b"".join(packed[2:]))]


def test_a_torn_end_is_cut_off_wherever_it_is_torn(tmp_path):
    path = tmp_path / "torn.bks"
    packed = [pack_sample(sample) for sample in some_samples()[:4]]
    whole, last = pack_block(3, packed[:3]), pack_block(4, packed[3:])
    for length in range(len(last)):
        path.write_bytes(whole + last[:length])
        assert mend(path) == ({3}, 3)
        assert path.read_bytes() == whole
    path.write_bytes(whole + last)
    assert mend(path) == ({3, 4}, 4)


def test_a_file_of_another_kind_is_left_alone(tmp_path, capsys):
    path = tmp_path / "thesis.txt"
    path.write_text("three years of work")
    assert datagen.main([str(path)]) == 2
    assert path.read_text() == "three years of work"
    assert capsys.readouterr().err.count("\n") == 1


def test_a_flipped_bit_is_noticed():
    block = pack_block(3, [pack_sample(some_samples()[0])])
    for bit in range(0, len(block) * 8, 5):
        damaged = bytearray(block)
        damaged[bit // 8] ^= 1 << bit % 8
        assert not list(read_blocks(io.BytesIO(damaged)))


# --- games ----------------------------------------------------------------------------------------


def test_a_game_is_decided_by_its_seed():
    one, other = Player(100), Player(100)
    other.play_game("something else")
    assert one.play_game("a") == other.play_game("a")


def test_samples_of_a_game_agree_on_who_won():
    player = Player(60)
    for seed in range(5):
        samples = [unpack_sample(packed) for packed in player.play_game(seed)]
        whites = {sample.result if sample.ply % 2 == 0 else WON - sample.result for sample in samples}
        assert len(whites) <= 1


def test_a_verdict_takes_a_while():
    verdict = Verdict()
    scores = [WIN_SCORE * (-1) ** ply for ply in range(WIN_PLIES)]
    assert [verdict.after(score, ply) for ply, score in enumerate(scores)] == [None] * (WIN_PLIES - 1) + [
        LOST
    ]
    verdict = Verdict()
    assert [verdict.after(0, DRAW_FROM + ply) for ply in range(DRAW_PLIES)][-2:] == [None, DRAWN]
    assert Verdict().after(0, DRAW_FROM - 1) is None


def test_datagen_goes_on_where_it_was(tmp_path, capsys):
    path = tmp_path / "positions.bks"
    command = [str(path), "--nodes", "40", "--processes", "1", "--games"]
    assert datagen.main([*command, "3"]) == 0
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    assert datagen.main([*command, "3"]) == 0
    assert path.read_bytes() == whole
    assert "of 3 games" in capsys.readouterr().out


# --- traces and slopes ----------------------------------------------------------------------------


def test_traces_are_those_of_the_evaluation():
    samples = some_samples()[::7]
    traces = traced(as_array(samples))
    for place, sample in enumerate(samples):
        trace = trace_of(sample.board)
        own, enemy = np.array(trace.own.counts), np.array(trace.enemy.counts)
        expected = np.where(IS_DANGER, 0, own - enemy), own * IS_DANGER, enemy * IS_DANGER
        for run, counts in enumerate(expected):
            found = np.zeros(SLOTS, int)
            part = slice(*traces.starts[3 * place + run : 3 * place + run + 2])
            found[traces.slots[part]] = traces.counts[part]
            assert (found == counts).all()
        assert traces.phases[place] == trace.phase


def error_and_gradient(values, traces, labels, steepness=0.006):
    gradient = np.zeros_like(values)
    places = np.arange(len(labels))
    return add_gradient(values, gradient, places, labels, steepness, *traces), gradient


def test_the_tuner_sees_the_scores_of_the_evaluation():
    samples = some_samples()[::7]
    traces, values = traced(as_array(samples)), np.array([MIDDLE_GAME, END_GAME], float)
    scores = np.array([evaluation(sample.board) for sample in samples])
    error, _ = error_and_gradient(values, traces, tune.expectation(0.001, scores), 0.001)
    assert error / len(samples) < 1e-6  # but for rounding


def test_the_gradient_is_the_slope_of_the_error():
    samples = some_samples()[::7]
    traces, values = traced(as_array(samples)), np.array([MIDDLE_GAME, END_GAME], float)
    labels = np.array([sample.result / 2 for sample in samples])
    dice = np.random.default_rng(1)
    values += dice.normal(size=values.shape) / 10  # no danger just at the point where it begins
    _, gradient = error_and_gradient(values, traces, labels)
    for _ in range(20):
        direction = dice.normal(size=values.shape)
        ahead, _ = error_and_gradient(values + 1e-5 * direction, traces, labels)
        behind, _ = error_and_gradient(values - 1e-5 * direction, traces, labels)
        assert (ahead - behind) / 2e-5 == pytest.approx((gradient * direction).sum(), rel=1e-3, abs=1e-5)


def test_tuning_finds_what_the_labels_were_made_of(capsys):
    samples = [
        sample._replace(score=evaluation(sample.board))
        for sample in some_samples()
        if abs(evaluation(sample.board)) < 1000
    ]
    tuner = tune.Tuner(as_array(samples), result_share=0.0)
    tuner.weights[:, :20] += 15
    before = tuner.held_out_error()
    tuner.run(8)
    assert tuner.held_out_error() < before / 3
    assert "epoch   8 of 8" in capsys.readouterr().out


def test_steepness_is_fitted():
    scores = np.linspace(-600, 600, 1001)
    results = tune.expectation(0.0042, scores)
    assert tune.fitted_steepness(scores, results) == pytest.approx(0.0042, rel=1e-3)


# --- weights --------------------------------------------------------------------------------------


def test_weights_are_written_as_they_are_read(tmp_path):
    path = tmp_path / "weights.py"
    path.write_text(weights_text(weights.WEIGHTS), encoding="utf-8")
    assert runpy.run_path(str(path))["WEIGHTS"] == weights.WEIGHTS


def test_centred_weights_make_the_same_scores():
    samples = some_samples()[::20]
    traces, labels = traced(as_array(samples)), np.zeros(len(samples))
    rook = weights.WEIGHTS["rook"]
    uncentred = weights.WEIGHTS | {"rook": rook | {"place": [(m + 30, e - 20) for m, e in rook["place"]]}}
    before, after = (np.array(flat(groups), float).T.copy() for groups in (uncentred, centred(uncentred)))
    assert not np.array_equal(before, after)
    assert error_and_gradient(before, traces, labels)[0] == pytest.approx(
        error_and_gradient(after, traces, labels)[0]
    )


def flat(groups):
    """The weights of all groups in a row; dangers stand for the middle game."""
    rows = (row for terms in groups.values() for rows in terms.values() for row in rows)
    return [(row, 0) if isinstance(row, int) else row for row in rows]


def test_untouched_weights_stay_as_they_are():
    groups = tune.as_groups(np.array([MIDDLE_GAME, END_GAME], float))
    assert weights_text(groups) == weights_text(weights.WEIGHTS)
