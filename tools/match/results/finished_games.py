"""Finished games: what statistics need of them, and the PGN that tells the rest."""

import io
from datetime import datetime, timezone
from typing import NamedTuple

import chess
import chess.pgn

WHITE_WINS, BLACK_WINS, DRAW, UNKNOWN = "1-0", "0-1", "1/2-1/2", "*"
POINTS = {WHITE_WINS: (1.0, 0.0), BLACK_WINS: (0.0, 1.0), DRAW: (0.5, 0.5)}

# How a game ended, in the words of the PGN standard's Termination tag.
NORMAL, ADJUDICATION, TIME_FORFEIT = "normal", "adjudication", "time forfeit"
ABANDONED, RULES_INFRACTION = "abandoned", "rules infraction"


GameKey = tuple[int, int]  # the pair, and 1 or 2 of that pair


class GameResult(NamedTuple):
    """How a game ended."""

    result: str
    termination: str
    reason: str  # for people


class FinishedGame(NamedTuple):
    """A finished game."""

    pair: int
    game: int  # 1 or 2 of its pair
    white: str
    black: str
    result: str
    termination: str
    reason: str
    plies: int
    seconds: float  # that it took
    pgn: str

    @property
    def key(self):
        """What tells a game from all others of its contest."""
        return self.pair, self.game

    @property
    def points(self):
        """The points of White and Black."""
        return POINTS[self.result]


def lost_by(colour, termination, reason):
    """The verdict when a side is to blame; the reason is a text that follows its colour."""
    return GameResult(
        BLACK_WINS if colour else WHITE_WINS, termination, f"{chess.COLOR_NAMES[colour].title()}{reason}"
    )


def won_by(colour, termination, reason):
    """The verdict when a side deserves it; the reason is a text that follows its colour."""
    return GameResult(
        WHITE_WINS if colour else BLACK_WINS, termination, f"{chess.COLOR_NAMES[colour].title()}{reason}"
    )


def finished_game(scheduled, board, comments, verdict, started, seconds):
    """The record of a game: the board has all its moves, the comments belong to the last of them."""
    game = chess.pgn.Game()
    _set_headers(game.headers, scheduled, verdict, started, len(comments))
    if scheduled.opening.fen != chess.STARTING_FEN or scheduled.chess960:
        game.setup(board.root())
    node, book = game, len(board.move_stack) - len(comments)
    for index, move in enumerate(board.move_stack):
        node = node.add_variation(move, comment="book" if index < book else comments[index - book])
    node.comment = f"{node.comment}, {verdict.reason}".removeprefix(", ")
    text = game.accept(_Writer(columns=100))
    return FinishedGame(
        *scheduled.key,
        scheduled.white.name,
        scheduled.black.name,
        *verdict,
        len(comments),
        round(seconds, 3),
        f"{text}\n\n",
    )


class _Writer(chess.pgn.StringExporter):
    """Writes comments as match runners do: without spaces, and without numbering the next move again."""

    def visit_comment(self, comment):
        """Write one comment."""
        self.write_token(f"{{{comment}}} ")


def _set_headers(headers, scheduled, verdict, started, plies):
    headers["Event"] = scheduled.event
    headers["Date"] = started.strftime("%Y.%m.%d")
    headers["Round"] = scheduled.round_text
    headers["White"], headers["Black"] = scheduled.white.name, scheduled.black.name
    headers["Result"] = verdict.result
    if scheduled.chess960:
        headers["Variant"] = "Chess960"
    headers["GameStartTime"] = started.strftime("%Y-%m-%dT%H:%M:%SZ")
    white, black = scheduled.white.time, scheduled.black.time
    if white == black:
        headers["TimeControl"] = white.text()
    else:
        headers["WhiteTimeControl"], headers["BlackTimeControl"] = white.text(), black.text()
    headers["PlyCount"] = str(plies)
    headers["Termination"] = verdict.termination


def now():
    """The time of day, as PGN files have it."""
    return datetime.now(timezone.utc)


def headers_of(pgn):
    """The tags of a game's text."""
    return chess.pgn.read_headers(io.StringIO(pgn)) or {}
