"""The session: what every command works with, whatever the protocol.

A command reaches the engine, the options and its own state through the session, and answers through `say`.
Nothing here prints: text is posted to the message loop. Commands run in the executor's thread, one at a time.
"""

from __future__ import annotations

from bluekrait.core.timer import monotonic
from bluekrait.uci.command_state import CommandState
from bluekrait.uci.options.option_table import CLASSICAL, Options

TYPE_CHECKING = False  # type checkers take it for True; importing `typing` would delay `uciok`
if TYPE_CHECKING:
    from collections.abc import Callable

    from bluekrait.search.engine import Engine
    from bluekrait.search.limits import Limits
    from bluekrait.search.playing.book import Book
    from bluekrait.search.reports import Choice, CurrentMove, Line
    from bluekrait.search.syzygy.root_tables import Tablebase

    Post = Callable[..., None]  # post(kind, *details): puts a message into the mailbox of the message loop


class Session:
    """The engine, its options, and the way to answer."""

    def __init__(self, post: Post) -> None:
        self.options = Options()
        self.book: Book | None = None
        self.tablebase: Tablebase | None = None
        self.is_debugging = False
        self.command = CommandState()  # of the command that runs now, or ran last
        self._engine: Engine | None = None  # until it is loaded
        self._post = post
        self._answered_at = 0.0  # when the latest answer was given

    @property
    def engine(self) -> Engine:
        """The engine. Commands run only after it is loaded."""
        assert self._engine is not None
        return self._engine

    @engine.setter
    def engine(self, engine: Engine) -> None:
        self._engine = engine

    def check_network(self) -> None:
        """If the package has no network, or one that cannot be used, the engine evaluates classically."""
        if not self.engine.network:
            self.options.set("Evaluation", CLASSICAL)
        if self.engine.network_problem:
            self.inform(f"the network of the package is not used: {self.engine.network_problem}")

    # Answers.

    def say(self, text: str) -> None:
        """Print text: an answer, or a part of one."""
        self._post("output", text)
        self._answered_at = monotonic()

    def inform(self, text: str) -> None:
        """Print one line for the user, in the way in which the protocol marks such lines."""
        self._post("info", text)

    def open_log(self, path: str) -> None:
        """Write all input and output to this file from now on; an empty path ends the log."""
        self._post("log_file", path)

    # Searching.

    def think(
        self,
        limits: Limits,
        on_line: Callable[[Line], None],
        on_current_move: Callable[[CurrentMove], None] | None = None,
    ) -> Choice:
        """Choose a move in the current position.

        With `infinite` or `ponder`, returns only after stop or ponderhit, even if the search has ended.
        """
        from bluekrait.search.playing.choice import choose_move
        from bluekrait.uci.options.play_settings import play_settings

        if limits.infinite or limits.ponder:
            self.command.hold_answer(is_ponder=limits.ponder)
        # The time begins with the command, or with the answer that was due before it. The time that commands
        # without an answer take counts: a GUI's clock is running.
        limits = limits._replace(asked_at=max(self.command.given_at, self._answered_at))
        settings = play_settings(self.options, self.book, self.tablebase)
        try:
            choice = choose_move(
                self.engine, limits, settings, on_line, on_current_move, on_start=self.forward_to_engine
            )
        except Exception as error:  # a fault of the engine; but a GUI would wait for a move for ever
            self._post("error", f"the search failed, {type(error).__name__}: {error}")
            choice = self._any_move()
        self.command.wait_until_released()
        self._answered_at = monotonic()
        return choice

    def _any_move(self) -> Choice:
        """A legal move, without a search."""
        from bluekrait.core.move import NO_MOVE
        from bluekrait.search.reports import Choice

        return Choice(next(iter(self.engine.legal_moves()), NO_MOVE), NO_MOVE, [])

    def forward_to_engine(self) -> None:
        """Tell the engine of a stop or a ponderhit for the current command.

        Called when one arrives, and again when a search begins, which would not know of an earlier one.
        """
        if self._engine is None:
            return
        if self.command.is_stopped():
            self._engine.stop()
        elif self.command.is_ponder_hit():
            self._engine.ponder_hit()
