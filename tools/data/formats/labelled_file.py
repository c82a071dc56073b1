"""Read files of labelled positions of either format as samples of 32 bytes.

`sample_file` holds samples; `game_file` holds whole games, from which samples are extracted on reading.
"""

import mmap
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from bluekrait.tools.common.files.ordinary_file import check_ordinary
from bluekrait.tools.data.formats import game_file, sample_file
from bluekrait.tools.data.formats.game_file import PLY_BYTES, is_game_file
from bluekrait.tools.data.formats.game_samples import (
    TRAINING,
    Filters,
    filtered,
    positions_of_games,
    sample_blocks,
)
from bluekrait.tools.data.formats.sample_array import LAYOUT, Samples, as_array
from bluekrait.tools.data.formats.sample_file import MAGIC_BYTES, Bytes, Contents, Part, in_batches

MAGIC_WORDS = (sample_file.HEAD, sample_file.BLOCK, game_file.HEAD, game_file.BLOCK)

SHUFFLED = "shuffled"  # a kind of file; and in the heads of those that are made from it
BATCH_BYTES = 1 << 20


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[Bytes]:
    """The bytes of a file of labelled positions, without reading them all at once.

    A ValueError if it is a file of another kind.
    """
    check_ordinary(path)  # a pipe has no size, and would be taken for an empty file
    with open(path, "rb") as file:
        if not os.fstat(file.fileno()).st_size:
            yield b""
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            if not is_labelled(data[:MAGIC_BYTES]):
                raise ValueError(f"{path} is no file of labelled positions")
            yield data


def is_labelled(beginning: bytes) -> bool:
    """True if a file of labelled positions can begin so."""
    return any(magic.startswith(beginning[:MAGIC_BYTES]) for magic in MAGIC_WORDS)


def read_head(data: Bytes) -> dict[str, Any] | None:
    """What the head says; None if there is none. ValueError if a later version wrote it."""
    return game_file.read_head(data) if is_game_file(data) else sample_file.read_head(data)


def is_shuffled(path: str | os.PathLike[str]) -> bool:
    """True if the positions of a game do not lie together in a file, or did not in one it was made from."""
    with opened(path) as data:
        head = read_head(data) or {}
    return head.get("kind") == SHUFFLED or bool(head.get(SHUFFLED))


def read_contents(data: Bytes) -> Contents:
    """What the bytes of a file hold, with every checksum verified."""
    return game_file.read_contents(data) if is_game_file(data) else sample_file.read_contents(data)


def read_blocks(data: Bytes, filters: Filters = TRAINING) -> Iterator[Part]:
    """The blocks of samples in the bytes of a file; of games, the positions that pass the filters."""
    return sample_blocks(data, filters) if is_game_file(data) else sample_file.read_blocks(data)


def filtered_batches(data: Bytes, filters: Filters) -> Iterator[Samples]:
    """The samples in the bytes of a file that pass the filters, whatever its format, many at a time."""
    if is_game_file(data):
        for block in game_file.read_blocks(data):
            yield positions_of_games(block.body, block.number, filters)[0]
        return
    for blocks in in_batches(sample_file.read_blocks(data), BATCH_BYTES):
        yield filtered(samples_in(blocks), filters)


def samples_in(blocks: Iterable[Part]) -> Samples:
    """All samples of some blocks."""
    return as_array(b"".join(block.body for block in blocks))


def most_positions(path: str | os.PathLike[str]) -> int:
    """At least as many positions as a file has. A ValueError if it is a file of another kind."""
    with opened(path) as data:
        return len(data) // (PLY_BYTES if is_game_file(data) else LAYOUT.itemsize)


def samples_of(path: str | os.PathLike[str], filters: Filters = TRAINING) -> Samples:
    """All samples of a file of labelled positions; of games, the positions that pass the filters."""
    with opened(path) as data:
        return samples_in(read_blocks(data, filters))


def contents_at(path: str | os.PathLike[str]) -> Contents:
    """What a file holds, with every checksum verified. A ValueError if it is a file of another kind."""
    with opened(path) as data:
        return read_contents(data)


def cut_torn_end(path: str | os.PathLike[str], contents: Contents) -> None:
    """Cut off what a file with these contents has behind its last whole block."""
    if contents.torn:
        os.truncate(path, contents.end)
