"""Boards of python-chess in and out. It is imported only where such a board is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import chess


class MissingPackage(ImportError):
    """A package that is needed for this is not installed; the message says which."""


def game_of(board: chess.Board) -> tuple[str, list[str]]:
    """A FEN, and the moves from there to the board: all that can be repeated, and no more."""
    if not hasattr(board, "move_stack"):
        raise TypeError(f"a position is a FEN, a Position or a chess.Board, not {type(board).__name__}")
    if board.uci_variant != "chess":
        raise ValueError(f"only chess and Chess960 are known, not {board.uci_variant}")
    reversible = min(board.halfmove_clock, len(board.move_stack))
    start = board.copy(stack=reversible)
    moves: list[str] = []
    while start.move_stack:
        moves.append(start.pop().uci())
    if "0000" in moves:  # a null move: nothing before it can be repeated
        return board.shredder_fen(en_passant="fen"), []
    return start.shredder_fen(en_passant="fen"), moves[::-1]


def board_of(start: str, moves: Sequence[str], chess960: bool) -> chess.Board:
    """The board after some moves from a FEN. Castling may be spelled in either way."""
    try:
        import chess
    except ModuleNotFoundError:
        raise MissingPackage("this needs python-chess: pip install chess") from None
    board = chess.Board(start, chess960=chess960)
    for move in moves:
        board.push_uci(move)
    return board
