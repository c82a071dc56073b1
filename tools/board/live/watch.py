"""Look at the files of running work again and again, and tell those who want to know."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from bluekrait.core.timer import monotonic
from bluekrait.tools.board.live.work import LiveView, Work
from bluekrait.uci.exits import one_line

SECONDS_BETWEEN_LOOKS = 1.0
SECONDS_OF_READING = 2.0  # a long file is shown before it is read to its end
REST = 4.0  # drawing plots takes time: look again only after so many times that

Tell: TypeAlias = Callable[[LiveView], Awaitable[None]]


class Watch:
    """The view of some work, kept up to date."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self.view: LiveView | None = None

    async def run(self, tell: Tell) -> None:
        """Look for ever; `tell` is called with each new view."""
        loop = asyncio.get_running_loop()
        while True:
            begun = loop.time()
            view = await asyncio.to_thread(self._look)
            if view and view != self.view:
                self.view = view
                await tell(view)
            await asyncio.sleep(max(SECONDS_BETWEEN_LOOKS, REST * (loop.time() - begun)))

    def _look(self) -> LiveView | None:
        """The view if there is something new, or none was made yet."""
        has_news, until = False, monotonic() + SECONDS_OF_READING
        try:
            while self._work.read():
                has_news = True
                if monotonic() > until:
                    break
            return self._work.view() if has_news or self.view is None else None
        except Exception as error:  # whatever is wrong with the file: the page shall say so, and look again
            return LiveView("The work cannot be followed", one_line(error))
