"""CECP, the protocol of xboard and of the engines before UCI, in its second version.

The front desk speaks it once it was told `xboard`; if `uci` comes behind that, as from GUIs which try what
an engine understands, UCI it is. The commands that change the game are carried out in the engine room.
"""

from bluekrait.uci.cecp.cecp_commands import IN_ORDER, muse
from bluekrait.uci.cecp.cecp_game import Game
from bluekrait.uci.cecp.features import NOT_YET, THAT_IS_ALL, features
from bluekrait.uci.cecp.wording import looks_like_move, status_text
from bluekrait.uci.protocol.messages import Uci

QUESTIONS = ("go", "usermove", "bk", "hint", "ping")  # commands that may have an answer
GENTLE = ("time", "post", "nopost", "hint", "ping")  # those that do not disturb a muse
REVOKING = ("new", "variant", "setboard", "force", "undo", "remove", "result", "analyze", "exit")


class Xboard:
    """What a front desk says and understands when it speaks CECP."""

    def __init__(self, desk):
        self._desk = desk
        self._room = desk.room
        self._game = self._room.game = Game(desk.room)
        self._muse = 0  # the number of the command by which the engine analyses or ponders
        self._owes_features = False
        desk.give(IN_ORDER["new"], [])

    def obey(self, line):
        """Do what a line asks for, or have it done."""
        word, *words = line.split() or [""]
        if looks_like_move(word):
            word, words = "usermove", [word]
        if word == "uci":
            self._switch(line)
        elif word in IN_ORDER:
            self._obey_in_order(word, words)
        else:
            AT_ONCE.get(word, Xboard._wonder)(self, line)
            self._desk.line_is_done()

    def _obey_in_order(self, word, words):
        if self._is_musing() and word in GENTLE:
            self._obey_meanwhile(IN_ORDER[word], words)
        elif self._is_musing() and word == "usermove" and words == [self._game.hint]:
            self._muse = 0
            self._room.ponder_hit()
            self._desk.line_is_done()
        else:
            if self._is_musing() or word in REVOKING:
                self._muse = 0
                self._room.dismiss()
            self._desk.give(IN_ORDER[word], words, is_question=word in QUESTIONS)

    def _obey_meanwhile(self, command, words):
        try:
            command(self._room, words)
        except ValueError as error:
            self.inform(str(error))
        self._desk.line_is_done()

    def _is_musing(self):
        return self._desk.done < self._muse

    # What the front desk calls.

    def inform(self, text):
        """Say something that is meant for people."""
        self._desk.write(f"# {text}")

    def patience(self):
        """None: nothing has to be said if nothing happens."""

    def owes_answer(self):
        """True if there is something to say yet, apart from what commands in the engine room will say."""
        return self._owes_features

    def on_loaded(self):
        """The engine can be asked."""
        if self._owes_features:
            self._tell_features()

    def on_done(self):
        """The engine room has carried out one more command."""
        if self._desk.done == self._desk.given and self._game.wants_to_muse():
            self._desk.give(muse, [])
            self._muse = self._desk.given

    def on_waited(self):
        """Nothing has to be said, for there is no end to the patience."""

    # Commands that are obeyed at once.

    def _introduce(self, line):
        self._desk.write(NOT_YET)
        self._owes_features = True
        if self._desk.is_loaded:
            self._tell_features()

    def _tell_features(self):
        self._owes_features = False
        self._desk.write("\n".join([*features(), THAT_IS_ALL]))

    def _move_now(self, line):
        if not self._is_musing():
            self._room.stop()

    def _tell_status(self, line):
        if self._game.latest_line:
            self._desk.write(status_text(self._game))

    def _switch(self, line):
        self._room.dismiss()
        self._desk.speak(Uci).obey(line)

    def _quit(self, line):
        self._desk.leave()

    def _nod(self, line):
        pass

    def _wonder(self, line):
        self._desk.write(f"Error (unknown command): {line.strip()[:40]}")


AT_ONCE = {
    "protover": Xboard._introduce,
    "?": Xboard._move_now,
    ".": Xboard._tell_status,
    "quit": Xboard._quit,
    **dict.fromkeys(("", "xboard", "accepted", "rejected", "random", "draw"), Xboard._nod),
    **dict.fromkeys(("computer", "name", "rating", "ics", "otim"), Xboard._nod),
}
