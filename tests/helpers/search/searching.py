"""What the tests of the search share: an engine of their own, and searches told in python-chess's words."""

from functools import cache
from typing import NamedTuple

import chess

from bluekrait.core.notation.san_and_uci import move_to_uci
from bluekrait.search.engine import load_engine
from bluekrait.search.limits import Limits
from bluekrait.search.reports import Choice

HASH_MEGABYTES = 16


@cache
def searcher():
    """The engine, with one thread; whoever changes that changes it back."""
    engine = load_engine()
    engine.set_hash(HASH_MEGABYTES)
    engine.set_threads(1)
    return engine


class Answer(NamedTuple):
    """What a search ended with."""

    choice: Choice
    board: chess.Board  # with the game that led to the root
    nodes: int

    @property
    def best(self):
        """The best line."""
        return self.choice.lines[0]

    @property
    def score(self):
        """Of the best line."""
        return self.best.score

    @property
    def move(self):
        """The best move in UCI notation."""
        return spelled(self.choice.move, self.board)

    def after(self):
        """The board at the end of the best line; no move of it was illegal."""
        return played(self.board, self.best.moves)


def think(fen, moves=(), settings=None, engine=None, **limits):
    """Search a position with everything before it forgotten."""
    engine = engine or searcher()
    engine.set_position(fen, moves)
    engine.new_game()
    choice = engine.go(Limits(**limits), settings)
    return Answer(choice, game(fen, moves), engine._workers[0].record.nodes)


def game(fen, moves=()):
    """The board of python-chess after some moves, castling spelled as Chess960 does."""
    board = chess.Board(fen, chess960=True) if fen else chess.Board(chess960=True)
    for move in moves:
        board.push_uci(move)
    return board


def spelled(move, board):
    """A packed move in UCI notation, castling as king takes rook."""
    return move_to_uci(int(move), 0 if board.turn == chess.WHITE else 1, chess960=True)


def played(board, moves):
    """The board after packed moves; an error if one is illegal."""
    board = board.copy()
    for move in moves:
        board.push(board.parse_uci(spelled(move, board)))
    return board


def mirrored(fen):
    """The same position with the colours changed."""
    return chess.Board(fen, chess960=True).mirror().fen()


def mirrored_move(text):
    """The same move with the colours changed."""
    return chess.Move.from_uci(text).uci().translate(str.maketrans("12345678", "87654321"))
