"""Positions and moves, for Python programs.

`bluekrait.core` has the same rules for kernels: there a position is a tuple of numbers, without its history.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, NamedTuple

from bluekrait.core.board import BLACK
from bluekrait.core.notation.fen import STARTING_FEN, board_text, format_fen, needs_chess960, parse_fen
from bluekrait.core.notation.san_and_uci import move_from_text, move_to_san, move_to_uci
from bluekrait.core.records import (
    CHECKMATE,
    DRAWING_REPETITIONS,
    FIFTY_MOVES,
    INSUFFICIENT_MATERIAL,
    STALEMATE,
    GameRecord,
    read_record,
    write_record,
)
from bluekrait.search.library import drawing, python_chess
from bluekrait.search.library.compiled import entries

if TYPE_CHECKING:
    import chess

    from bluekrait.core.board import Position as Value

DRAWS = {
    STALEMATE: "stalemate",
    INSUFFICIENT_MATERIAL: "insufficient material",
    FIFTY_MOVES: "fifty moves",
}


class Move(str):
    """A move: a text in UCI notation, that also knows its standard algebraic notation.

    Examples:
        >>> from bluekrait import Position
        >>> move = Position().move("Nf3")
        >>> move, move.san
        ('g1f3', 'Nf3')
        >>> move == "g1f3"
        True
    """

    __slots__ = ("_position", "packed")

    packed: int  # as `core.move` describes it
    _position: Position

    def __new__(cls, packed: int, position: Position) -> Move:
        """The move of a position, packed as the rules pack it."""
        move = super().__new__(cls, move_to_uci(packed, position.value.ply & 1, position.chess960))
        move.packed, move._position = packed, position
        return move

    def __reduce__(self) -> tuple[object, ...]:
        return Move, (self.packed, self._position)

    @property
    def san(self) -> str:
        """Standard algebraic notation: `Nf3`, `exd8=Q#`."""
        here = self._position
        after = here.play_packed(self.packed)
        suffix = ("+" if after.packed_moves else "#") if after.is_check else ""
        return move_to_san(self.packed, here.packed_moves, here.value.ply & 1, suffix)


class Outcome(NamedTuple):
    """How a game ended."""

    result: Literal["1-0", "1/2-1/2", "0-1"]
    reason: str  # "checkmate", "stalemate", "insufficient material", "fifty moves" or "repetition"


class Position:
    """A position with the game that led to it. It never changes: `play` returns another one.

    Examples:
        >>> from bluekrait import Position
        >>> position = Position().play("e4", "e7e5", "Nf3")
        >>> position.fen
        'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2'
        >>> position.turn, len(position.legal_moves), position.outcome
        ('black', 29, None)
        >>> print(Position("7k/5K2/8/8/8/8/8/6R1 b - - 0 1").play("h8h7"))
        8  . . . . . . . .
        7  . . . . . K . k
        6  . . . . . . . .
        5  . . . . . . . .
        4  . . . . . . . .
        3  . . . . . . . .
        2  . . . . . . . .
        1  . . . . . . R .
        <BLANKLINE>
           a b c d e f g h
    """

    __slots__ = ("_game", "_is_described", "chess960", "played", "start", "value")

    start: str  # FEN of the position in which the game began
    played: tuple[int, ...]  # moves since then, packed
    chess960: bool  # castling is written as king takes rook
    value: Value  # as `core.board` describes it
    _game: GameRecord
    _is_described: bool  # whether the record has the legal moves

    def __init__(
        self,
        source: Position | str | chess.Board = STARTING_FEN,
        moves: Iterable[str] = (),
        *,
        chess960: bool = False,
    ) -> None:
        """Set up a FEN, a board of python-chess or another position, and play moves from there.

        Args:
            source: a FEN, a `chess.Board`, or a `Position`; the starting position if left out.
            moves: moves in UCI or standard algebraic notation.
            chess960: write castling as king takes rook. Where castling rights tell that it is Chess960,
                that is done in any case. Any spelling of castling is understood.

        Raises:
            ValueError: the FEN or a move is wrong; the message says what is.
        """
        if isinstance(source, Position):
            self._copy(source)
        elif isinstance(source, str):
            self._set_up(source)
        else:
            start, earlier = python_chess.game_of(source)
            self._set_up(start)
            self._play(earlier)
            self.chess960 |= source.chess960
        self.chess960 |= chess960
        self._play(move_texts(moves))

    def play(self, *moves: str) -> Position:
        """The position after some moves, in UCI or standard algebraic notation.

        Examples:
            >>> from bluekrait import Position
            >>> Position().play("e4", "c5").fen
            'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'

        Raises:
            ValueError: a move is not legal, or is ambiguous.
        """
        after = Position.__new__(Position)
        after._copy(self)
        after._play(moves)
        return after

    def move(self, text: str) -> Move:
        """The legal move that a text names, in either notation. ValueError if there is none."""
        return Move(self._find(text), self)

    @property
    def fen(self) -> str:
        """The position in Forsyth-Edwards notation."""
        return format_fen(self.value)

    @property
    def key(self) -> int:
        """A hash of the position: equal positions have equal keys, whatever the counters say."""
        return self.value.key

    @property
    def turn(self) -> Literal["white", "black"]:
        """The side to move."""
        return "black" if self.value.ply & 1 == BLACK else "white"

    @property
    def legal_moves(self) -> list[Move]:
        """The legal moves; captures and promotions first."""
        return [Move(packed, self) for packed in self.packed_moves]

    @property
    def is_check(self) -> bool:
        """True if the side to move is in check."""
        return bool(self.described().checkers)

    @property
    def repetitions(self) -> int:
        """How often the position occurred before.

        Without captures and pawn moves, at least the last 1024 half-moves count. By the rules a game is over
        after 150 of them, and a draw can be claimed after 100.
        """
        return int(self.described().repetitions)

    @property
    def outcome(self) -> Outcome | None:
        """The end of the game: mate, stalemate, too little material, fifty moves, or the third repetition.

        Examples:
            >>> from bluekrait import Position
            >>> Position().play("f3", "e5", "g4", "Qh4").outcome
            Outcome(result='0-1', reason='checkmate')
        """
        status = self.described().status
        if status == CHECKMATE:
            return Outcome("1-0" if self.turn == "black" else "0-1", "checkmate")
        if status in DRAWS:
            return Outcome("1/2-1/2", DRAWS[status])
        return Outcome("1/2-1/2", "repetition") if self.repetitions >= DRAWING_REPETITIONS else None

    def board(self) -> chess.Board:
        """The position as a board of python-chess, with the moves that led to it."""
        turn = parse_fen(self.start).ply & 1
        moves = [move_to_uci(move, turn ^ ply & 1, chess960=True) for ply, move in enumerate(self.played)]
        return python_chess.board_of(self.start, moves, self.chess960)

    def svg(self, size: int = 360, flipped: bool = False) -> str:
        """A picture of the board. Needs python-chess."""
        return drawing.board_svg(self.board(), [], size, flipped)

    def _repr_svg_(self) -> str | None:
        return drawing.svg_or_nothing(self.svg)

    def __str__(self) -> str:
        return board_text(self.value)

    def __repr__(self) -> str:
        return f"Position({self.fen!r})"

    def __eq__(self, other: object) -> bool:
        return self.value == other.value if isinstance(other, Position) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.value)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (self.start, self.played, self.chess960)

    # What the other modules of the library use.

    @property
    def game(self) -> GameRecord:
        """The record of the game. It must not be changed."""
        return self._game

    @property
    def packed_moves(self) -> list[int]:
        """The legal moves, packed as `core.move` describes it."""
        legal = self.described().legal
        moves: list[int] = legal.moves[: legal.count]
        return moves

    def described(self) -> GameRecord:
        """The record of the game with legal moves, checkers and repetitions filled in."""
        if not self._is_described:
            entries()["legal_moves"](self._game)
            self._is_described = True
        return self._game

    def play_packed(self, move: int) -> Position:
        """The position after a legal move."""
        after = Position.__new__(Position)
        after._copy(self)
        after._make(move)
        return after

    # How a position comes about.

    def _set_up(self, fen: str) -> None:
        self.value = parse_fen(fen)
        self.start, self.played, self.chess960 = fen, (), needs_chess960(self.value.board)
        self._game, self._is_described = GameRecord(), False
        write_record(self._game.position, self.value)

    def _copy(self, other: Position) -> None:
        self.value, self.start, self.played = other.value, other.start, other.played
        self._game, self._is_described, self.chess960 = other._game, other._is_described, other.chess960

    def _play(self, moves: Iterable[str]) -> None:
        for text in moves:
            self._make(self._find(text))

    def _make(self, move: int) -> None:
        game = GameRecord.from_buffer_copy(self._game)
        game.move = move
        entries()["play_move"](game)
        self._game, self._is_described = game, False
        self.value, self.played = read_record(game.position), (*self.played, move)

    def _find(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"a move is a text such as 'e2e4' or 'Nf3', not {text!r}")
        return move_from_text(text, self.packed_moves, self.value.ply & 1)


def move_texts(moves: Iterable[str]) -> Iterable[str]:
    """The moves. TypeError if they are no list: each letter of a text would be taken for a move."""
    if isinstance(moves, str) or not isinstance(moves, Iterable):
        raise TypeError(f"moves must be a list of texts such as ['e2e4', 'Nf3'], not {moves!r}")
    return moves


def _rebuilt(start: str, played: tuple[int, ...], chess960: bool) -> Position:
    position = Position(start, chess960=chess960)
    for move in played:
        position._make(move)
    return position
