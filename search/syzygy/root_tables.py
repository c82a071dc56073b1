"""Syzygy tablebases at the root: which moves keep the outcome of the position.

The tables are read by python-chess, which is imported only when there is a path to look for them in.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from bluekrait.core.board import Position, all_pieces
from bluekrait.core.notation.fen import format_fen
from bluekrait.core.notation.san_and_uci import move_to_uci
from bluekrait.search.syzygy.outcomes import WIN

LAST_CLOCK = 99  # half-moves to the next capture or pawn move, and since the last one, that surely suffice


class TablebaseError(ValueError):
    """The tables cannot be used; the message says why."""


class RootProbe(NamedTuple):
    """What the tables say of a position."""

    outcome: int  # WIN to LOSS
    moves: list[int]  # those that keep it, packed
    probes: int  # how often the tables were asked


class Tablebase:
    """The tables of some directories. A directory that cannot be read is left out."""

    def __init__(self, directories: Sequence[str]) -> None:
        try:
            import chess.syzygy
        except ImportError:
            raise TablebaseError("tablebases need python-chess: pip install bluekrait[syzygy]") from None
        self._chess = chess
        self._tables = chess.syzygy.Tablebase()
        self.count = 0
        self.problems: list[str] = []  # one for each directory that was left out
        for directory in directories:
            try:
                self.count += self._tables.add_directory(directory)
            except OSError as error:
                self.problems.append(f"no tablebases in {directory}: {error.strerror or error}")
        if directories and len(self.problems) == len(directories):
            raise TablebaseError("; ".join(self.problems))

    def probe_root(
        self, position: Position, moves: Sequence[int], most_pieces: int, fifty_moves: bool = True
    ) -> RootProbe | None:
        """The `RootProbe` of a position with these legal moves; None if the tables do not know it."""
        if not moves or position.board.castling or all_pieces(position.board).bit_count() > most_pieces:
            return None
        try:
            return self._probed(position, moves, fifty_moves)
        except KeyError:  # a table is missing
            return None

    def _probed(self, position: Position, moves: Sequence[int], fifty_moves: bool) -> RootProbe:
        board = self._chess.Board(format_fen(position))
        rated = [(self._rating(board, position, move, fifty_moves), move) for move in moves]
        best = max(rated)[0]
        return RootProbe(best[0], [move for rating, move in rated if rating == best], len(rated))

    def _rating(self, board: Any, position: Position, move: int, fifty_moves: bool) -> tuple[int, int]:
        """How good a move is: first the outcome, then how soon a win comes, or how late a loss."""
        chess_move = self._chess.Move.from_uci(move_to_uci(move, position.ply & 1))
        is_zeroing = board.is_zeroing(chess_move)
        board.push(chess_move)
        try:
            outcome = -self._tables.probe_wdl(board)
            distance = 1 if is_zeroing or board.is_checkmate() else 1 + abs(self._tables.probe_dtz(board))
        finally:
            board.pop()
        return _rated(outcome, distance, 0 if is_zeroing else position.clock, fifty_moves)


def _rated(outcome: int, distance: int, clock: int, fifty_moves: bool) -> tuple[int, int]:
    if not fifty_moves:
        outcome = 2 * ((outcome > 0) - (outcome < 0))
    elif abs(outcome) == WIN and clock + distance > LAST_CLOCK:
        outcome //= 2
    return outcome, (outcome < 0) * distance - (outcome > 0) * distance
