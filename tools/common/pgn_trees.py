"""Games in PGN as trees of python-chess, whatever is wrong with them: errors are kept with the game."""

import re
from collections.abc import Iterator
from math import isfinite
from typing import TextIO

import chess
import chess.pgn

from bluekrait.tools.common.pgn_splitter import TAG, GameText
from bluekrait.uci.progress import ProgressLine, count_text

# How a game without tags begins, behind comments: with a move number that has dots, or with a move.
BEGINNING = re.compile(r"(?:\{[^}]*\}?|\s)*(?:\d+(?P<dots>\s*[.…])?\s*)?(?P<move>\S*)")


def read_tree(file: TextIO) -> chess.pgn.Game | None:
    """The next game of a text; None at its end. What cannot be read is in its `errors`."""
    return chess.pgn.read_game(file, Visitor=_TreeBuilder)


def read_trees(path: str) -> Iterator[chess.pgn.Game]:
    """All games of a file, one after the other; a line tells how many were read."""
    line, number = ProgressLine(delay=1.0), 0
    try:
        with open(path, encoding="utf-8-sig", errors="replace") as file:
            while game := read_tree(file):
                number += 1
                line.show(f"{path}: {count_text(number, 'game')} read")
                yield game
    finally:
        line.clear()


def has_tags_or_moves(source: GameText) -> bool:
    """True for a text with tags, or one that begins as a game does: any text may have words like e4."""
    if TAG.match(source.text):
        return True
    tags, movetext = source.tags_and_moves()
    if any(map(TAG.match, tags.splitlines())):
        return True
    beginning = BEGINNING.match(movetext)
    if beginning is None or beginning["dots"]:
        return beginning is not None
    move = chess.pgn.MOVETEXT_REGEX.match(beginning["move"])
    return move is not None and bool(move[1])


def clock_of(node: chess.pgn.ChildNode) -> float | None:
    """The clock after a move, in seconds; None if there is none, or one of hundreds of digits."""
    try:
        seconds = node.clock()
    except (ValueError, OverflowError):  # no int is read from so many digits, or no float made of it
        return None
    return None if seconds is None or not isfinite(seconds) else seconds


def is_chess(game: chess.pgn.Game) -> bool:
    """False for a variant, and for a game that begins with an impossible position."""
    try:
        board = game.board()
    except ValueError:
        return False
    return type(board) is chess.Board and board.is_valid()


class _TreeBuilder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """python-chess's builder, which says nothing itself and survives a bracket too many behind an error."""

    def handle_error(self, error: Exception) -> None:
        """Keep an error. python-chess would log it as well."""
        self.game.errors.append(error)

    def end_variation(self) -> None:
        """Go back to the line that a variation belongs to, but never out of the game."""
        if len(self.variation_stack) > 1:
            super().end_variation()
