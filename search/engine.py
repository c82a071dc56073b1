"""The engine as a front end sees it: a position, what can be asked about it, and `stop`.

It reports by values and callbacks, prints nothing, and needs neither Numba nor NumPy once compiled.
"""

from typing import NamedTuple

from bluekrait.core import native
from bluekrait.core.fen import STARTING_FEN, FenError, board_text, format_fen, parse_fen
from bluekrait.core.geometry import squares
from bluekrait.core.notation import MoveError, move_from_uci, square_name
from bluekrait.core.perft_threads import HashTable, Perft
from bluekrait.core.records import Desk, lay, lift
from bluekrait.search.limits import Settings
from bluekrait.search.reports import Choice


class PositionError(ValueError):
    """A malformed FEN or an illegal move; the message says which."""


class Description(NamedTuple):
    """The current position in words."""

    fen: str
    shredder: str
    key: int
    checkers: list
    diagram: str
    repetitions: int  # how often the position occurred before


class Engine:
    """One position, and the compiled rules to ask about it."""

    def __init__(self, entries):
        self.chess960 = False
        self._entries = entries
        self._perft = None
        self.set_position(None, [])

    @property
    def turn(self):
        """The side to move."""
        return self.position.ply & 1

    def set_position(self, fen, moves):
        """Set up a FEN, None for the starting position, and play moves in UCI notation from there.

        Raises PositionError, and keeps the old position, if anything is wrong with either.
        """
        try:
            position = parse_fen(STARTING_FEN if fen is None else fen)
        except FenError as error:
            raise PositionError(f"bad FEN: {error}") from None
        desk = Desk()
        lay(desk.position, position)
        for text in moves:
            turn = desk.position.ply & 1
            try:
                desk.move = move_from_uci(text, self._legal_moves(desk), turn)
            except MoveError as error:
                raise PositionError(str(error)) from None
            self._entries["play"](desk)
        self._desk, self.position = desk, lift(desk.position)

    def legal_moves(self):
        """The legal moves, packed."""
        return self._legal_moves(self._desk)

    def describe(self):
        """The current position as FEN, key, checkers and diagram."""
        self.legal_moves()
        checkers = [square_name(square, self.turn) for square in squares(self._desk.checkers)]
        return Description(
            format_fen(self.position),
            format_fen(self.position, shredder=True),
            self.position.key,
            checkers,
            board_text(self.position),
            self._desk.repetitions,
        )

    def perft(self, depth, threads=1, hash_mb=0, on_move=None, on_progress=None):
        """Count the leaves of the tree of legal moves; see `Perft.run`. Blocks until done or stopped."""
        self._perft = Perft(self._entries, threads, HashTable(hash_mb) if hash_mb else None)
        return self._perft.run(self.position, depth, on_move, on_progress)

    def new_game(self):
        """Forget everything that was learnt: the next position has nothing to do with those before."""

    def set_hash(self, megabytes):
        """Give the transposition table so much memory, empty; a ValueError if there is not so much."""

    def set_threads(self, count):
        """Search with so many threads."""

    def go(self, limits, settings=None, on_line=None, on_current_move=None):
        """Search the current position; the `Choice`. Blocks until a limit is reached, or `stop` is called.

        `on_line(line)` is told of each `Line` that is found, `on_current_move(current)` which `CurrentMove` is
        looked at, once the search takes long enough for somebody to read that.
        """
        settings = settings or Settings()
        moves = limits.search_moves or self.legal_moves()
        return Choice(moves[0] if moves else 0, 0, [])

    def ponder_hit(self):
        """The expected move was played: from now on, the clock counts. From another thread."""

    def evaluation(self):
        """How the evaluation comes about: rows of name, then middle-game and end-game points of both sides."""
        return []

    def stop(self):
        """End what is running, from another thread."""
        if self._perft:
            self._perft.stop()

    def _legal_moves(self, desk):
        count = self._entries["survey"](desk)
        return desk.legal.moves[:count]


def compiler_report():
    """Names and values that tell what the rules were compiled with, and where they are kept."""
    from bluekrait.core import compiler_report

    return compiler_report.compiler_report()


def load_engine(on_progress=None):
    """An engine, ready to be asked. `on_progress(done, total, what)` is told if it must be compiled first."""
    return Engine(native.load(on_progress))
