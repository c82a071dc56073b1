"""A game of a PGN file, read by python-chess; or why it cannot be analysed."""

import io
import logging
import re
from collections.abc import Iterator
from typing import NamedTuple

import chess
import chess.pgn

from bluekrait.search.library.position import Position
from bluekrait.tools.analyst.opening_names import opening_name
from bluekrait.tools.analyst.pgn_splitter import GameText

logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)  # we report errors ourselves, in one line

BETWEEN_WORDS = re.compile(r"\{[^}]*\}?|[()]")
EN_PASSANT = re.compile(r"e\.?p\.?")
REMARKS = ("N", "D", "RR")  # a new move, a diagram and the like, which some programs write beside moves
FIGURINES = "♔♕♖♗♘♙♚♛♜♝♞♟"


class PlayedGame(NamedTuple):
    """One game, and what the analysis needs of it."""

    source: GameText
    tree: chess.pgn.Game
    fen: str
    chess960: bool
    moves: tuple[str, ...]  # in UCI notation
    problem: str | None  # why it is not analysed

    @property
    def nodes(self) -> list[chess.pgn.ChildNode]:
        """The nodes of the moves that were played."""
        return list(self.tree.mainline())

    @property
    def name(self) -> str:
        """The players."""
        headers = self.tree.headers
        return f"{headers.get('White', '?')} – {headers.get('Black', '?')}"

    @property
    def opening(self) -> str | None:
        """The name of the opening: the tag's, else that of our table."""
        tagged = self.tree.headers.get("Opening", "?")
        if tagged not in ("", "?"):
            return tagged
        if self.fen != chess.STARTING_FEN or self.chess960:
            return None
        return opening_name(self._sans())

    def _sans(self) -> Iterator[str]:
        """The moves in algebraic notation."""
        board = self.tree.board()
        for move in self.tree.mainline_moves():
            yield board.san_and_push(move)


def read_game(source: GameText) -> PlayedGame:
    """Read a game. Whatever is wrong with it becomes its `problem`."""
    tree = chess.pgn.read_game(io.StringIO(source.for_parser)) or chess.pgn.Game()
    try:
        board = tree.board()
        moves = [node.move for node in tree.mainline()]
        problem = _problem(source, tree, board, moves)
        spelled = () if problem else _spelled(board, moves)
        if not problem:
            Position(
                board.shredder_fen(en_passant="fen"), spelled
            )  # a ValueError where our rules are stricter
    except (ValueError, RecursionError) as error:
        return PlayedGame(source, tree, "", False, (), _one_line(error))
    return PlayedGame(source, tree, board.fen(), board.chess960, spelled, problem)


def _problem(
    source: GameText, tree: chess.pgn.Game, board: chess.Board, moves: list[chess.Move]
) -> str | None:
    if type(board) is not chess.Board:
        return f"the variant {tree.headers.get('Variant', '?')} is not chess"
    if word := _unread_word(source.moves):
        return f"cannot read {word!r}: pieces are K, Q, R, B and N, and remarks stand in braces"
    if tree.errors:
        return _one_line(tree.errors[0])
    if not all(moves):
        return "a null move"
    return None


def _unread_word(moves: str) -> str | None:
    """A word that python-chess passes over, so that the piece of a move or a whole move is lost."""
    for word in BETWEEN_WORDS.sub(" ", moves).split():
        rest = EN_PASSANT.sub("", chess.pgn.MOVETEXT_REGEX.sub("", word))
        if word not in REMARKS and any(sign.isalpha() or sign in FIGURINES for sign in rest):
            return word[:20]
    return None


def _spelled(board: chess.Board, moves: list[chess.Move]) -> tuple[str, ...]:
    texts = []
    board = board.copy(stack=False)
    for move in moves:
        texts.append(board.uci(move))
        board.push(move)
    return tuple(texts)


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 120 else text[:117] + "..."
