"""The game that is played over CECP.

Unlike UCI, CECP leaves it to the engine to keep the game: whose move it is, which side the engine plays, what
the clock shows. All this happens in the engine room; the front desk only looks.
"""

from bluekrait.core.board import BLACK
from bluekrait.core.move import NO_MOVE
from bluekrait.core.notation.san_and_uci import move_to_uci
from bluekrait.search.limits import Limits
from bluekrait.search.playing.choice import think
from bluekrait.search.reports import EXACT, Choice
from bluekrait.uci.cecp.cecp_clock import Clock
from bluekrait.uci.cecp.wording import line_text, move_text, read_move, result_text


class Game:
    """A game, as far as CECP wants the engine to remember it."""

    def __init__(self, room):
        self.clock = Clock()
        self.own_side = BLACK  # the one that the engine plays, None for none
        self.is_analysing = False
        self.shows_thinking = False
        self.ponders = False
        self.move_count = 0  # at the root of what was thought about last
        self.latest_line = None
        self.latest_move = None  # of those at the root, the last to be looked at
        self.hint = None  # the expected answer to the engine's last move, as it would be told
        self._room = room
        self._fen = None
        self._moves = []
        self._is_pondering = False

    # The position.

    @property
    def turn(self):
        """The side to move."""
        return self._room.engine.turn

    def set_up(self, fen):
        """Begin from a position, None for the usual one."""
        self._room.engine.set_position(fen, [])
        self._fen, self._moves, self.hint = fen, [], None

    def play(self, move):
        """Make a packed move."""
        self._go_to(self._moves_and(move))
        self.hint = None

    def take_back(self, count):
        """Unmake so many moves."""
        if count > len(self._moves):
            raise ValueError("there is no move to take back")
        self._go_to(self._moves[:-count])
        self.hint = None

    def _go_to(self, moves):
        self._room.engine.set_position(self._fen, moves)
        self._moves = moves

    def _moves_and(self, move):
        return [*self._moves, move_to_uci(move, self.turn, chess960=True)]

    def _moves_made(self):
        """How many moves the side to move has made."""
        return len(self._moves) // 2

    # What it asks for.

    def carry_on(self):
        """Move if it is the engine's turn; the end of the game is announced."""
        if self.own_side == self.turn and not self.is_analysing and not self._announce_end():
            self.clock.start()
            self._move(self._think(self.clock.limits(self._moves_made())))

    def wants_to_muse(self):
        """True if there is something to think of while nothing is said."""
        return (self.is_analysing or self._can_ponder()) and not self._room.is_alone

    def muse(self):
        """Analyse or ponder until something else is to be done."""
        if self.is_analysing:
            self._think(Limits(infinite=True))
        elif self._can_ponder():
            self._ponder()

    def _can_ponder(self):
        return self.ponders and self.hint is not None

    def _ponder(self):
        """Think about the answer to the expected move, and give it if that is played."""
        moves = self._moves
        self._go_to(self._moves_and(read_move(self.hint, self._room.engine)))
        self.clock.start()
        self._is_pondering = True
        choice = self._think(self.clock.limits(self._moves_made())._replace(ponder=True))
        self._is_pondering = False
        if self._room.is_hit():
            self._move(choice)
        else:
            self._go_to(moves)

    def _think(self, limits):
        if self._room.is_dismissed():
            return Choice(NO_MOVE, NO_MOVE, [])
        self.move_count = len(self._room.engine.legal_moves())
        return think(self._room, limits, self._note_line, self._note_move)

    def _note_line(self, line):
        self.latest_line = line
        is_secret = self._is_pondering and not self._room.is_hit()
        if self.shows_thinking and not is_secret and line.bound == EXACT and line.moves:
            self._room.say(line_text(line, self.turn, self._room.engine.chess960))

    def _note_move(self, current):
        self.latest_move = current

    def _move(self, choice):
        """Make the chosen move, unless whoever waited for it changed his mind."""
        if choice.move == NO_MOVE or self._room.is_dismissed():
            return
        text = self.spelled(choice.move)
        self.clock.stop(self._moves_made() + 1)
        self.play(choice.move)
        self._room.say(f"move {text}")
        if not self._announce_end() and choice.ponder_move != NO_MOVE:
            self.hint = self.spelled(choice.ponder_move)

    def _announce_end(self):
        """Tell how the game has ended; False if it goes on."""
        result = result_text(self._room.engine)
        if result:
            self._room.say(result)
        return bool(result)

    def spelled(self, move):
        """A packed move of the side to move as it is told."""
        return move_text(move, self.turn, self._room.engine.chess960)
