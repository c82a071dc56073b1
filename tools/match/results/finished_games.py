"""Finished games: the fields that statistics need, and the PGN."""

from collections.abc import Sequence
from datetime import datetime, timezone
from typing import NamedTuple

import chess
import chess.pgn

from bluekrait.tools.match.setup.contest import ScheduledGame

WHITE_WINS, BLACK_WINS, DRAW, UNKNOWN = "1-0", "0-1", "1/2-1/2", "*"
POINTS = {WHITE_WINS: (1.0, 0.0), BLACK_WINS: (0.0, 1.0), DRAW: (0.5, 0.5)}

# How a game ended: values of the PGN standard's Termination tag.
NORMAL, ADJUDICATION, TIME_FORFEIT = "normal", "adjudication", "time forfeit"
ABANDONED, RULES_INFRACTION = "abandoned", "rules infraction"

BRACES = str.maketrans("{}", "()")  # a comment in a PGN ends with the first brace

GameKey = tuple[int, int]  # the pair, and 1 or 2 of that pair


class GameResult(NamedTuple):
    """How a game ended."""

    result: str
    termination: str
    reason: str  # for people


class FinishedGame(NamedTuple):
    """A finished game; a line of the journal has the same fields."""

    pair: int
    game: int  # 1 or 2 of its pair
    white: str
    black: str
    result: str
    termination: str
    reason: str
    plies: int
    seconds: float
    pgn: str
    restarted: str = ""  # names of engines that had ended by themselves since the game before

    @property
    def key(self) -> GameKey:
        """Identifies the game in its contest."""
        return self.pair, self.game

    @property
    def points(self) -> tuple[float, float]:
        """The points of White and Black."""
        return POINTS[self.result]


def lost_by(colour: chess.Color, termination: str, reason: str) -> GameResult:
    """The result when a side loses; the reason is a text that follows its colour."""
    return GameResult(BLACK_WINS if colour else WHITE_WINS, termination, f"{_name_of(colour)}{reason}")


def won_by(colour: chess.Color, termination: str, reason: str) -> GameResult:
    """The result when a side wins; the reason is a text that follows its colour."""
    return GameResult(WHITE_WINS if colour else BLACK_WINS, termination, f"{_name_of(colour)}{reason}")


def _name_of(colour: chess.Color) -> str:
    return chess.COLOR_NAMES[colour].title()


def finished_game(
    scheduled: ScheduledGame,
    board: chess.Board,
    comments: Sequence[str],
    result: GameResult,
    started: datetime,
    seconds: float,
    restarted: Sequence[str] = (),
) -> FinishedGame:
    """The record of a game. The board has all moves; the comments belong to the last of them."""
    result = result._replace(reason=_harmless(result.reason))
    game = chess.pgn.Game()
    _set_headers(game.headers, scheduled, result, started, len(comments))
    game.setup(board.root())  # the tags Variant, SetUp and FEN, where they are needed
    node: chess.pgn.GameNode = game
    book = len(board.move_stack) - len(comments)
    for index, move in enumerate(board.move_stack):
        node = node.add_variation(move, comment="book" if index < book else comments[index - book])
    node.comment = f"{node.comment}, {result.reason}".removeprefix(", ")
    text = game.accept(_Writer(columns=100))
    return FinishedGame(
        *scheduled.key,
        scheduled.white.name,
        scheduled.black.name,
        result.result,
        result.termination,
        result.reason,
        len(comments),
        round(seconds, 3),
        f"{text}\n\n",
        " and ".join(restarted),
    )


def _harmless(reason: str) -> str:
    """A reason, which may quote an engine, for a comment in braces and for one line."""
    return "".join(character if character.isprintable() else " " for character in reason.translate(BRACES))


class _Writer(chess.pgn.StringExporter):
    """Writes comments as match runners do: without spaces inside the braces or a repeated move number."""

    def visit_comment(self, comment: str | list[str]) -> None:
        """Write one comment."""
        self.write_token(f"{{{comment}}} ")


def _set_headers(
    headers: chess.pgn.Headers,
    scheduled: ScheduledGame,
    result: GameResult,
    started: datetime,
    plies: int,
) -> None:
    headers["Event"] = scheduled.event
    headers["Date"] = started.strftime("%Y.%m.%d")
    headers["Round"] = scheduled.round_text
    headers["White"], headers["Black"] = scheduled.white.name, scheduled.black.name
    headers["Result"] = result.result
    headers["GameStartTime"] = started.strftime("%Y-%m-%dT%H:%M:%SZ")
    white, black = scheduled.white.time, scheduled.black.time
    if white == black:
        headers["TimeControl"] = white.text()
    else:
        headers["WhiteTimeControl"], headers["BlackTimeControl"] = white.text(), black.text()
    headers["PlyCount"] = str(plies)
    headers["Termination"] = result.termination


def now() -> datetime:
    """The time in UTC, for PGN tags."""
    return datetime.now(timezone.utc)
