"""Syzygy tablebases at the root: which moves keep the outcome of the position."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from bluekrait.core.board import Board, Position, all_pieces, piece_on
from bluekrait.core.native import Entries
from bluekrait.core.notation.fen import LETTERS
from bluekrait.core.records import GameRecord, write_record
from bluekrait.search.syzygy.table_library import TableLibrary
from bluekrait.search.syzygy.table_records import OUTCOMES
from bluekrait.search.syzygy.wdl import LOSS, WIN
from bluekrait.search.thread_memory import new_thread

# Half-moves since the last capture or pawn move, and to the next one or mate. Tables may be one short.
SURELY_IN_TIME, PERHAPS_IN_TIME = 99, 100


class MissingTableError(Exception):
    """There is no table for a position."""


class RootProbe(NamedTuple):
    """What the tables say of a position."""

    outcome: int  # WIN to LOSS
    moves: list[int]  # those that keep it, packed
    probes: int  # how often the tables were asked


class Tablebase:
    """Asks the tables of a library about the moves of a position."""

    def __init__(
        self, entries: Entries, library: TableLibrary, on_problem: Callable[[str], None] | None = None
    ) -> None:
        """`on_problem` is told of a table that cannot be read when it is needed."""
        self._entries, self._library, self._on_problem = entries, library, on_problem
        self._record = new_thread()  # for its position, and its lists of moves
        self._record.tablebases = library.address

    def probe_root(
        self, position: Position, moves: Sequence[int], most_pieces: int, fifty_moves: bool = True
    ) -> RootProbe | None:
        """The `RootProbe` of a position with these legal moves; None if the tables do not know it."""
        if not moves or position.board.castling or all_pieces(position.board).bit_count() > most_pieces:
            return None
        for problem in self._library.open_distances(*_names(position.board)):
            if self._on_problem:
                self._on_problem(problem)
        try:
            rated = [(self._rating(position, move, fifty_moves), move) for move in moves]
        except MissingTableError:
            return None
        best = max(rated)[0]
        return RootProbe(best[0], [move for rating, move in rated if rating == best], len(rated))

    def _rating(self, position: Position, move: int, fifty_moves: bool) -> tuple[int, int, int]:
        """How good a move is, see `_rated`."""
        outcome, distance, clock = self._after(position, move)
        if clock == 0:  # a capture or a pawn move: distances are counted from here, and have their own table
            distance = 0
        if distance is None:
            raise MissingTableError
        return _rated(-outcome, 1 + distance, position.clock, fifty_moves)

    def _after(self, position: Position, move: int) -> tuple[int, int | None, int]:
        """Outcome and distance for the other side after a move, and the clock of the fifty-move rule.

        The distance is None if no table has it.
        """
        game = GameRecord()
        write_record(game.position, position)
        game.move = move
        self._entries["play_move"](game)
        self._record.position = game.position
        known = self._entries["probe_tablebases"](self._record)
        if known < 0:
            raise MissingTableError
        distance, outcome = divmod(known, OUTCOMES)
        return outcome + LOSS, distance - 1 if distance else None, game.position.clock


def _names(board: Board) -> tuple[str, str]:
    """The names that a table for the pieces of a board may have."""
    own, enemy = _side_name(board, board.own), _side_name(board, all_pieces(board) & ~board.own)
    return f"{own}v{enemy}", f"{enemy}v{own}"


def _side_name(board: Board, side: int) -> str:
    """The letters of one side's pieces, the most valuable first."""
    codes = [piece_on(board, 1 << square) for square in range(64) if side >> square & 1]
    return "".join(LETTERS[code] for code in sorted(codes, key=_rank))


def _rank(code: int) -> int:
    return "KQRBNP".index(LETTERS[code])


def _rated(outcome: int, distance: int, clock: int, fifty_moves: bool) -> tuple[int, int, int]:
    """The outcome; whether a draw may be a win or a loss; how soon a win comes, or how late a loss.

    A move that wins by itself counts, whatever the clock: mate comes before the fifty-move rule.
    """
    sign, half_moves, doubt = (outcome > 0) - (outcome < 0), clock + distance, 0
    if not fifty_moves:
        outcome = WIN * sign
    elif abs(outcome) == WIN and half_moves > SURELY_IN_TIME and distance > 1:
        outcome = sign
        doubt = sign if half_moves == PERHAPS_IN_TIME else 0
    return outcome, doubt, -sign * distance
