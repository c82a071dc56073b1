"""The file of samples: blocks, its head, torn ends and damage."""

import random
import zlib

import pytest

from bluekrait.tools.data.formats.sample_file import (
    pack_block,
    pack_head,
    read_blocks,
    read_contents,
    read_head,
)
from bluekrait.tools.data.formats.samples import pack_sample
from bluekrait.uci.progress import ProgressLine
from helpers.labelled import MADE, mended, some_blocks, some_samples


def test_blocks_are_read_as_they_were_written():
    packed = [pack_sample(sample) for sample in some_samples()[:5]]
    content = pack_head(MADE) + pack_block(7, packed[:2]) + pack_block(9, []) + pack_block(8, packed[2:])
    read = [(block.number, block.body) for block in read_blocks(content)]
    assert read == [(7, b"".join(packed[:2])), (9, b""), (8, b"".join(packed[2:]))]
    assert read_head(content) == MADE
    contents = read_contents(content)
    assert (contents.games, contents.samples, contents.damage, contents.torn) == ({7, 8, 9}, 5, [], 0)


def test_how_far_a_file_is_read_is_shown(monkeypatch):
    shown, blocks = [], [pack_block(game, map(pack_sample, some_samples()[:5])) for game in range(4)]
    monkeypatch.setattr(ProgressLine, "show", lambda _, text: shown.append(text))
    read_contents(b"".join(blocks))
    assert shown == [f"reading what is there, {percent} %" for percent in (25, 50, 75, 100)]


def test_files_without_a_head_are_read_as_ever():
    blocks = some_blocks()
    contents = read_contents(b"".join(blocks))
    assert (contents.head, contents.blocks, contents.torn) == (None, len(blocks), 0)


def test_a_later_format_is_not_misread():
    head = bytearray(pack_head({}))
    head[4] = 2
    body = bytes(head[:12]) + head[16:]
    head[12:16] = zlib.crc32(body).to_bytes(4, "little")
    with pytest.raises(ValueError, match="version 2"):
        read_contents(bytes(head))


@pytest.mark.parametrize("head", [b"", pack_head(MADE)], ids=["without head", "with head"])
def test_a_torn_end_is_cut_off_wherever_it_is_torn(tmp_path, head):
    path = tmp_path / "torn.bks"
    packed = [pack_sample(sample) for sample in some_samples()[:4]]
    whole, last = head + pack_block(3, packed[:3]), pack_block(4, packed[3:])
    for length in range(len(last)):
        path.write_bytes(whole + last[:length])
        contents = mended(path)
        assert (contents.games, contents.samples, contents.end) == ({3}, 3, len(whole))
        assert path.read_bytes() == whole
    path.write_bytes(whole + last)
    assert mended(path).games == {3, 4}


def test_a_torn_head_is_cut_off_too(tmp_path):
    path, head = tmp_path / "torn.bks", pack_head(MADE)
    for length in range(len(head)):
        path.write_bytes(head[:length])
        assert mended(path).head is None
        assert path.read_bytes() == b""


def test_a_flipped_bit_is_noticed():
    block = pack_block(3, [pack_sample(some_samples()[0])])
    for bit in range(0, len(block) * 8, 5):
        damaged = bytearray(block)
        damaged[bit // 8] ^= 1 << bit % 8
        assert not list(read_blocks(bytes(damaged)))


def test_damage_costs_what_it_touches_and_nothing_else(tmp_path):
    blocks, rng = some_blocks(), random.Random(1)
    for victim in range(len(blocks)):
        damaged = bytearray(blocks[victim])
        damaged[rng.randrange(len(damaged))] ^= 64
        content = pack_head(MADE) + b"".join(blocks[:victim]) + damaged + b"".join(blocks[victim + 1 :])
        contents = read_contents(content)
        assert contents.games == {number + 3 for number in range(len(blocks))} - {victim + 3}
        assert len(contents.damage) + (contents.torn > 0) == 1
