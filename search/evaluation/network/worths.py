"""What each piece is worth to the network: the score less that without the piece.

The network judges no board on which a side has nothing but its king: see `search.tree.evaluate`.
"""

from __future__ import annotations

from bluekrait.core.board import Board, all_pieces
from bluekrait.core.tables.geometry import squares

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def piece_worths(score_of: Callable[[Board], int], board: Board) -> dict[int, int]:
    """What each piece but the kings is worth to the side to move, by its square.

    A piece is left out if it is the last beside a king: the network does not judge the board without it.
    `score_of(board)` is the score of a board for the side to move.
    """
    whole = score_of(board)
    places = squares(all_pieces(board) & ~board.kings)
    boards = {square: without(board, square) for square in places}
    return {square: whole - score_of(rest) for square, rest in boards.items() if not has_lone_king(rest)}


def has_lone_king(board: Board) -> bool:
    """True if a side has nothing but its king."""
    own, enemy = board.own, all_pieces(board) & ~board.own
    return own.bit_count() == 1 or enemy.bit_count() == 1


def without(board: Board, square: int) -> Board:
    """The board without what stands on a square."""
    return board._replace(**{name: getattr(board, name) & ~(1 << square) for name in board._fields})
