"""What the engine answers, for Python programs."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from bluekrait.core.move import NO_MOVE
from bluekrait.search.library import drawing
from bluekrait.search.library.position import Move
from bluekrait.search.reports import Score

if TYPE_CHECKING:
    from bluekrait.search import reports
    from bluekrait.search.library.position import Position

MOST_ARROWS = 6  # on the picture of a line


class Chances(NamedTuple):
    """The chances of the side to move; together they are 1."""

    win: float
    draw: float
    loss: float

    @property
    def expectation(self) -> float:
        """The points to be expected from the game, from 0 to 1."""
        return self.win + self.draw / 2


class Line:
    """The best way to go on that was found so far, or one of several.

    Examples:
        >>> from bluekrait import Engine
        >>> with Engine() as engine:
        ...     line = engine.search("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", depth=4).line
        >>> line.score, str(line.score), line.san, line.moves[0]
        (Score(centipawns=None, mate=1), '#1', '1. Ra8#', 'a1a8')
        >>> line.chances
        Chances(win=1.0, draw=0.0, loss=0.0)
    """

    def __init__(self, report: reports.Line, position: Position) -> None:
        self._report = report
        self.position = position
        """The position in which the line begins."""

    @property
    def score(self) -> Score:
        """How good it is for the side to move: `centipawns`, or moves to `mate`."""
        return self._report.score

    @property
    def white_score(self) -> Score:
        """The same from White's view; `mate` is 0 for both sides: who is to move is mated."""
        centipawns, mate = self.score
        if self.position.turn == "white":
            return self.score
        return Score(None if centipawns is None else -centipawns, None if mate is None else -mate)

    @property
    def bound(self) -> str:
        """`exact`, or `lowerbound` or `upperbound` while the search has not finished with it."""
        return self._report.bound

    @property
    def chances(self) -> Chances:
        """The chances of a win, a draw and a loss."""
        win, draw, loss = self._report.win_draw_loss
        return Chances(win / 1000, draw / 1000, loss / 1000)

    @property
    def depth(self) -> int:
        """The depth of the iteration, in half-moves."""
        return self._report.depth

    @property
    def selective_depth(self) -> int:
        """The depth of the longest line that was searched."""
        return self._report.selective_depth

    @property
    def rank(self) -> int:
        """1 for the best line, 2 for the second best."""
        return self._report.rank

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return self._report.nodes

    @property
    def seconds(self) -> float:
        """Since the search began."""
        return self._report.seconds

    @property
    def hash_full(self) -> float:
        """How full the transposition table is, from 0 to 1."""
        return self._report.hash_permille / 1000

    @property
    def tablebase_hits(self) -> int:
        """Positions that were found in tablebases."""
        return self._report.tablebase_hits

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The moves, as texts in UCI notation that know their algebraic notation too."""
        moves: list[Move] = []
        position = self.position
        for packed in self._report.moves:
            moves.append(Move(packed, position))
            position = position.play_packed(packed)
        return tuple(moves)

    @property
    def uci(self) -> str:
        """The moves in UCI notation: `e2e4 e7e5`."""
        return " ".join(self.moves)

    @property
    def san(self) -> str:
        """The moves in standard algebraic notation, with their numbers: `1. e4 e5 2. Nf3`."""
        words: list[str] = []
        for ply, move in enumerate(self.moves, self.position.value.ply):
            if ply & 1 == 0:
                words.append(f"{ply // 2 + 1}.")
            elif not words:
                words.append(f"{ply // 2 + 1}...")
            words.append(move.san)
        return " ".join(words)

    def svg(self, size: int = 360, flipped: bool = False) -> str:
        """A picture of the board with an arrow for each of the first moves. Needs python-chess."""
        return drawing.board_svg(self.position.board(), self.moves[:MOST_ARROWS], size, flipped)

    def _repr_svg_(self) -> str | None:
        return drawing.svg_or_nothing(self.svg)

    def __repr__(self) -> str:
        return f"<Line {self.rank}: depth {self.depth}, {self.score}, {self.san}>"


class Result:
    """The end of a search.

    Examples:
        >>> from bluekrait import Engine
        >>> with Engine() as engine:
        ...     result = engine.search("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", depth=3, multi_pv=2)
        >>> result.move, result.reply, [line.moves[0].san for line in result.lines][0]
        ('a1a8', None, 'Ra8#')
    """

    def __init__(self, choice: reports.Choice, position: Position) -> None:
        self._choice = choice
        self.position = position
        """The position that was searched."""

    @property
    def move(self) -> Move | None:
        """The best move; with limited strength the one to play. None if the game is over."""
        return None if self._choice.move == NO_MOVE else Move(self._choice.move, self.position)

    @property
    def reply(self) -> Move | None:
        """The move that is expected next, if any."""
        if self._choice.ponder_move == NO_MOVE:
            return None
        return Move(self._choice.ponder_move, self.position.play_packed(self._choice.move))

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The best lines, as many as were asked for; none for a move from the opening book.

        With limited strength those among which the move was chosen.
        """
        return tuple(Line(line, self.position) for line in self._choice.lines)

    @property
    def line(self) -> Line:
        """The best line. ValueError if there is none: the move is from the opening book."""
        if not self.lines:
            raise ValueError("there is no line: nothing was searched")
        return self.lines[0]

    def _line_of_move(self) -> Line | None:
        """The line of the move, which need not be the best one; None if nothing was searched."""
        begun = (line for line in self.lines if line.moves[:1] == (self.move,))
        return next(begun, self.lines[0] if self.lines else None)

    def _repr_svg_(self) -> str | None:
        return (self._line_of_move() or self.position)._repr_svg_()

    def __repr__(self) -> str:
        line = self._line_of_move()
        return f"<Result: {self.move}, {line.score if line else 'not searched'}>"


class Term(NamedTuple):
    """The points of a group of terms of the classical evaluation, in the middle game and in the endgame."""

    name: str
    own: tuple[int, int]
    enemy: tuple[int, int]


class Evaluation(NamedTuple):
    """What a position is worth to the side to move, without searching; in the centipawns of `Line.score`.

    The command `eval` prints the same before it is made centipawns, and the network's part as the network
    alone tells it: the search weights that by material.

    Examples:
        >>> from bluekrait import Engine
        >>> evaluation = Engine().evaluate("4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1")
        >>> evaluation.score > 200, sorted(evaluation.terms)[:3]
        (True, ['bishop', 'king', 'king danger'])
        >>> evaluation.terms["pawn"].enemy
        (0, 0)
    """

    score: int  # by the evaluation that searches use
    classical: int
    terms: dict[str, Term]  # the parts of the classical evaluation
    network: int | None  # None if no network is loaded, or a side has only its king: it does not judge that
    worths: dict[str, int]  # of each piece to the network, by square: the score less that without the piece
