"""The state of one command: what the GUI has said since it gave it, and what the answer waits for."""

from __future__ import annotations

from threading import Condition

from bluekrait.core.timer import monotonic


class CommandState:
    """Shared by two threads: the message loop calls the setters, the executor asks and waits."""

    def __init__(self, input_closed: bool = False) -> None:
        self.given_at = monotonic()
        self._stopped = False  # a stop came after the command
        self._dismissed = False  # and nobody wants its answer
        self._ponder_hit = False  # a ponderhit came after the command
        self._input_closed = input_closed  # neither stop nor ponderhit can come any more
        self._waits_for_stop = False  # infinite or ponder: hold the answer until stop or ponderhit
        self._is_ponder = False
        self._changed = Condition()

    # Called by the message loop. None of these waits.

    def stop(self) -> None:
        """End the command soon. It may still answer."""
        self._stopped = True
        self._notify()

    def dismiss(self) -> None:
        """End the command soon, without an answer."""
        self._dismissed = True
        self.stop()

    def ponder_hit(self) -> None:
        """The opponent played the expected move: from now on the clock counts."""
        self._ponder_hit = True
        self._notify()

    def close_input(self) -> None:
        """Standard input has ended: do not wait for a stop that cannot come."""
        self._input_closed = True
        self._notify()

    def _notify(self) -> None:
        with self._changed:
            self._changed.notify_all()

    # Called by the executor while the command runs.

    def hold_answer(self, is_ponder: bool) -> None:
        """Hold the answer until stop, or until ponderhit if the command ponders."""
        self._is_ponder = is_ponder
        self._waits_for_stop = True

    def is_stopped(self) -> bool:
        """True if the command is to end: a stop came, or it waits for one that cannot come any more."""
        waits_in_vain = self._input_closed and self._waits_for_stop and not self.is_ponder_hit()
        return self._stopped or waits_in_vain

    def is_dismissed(self) -> bool:
        """True if nobody wants the answer."""
        return self._dismissed

    def is_ponder_hit(self) -> bool:
        """True if the command ponders and the ponderhit has come."""
        return self._is_ponder and self._ponder_hit

    def wait_until_released(self) -> None:
        """Wait for the stop or ponderhit that the answer is held for, if it is held."""
        if self._waits_for_stop:
            with self._changed:
                self._changed.wait_for(lambda: self.is_stopped() or self.is_ponder_hit())
