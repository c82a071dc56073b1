"""Pictures of boards, drawn by python-chess where it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bluekrait.search.library.python_chess import MissingPackage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import chess

COLOURS = ("#1668c1d0", "#b3392fd0")  # arrows of the side to move, and of the other side
FADED = "50"  # the opacity of all arrows but the first two


def board_svg(board: chess.Board, moves: Sequence[str], size: int, flipped: bool) -> str:
    """A board with its last move and an arrow for each move of a line."""
    import chess.svg

    arrows = []
    for ply, text in reversed(list(enumerate(moves))):
        move = chess.Move.from_uci(text)
        arrows.append(chess.svg.Arrow(move.from_square, move.to_square, color=_colour(ply)))
    svg: str = chess.svg.board(
        board,
        orientation=not flipped,
        lastmove=board.move_stack[-1] if board.move_stack else None,
        check=board.king(board.turn) if board.is_check() else None,
        arrows=arrows,
        size=size,
    )
    return svg


def _colour(ply: int) -> str:
    colour = COLOURS[ply % len(COLOURS)]
    return colour if ply < len(COLOURS) else colour[:-2] + FADED


def svg_or_nothing(draw: Callable[[], str]) -> str | None:
    """A picture for a notebook; None, and it shows the text instead, where there is no python-chess."""
    try:
        return draw()
    except MissingPackage:
        return None
