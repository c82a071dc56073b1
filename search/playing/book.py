"""Opening books in Polyglot's format: entries of sixteen bytes, sorted by the key of the position.

    8 bytes  key
    2 bytes  move: target file and rank, origin file and rank, promotion, from the lowest bits upwards
    2 bytes  weight: how often to play it, compared with the others
    4 bytes  learning data, not used here

Castling is written "king takes rook". Entries whose move is not legal are ignored.
"""

from __future__ import annotations

import errno
import mmap
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from struct import Struct
from typing import TYPE_CHECKING, BinaryIO, TypeVar

from bluekrait.core.board import BISHOP, BLACK, KNIGHT, NONE, QUEEN, ROOK, TURN_ROUND
from bluekrait.core.move import origin_of, promotion_of, target_of
from bluekrait.core.tables.zobrist import polyglot_key
from bluekrait.search.ordinary_file import open_ordinary

if TYPE_CHECKING:
    from bluekrait.core.board import Position

    MoveParts = tuple[int, int, int | None]  # origin, target and promotion; None for one that does not exist

Move = TypeVar("Move")  # packed, outside of tests

ENTRY = Struct(">QHHI")
MOST_SAMPLES = 64  # of the keys that tell whether a file is sorted; to read all takes long in a large book
PROMOTIONS = {0: NONE, 1: KNIGHT, 2: BISHOP, 3: ROOK, 4: QUEEN}
SQUARE_MASK, ORIGIN_SHIFT, PROMOTION_SHIFT = 0x3F, 6, 12


class Book:
    """An open book; the constructor raises OSError if the file cannot be opened, or is no book."""

    def __init__(self, path: str) -> None:
        with open_ordinary(path) as file:
            self._content = _map(file)
        self._count, rest = divmod(len(self._content), ENTRY.size)
        if rest or not self._is_sorted():
            raise OSError(errno.EINVAL, "it is no opening book in Polyglot's format", path)

    def moves(self, position: Position, legal_moves: Iterable[int]) -> list[tuple[int, int]]:
        """The legal moves that the book has for a position, packed, each with its weight."""
        turn = position.ply & 1
        legal = {_parts(move): move for move in legal_moves}
        weighted: dict[int, int] = {}
        for code, weight in self._entries(polyglot_key(position)):
            move = legal.get(_decode(code, turn))
            if move is not None and weight:
                weighted[move] = weighted.get(move, 0) + weight
        return list(weighted.items())

    def _entries(self, key: int) -> Iterator[tuple[int, int]]:
        """Encoded moves and weights of the position with this key."""
        index = bisect_left(range(self._count), key, key=lambda index: self._entry(index)[0])
        while index < self._count and self._entry(index)[0] == key:
            _, move, weight, _ = self._entry(index)
            yield move, weight
            index += 1

    def _is_sorted(self) -> bool:
        keys = [self._entry(index)[0] for index in range(0, self._count, self._count // MOST_SAMPLES + 1)]
        return keys == sorted(keys)

    def _entry(self, index: int) -> tuple[int, int, int, int]:
        key, move, weight, learnt = ENTRY.unpack_from(self._content, index * ENTRY.size)
        return key, move, weight, learnt


def random_move(weighted_moves: Sequence[tuple[Move, int]], random: Random) -> Move:
    """One of the moves, each as often as its weight says."""
    moves, weights = zip(*weighted_moves)
    chosen: Move = random.choices(moves, weights)[0]
    return chosen


def best_move(weighted_moves: Iterable[tuple[Move, int]]) -> Move:
    """The move of most weight, the first of several."""
    return max(weighted_moves, key=lambda weighted: weighted[1])[0]


def _map(file: BinaryIO) -> mmap.mmap | bytes:
    """The content of a file, read only where it is needed."""
    try:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except ValueError:  # an empty file
        return b""


def _decode(code: int, turn: int) -> MoveParts:
    """Origin, target and promotion as the side to move sees them."""
    turn_round = TURN_ROUND if turn == BLACK else 0
    target, origin = code & SQUARE_MASK, code >> ORIGIN_SHIFT & SQUARE_MASK
    return origin ^ turn_round, target ^ turn_round, PROMOTIONS.get(code >> PROMOTION_SHIFT)


def _parts(move: int) -> MoveParts:
    return origin_of(move), target_of(move), promotion_of(move)
