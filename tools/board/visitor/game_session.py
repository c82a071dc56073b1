"""The game of one visitor, and what follows when it has changed: the page is told, and the engine thinks."""

import asyncio
from functools import partial
from typing import Any

from bluekrait.search.library.position import Move, Position
from bluekrait.tools.board.game.flag import Flag
from bluekrait.tools.board.game.game_tree import GameTree, Node
from bluekrait.tools.board.game.match_play import WHITE, GameSettings, MatchPlay
from bluekrait.tools.board.game.pgn import ListedGame
from bluekrait.tools.board.live.watch import Watch
from bluekrait.tools.board.messages import views
from bluekrait.tools.board.visitor.engines import Engines
from bluekrait.tools.board.visitor.kept_games import KeptGame, KeptGames
from bluekrait.tools.board.visitor.page import Page
from bluekrait.tools.board.visitor.thinker import Thinker


class GameSession:
    """What a visitor has on the board. Whoever changes it holds `lock`."""

    def __init__(
        self,
        visitor: str,
        engines: Engines,
        page: Page,
        watch: Watch | None = None,
        kept: KeptGames | None = None,
    ) -> None:
        self.page = page
        self.lock = asyncio.Lock()
        self.thinker = Thinker(visitor, engines, page.say, self._engine_waits)
        self.tree = GameTree(Position())
        self.match: MatchPlay | None = MatchPlay(self.tree, GameSettings(WHITE, None, 1.0))
        self.lines = 0  # of the analysis; 0 is none
        self.with_terms = False
        self.listed: list[ListedGame] = []  # the games of the file that was read last
        self.opened: int | None = None  # the number in the list of the game on the board
        self.watch = watch
        self.watched: GameTree | None = None  # the game that was opened last of the work that is watched
        self._flag = Flag(self._end_by_time)
        self._kept = KeptGame(kept, visitor)

    @property
    def is_engines_turn(self) -> bool:
        """True if a game is being played, and the engine has to move."""
        return self.match is not None and self.match.is_engines_turn

    def take_over(self, known: str) -> None:
        """Go on with the game that was kept under a known name, or with the latest that no page has."""
        if game := self._kept.take(known):
            self.tree, self.match = game

    def place(self, tree: GameTree, match: MatchPlay | None = None, opened: int | None = None) -> None:
        """Put another game on the board."""
        self.tree, self.match, self.opened = tree, match, opened

    # What the page is told.

    async def tell_game(self) -> None:
        """Tell the page where the game stands."""
        await self.page.say(self.view())

    async def tell_list(self) -> None:
        """Tell the page the games of the file that was read last."""
        await self.page.say({"say": "games", "titles": [game.title for game in self.listed]})

    async def _tell_unread(self) -> None:
        """Kept games that cannot be read are not lost: say where they are."""
        if unread := self._kept.unread():
            names = ", ".join(path.name for path in unread)
            text = f"these kept games cannot be read, and are set aside in {unread[0].parent}: {names}"
            await self.page.say(views.notice(text))

    def view(self) -> dict[str, Any]:
        """All that the page shows of the game."""
        view = views.game_view(self.tree, self.match, self.lines, self.with_terms)
        return {**view, "listed": self.opened, "waiting": self.thinker.is_waiting}

    # While the page is there, and while it is not.

    async def resume(self) -> None:
        """The page is there: tell it everything, and go on."""
        if self.match:
            self.match.run_clock()
        if self.listed:
            await self.tell_list()
        await self.go_on()
        await self._tell_unread()
        if self.watch and self.watch.view:
            await self.page.say(self.watch.view.message())

    async def pause(self) -> None:
        """The page is gone: stop engine and clocks."""
        await self.thinker.stop()
        if self.match and self.match.clocks:
            self.match.clocks.stop()
        self._set_flag()
        await self._keep()  # the time that was used, too

    async def rest(self) -> None:
        """Give the engine back, but not while the page waits for its move."""
        if self.page.is_connected and self.is_engines_turn:
            return
        was_busy = self.thinker.is_busy
        await self.thinker.rest()
        if was_busy:
            self.lines = 0
            await self.tell_game()
            await self.page.say(views.notice("the engine rests now: nothing was asked of it for a while"))

    async def close(self) -> None:
        """Stop everything, for ever."""
        await self.thinker.rest()
        self._flag.cancel()

    # What follows.

    async def go_on(self) -> None:
        """Tell the page where the game stands, and let the engine do what is to be done next."""
        self._set_flag()
        await self.tell_game()
        await self._keep()
        if not self.page.is_connected:
            return
        if self.match and self.match.is_engines_turn:
            tip, rules, limit = self.match.tip, self.match.rules, self.match.engine_limit
            self.thinker.begin_move(tip.position, rules.elo, limit, partial(self._reply, tip))
        elif self.lines or self.with_terms:
            self.thinker.begin_analysis(self.tree.cursor.position, self.lines, self.with_terms)

    async def _engine_waits(self) -> None:
        """No engine is free for what is to be done, or one is again: its clock stands meanwhile."""
        async with self.lock:
            match = self.match
            if match and match.clocks and match.is_engines_turn:
                if self.thinker.is_waiting:
                    match.clocks.stop()
                else:
                    match.run_clock()
                self._set_flag()
            await self.tell_game()

    async def _reply(self, tip: Node, move: Move) -> None:
        """The engine has chosen its move."""
        async with self.lock:
            match, cursor = self.match, self.tree.cursor
            if not self.page.is_connected:
                return  # its clocks stand; when it comes back, the engine thinks again
            if not match or match.tip is not tip or match.ending or self.thinker.is_busy:
                return  # something else was asked for meanwhile
            if not match.check_flag():
                match.play(move)
            if cursor is not tip:  # somebody looks at an earlier position
                self.tree.cursor = cursor
            await self.go_on()

    async def _end_by_time(self) -> None:
        async with self.lock:
            if self.match and self.match.check_flag():
                await self.thinker.stop()
                await self.go_on()

    def _set_flag(self) -> None:
        self._flag.set(self.match.clocks if self.match else None)

    async def _keep(self) -> None:
        try:
            await self._kept.keep(self.tree, self.match)
        except OSError as error:
            await self.page.say(views.notice(f"this game is not kept when the program ends: {error}"))
