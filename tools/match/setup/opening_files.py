"""Openings from files: lines of EPD or FEN, or the first moves of the games of a PGN file."""

import io
import random
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import chess

from bluekrait.tools.common.files.digest import file_digest
from bluekrait.tools.common.pgn_splitter import GameText, games_in
from bluekrait.tools.common.pgn_trees import has_tags_or_moves, read_tree

START = chess.STARTING_FEN
FORMATS = ("epd", "pgn")
ORDERS = ("sequential", "random")
# Of EPD: half-moves since a capture or pawn move, move number.
COUNTER = re.compile(r"\b(hmvc|fmvn)\s+(\d+)\s*;")


class Opening(NamedTuple):
    """The start of a game: a position, and moves from there."""

    fen: str
    moves: tuple[str, ...] = ()  # in UCI notation

    def board(self, chess960: bool = False) -> chess.Board:
        """The board to play on, with the opening's moves on its stack."""
        board = chess.Board(self.fen, chess960=chess960)
        for move in self.moves:
            board.push_uci(move)
        return board


class OpeningSource(NamedTuple):
    """A file of openings, and which of them are used in which order."""

    path: str
    format: str = "epd"
    order: str = "sequential"
    seed: int = 0
    start: int = 1  # number of the first one used, in that order
    plies: int = 0  # of a PGN's games; 0: all

    def fingerprint(self) -> dict[str, Any]:
        """Everything that decides the openings, for comparison."""
        return {"file": file_digest(self.path), **{name: getattr(self, name) for name in self._fields[1:]}}


def source_of(path: str | Path, **settings: Any) -> OpeningSource:
    """A source of openings; without `format`, the name of the file decides it."""
    settings.setdefault("format", "pgn" if str(path).lower().endswith(".pgn") else "epd")
    return OpeningSource(str(path), **settings)


def read_openings(source: OpeningSource, count: int) -> tuple[Opening, ...]:
    """The first `count` openings, fewer if there are no more. ValueError if a line is invalid."""
    return tuple(entry.parsed()[0] for entry in _first_entries(source, count))


def openings_to_play(source: OpeningSource, count: int, chess960: bool) -> tuple[Opening, ...]:
    """The same for a match: ValueError also if an opening cannot be played by these rules."""
    return tuple(_playable(entry, chess960) for entry in _first_entries(source, count))


def _first_entries(source: OpeningSource, count: int) -> "list[_Entry]":
    read = _read_pgn if source.format == "pgn" else _read_epd
    entries = list(read(source))
    if not entries:
        raise ValueError(f"{source.path} holds no openings")
    if source.order == "random":
        random.Random(source.seed).shuffle(entries)
    first = (source.start - 1) % len(entries)
    entries = entries[first:] + entries[:first]
    return entries[:count]


def _playable(entry: "_Entry", chess960: bool) -> Opening:
    opening, board = entry.parsed()
    if not chess960 and _needs_chess960(board.root()):
        raise ValueError(f"{entry.place}: needs --variant fischerandom")
    if board.is_game_over() or board.is_repetition(3) or board.is_fifty_moves():
        raise ValueError(f"{entry.place}: the game is over before the engines begin")
    return opening


def _needs_chess960(start: chess.Board) -> bool:
    """True if standard chess does not know all castling rights of a position."""
    rights = start.clean_castling_rights()
    start.chess960 = False
    return rights != start.clean_castling_rights()


# Books have millions of lines of which few are used: an entry is parsed when its opening is asked for.
class _Entry(Protocol):
    @property
    def place(self) -> str:
        """The file and the number in it, for messages."""

    def parsed(self) -> tuple[Opening, chess.Board]:
        """The opening, and its board by the rules of Chess960; ValueError if it is invalid."""


def _read_epd(source: OpeningSource) -> Iterable[_Entry]:
    text = Path(source.path).read_text(encoding="utf-8-sig", errors="replace")
    lines = (line.strip() for line in text.splitlines())
    numbered = enumerate(lines, 1)
    return [_EpdLine(source.path, number, line) for number, line in numbered if line and line[0] != "#"]


@dataclass(frozen=True)
class _EpdLine:
    path: str
    number: int
    line: str

    @property
    def place(self) -> str:
        return f"{self.path}, line {self.number}"

    def parsed(self) -> tuple[Opening, chess.Board]:
        fields = self.line.split(";")[0].split()
        is_fen = len(fields) >= 6 and "".join(fields[4:6]).isdecimal()
        fifty, move = fields[4:6] if is_fen else ("0", "1")
        counters = dict(COUNTER.findall(self.line))
        fen = " ".join((*fields[:4], counters.get("hmvc", fifty), counters.get("fmvn", move)))
        try:
            board = chess.Board(fen, chess960=True)
            if not board.is_valid():
                raise ValueError("no legal position")
        except ValueError as error:
            raise ValueError(f"{self.place}: {error}") from None
        return Opening(fen), board


def _read_pgn(source: OpeningSource) -> Iterable[_Entry]:
    with open(source.path, "rb") as file:
        games = (game for game in games_in(file) if has_tags_or_moves(game))
        return [_PgnOpening(source.path, number, game, source.plies) for number, game in enumerate(games, 1)]


@dataclass(frozen=True)
class _PgnOpening:
    path: str
    number: int
    text: GameText
    plies: int

    @property
    def place(self) -> str:
        return f"{self.path}, game {self.number}"

    def parsed(self) -> tuple[Opening, chess.Board]:
        game = read_tree(io.StringIO("".join(self.text.tags_and_moves())))
        if game is None or game.errors:
            reason = game.errors[0] if game else "no game"
            raise ValueError(f"{self.place}: {reason}")
        start = game.board()
        if type(start) is not chess.Board:
            raise ValueError(f"{self.place}: {game.headers['Variant']} is another game")
        start.chess960 = True  # else it forgets castling rights, where a tag Variant is missing
        moves = [move.uci() for move in game.mainline_moves()]
        opening = Opening(start.fen(), tuple(moves[: self.plies or None]))
        board = opening.board(chess960=True)
        if not board.root().is_valid():
            raise ValueError(f"{self.place}: no legal position")
        return opening, board
