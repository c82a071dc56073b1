"""One visitor: the connection of the page, and the messages that come from it."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from bluekrait.core.timer import monotonic
from bluekrait.tools.board.live.watch import Watch
from bluekrait.tools.board.messages import views
from bluekrait.tools.board.messages.requests import BadRequest, Request
from bluekrait.tools.board.visitor import analysis_handlers, file_handlers, game_handlers, watch_handlers
from bluekrait.tools.board.visitor.engines import Engines
from bluekrait.tools.board.visitor.game_session import GameSession
from bluekrait.tools.board.visitor.kept_games import KeptGames
from bluekrait.tools.board.visitor.page import Connection, Page
from bluekrait.uci.exits import one_line

LONGEST_LINE = 200  # of a notice

Handler: TypeAlias = Callable[[GameSession, Request], Awaitable[None]]

# What a page can ask for, by the name in its message.
HANDLERS: dict[str, Handler] = {
    "move": game_handlers.move,
    "moves": game_handlers.moves,
    "go": game_handlers.go,
    "take back": game_handlers.take_back,
    "new": game_handlers.new,
    "set up": game_handlers.set_up,
    "play on": game_handlers.play_on,
    "study": game_handlers.study,
    "move now": game_handlers.move_now,
    "resign": game_handlers.resign,
    "analyse": analysis_handlers.analyse,
    "terms": analysis_handlers.terms,
    "read": file_handlers.read,
    "open": file_handlers.open_listed,
    "write": file_handlers.write,
    "watch": watch_handlers.open_watched,
}


class Visitor:
    """A visitor with a game. It outlives the connections of its page."""

    def __init__(
        self, name: str, engines: Engines, watch: Watch | None = None, kept: KeptGames | None = None
    ) -> None:
        self.name = name
        self.last_active = monotonic()
        self.page = Page()
        self._session = GameSession(name, engines, self.page, watch, kept)

    def take_over(self, known: str) -> None:
        """Go on with the game that was kept under a known name, or with the latest that no page has."""
        self._session.take_over(known)

    async def enter(self, connection: Connection) -> None:
        """A page has connected, for the first time or again. It takes the place of another one."""
        async with self._session.lock:
            await self._session.thinker.stop()
            await self.page.connect(connection)
            self.last_active = monotonic()
            await self._session.resume()

    async def leave(self, connection: Connection) -> None:
        """A page is gone. Its clocks stand still until it comes back, and nothing is analysed for it."""
        async with self._session.lock:
            if self.page.disconnect(connection):
                await self._session.pause()

    async def rest(self) -> None:
        """Give the engine back, after long silence; but not while the page waits for its move."""
        async with self._session.lock:
            await self._session.rest()

    async def close(self) -> None:
        """The visitor is forgotten."""
        await self._session.close()

    async def handle(self, text: str) -> None:
        """Do what a message asks for. What cannot be done is answered by a notice."""
        self.last_active = monotonic()
        about = None
        async with self._session.lock:
            try:
                request = Request(text)
                about = request.do
                handler = HANDLERS.get(about)
                if handler is None:
                    raise BadRequest(f"there is nothing like {about!r} to do")
                await handler(self._session, request)
            except (ValueError, RecursionError) as error:
                line = one_line(error, LONGEST_LINE) or "this is too much for the board"
                await self.page.say(views.notice(line, about))
                await self._session.tell_game()  # the page may show a move that was not made
