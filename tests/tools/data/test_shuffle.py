"""`bluekrait data shuffle`: a random order in little memory."""

import errno
import io
import os
import sys

import pytest

from bluekrait.tools.data import data_command, shuffle
from bluekrait.tools.data.data_command import packed_samples
from bluekrait.tools.data.formats.sample_file import pack_block, pack_head
from bluekrait.tools.data.formats.samples import pack_sample
from helpers.labelled import MADE, generate, some_samples


def test_shuffling_keeps_every_position_and_no_order(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("bluekrait.tools.data.shuffle.MEGABYTE", 1 << 10)  # so that there are many buckets
    monkeypatch.setattr("bluekrait.tools.data.shuffle.BLOCK_SAMPLES", 100)
    packed = list(map(pack_sample, some_samples()))
    names = [tmp_path / "one.bks", tmp_path / "two.bks"]
    for name, part in zip(names, (packed[:700], packed[700:])):
        name.write_bytes(pack_head(MADE) + b"".join(pack_block(i, [one]) for i, one in enumerate(part)))

    def shuffled(name, seed):
        path = tmp_path / name
        command = ["shuffle", *map(str, names), "-o", str(path), "--seed", str(seed), "--memory", "8"]
        assert data_command.main(command) == 0
        assert data_command.main(["check", str(path)]) == 0
        return path, list(packed_samples([path]))

    (path, order), (_, same), (_, other) = shuffled("a", 1), shuffled("b", 1), shuffled("c", 2)
    assert sorted(order) == sorted(packed) and order == same != other
    places = {sample: place for place, sample in enumerate(packed)}
    distance = sum(abs(places[sample] - place) for place, sample in enumerate(order)) / len(order)
    assert 0.28 < distance / len(order) < 0.38  # a third, if every order is equally likely
    rises = sum(places[one] < places[two] for one, two in zip(order, order[1:]))
    assert 0.45 < rises / len(order) < 0.55  # also inside the buckets
    assert len(list(tmp_path.iterdir())) == 5  # nothing is left lying about
    assert data_command.main(["shuffle", str(names[0]), "-o", str(path)]) == 2  # never over something else
    with pytest.raises(SystemExit) as leaving:
        data_command.main(["shuffle", str(names[0]), "-o", str(tmp_path / "d"), "--memory", "0"])
    assert leaving.value.code == 2
    assert generate(path, "--games", 10_000) == 2


def test_shuffling_games_keeps_to_the_memory_too(played, tmp_path, monkeypatch, capsys):
    megabytes, sizes = 8, []
    monkeypatch.setattr(shuffle, "MEGABYTE", 1 << 10)

    def shuffled(buckets, rng, original=shuffle._shuffled):
        sizes.extend(map(os.path.getsize, buckets))
        return original(buckets, rng)

    monkeypatch.setattr(shuffle, "_shuffled", shuffled)
    command = ["shuffle", str(played), "-o", str(tmp_path / "mixed.bks"), "--memory", str(megabytes)]
    assert data_command.main(command) == 0
    assert max(sizes) * shuffle.COPIES <= megabytes << 10
    assert "positions of 1 file in random order" in capsys.readouterr().out


def test_what_a_killed_shuffle_has_left_is_removed(played, tmp_path):
    output = tmp_path / "mixed.bks"
    left = tmp_path / ".shuffle-mixed.bks"
    left.mkdir()
    (left / "0").write_bytes(b"of other positions")
    (left / "400").write_bytes(b"of more buckets than there are now")
    assert data_command.main(["shuffle", str(played), "-o", str(output)]) == 0
    assert list(tmp_path.iterdir()) == [output]
    assert data_command.main(["check", str(output)]) == 0


class ClosedTerminal(io.StringIO):
    """What standard error is when its terminal was closed."""

    def isatty(self):
        return True

    def write(self, text):
        raise OSError(errno.EIO, "Input/output error")


def test_shuffling_needs_no_terminal_to_the_end(played, tmp_path, monkeypatch):
    output = tmp_path / "mixed.bks"
    monkeypatch.setattr(sys, "stderr", ClosedTerminal())
    assert data_command.main(["shuffle", str(played), "-o", str(output)]) == 0
    assert list(tmp_path.iterdir()) == [output]
