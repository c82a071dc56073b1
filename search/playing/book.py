"""Opening books in Polyglot's format: entries of sixteen bytes, sorted by the key of the position.

    8 bytes  key
    2 bytes  move: target file and rank, origin file and rank, promotion, from the lowest bits upwards
    2 bytes  weight: how often to play it, compared with the others
    4 bytes  what was learnt, which is nobody's business here

Castling is written "king takes rook". Anything at all may stand in a file: what is no legal move is
passed over.
"""

import mmap
from bisect import bisect_left
from struct import Struct

from bluekrait.core.board import BISHOP, BLACK, KNIGHT, NONE, QUEEN, ROOK, TURN_ROUND
from bluekrait.core.move import origin_of, promotion_of, target_of
from bluekrait.core.tables.zobrist import polyglot_key

ENTRY = Struct(">QHHI")
PROMOTIONS = {0: NONE, 1: KNIGHT, 2: BISHOP, 3: ROOK, 4: QUEEN}
SQUARE_MASK, ORIGIN_SHIFT, PROMOTION_SHIFT = 0x3F, 6, 12


class Book:
    """A book that was opened; an OSError if it cannot be."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self._content = _mapped(file)
        self._count = len(self._content) // ENTRY.size

    def moves(self, position, legal_moves):
        """The legal moves that the book knows for a position, packed, each with its weight."""
        turn = position.ply & 1
        identities = {_identity(move): move for move in legal_moves}
        weighted = {}
        for code, weight in self._entries(polyglot_key(position)):
            move = identities.get(_decoded(code, turn))
            if move is not None and weight:
                weighted[move] = weighted.get(move, 0) + weight
        return list(weighted.items())

    def _entries(self, key):
        """The moves, as they are written, and their weights for the position of this key."""
        place = bisect_left(range(self._count), key, key=lambda place: self._entry(place)[0])
        while place < self._count and self._entry(place)[0] == key:
            yield self._entry(place)[1:3]
            place += 1

    def _entry(self, place):
        return ENTRY.unpack_from(self._content, place * ENTRY.size)


def choose(weighted_moves, dice):
    """One of the moves, each as often as its weight says; `dice` is a `random.Random`."""
    moves, weights = zip(*weighted_moves)
    return dice.choices(moves, weights)[0]


def best(weighted_moves):
    """The move of most weight, the first of several."""
    return max(weighted_moves, key=lambda weighted: weighted[1])[0]


def _mapped(file):
    """The content of a file, which is not read before it is needed."""
    try:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except ValueError:  # an empty file
        return b""


def _decoded(code, turn):
    """Origin, target and promotion as the mover sees them."""
    turn_round = TURN_ROUND if turn == BLACK else 0
    target, origin = code & SQUARE_MASK, code >> ORIGIN_SHIFT & SQUARE_MASK
    return origin ^ turn_round, target ^ turn_round, PROMOTIONS.get(code >> PROMOTION_SHIFT)


def _identity(move):
    return origin_of(move), target_of(move), promotion_of(move)
