"""Labelled positions for tests."""

import numpy as np

from bluekrait.tools.data.formats.labelled_file import contents_at, cut_torn_end
from bluekrait.tools.data.formats.sample_array import LAYOUT
from bluekrait.tools.data.formats.samples import Sample, pack_sample
from helpers.support import cases


def some_samples():
    """Positions of every kind with made-up labels."""
    numbered = enumerate(cases()[::3], start=-800)
    return [
        Sample(case.position.board, number, number & 511, number & 0xFFFF, number & 127, number % 3)
        for number, case in numbered
    ]


def mended(path):
    """What is whole in a file; the rest of it is cut off."""
    contents = contents_at(path)
    cut_torn_end(path, contents)
    return contents


def as_array(samples):
    """The same as an array."""
    return np.frombuffer(bytearray(b"".join(map(pack_sample, samples))), LAYOUT)
