"""Files of labelled positions of either format, read as if they were one: samples of 32 bytes.

`sample_file` keeps samples; `game_file` keeps whole games, whose positions are made when they are read.
"""

import mmap
import os
from contextlib import contextmanager

from bluekrait.tools.data import game_file, sample_file
from bluekrait.tools.data.game_file import is_game_file
from bluekrait.tools.data.game_samples import EVERYTHING, TRAINING, positions_of_games, sample_blocks, sifted
from bluekrait.tools.data.sample_array import as_array
from bluekrait.tools.data.sample_file import MAGIC_BYTES

MAGIC_WORDS = (sample_file.HEAD, sample_file.BLOCK, game_file.HEAD, game_file.BLOCK)

BATCH_BYTES = 1 << 20


@contextmanager
def opened(path):
    """The bytes of a file of labelled positions, without reading them all at once.

    A ValueError if it is a file of another kind.
    """
    with open(path, "rb") as file:
        if not os.fstat(file.fileno()).st_size:
            yield b""
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            if not is_labelled(data[:MAGIC_BYTES]):
                raise ValueError(f"{path} is no file of labelled positions")
            yield data


def is_labelled(beginning):
    """True if a file of labelled positions can begin so."""
    return any(magic.startswith(beginning[:MAGIC_BYTES]) for magic in MAGIC_WORDS)


def read_head(data):
    """What the head tells; None if there is none. A ValueError if it was written by a later version."""
    return _format_of(data).read_head(data)


def survey(data):
    """What the bytes of a file hold, every checksum looked at."""
    return _format_of(data).survey(data)


def read_blocks(data, filters=TRAINING):
    """The blocks of samples in the bytes of a file; of games, the positions that pass the filters."""
    return sample_blocks(data, filters) if is_game_file(data) else sample_file.read_blocks(data)


def sifted_batches(data, filters=EVERYTHING):
    """The samples in the bytes of a file that pass the filters, whatever its format, many at a time."""
    if is_game_file(data):
        for block in game_file.read_blocks(data):
            yield positions_of_games(block.body, block.number, filters)[0]
        return
    waiting, size = [], 0
    for block in sample_file.read_blocks(data):
        waiting.append(block.body)
        size += len(block.body)
        if size >= BATCH_BYTES:
            yield sifted(as_array(b"".join(waiting)), filters)
            waiting, size = [], 0
    yield sifted(as_array(b"".join(waiting)), filters)


def samples_of(path, filters=TRAINING):
    """All samples of a file of labelled positions; of games, the positions that pass the filters."""
    with opened(path) as data:
        return as_array(b"".join(block.body for block in read_blocks(data, filters)))


def mend(path):
    """Cut off the torn end of a file; what is left. A file that does not exist holds nothing."""
    if not os.path.exists(path):
        return survey(b"")
    with opened(path) as data:
        contents = survey(data)
    if contents.torn:
        os.truncate(path, contents.end)
    return contents._replace(size=contents.end)


def _format_of(data):
    return game_file if is_game_file(data) else sample_file
