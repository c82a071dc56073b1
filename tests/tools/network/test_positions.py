"""Positions of all files: those to learn from, and those that are held out."""

import os
import shutil

import numpy as np
import pytest

from bluekrait.tools.data import data_command
from bluekrait.tools.data.formats.labelled_file import opened, read_blocks
from bluekrait.tools.data.formats.sample_file import pack_block
from bluekrait.tools.data.formats.samples import pack_sample
from bluekrait.tools.network import position_file, positions
from helpers.network.network_runs import material_samples


def test_games_are_held_out_as_a_whole(positions_file):
    loaded = positions.load([(positions_file, None)], position_file.Filters(), seed=1)
    games = {}
    with opened(positions_file) as data:
        for block in read_blocks(data):
            for start in range(0, len(block.body), 32):
                games.setdefault(block.body[start : start + 32], set()).add(block.number)
    learnt, held_out = (
        set().union(*(games[sample.tobytes()] for sample in samples if len(games[sample.tobytes()]) == 1))
        for samples in (loaded.training, loaded.held_out)
    )
    assert held_out
    assert not learnt & held_out
    assert 0.03 < len(loaded.held_out) / (len(loaded.training) + len(loaded.held_out)) < 0.08
    other = positions.load([(positions_file, None)], position_file.Filters(), seed=2)
    assert not np.array_equal(other.held_out, loaded.held_out)


def test_positions_of_other_files_are_held_out(positions_file, tmp_path):
    other = shutil.copy(positions_file, tmp_path / "other.bks")
    files = {"files": [(positions_file, None)], "judges": [(other, None)]}
    loaded = positions.load(filters=position_file.Filters(), seed=1, **files)
    everything = position_file.positions_of(positions_file, position_file.Filters()).samples
    assert np.array_equal(loaded.training, everything)
    assert np.array_equal(loaded.held_out, everything)
    assert [source["file"] for source in loaded.judges] == [other]


def write_games(path, *lengths):
    """A file of games with so many positions each, of which the filters leave out none."""
    packed = pack_sample(material_samples()[0])
    path.write_bytes(b"".join(pack_block(game, [packed] * length) for game, length in enumerate(lengths)))
    return str(path)


@pytest.mark.parametrize(
    "lengths, held_out",
    [
        ((400, 10), 10),
        ((10, 400), 10),
        ((7, 7), 7),
        ((0, 300, 9, 300), 9),
        ((0, 300, 400), 300),
        ((1,) * 40 + (400,), 22),
    ],
)
def test_few_games_leave_something_to_learn_from(tmp_path, lengths, held_out):
    path = write_games(tmp_path / "few.bks", *lengths)
    for seed in range(1, 6):
        loaded = positions.load([(path, None)], position_file.Filters(), seed)
        assert (len(loaded.training), len(loaded.held_out)) == (sum(lengths) - held_out, held_out)


def test_one_game_is_not_enough_however_often_it_occurs(tmp_path):
    path = tmp_path / "one.bks"
    write_games(path, 9)
    path.write_bytes(2 * path.read_bytes())
    beside_an_empty_one = write_games(tmp_path / "two.bks", 0, 9)
    for name in str(path), beside_an_empty_one:
        with pytest.raises(ValueError, match="at least two games"):
            positions.load([(name, None)], position_file.Filters(), seed=1)


def test_a_judge_may_have_one_game_and_no_more_positions_than_are_needed(tmp_path, monkeypatch):
    one, many = write_games(tmp_path / "one.bks", 30), write_games(tmp_path / "many.bks", *[10] * 30)
    files = {"files": [(many, None)], "filters": position_file.Filters(), "seed": 1}
    assert len(positions.load(**files, judges=[(one, None)]).held_out) == 30
    monkeypatch.setattr(positions, "MOST_HELD_OUT", 100)
    files["files"] = [(one, None)]
    assert len(positions.load(**files, judges=[(many, None)]).held_out) == 100


@pytest.mark.parametrize("role", ["files", "judges"])
def test_files_without_positions_are_named(positions_file, tmp_path, role):
    files = {"files": [(positions_file, None)], "judges": []}
    files[role] = [(write_games(tmp_path / "none.bks", 0, 0), None)]
    with pytest.raises(ValueError, match="no quiet positions in .*none.bks"):
        positions.load(filters=position_file.Filters(), seed=1, **files)


def test_games_of_the_same_number_in_two_files_are_two(positions_file, tmp_path):
    copy = shutil.copy(positions_file, tmp_path / "copy.bks")
    both = positions.load([(positions_file, None), (copy, None)], position_file.Filters(), seed=1)
    once = positions.load(
        [(positions_file, None), (copy, None)], position_file.Filters(), seed=1, deduplicate=True
    )
    assert len(once.training) + len(once.held_out) < (len(both.training) + len(both.held_out)) / 2 + 1
    assert [source["positions"] for source in both.sources] == [both.sources[0]["positions"]] * 2
    one_game_each = [(write_games(tmp_path / name, 9), None) for name in ("one.bks", "other.bks")]
    loaded = positions.load(one_game_each, position_file.Filters(), seed=1)
    assert len(loaded.training) == len(loaded.held_out) == 9


@pytest.mark.parametrize("twice", [["files"], ["files", "judges"]])
def test_no_file_is_named_twice(positions_file, tmp_path, monkeypatch, twice):
    name = str(positions_file)
    monkeypatch.chdir(os.path.dirname(name))
    files = {"files": [(name, None)], "judges": []}
    files[twice[-1]].append((os.path.basename(name), None))
    with pytest.raises(ValueError, match="is named twice"):
        positions.load(filters=position_file.Filters(), seed=1, **files)


def test_games_of_a_shuffled_file_cannot_be_held_out(positions_file, tmp_path):
    shuffled, filtered = str(tmp_path / "shuffled.bks"), str(tmp_path / "filtered.bks")
    assert data_command.main(["shuffle", str(positions_file), "-o", shuffled]) == 0
    assert data_command.main(["filter", shuffled, "-o", filtered]) == 0
    for name in shuffled, filtered:
        with pytest.raises(ValueError, match="is shuffled, so no whole games can be held out"):
            positions.load([(name, None)], position_file.Filters(), seed=1)
    judged = positions.load(
        [(filtered, None)], position_file.Filters(), seed=1, judges=[(str(positions_file), None)]
    )
    assert len(judged.held_out) > 0
