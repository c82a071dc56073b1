"""A game of a PGN file, read by python-chess; or why it cannot be analysed."""

import io
from collections.abc import Iterator
from typing import NamedTuple

import chess
import chess.pgn

from bluekrait.search.library.position import Position
from bluekrait.tools.analyst.lost_moves import lost_move
from bluekrait.tools.analyst.opening_names import opening_name
from bluekrait.tools.common.pgn_splitter import GameText
from bluekrait.tools.common.pgn_trees import has_tags_or_moves, read_tree
from bluekrait.uci.exits import one_line

LONGEST_REASON = 120  # characters, why a game or a position is left out
NO_GAME = "no game: neither tags nor moves"


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
    tags, movetext = source.tags_and_moves()
    tree = chess.pgn.Game()
    try:
        tree = read_tree(io.StringIO(tags + movetext)) or tree
        board = tree.board()
        moves = [node.move for node in tree.mainline()]
        problem = _problem(movetext, tree, board, moves) if has_tags_or_moves(source) else NO_GAME
        spelled = () if problem else _spelled(board, moves)
        if not problem:
            # A ValueError where our rules are stricter.
            Position(board.shredder_fen(en_passant="fen"), spelled)
    except (ValueError, RecursionError) as error:
        return PlayedGame(source, tree, "", False, (), _reason(error))
    return PlayedGame(source, tree, board.fen(), board.chess960, spelled, problem)


def _problem(movetext: str, tree: chess.pgn.Game, board: chess.Board, moves: list[chess.Move]) -> str | None:
    if type(board) is not chess.Board:
        return f"the variant {tree.headers.get('Variant', '?')} is not chess"
    if word := lost_move(movetext):
        return f"cannot read {word[:20]!r}: moves are written like e4, Nf3 and O-O"
    if tree.errors:
        return _reason(tree.errors[0])
    if not all(moves):
        return "a null move"
    return None


def _spelled(board: chess.Board, moves: list[chess.Move]) -> tuple[str, ...]:
    texts = []
    board = board.copy(stack=False)
    for move in moves:
        texts.append(board.uci(move))
        board.push(move)
    return tuple(texts)


def _reason(error: Exception) -> str:
    return one_line(error, LONGEST_REASON) or type(error).__name__
