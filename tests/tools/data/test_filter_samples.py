"""Samples that are left out: by filters, and because they occur twice."""

import tracemalloc

import numpy as np
import pytest

from bluekrait.tools.data import data_command, filter_samples
from bluekrait.tools.data.formats.game_samples import TRAINING
from bluekrait.tools.data.formats.labelled_file import opened
from bluekrait.tools.data.formats.sample_file import read_head
from bluekrait.tools.data.sample_statistics import Stats
from bluekrait.tools.network import position_file


@pytest.mark.parametrize(
    "more, first_ply, highest_score",
    [((), 16, 2999), (("--from-ply", "60"), 60, 2999), (("--from-ply", "8", "--max-score", "90"), 16, 90)],
)
def test_filters_of_training_come_on_top_of_others(played, tmp_path, more, first_ply, highest_score):
    path = tmp_path / "filtered.bks"
    assert data_command.main(["filter", str(played), "-o", str(path), "--training", *more]) == 0
    with opened(path) as data:
        head = read_head(data)
    assert (head["first_ply"], head["highest_score"]) == (first_ply, highest_score)
    assert head["no_checks"] and head["quiet"]


def test_training_and_its_filters_agree():
    assert tuple(position_file.Filters()) == TRAINING[:2]


def test_equal_positions_are_found_in_little_memory(monkeypatch):
    count, bytes_each = 1 << 18, 20
    hashes = np.random.default_rng(1).integers(1 << 62, size=count).astype(np.uint64)
    hashes[7::16] = hashes[::16]
    stats, parts = Stats(hashes=[hashes.copy()]), np.split(hashes, 64)
    monkeypatch.setattr(filter_samples, "hashes_of", lambda samples: samples)
    tracemalloc.start()
    try:
        assert stats.duplicates == count // 16
        assert tracemalloc.get_traced_memory()[1] < bytes_each * count
        tracemalloc.reset_peak()
        kept = sum(map(len, filter_samples._firsts(iter(parts))))
        assert kept == count - count // 16
        assert tracemalloc.get_traced_memory()[1] < bytes_each * count
    finally:
        tracemalloc.stop()
