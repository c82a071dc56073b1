"""A game against the engine, or between two people: whose turn it is, the clocks, and how it ends."""

from datetime import date
from typing import NamedTuple

from bluekrait.search.library.position import Position
from bluekrait.tools.board.game.clocks import Clocks, Limit, TimeControl
from bluekrait.tools.board.game.game_tree import GameTree, Node
from bluekrait.uci import __version__

WHITE, BLACK, BOTH = "white", "black", "both"
UNKNOWN = "*"
OTHER = {WHITE: BLACK, BLACK: WHITE}
ENGINE, PERSON = f"BlueKrait {__version__}", "Player"
WINS = {WHITE: "1-0", BLACK: "0-1"}


class Ending(NamedTuple):
    """How a game ended."""

    result: str
    reason: str


class GameSettings(NamedTuple):
    """What was agreed for a game."""

    human: str  # the side that people play: WHITE, BLACK or BOTH
    elo: int | None  # of the engine; None is its full strength
    seconds: float  # that it thinks about a move, in a game without a clock
    time: TimeControl | None = None


class MatchPlay:
    """The state of a game that is being played in a tree of positions."""

    def __init__(self, tree: GameTree, rules: GameSettings) -> None:
        self.tree, self.rules = tree, rules
        self.tip = tree.root  # where the game has got to
        self.clocks = Clocks(rules.time) if rules.time else None
        self.given_up: Ending | None = None  # by a player or the clock; the rules end other games

    @property
    def ending(self) -> Ending | None:
        """How the game ended; None while it goes on."""
        if self.given_up:
            return self.given_up
        outcome = self.tip.position.outcome
        return Ending(outcome.result, outcome.reason) if outcome else None

    @property
    def is_engines_turn(self) -> bool:
        """True if the engine has to move."""
        return not self.ending and self.rules.human not in (BOTH, self.tip.position.turn)

    def play(self, move: str) -> Node:
        """Make a move at the tip. ValueError if it is not legal."""
        side = self.tip.position.turn
        node = self.tree.add(self.tip, move)
        self.tree.headers.setdefault("Date", f"{date.today():%Y.%m.%d}")  # of the first move
        if self.clocks:
            if self.clocks.running:  # the first move costs no time
                self.clocks.add_increment(side)
            node.clock = self.clocks.left(side)
        self.tip = self.tree.cursor = node
        self.run_clock()
        return node

    @property
    def before_last_move(self) -> Node | None:
        """Where a person had to move before; None if nobody had."""
        node = self.tip.parent
        while node and self.rules.human not in (BOTH, node.position.turn):
            node = node.parent
        return node

    def take_back(self) -> None:
        """Go back to the last move of a person, if there is one."""
        node = self.before_last_move
        if not node:
            return
        self.given_up = None
        self.tip = self.tree.cursor = node
        for child in list(node.children):
            self.tree.remove(child)
        if self.clocks:
            self.clocks.set(*self._clocks_at(node))
            self.run_clock()

    def resign(self) -> None:
        """The side of the person gives up; of two people the one that has to move."""
        if not self.ending:
            human = self.rules.human
            self._end(OTHER[self.tip.position.turn if human == BOTH else human], "resignation")

    def check_flag(self) -> bool:
        """End the game if the time of the running clock is over; True if it is."""
        side = self.clocks.running if self.clocks else None
        if not self.clocks or not side or self.clocks.left(side) > 0:
            return False
        winner = OTHER[side]
        if _can_mate(self.tip.position, winner):
            self._end(winner, "time")
        else:
            self.given_up = Ending("1/2-1/2", "time, but too little material to mate")
            self.clocks.stop()
        return True

    def run_clock(self) -> None:
        """Let the right clock run. None runs before the first move, and none after the end."""
        if self.clocks and not self.ending and self.tip.parent:
            self.clocks.run(self.tip.position.turn)
        elif self.clocks:
            self.clocks.stop()

    def engine_limit(self) -> Limit:
        """How long the engine may think."""
        if not self.clocks:
            return Limit(self.rules.seconds)
        return Limit(None, self.clocks.left(self.tip.position.turn), self.clocks.control.increment)

    def sign(self) -> None:
        """Say in the headers of the game who played, and how it ended."""
        headers, rules = self.tree.headers, self.rules
        engine = f"{ENGINE} at {rules.elo} Elo" if rules.elo else ENGINE
        headers["White"] = engine if rules.human == BLACK else PERSON
        headers["Black"] = engine if rules.human == WHITE else PERSON
        headers["Result"] = self.ending.result if self.ending else UNKNOWN
        if rules.time:
            headers["TimeControl"] = rules.time.text

    def _end(self, winner: str, reason: str) -> None:
        self.given_up = Ending(WINS[winner], reason)
        if self.clocks:
            self.clocks.stop()

    def _clocks_at(self, node: Node) -> tuple[float, float]:
        """What was left to both sides at a node."""
        assert self.clocks
        left = dict.fromkeys((WHITE, BLACK), self.clocks.control.base)
        for earlier in node.path()[1:]:
            if earlier.clock is not None:
                left[OTHER[earlier.position.turn]] = earlier.clock
        return left[WHITE], left[BLACK]


def _can_mate(position: Position, side: str) -> bool:
    import chess  # it takes long to load: the first page does not wait for it

    return not position.board().has_insufficient_material(side == WHITE and chess.WHITE)
