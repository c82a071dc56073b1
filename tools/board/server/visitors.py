"""All visitors. Their games are kept, also after the end; the engines of silent ones are released."""

import asyncio
from secrets import token_urlsafe

from bluekrait.core.timer import monotonic
from bluekrait.tools.board.live.watch import Watch
from bluekrait.tools.board.live.work import LiveView
from bluekrait.tools.board.visitor.engines import Engines
from bluekrait.tools.board.visitor.kept_games import KeptGames
from bluekrait.tools.board.visitor.visitor import Visitor

MOST_VISITORS = 64
SECONDS_BETWEEN_LOOKS = 15.0


class TooManyVisitors(RuntimeError):
    """There is no room for another game."""


class Visitors:
    """The visitors by their names, which are secrets of their pages."""

    def __init__(
        self,
        engines: Engines,
        idle_seconds: float,
        watch: Watch | None = None,
        kept: KeptGames | None = None,
    ) -> None:
        self.engines, self._idle, self._watch, self._kept = engines, idle_seconds, watch, kept
        self._visitors: dict[str, Visitor] = {}

    def __len__(self) -> int:
        return len(self._visitors)

    async def visitor(self, name: str | None) -> Visitor:
        """The visitor with a name; another one if it is unknown. TooManyVisitors if all have open pages."""
        known = self._visitors.get(name or "")
        if known:
            return known
        if len(self._visitors) >= MOST_VISITORS:
            absent = [visitor for visitor in self._visitors.values() if not visitor.page.is_connected]
            if not absent:
                raise TooManyVisitors
            leaving = min(absent, key=lambda visitor: visitor.last_active)
            del self._visitors[leaving.name]
            await leaving.close()
        visitor = Visitor(token_urlsafe(12), self.engines, self._watch, self._kept)
        self._visitors[visitor.name] = visitor
        visitor.take_over(name or "")
        return visitor

    async def care(self) -> None:
        """Release the engines of those who are silent, and tell all how the work goes that is watched."""
        cares = [self._release_engines()]
        if self._watch:
            cares.append(self._watch.run(self._tell))
        await asyncio.gather(*cares)

    async def _release_engines(self) -> None:
        while True:
            await asyncio.sleep(min(SECONDS_BETWEEN_LOOKS, self._idle))
            for visitor in list(self._visitors.values()):
                if monotonic() - visitor.last_active > self._idle and self.engines.has(visitor.name):
                    await visitor.rest()

    async def _tell(self, view: LiveView) -> None:
        for visitor in list(self._visitors.values()):
            await visitor.page.say(view.message())

    async def close(self) -> None:
        """Stop everything."""
        for visitor in self._visitors.values():
            await visitor.close()
        self._visitors.clear()
