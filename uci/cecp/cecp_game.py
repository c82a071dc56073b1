"""The game that is played over CECP.

Unlike UCI, CECP lets the engine keep the game: whose move it is, which side the engine plays, what the clock
shows. The executor's thread changes it; the message loop reads it, and changes only settings such as `time`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bluekrait.core.board import BLACK
from bluekrait.core.move import NO_MOVE
from bluekrait.core.notation.san_and_uci import move_to_uci
from bluekrait.search.limits import Limits
from bluekrait.search.reports import EXACT, Choice
from bluekrait.uci.cecp.cecp_clock import CecpClock
from bluekrait.uci.cecp.wording import line_text, move_text, read_move, result_text, status_text

if TYPE_CHECKING:
    from bluekrait.search.reports import CurrentMove, Line
    from bluekrait.uci.session import Session


class CecpGame:
    """What CECP wants the engine to remember of a game."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.clock = CecpClock()
        self.engine_side: int | None = BLACK  # the side that the engine plays, None for neither
        self.is_analysing = False
        self.shows_thinking = False
        self.ponders = False
        self.hint: str | None = None  # the expected answer to the engine's last move, as CECP writes it
        self._fen: str | None = None
        self._moves: list[str] = []
        self._is_pondering = False
        self._is_hidden = False  # the latest line
        # Of the latest search in this position: legal moves, the line found last, the move searched last.
        self._move_count = 0
        self._latest_line: Line | None = None
        self._latest_move: CurrentMove | None = None

    def leave(self) -> None:
        """UCI is spoken from now on, in which an option tells how castling is written."""
        self.session.engine.chess960 = self.session.options.is_on("UCI_Chess960")

    # The position.

    @property
    def turn(self) -> int:
        """The side to move."""
        return self.session.engine.turn

    def set_up(self, fen: str | None) -> None:
        """Begin from a position, None for the usual starting position."""
        self.session.engine.set_position(fen, [])
        self._fen, self._moves, self.hint = fen, [], None
        self._latest_line = self._latest_move = None

    def play(self, move: int) -> None:
        """Make a packed move."""
        self._go_to(self._moves_and(move))
        self.hint = None

    def take_back(self, count: int) -> None:
        """Take back so many moves."""
        if count > len(self._moves):
            raise ValueError("there is no move to take back")
        self._go_to(self._moves[:-count])
        self.hint = None

    def _go_to(self, moves: list[str]) -> None:
        self.session.engine.set_position(self._fen, moves)
        self._moves = moves
        self._latest_line = self._latest_move = None

    def _moves_and(self, move: int) -> list[str]:
        return [*self._moves, move_to_uci(move, self.turn, chess960=True)]

    def _moves_made(self) -> int:
        """How many moves the side to move has made."""
        return len(self._moves) // 2

    # Searching.

    def move_if_on_turn(self) -> None:
        """Announce the end of the game if it has ended; otherwise move, if the engine is to move."""
        if self.engine_side == self.turn and not self.is_analysing and not self._announce_end():
            self.clock.start()
            self._make_move(self.think(self.clock.limits(self._moves_made())))

    def wants_background_search(self) -> bool:
        """True if there is something to analyse or to ponder on until the next command."""
        return self.is_analysing or self._can_ponder()

    def search_in_background(self) -> None:
        """Analyse or ponder until stop, dismissal or ponderhit."""
        if self.is_analysing:
            self.think(Limits(infinite=True))
        elif self._can_ponder():
            self._ponder(read_move(self.hint or "", self.session.engine))

    def _can_ponder(self) -> bool:
        return self.ponders and self.hint is not None and self.engine_side == self.turn ^ 1

    def _ponder(self, expected: int) -> None:
        """Search after the expected move; if it is played, answer it."""
        moves = self._moves
        self._go_to(self._moves_and(expected))
        self._is_pondering = True
        choice = self.think(self.clock.limits(self._moves_made())._replace(ponder=True))
        self._is_pondering = False
        if self.session.command.is_ponder_hit():
            self.hint = None  # it was played
            if self._is_hidden and choice.lines:  # the search was over before: the line tells why it plays
                self._show(choice.lines[0])
            if not self._announce_end():
                self._make_move(choice)
        else:
            self._go_to(moves)

    def think(self, limits: Limits) -> Choice:
        """Search the position; lines are shown if that is wanted."""
        if self.session.command.is_dismissed():
            return Choice(NO_MOVE, NO_MOVE, [])
        self._move_count = len(self.session.engine.legal_moves())
        return self.session.think(limits, self._on_line, self._on_current_move)

    def _on_line(self, line: Line) -> None:
        self._latest_line = line
        command = self.session.command
        self._is_hidden = command.is_dismissed() or (self._is_pondering and not command.is_ponder_hit())
        if not self._is_hidden:
            self._show(line)

    def _show(self, line: Line) -> None:
        if self.shows_thinking and line.bound == EXACT and line.moves:
            self.session.say(line_text(line, self.turn, self.session.engine.chess960))

    def _on_current_move(self, current: CurrentMove) -> None:
        self._latest_move = current

    def status(self) -> str | None:
        """How far the analysis is, None before anything is found."""
        line, current = self._latest_line, self._latest_move
        if line is None:
            return None
        return status_text(line, current, self._move_count, self.turn, self.session.engine.chess960)

    def _make_move(self, choice: Choice) -> None:
        """Make the chosen move, unless a later command has made it pointless."""
        if self.session.command.is_dismissed():
            return
        text = self.move_text(choice.move)
        self.clock.stop(self._moves_made() + 1)
        self.play(choice.move)
        self.session.say(f"move {text}")
        if not self._announce_end() and choice.ponder_move != NO_MOVE:
            self.hint = self.move_text(choice.ponder_move)

    def _announce_end(self) -> bool:
        """Print the result if the game has ended; True if so."""
        result = result_text(self.session.engine)
        if result:
            self.session.say(result)
        return bool(result)

    def move_text(self, move: int) -> str:
        """A packed move of the side to move, as CECP writes it."""
        return move_text(move, self.turn, self.session.engine.chess960)


def show_first_line(session: Session) -> None:
    """Search as in a game, and show what is found; it is for `first_search`."""
    game = CecpGame(session)
    game.shows_thinking = True
    game.think(Limits(depth=1))
