"""Files of whole games: a head that says how they were made, then blocks of games.

Head and blocks have one shape, and a checksum each. All numbers are little-endian.

             head                                 block
    4 bytes  b"BKGH"                              b"BKG1"
    u32      version of the format, 1             games that follow
    u32      bytes of text that follow            bytes that follow, a multiple of four
    u32      CRC-32 of the twelve bytes before and of all that follow
    ...      JSON: seed, nodes, ...               games

    game     u64      the occupied squares of the opening, as the side to move sees them
             16 bytes a nibble for each of these squares, as in `tools.data.formats.samples`
             u32      number of the game
             u16      plies that follow
             u16      half-moves since the starting position; odd if Black is to move
             u8       half-moves since the last capture or pawn move
             u8       the result for White: 0 lost, 1 drawn, 2 won
             u8       how the game ended, see ENDINGS in `search.self_play.game_records`
             u8       1 if it began from a starting position of Chess960
             u32      nodes that were searched
    ply      u16      the move, as in `tools.data.formats.samples`
             i16      the score of the search for the side to move, in centipawns

A file may end in an incomplete block, if the machine stopped while it was written: it is recognised and
ignored. Damage elsewhere costs the blocks it lies in and no others. In the head it costs what the head says,
and in the first four bytes the whole file: they tell what it is.
"""

import ctypes
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from bluekrait.search.self_play.game_records import GameHead
from bluekrait.tools.data.formats.sample_file import (
    Bytes,
    Contents,
    Part,
    contents_of,
    head_of,
    pack_part,
    parts_of,
    whole_part,
)

HEAD, BLOCK = b"BKGH", b"BKG1"
VERSION = 1
HEAD_BYTES, PLY_BYTES = ctypes.sizeof(GameHead), 4


class GameBytes(NamedTuple):
    """A game in the bytes of a block."""

    head: GameHead
    start: int
    end: int


def pack_head(made: Mapping[str, Any]) -> bytes:
    """The bytes of a head, which says how the games were made."""
    text = json.dumps(made).encode()
    return pack_part(HEAD, VERSION, len(text), text)


def pack_games(games: Sequence[bytes]) -> bytes:
    """The bytes of a block of games, each packed already."""
    body = b"".join(games)
    return pack_part(BLOCK, len(games), len(body), body)


def is_game_file(data: Bytes) -> bool:
    """True if the bytes of a file begin as one of games does."""
    return data[: len(HEAD)] in (HEAD, BLOCK)


def read_head(data: Bytes) -> dict[str, Any] | None:
    """What the head says; None if there is none. ValueError if a later version wrote it."""
    return head_of(data, HEAD, VERSION)


def read_blocks(data: Bytes) -> Iterator[Part]:
    """The blocks in the bytes of a file that are whole."""
    return parts_of(data, BLOCK, 1)


def games_in(body: bytes) -> Iterator[GameBytes]:
    """The games in the body of a block."""
    start = 0
    while start < len(body):
        head = GameHead.from_buffer_copy(body, start)
        end = start + HEAD_BYTES + head.plies * PLY_BYTES
        yield GameBytes(head, start, end)
        start = end


def read_contents(data: Bytes) -> Contents:
    """What the bytes of a file hold, with every checksum verified. Each ply counts as a sample."""
    head = whole_part(data, 0, HEAD, 1)
    return contents_of(
        data,
        read_head(data),
        head,
        read_blocks(data),
        lambda block: numbers_of(block.body),
        lambda block: plies_in(len(block.body), block.number),
    )


def plies_in(size: int, games: int) -> int:
    """How many plies so many games have together that take so many bytes."""
    return (size - games * HEAD_BYTES) // PLY_BYTES


def numbers_of(body: bytes) -> list[int]:
    """The numbers of the games in the body of a block."""
    return [game.head.number for game in games_in(body)]
