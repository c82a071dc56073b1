"""One thing at a time: calls from several threads wait for one another."""

from __future__ import annotations

from threading import Lock, get_ident
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

SECONDS_BETWEEN_STOPS = 0.01


class EngineBusy(RuntimeError):
    """The engine analyses without a limit, and the same thread asks for more: it would wait for ever."""


class Turns:
    """A lock for `with` blocks, until it is closed."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._is_closed = False
        self.endless_for: int | None = None  # the thread that has begun to analyse without a limit

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            if self.endless_for == get_ident():
                raise EngineBusy("the engine analyses without a limit: stop that, or use another Engine")
            self._lock.acquire()
        if self._is_closed:
            self._lock.release()
            self.check_open()

    def __exit__(self, *error: object) -> None:
        self._lock.release()

    def check_open(self) -> None:
        """ValueError if it is closed."""
        if self._is_closed:
            raise ValueError("the engine is closed")

    def close(self, stop: Callable[[], None], release: Callable[[], None]) -> None:
        """Let nobody in any more, stop what runs, and release what it used."""
        self._is_closed = True
        while not self._lock.acquire(timeout=SECONDS_BETWEEN_STOPS):
            stop()  # again and again, for a search may just be about to begin
        release()
        self._lock.release()
