"""Zobrist keys: a position as one 64-bit number, the exclusive or of a random number per feature.

The numbers are the 781 that Polyglot published for opening books, so our keys are also book keys:

    0-767    64 × kind + square; the kinds are p P n N b B r R q Q k K, squares count from a1
    768-771  White may castle king side, queen side, Black king side, queen side
    772-779  en passant is possible on this file
    780      White is to move

King side means that the castling rook stands east of its king, as in Chess960.
"""

from collections.abc import Iterator
from os.path import dirname, join
from struct import unpack
from typing import Any

from bluekrait.core.board import (
    BISHOP,
    BLACK,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    TURN_ROUND,
    WHITE,
    Board,
    Position,
    all_pieces,
    piece_on,
)
from bluekrait.core.tables.geometry import squares

# Through the module's loader, because in a zipapp there is no file to open.
_loader: Any = __spec__.loader
KEYS = unpack("<781Q", _loader.get_data(join(dirname(__file__), "polyglot_keys.bin")))

KIND_ORDER = (PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING)
CASTLING_START, EN_PASSANT_START, WHITE_TO_MOVE = 768, 772, 780


def piece_index(code: int, colour: int, square: int) -> int:
    """Index into KEYS of a piece of a colour on a square as White sees it."""
    kind = 2 * KIND_ORDER.index(code) + (colour == WHITE)
    return 64 * kind + square


def castling_index(colour: int, king_side: bool) -> int:
    """Index into KEYS of one castling right."""
    return CASTLING_START + 2 * colour + (not king_side)


def en_passant_index(square: int) -> int:
    """Index into KEYS of an en-passant square."""
    return EN_PASSANT_START + (square & 7)


def position_key(board: Board, turn: int) -> int:
    """The key of a board, computed from scratch."""
    key = KEYS[WHITE_TO_MOVE] if turn == WHITE else 0
    for index in _features(board, turn):
        key ^= KEYS[index]
    return key


def polyglot_key(position: Position) -> int:
    """The published key of a position, for probing books.

    Polyglot counts en passant as soon as an enemy pawn stands beside the one that has moved; our
    boards know it only when the capture is legal. The keys differ where that pawn is pinned.
    """
    return position_key(position.board, position.ply & 1)


def _features(board: Board, turn: int) -> Iterator[int]:
    """Indices into KEYS of all features of a board."""
    turn_round = TURN_ROUND if turn == BLACK else 0

    def colour(square: int) -> int:
        return turn if board.own >> square & 1 else turn ^ 1

    for square in squares(all_pieces(board)):
        yield piece_index(piece_on(board, 1 << square), colour(square), square ^ turn_round)

    kings = {colour(square): square for square in squares(board.kings)}
    for rook in squares(board.castling):
        yield castling_index(colour(rook), king_side=rook > kings[colour(rook)])

    for square in squares(board.en_passant):
        yield en_passant_index(square)
