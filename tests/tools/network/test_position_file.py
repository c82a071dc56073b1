"""Positions of one file: which of them pass, and scores that are too high."""

import numpy as np
import pytest

from bluekrait.tools.data.formats.look_ahead import RESULT_SCALE
from bluekrait.tools.data.formats.sample_array import LAYOUT
from bluekrait.tools.data.formats.sample_file import pack_block
from bluekrait.tools.data.formats.samples import DRAWN, Sample, pack_sample
from bluekrait.tools.network import position_file
from helpers.labelled import as_array
from helpers.network.network_runs import material_samples
from helpers.support import cases


def test_scores_that_are_too_high_are_moved():
    rng = np.random.default_rng(3)
    samples = np.zeros(position_file.ENOUGH * 2, LAYOUT)
    scores = rng.normal(scale=300, size=len(samples)).astype(int)
    won = rng.random(len(samples)) < 1 / (1 + np.exp(-scores / RESULT_SCALE))
    samples["score"], samples["result"] = scores + 40, 2 * won
    assert position_file.fitted_shift(samples) == pytest.approx(40, abs=3)
    samples["score"] -= 80
    assert position_file.fitted_shift(samples) == pytest.approx(-40, abs=3)
    assert position_file.fitted_shift(samples[:100]) == 0


def test_what_scores_are_too_high_is_taken_from_them(tmp_path, monkeypatch):
    monkeypatch.setattr(position_file, "ENOUGH", 10)
    sample = material_samples()[0]._replace(score=40, result=DRAWN)
    path = tmp_path / "high.bks"
    path.write_bytes(pack_block(0, [pack_sample(sample)] * 20))
    found = position_file.positions_of(str(path), position_file.Filters())
    assert found.shift == pytest.approx(40, abs=1)
    assert len(found.samples) == 20 and np.abs(found.samples["score"]).max() <= 1


def test_a_file_is_known_by_its_digest_and_progress_is_told(tmp_path):
    sample, path = material_samples()[0], tmp_path / "games.bks"
    digests, told = [], []
    for score in (40, 40, 41):
        block = pack_block(0, [pack_sample(sample._replace(score=score))] * 20)
        path.write_bytes(block + block)
        found = position_file.positions_of(
            str(path), position_file.Filters(), on_progress=lambda *progress: told.append(progress)
        )
        digests.append(found.digest)
    assert digests[0] == digests[1] != digests[2]
    assert told == [(str(path), 40)] * 3


def test_only_quiet_positions_pass(tmp_path):
    some = cases()
    samples, expected = [], []
    for number, case in enumerate(some):
        moves = list(case.moves.items())
        packed, move = moves[number % len(moves)] if moves else (0, None)
        ply, score = number % 20, (number % 7) * 1000 - 3000
        samples.append(Sample(case.position.board, score, ply, packed & 0xFFF, 0, DRAWN))
        loud = move is not None and (case.board.is_capture(move) or move.promotion is not None)
        if move is not None and move.promotion:
            samples[-1] = samples[-1]._replace(move=(packed & 0xFFF) | 2 << 12)
        expected.append(not case.board.is_check() and not loud and ply >= 16 and abs(score) < 3000)
    samples = as_array(samples)
    path = tmp_path / "positions.bks"
    path.write_bytes(pack_block(1, [sample.tobytes() for sample in samples]))
    found = position_file.positions_of(str(path), position_file.Filters())
    assert found.samples.tolist() == samples[expected].tolist()
    assert found.counts.tolist() == [sum(expected)]
    assert 100 < sum(expected) < len(expected) - 100
