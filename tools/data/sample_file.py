"""Files of labelled positions: a head that tells how they were made, then a block for each game.

Head and blocks have one shape, and a checksum each. All numbers are little-endian.

             head                                 block
    4 bytes  b"BKSH"                              b"BKS1"
    u32      version of the format, 1             number of the game
    u32      bytes of text that follow            samples that follow, 32 bytes each
    u32      CRC-32 of the twelve bytes before and of all that follow
    ...      JSON: seed, nodes, ...               samples, see `tools.data.samples`

The head may be missing, for files were once written without. A file may end in a block that was being written
when the machine stopped: what is torn is recognised and left out. Damage elsewhere costs the blocks it
touches and no others.
"""

import json
import struct
import zlib
from typing import NamedTuple

from bluekrait.tools.data.samples import SAMPLE

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
    def count(self):
        """How many samples a block holds."""
        return len(self.body) // SAMPLE.size


class Contents(NamedTuple):
    """What a file holds, and what is wrong with it."""

    head: dict  # None if there is none
    games: set  # their numbers
    blocks: int
    samples: int
    damage: list  # pairs of places between which nothing is whole
    end: int  # of what is whole
    size: int

    @property
    def torn(self):
        """How many bytes at the end belong to no whole block."""
        return self.size - self.end


# --- writing --------------------------------------------------------------------------------------


def pack_head(made):
    """The bytes of a head: a dictionary that tells how the positions were made."""
    text = json.dumps(made).encode()
    return pack_part(HEAD, VERSION, len(text), text)


def pack_block(game, samples):
    """The bytes of a block: samples, already packed, of one game."""
    body = b"".join(samples)
    return pack_part(BLOCK, game, len(body) // SAMPLE.size, body)


def pack_part(magic, number, count, body):
    """The bytes of a head or a block, of this format or another with such a front."""
    front = FRONT.pack(magic, number, count)
    return front + _checksum(front, body) + body


def _checksum(front, body):
    return CHECKSUM.pack(zlib.crc32(body, zlib.crc32(front)))


# --- reading --------------------------------------------------------------------------------------


def read_head(data):
    """What the head tells; None if there is none. A ValueError if it was written by a later version."""
    head = whole_part(data, 0, HEAD, 1)
    if head is None:
        return None
    if head.number > VERSION:
        raise ValueError(f"version {head.number} of the format is not known here, only up to {VERSION}")
    return json.loads(head.body)


def read_blocks(data):
    """The blocks in the bytes of a file that are whole."""
    return parts_of(data, BLOCK, SAMPLE.size)


def parts_of(data, magic, unit):
    """The whole parts that begin with a magic word and count units of so many bytes."""
    place = 0
    while (place := data.find(magic, place)) >= 0:
        part = whole_part(data, place, magic, unit)
        if part:
            yield part
        place = part.end if part else place + 1


def whole_part(data, start, magic, unit):
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


def survey(data):
    """What the bytes of a file hold, every checksum looked at."""
    head = whole_part(data, 0, HEAD, 1)
    made, end = read_head(data), head.end if head else 0
    games, blocks, samples, damage = set(), 0, 0, []
    for block in read_blocks(data):
        if block.start > end:
            damage.append((end, block.start))
        games.add(block.number)
        blocks += 1
        samples += block.count
        end = block.end
    return Contents(made, games, blocks, samples, damage, end, len(data))
