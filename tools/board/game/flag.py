"""The flag of the clocks: it falls when the time of the side that has to move is over."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from bluekrait.tools.board.game.clocks import Clocks

AFTERWARDS = 0.01  # seconds after the end of the time: timers are not exact


class Flag:
    """Calls a function when the running clock will have run out."""

    def __init__(self, fall: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._fall = fall
        self._timer: asyncio.TimerHandle | None = None

    def set(self, clocks: Clocks | None) -> None:
        """Follow the clocks of a game, as they run now."""
        self.cancel()
        if clocks and clocks.running:
            seconds = clocks.left(clocks.running) + AFTERWARDS
            self._timer = asyncio.get_running_loop().call_later(seconds, self._falls)

    def cancel(self) -> None:
        """Follow no clock any more."""
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _falls(self) -> None:
        self._falling = asyncio.get_running_loop().create_task(self._fall())
