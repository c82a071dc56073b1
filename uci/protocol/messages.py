"""The Universal Chess Interface, as far as it is a matter of words: the commands themselves are elsewhere."""

from collections import deque

from bluekrait.core.timer import monotonic
from bluekrait.uci import __version__
from bluekrait.uci.options.option_table import OPTIONS, announced, announcement
from bluekrait.uci.output import info_string
from bluekrait.uci.protocol.commands import IN_ORDER, QUESTIONS

PING_PATIENCE = 8.0  # seconds an `isready` may have to wait; GUIs give up after ten or fifteen


class Uci:
    """What a front desk says and understands when it speaks UCI."""

    def __init__(self, desk):
        self._desk = desk
        self._last_go = 0  # the latest command given to the engine room that was a `go`
        self._pings = deque()  # unanswered `isready`s: commands given before it, end of its patience

    def obey(self, line):
        """Do what a line asks for, or have it done."""
        word, *words = line.split() or [""]
        if word in IN_ORDER:
            self._desk.give(IN_ORDER[word], words, is_question=word in QUESTIONS)
            if word == "go":
                self._last_go = self._desk.given
        else:
            AT_ONCE.get(word, Uci._wonder)(self, word)
            self._desk.line_is_done()

    def inform(self, text):
        """Say something that is meant for people."""
        self._desk.write(info_string(text))

    def patience(self):
        """Seconds until `on_waited` should be called if nothing happens, None for no hurry."""
        return self._pings[0][1] - monotonic() if self._pings else None

    def owes_answer(self):
        """True if there is something to say yet, apart from what commands in the engine room will say."""
        return bool(self._pings)

    def on_loaded(self):
        """The engine can be asked."""
        self._answer_pings()

    def on_done(self):
        """The engine room has carried out one more command."""
        self._answer_pings()

    def on_waited(self):
        """Nothing happened for as long as `patience` said."""
        while self._pings and self._pings[0][1] <= monotonic():
            self.inform(f"still {self._desk.activity}")
            self._answer_ping()

    # Commands that are obeyed at once. Their docstrings are what `help` prints.

    def _identify(self, word):
        """uci: name the engine and its options"""
        lines = [f"id name BlueKrait {__version__}", "id author the BlueKrait authors"]
        self._desk.write("\n".join([*lines, *map(announcement, announced()), "uciok"]))

    def _take_ping(self, word):
        """isready: say readyok when the commands before it are done, during go at once"""
        self._pings.append((self._desk.given, monotonic() + PING_PATIENCE))
        self._answer_pings()

    def _answer_pings(self):
        done = self._desk.done
        is_thinking = done < self._last_go
        while self._desk.is_loaded and self._pings and (is_thinking or self._pings[0][0] <= done):
            self._answer_ping()

    def _answer_ping(self):
        self._pings.popleft()
        self._desk.write("readyok")

    def _stop(self, word):
        """stop: end what was started by go"""
        self._desk.room.stop()

    def _ponder_hit(self, word):
        """ponderhit: the move that go ponder was about was played, from now on the clock counts"""
        self._desk.room.ponder_hit()

    def _switch(self, word):
        """xboard: speak CECP from now on"""
        from bluekrait.uci.cecp.cecp_messages import Xboard

        self._desk.speak(Xboard)

    def _quit(self, word):
        """quit: leave, but let a script that says it at once have the answers it asked for"""
        self._desk.leave()

    def _help(self, word):
        """help: list the commands and the options"""
        commands = dict.fromkeys(command.__doc__ for command in [*AT_ONCE.values(), *IN_ORDER.values()])
        options = [f"option {option.name}: {option.help}" for option in OPTIONS]
        self._desk.write("\n".join([*commands, *options]))

    def _nod(self, word):
        """register: understood, nothing to do"""

    def _wonder(self, word):
        self.inform(f"unknown command {word[:40]!r}, help lists those there are")


AT_ONCE = {
    "uci": Uci._identify,
    "isready": Uci._take_ping,
    "stop": Uci._stop,
    "ponderhit": Uci._ponder_hit,
    "xboard": Uci._switch,
    "quit": Uci._quit,
    "help": Uci._help,
    "register": Uci._nod,
    "": Uci._nod,
}


def is_command(line):
    """True if the line begins with a command there is."""
    words = line.split()
    return bool(words) and (words[0] in AT_ONCE or words[0] in IN_ORDER)
