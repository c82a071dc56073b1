"""Files of labelled positions: a head that says how they were made, then blocks of samples.

Head and blocks have one shape, and a checksum each. All numbers are little-endian.

             head                                 block
    4 bytes  b"BKSH"                              b"BKS1"
    u32      version of the format, 1             number of the game
    u32      bytes of text that follow            samples that follow, 32 bytes each
    u32      CRC-32 of the twelve bytes before and of all that follow
    ...      JSON: seed, nodes, ...               samples, see `tools.data.formats.samples`

The head may be missing: early files have none. A file may end in an incomplete block, if the machine stopped
while it was written: it is recognised and ignored. Damage elsewhere costs the blocks it lies in and no
others; damage in the head costs what the head says, and in the first four bytes the whole file, because they
tell what it is.
"""

import json
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from mmap import mmap
from typing import Any, NamedTuple, TypeAlias

from bluekrait.tools.data.formats.samples import SAMPLE
from bluekrait.uci.progress import ProgressLine

Bytes: TypeAlias = bytes | mmap  # what a file holds

HEAD, BLOCK = b"BKSH", b"BKS1"
MAGIC_BYTES = 4
VERSION = 1
FRONT = struct.Struct("<4sII")
CHECKSUM = struct.Struct("<I")
FRONT_BYTES = FRONT.size + CHECKSUM.size


class Part(NamedTuple):
    """The head or a block of a file, and where it lies."""

    number: int  # of the game; of the head, the version
    body: bytes
    start: int
    end: int

    @property
    def samples(self) -> int:
        """How many samples a block holds."""
        return len(self.body) // SAMPLE.size


class Contents(NamedTuple):
    """What a file holds, and where it is damaged."""

    head: dict[str, Any] | None  # None if there is none
    games: set[int]  # their numbers
    blocks: int  # in a file of games: games
    samples: int
    damage: list[tuple[int, int]]  # pairs of places between which nothing is whole
    end: int  # of what is whole
    size: int

    @property
    def is_begun(self) -> bool:
        """True if there is anything whole to continue."""
        return self.end > 0

    @property
    def is_head_damaged(self) -> bool:
        """True if what lies before the first block is no head."""
        return any(start == 0 for start, _ in self.damage)

    @property
    def torn(self) -> int:
        """How many bytes at the end belong to no whole block."""
        return self.size - self.end


# --- writing --------------------------------------------------------------------------------------


def pack_head(made: Mapping[str, Any]) -> bytes:
    """The bytes of a head, which says how the positions were made."""
    text = json.dumps(made).encode()
    return pack_part(HEAD, VERSION, len(text), text)


def pack_block(game: int, samples: Iterable[bytes]) -> bytes:
    """The bytes of a block: samples, already packed, of one game."""
    body = b"".join(samples)
    return pack_part(BLOCK, game, len(body) // SAMPLE.size, body)


def pack_part(magic: bytes, number: int, count: int, body: bytes) -> bytes:
    """The bytes of a head or a block, of this format or another with such a front."""
    front = FRONT.pack(magic, number, count)
    return front + _checksum(front, body) + body


def _checksum(front: bytes, body: bytes) -> bytes:
    return CHECKSUM.pack(zlib.crc32(body, zlib.crc32(front)))


# --- reading --------------------------------------------------------------------------------------


def read_head(data: Bytes) -> dict[str, Any] | None:
    """What the head says; None if there is none. ValueError if a later version wrote it."""
    return head_of(data, HEAD, VERSION)


def head_of(data: Bytes, magic: bytes, version: int) -> dict[str, Any] | None:
    """The head of this format or of another with such parts; None if there is none."""
    head = whole_part(data, 0, magic, 1)
    if head is None:
        return None
    if head.number > version:
        raise ValueError(f"version {head.number} of the format is not known here, only up to {version}")
    made: dict[str, Any] = json.loads(head.body)
    return made


def read_blocks(data: Bytes) -> Iterator[Part]:
    """The blocks in the bytes of a file that are whole."""
    return parts_of(data, BLOCK, SAMPLE.size)


def parts_of(data: Bytes, magic: bytes, unit: int) -> Iterator[Part]:
    """The whole parts that begin with a magic word and count units of so many bytes."""
    place = 0
    while (place := data.find(magic, place)) >= 0:
        part = whole_part(data, place, magic, unit)
        if part:
            yield part
        place = part.end if part else place + 1


def in_batches(blocks: Iterable[Part], enough: int) -> Iterator[list[Part]]:
    """The blocks in lists; each list is ended as soon as its blocks hold so many bytes."""
    waiting: list[Part] = []
    size = 0
    for block in blocks:
        waiting.append(block)
        size += len(block.body)
        if size >= enough:
            yield waiting
            waiting, size = [], 0
    if waiting:
        yield waiting


def whole_part(data: Bytes, start: int, magic: bytes, unit: int) -> Part | None:
    """The head or block that begins at a place, if it is whole."""
    front, body_start = data[start : start + FRONT.size], start + FRONT_BYTES
    if len(data) < body_start or not front.startswith(magic):
        return None
    _, number, count = FRONT.unpack(front)
    end = body_start + count * unit
    if end > len(data):
        return None
    body = data[body_start:end]
    if data[start + FRONT.size : body_start] != _checksum(front, body):
        return None
    return Part(number, body, start, end)


def read_contents(data: Bytes) -> Contents:
    """What the bytes of a file hold, with every checksum verified."""
    head = whole_part(data, 0, HEAD, 1)
    return contents_of(data, read_head(data), head, read_blocks(data), lambda block: [block.number])


def contents_of(
    data: Bytes,
    made: dict[str, Any] | None,
    head: Part | None,
    blocks: Iterable[Part],
    numbers_of: Callable[[Part], list[int]],
    samples_of: Callable[[Part], int] = lambda block: block.samples,
) -> Contents:
    """The contents of a file of this format or of another with such parts."""
    numbers: set[int] = set()
    damage: list[tuple[int, int]] = []
    count, samples, end = 0, 0, head.end if head else 0
    line = ProgressLine(delay=1.0)
    try:
        for block in blocks:
            if block.start > end:
                damage.append((end, block.start))
            found = numbers_of(block)
            numbers.update(found)
            count += len(found)
            samples += samples_of(block)
            end = block.end
            line.show(f"reading what is there, {100 * end // len(data)} %")
    finally:
        line.clear()
    return Contents(made, numbers, count, samples, damage, end, len(data))
