"""One visitor: the game on the board, what the page asks for, and what it is told."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Protocol

from bluekrait.core.timer import monotonic
from bluekrait.search.library.position import Move, Position
from bluekrait.tools.board import views
from bluekrait.tools.board.engines import Engines
from bluekrait.tools.board.game import pgn
from bluekrait.tools.board.game.flag import Flag
from bluekrait.tools.board.game.game_tree import GameTree, Node
from bluekrait.tools.board.game.match_play import UNKNOWN, WHITE, GameSettings, MatchPlay
from bluekrait.tools.board.kept_games import KeptGame, KeptGames
from bluekrait.tools.board.live.watch import Watch
from bluekrait.tools.board.new_games import position_of, rules_in, starting_position
from bluekrait.tools.board.requests import BadRequest, Request
from bluekrait.tools.board.thinker import Thinker
from bluekrait.uci.exits import one_line

MOST_LINES = 5  # of an analysis
LONGEST_PGN = 4_000_000  # letters
LONGEST_LINE = 200  # of a notice
MOST_NUMBERS = 1 << 53  # of nodes: JavaScript has no larger whole numbers


class Page(Protocol):
    """The connection to a page."""

    async def send(self, message: dict[str, Any]) -> None:
        """Send a message; a connection that is lost takes it in silence."""

    async def close(self) -> None:
        """End the connection."""


class Visitor:
    """The game of one visitor. It outlives the connections of its page."""

    def __init__(
        self, name: str, engines: Engines, watch: Watch | None = None, kept: KeptGames | None = None
    ) -> None:
        self.name = name
        self._kept = KeptGame(kept, name)
        self._watch = watch
        self.last_active = monotonic()
        self.page: Page | None = None
        self._tree = GameTree(Position())
        self._match: MatchPlay | None = MatchPlay(self._tree, GameSettings(WHITE, None, 1.0))
        self._lines = 0  # of the analysis; 0 is none
        self._with_terms = False
        self._listed: list[pgn.ListedGame] = []
        self._opened: int | None = None  # the number in the list of the game on the board
        self._watched: GameTree | None = None  # the game that was opened last of the work that is watched
        self._thinker = Thinker(name, engines, self.say, self._engine_waits)
        self._flag = Flag(self._end_by_time)
        self._lock = asyncio.Lock()

    def take_over(self, known: str) -> None:
        """Go on with the game that was kept under a known name, or with the latest that no page has."""
        if game := self._kept.take(known):
            self._tree, self._match = game

    # The connection.

    async def say(self, message: dict[str, Any]) -> None:
        """Tell the page something, if it is there."""
        if self.page:
            await self.page.send(message)

    async def enter(self, page: Page) -> None:
        """A page has connected, for the first time or again. It takes the place of another one."""
        async with self._lock:
            await self._thinker.stop()
            if self.page:
                await self.say({"say": "elsewhere"})
                await self.page.close()
            self.page = page
            self.last_active = monotonic()
            if self._match:
                self._match.run_clock()
            if self._listed:
                await self._tell_list()
            await self._go_on()
            await self._tell_unread()
            if self._watch and self._watch.view:
                await self.say(self._watch.view.message())

    async def _tell_unread(self) -> None:
        """Kept games that cannot be read are not lost: say where they are."""
        if unread := self._kept.unread():
            names = ", ".join(path.name for path in unread)
            text = f"these kept games cannot be read, and are set aside in {unread[0].parent}: {names}"
            await self.say(views.notice(text))

    async def leave(self, page: Page) -> None:
        """A page is gone. Its clocks stand still until it comes back, and nothing is analysed for it."""
        async with self._lock:
            if self.page is not page:
                return
            self.page = None
            await self._thinker.stop()
            if self._match and self._match.clocks:
                self._match.clocks.stop()
            self._set_flag()
            await self._keep()  # the time that was used, too

    async def rest(self) -> None:
        """Give the engine back, after long silence; but not while the page waits for its move."""
        async with self._lock:
            if self.page and self._match and self._match.is_engines_turn:
                return
            was_busy = self._thinker.is_busy
            await self._thinker.rest()
            if was_busy:
                self._lines = 0
                await self.say(self._game_view())
                await self.say(views.notice("the engine rests now: nothing was asked of it for a while"))

    async def close(self) -> None:
        """The visitor is forgotten."""
        await self._thinker.rest()
        self._flag.cancel()

    # Messages.

    async def handle(self, text: str) -> None:
        """Do what a message asks for. What cannot be done is answered by a notice."""
        self.last_active = monotonic()
        about = None
        async with self._lock:
            try:
                request = Request(text)
                about = request.do
                action = self._actions().get(about)
                if action is None:
                    raise BadRequest(f"there is nothing like {about!r} to do")
                await action(request)
            except (ValueError, RecursionError) as error:
                line = one_line(error, LONGEST_LINE) or "this is too much for the board"
                await self.say(views.notice(line, about))
                await self.say(self._game_view())  # the page may show a move that was not made

    def _actions(self) -> dict[str, Callable[[Request], Awaitable[None]]]:
        return {
            "move": self._move,
            "moves": self._moves,
            "go": self._go,
            "take back": self._take_back,
            "new": self._new,
            "set up": self._set_up,
            "play on": self._play_on,
            "study": self._study,
            "analyse": self._analyse,
            "terms": self._terms,
            "move now": self._move_now,
            "resign": self._resign,
            "read": self._read,
            "open": self._open,
            "watch": self._open_watched,
            "write": self._write,
        }

    async def _move(self, request: Request) -> None:
        """A move at a node, in any notation."""
        node = self._tree.node(request.whole("at", 0, MOST_NUMBERS))
        move = request.text("move", 20)
        if self._match and (node is not self._match.tip or self._match.ending or self._match.is_engines_turn):
            await self.say(self._game_view())  # the page was late
            return
        node = _known(node)
        if not self._match:
            await self._try(node, [move])
            return
        added = node.position.move(move)  # a ValueError before anything is stopped
        await self._thinker.stop()
        if not self._match.check_flag():
            self._match.play(added)
        await self._go_on()

    async def _moves(self, request: Request) -> None:
        """Several moves of a line, at a node; only while studying."""
        self._must_study()
        node = _known(self._tree.node(request.whole("at", 0, MOST_NUMBERS)))
        await self._try(node, request.text("moves", 2000).split())

    async def _try(self, node: Node, moves: Sequence[str]) -> None:
        """Make moves of a study. A ValueError comes before anything is changed or stopped."""
        last = self._tree.add_line(node, moves)
        await self._thinker.stop()
        self._tree.cursor = last
        await self._go_on()

    async def _go(self, request: Request) -> None:
        """Show another position of the game."""
        self._tree.cursor = _known(self._tree.node(request.whole("node", 0, MOST_NUMBERS)))
        if self._match and self._match.is_engines_turn:
            await self.say(self._game_view())  # the engine goes on thinking
        else:
            await self._thinker.stop()
            await self._go_on()

    async def _take_back(self, request: Request) -> None:
        await self._thinker.stop()
        if self._match:
            self._match.take_back()
        else:
            self._tree.take_back()
        await self._go_on()

    async def _new(self, request: Request) -> None:
        """A new game: from a FEN, a position of Chess960, or the starting position."""
        rules = rules_in(request)
        position = starting_position(request)
        await self._thinker.stop()
        self._begin(GameTree(position), rules)
        await self._go_on()

    async def _set_up(self, request: Request) -> None:
        """A position to study."""
        position = position_of(request.text("fen"))
        await self._thinker.stop()
        self._place(GameTree(position))
        await self._go_on()

    async def _play_on(self, request: Request) -> None:
        """Play a game from the position on the board."""
        rules = rules_in(request)
        await self._thinker.stop()
        here = self._tree.cursor.position
        self._begin(GameTree(Position(here.fen, chess960=here.chess960)), rules)
        await self._go_on()

    async def _study(self, request: Request) -> None:
        """End the game, and look at it."""
        await self._thinker.stop()
        if self._match:
            self._match.sign()
            self._tree.keep_moves()
        self._match = None
        await self._go_on()

    async def _analyse(self, request: Request) -> None:
        self._lines = request.whole("lines", 0, MOST_LINES)
        await self._again()

    async def _terms(self, request: Request) -> None:
        self._with_terms = request.switch("on")
        await self._again()

    async def _again(self) -> None:
        """Analyse anew, unless the engine is choosing its move."""
        if not (self._match and self._match.is_engines_turn):
            await self._thinker.stop()
            await self._go_on()

    async def _move_now(self, request: Request) -> None:
        if not (self._match and self._match.is_engines_turn):
            return
        if self._thinker.is_busy:
            self._thinker.hurry()
        else:  # it could not think before
            await self._go_on()

    async def _resign(self, request: Request) -> None:
        if not self._match:
            raise BadRequest("no game is being played")
        await self._thinker.stop()
        self._match.resign()
        await self._go_on()

    async def _read(self, request: Request) -> None:
        """The games of a PGN text; if it is one, it is opened at once."""
        text = request.text("pgn", LONGEST_PGN)
        listed = await asyncio.to_thread(pgn.list_games, text)
        if len(listed) == 1:
            await self._show(listed[0])
            await self._list([])
        else:
            await self._list(listed)  # first: the others can be opened even if this one cannot
            await self._show(listed[0], opened=1)

    async def _open(self, request: Request) -> None:
        """One of the games that were read."""
        if not self._listed:
            raise BadRequest("no games were read")
        number = request.whole("number", 1, len(self._listed))
        await self._show(self._listed[number - 1], opened=number)

    async def _open_watched(self, request: Request) -> None:
        """One of the games of the work that is watched, by its number.

        A page that follows the work takes nothing from the board that is the visitor's own.
        """
        if request.has("follow") and self._is_own_game():
            return
        games = self._watch.view.games if self._watch and self._watch.view else ()
        number = request.whole("number", 0, MOST_NUMBERS)
        game = next((game for game in games if game.number == number), None)
        if not game:
            raise BadRequest(f"game {number} is not among the latest of the work that is watched")
        text = await asyncio.to_thread(game.pgn)
        await self._show(pgn.list_games(text)[0], at_end=True)
        self._watched = self._tree
        await self._list([])

    def _is_own_game(self) -> bool:
        """True unless the board shows a game that is watched, or one that has no move yet."""
        if self._tree is self._watched:
            return any(self._tree.is_tried(node) for node in self._tree.nodes())
        return not self._match or bool(self._tree.root.children)

    async def _show(self, game: pgn.ListedGame, opened: int | None = None, at_end: bool = False) -> None:
        tree = await asyncio.to_thread(pgn.open_game, game.source)
        if at_end:
            tree.cursor = (tree.line() or [tree.root])[-1]
        await self._thinker.stop()
        self._place(tree, opened=opened)
        await self._go_on()

    async def _list(self, games: list[pgn.ListedGame]) -> None:
        """Take the games of a file, of which none is on the board yet."""
        self._listed, self._opened = games, None
        await self._tell_list()

    async def _tell_list(self) -> None:
        await self.say({"say": "games", "titles": [game.title for game in self._listed]})

    async def _write(self, request: Request) -> None:
        """The game as PGN, and the position as FEN."""
        if self._match:
            self._match.sign()
        result = self._tree.headers.get("Result", UNKNOWN)
        outcome = [self._tree.root, *self._tree.root.continuation()][-1].position.outcome
        if result == UNKNOWN and outcome:
            result = outcome.result
        text = await asyncio.to_thread(pgn.write_game, self._tree, result)
        await self.say({"say": "written", "pgn": text, "fen": self._tree.cursor.position.fen})

    # What follows.

    def _begin(self, tree: GameTree, rules: GameSettings) -> None:
        self._place(tree, MatchPlay(tree, rules))

    def _place(self, tree: GameTree, match: MatchPlay | None = None, opened: int | None = None) -> None:
        """Put another game on the board."""
        self._tree, self._match, self._opened = tree, match, opened

    def _must_study(self) -> None:
        if self._match:
            raise BadRequest("a game is being played: only its next move can be made")

    async def _go_on(self) -> None:
        """Tell the page where the game stands, and let the engine do what is to be done next."""
        self._set_flag()
        await self.say(self._game_view())
        await self._keep()
        if not self.page:
            return
        if self._match and self._match.is_engines_turn:
            tip, rules, limit = self._match.tip, self._match.rules, self._match.engine_limit
            self._thinker.begin_move(tip.position, rules.elo, limit, partial(self._reply, tip))
        elif self._lines or self._with_terms:
            self._thinker.begin_analysis(self._tree.cursor.position, self._lines, self._with_terms)

    async def _engine_waits(self) -> None:
        """No engine is free for what is to be done, or one is again: its clock stands meanwhile."""
        async with self._lock:
            match = self._match
            if match and match.clocks and match.is_engines_turn:
                if self._thinker.is_waiting:
                    match.clocks.stop()
                else:
                    match.run_clock()
                self._set_flag()
            await self.say(self._game_view())

    async def _keep(self) -> None:
        try:
            await self._kept.keep(self._tree, self._match)
        except OSError as error:
            await self.say(views.notice(f"this game is not kept when the program ends: {error}"))

    async def _reply(self, tip: Node, move: Move) -> None:
        """The engine has chosen its move."""
        async with self._lock:
            match, cursor = self._match, self._tree.cursor
            if not self.page:
                return  # its clocks stand; when it comes back, the engine thinks again
            if not match or match.tip is not tip or match.ending or self._thinker.is_busy:
                return  # something else was asked for meanwhile
            if not match.check_flag():
                match.play(move)
            if cursor is not tip:  # somebody looks at an earlier position
                self._tree.cursor = cursor
            await self._go_on()

    def _set_flag(self) -> None:
        self._flag.set(self._match.clocks if self._match else None)

    async def _end_by_time(self) -> None:
        async with self._lock:
            if self._match and self._match.check_flag():
                await self._thinker.stop()
                await self._go_on()

    def _game_view(self) -> dict[str, Any]:
        view = views.game_view(self._tree, self._match, self._lines, self._with_terms)
        return {**view, "listed": self._opened, "waiting": self._thinker.is_waiting}


def _known(node: Node | None) -> Node:
    """A node that the page asks for, unless it has been removed."""
    if node is None:
        raise BadRequest("that position is not there any more")
    return node
