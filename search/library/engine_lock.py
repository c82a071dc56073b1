"""One thing at a time: calls from several threads wait for one another."""

from __future__ import annotations

from threading import Lock, Thread, current_thread
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, ref

from bluekrait.core.timer import LONGEST_WAIT

if TYPE_CHECKING:
    from collections.abc import Callable

    from bluekrait.search.library.background import Search

SECONDS_BETWEEN_STOPS = 0.01


class EngineBusy(RuntimeError):
    """The engine analyses without a limit, and the same thread asks for more: it would wait for ever."""


class EngineLock:
    """A lock for `with` blocks, until it is closed. It knows the searches in the background.

    Ctrl-C can come behind any call. So the lock is taken, and this is noted, by one call: a lock that nobody
    knows to hold would never be free again.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._is_closed = False
        self._begun: WeakKeyDictionary[Search, ref[Thread] | None] = WeakKeyDictionary()
        self._begun_lock = Lock()

    def __enter__(self) -> None:
        tries: list[bool] = []
        try:
            self._take(tries, LONGEST_WAIT, self.check_wait)
            self.check_open()
        except BaseException:
            if True in tries:
                self._lock.release()
            raise

    @property
    def __exit__(self) -> Callable[..., None]:
        """That of the lock itself: Ctrl-C can come into a function of Python before its first line."""
        return self._lock.__exit__

    def _take(self, tries: list[bool], seconds: float, meanwhile: Callable[[], None]) -> None:
        """Take the lock; `meanwhile` is called as often as it was not free for so many seconds.

        Each try is noted for the caller: True once the lock is taken, however this ends.
        """
        tries.extend(map(self._lock.acquire, [False]))
        while not tries[-1]:
            meanwhile()
            tries.extend(map(self._lock.acquire, [True], [seconds]))

    def note(self, search: Search, is_endless: bool) -> None:
        """The present thread has begun a search."""
        with self._begun_lock:
            self._begun[search] = ref(current_thread()) if is_endless else None

    def stop_all(self) -> None:
        """Stop all searches that were begun, also those that wait for their turn."""
        for search, _ in self._searches():
            search.stop()

    def check_wait(self, waiting: Search | None = None) -> None:
        """EngineBusy if this thread has begun a search, other than the waiting one, that only it can stop."""
        here = ref(current_thread())  # a number would be given again to a later thread
        for search, thread in self._searches():
            if thread == here and search is not waiting and not search.is_stopped:
                raise EngineBusy("the engine analyses without a limit: stop that, or use another Engine")

    def _searches(self) -> list[tuple[Search, ref[Thread] | None]]:
        """The searches that run or wait, and for those without a limit the thread that began them."""
        with self._begun_lock:
            return [(search, thread) for search, thread in self._begun.items() if search.is_running]

    def check_open(self) -> None:
        """ValueError if it is closed."""
        if self._is_closed:
            raise ValueError("the engine is closed")

    def close(self, stop: Callable[[], None], release: Callable[[], None]) -> None:
        """Refuse new calls, stop what runs, and release what it used."""
        self._is_closed = True
        tries: list[bool] = []
        try:
            # Again and again, for a search may just be about to begin.
            self._take(tries, SECONDS_BETWEEN_STOPS, stop)
            release()
        finally:
            if True in tries:
                self._lock.release()
