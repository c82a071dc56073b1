"""Labelled positions for tests, and files of them."""

import numpy as np

from bluekrait.tools.data import datagen_command
from bluekrait.tools.data.formats.game_samples import EVERYTHING
from bluekrait.tools.data.formats.labelled_file import contents_at, cut_torn_end, opened, read_blocks
from bluekrait.tools.data.formats.sample_array import LAYOUT
from bluekrait.tools.data.formats.sample_file import pack_block
from bluekrait.tools.data.formats.samples import Sample, pack_sample
from helpers.support import cases

MADE = {"kind": "self-play", "seed": 3, "nodes": 40}


def some_samples():
    """Positions of every kind with made-up labels."""
    numbered = enumerate(cases()[::3], start=-800)
    return [
        Sample(case.position.board, number, number & 511, number & 0xFFFF, number & 127, number % 3)
        for number, case in numbered
    ]


def some_blocks(count=6):
    """Blocks of a few samples each, one of them empty."""
    packed = list(map(pack_sample, some_samples()[:40]))
    return [pack_block(number + 3, packed[5 * number : 6 * number]) for number in range(count)]


def generate(path, *more):
    """Play a few quick games in this process; the exit code."""
    return datagen_command.main([str(path), "--processes", "1", *map(str, more)])


def blocks_of_file(path):
    """Number and body of each block."""
    with opened(path) as content:
        return [(block.number, block.body) for block in read_blocks(content, EVERYTHING)]


def mended(path):
    """What is whole in a file; the rest of it is cut off."""
    contents = contents_at(path)
    cut_torn_end(path, contents)
    return contents


def as_array(samples):
    """The same as an array."""
    return np.frombuffer(bytearray(b"".join(map(pack_sample, samples))), LAYOUT)
