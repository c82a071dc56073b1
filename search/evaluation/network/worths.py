"""What each piece is worth to the network: the score less that without the piece."""

from __future__ import annotations

from bluekrait.core.board import Board, all_pieces
from bluekrait.core.tables.geometry import squares

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def piece_worths(score_of: Callable[[Board], int], board: Board) -> dict[int, int]:
    """What each piece but the kings is worth to the side to move, by its square.

    `score_of(board)` is the score of a board for the side to move.
    """
    whole = score_of(board)
    places = squares(all_pieces(board) & ~board.kings)
    return {square: whole - score_of(without(board, square)) for square in places}


def without(board: Board, square: int) -> Board:
    """The board without what stands on a square."""
    return board._replace(**{name: getattr(board, name) & ~(1 << square) for name in board._fields})
