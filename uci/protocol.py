"""The UCI loop, seen as a front desk: it answers at once, passes on what takes longer, and never waits.

Three threads work together. The reader posts the lines of standard input, the engine room posts what comes
of loading the engine and of carrying out commands, and the front desk takes one message after another from
its mailbox. Only the front desk prints.
"""

import sys
from collections import deque
from queue import Empty, SimpleQueue
from time import monotonic

from bluekrait.uci import __version__
from bluekrait.uci.commands import IN_ORDER
from bluekrait.uci.engine_room import EngineRoom
from bluekrait.uci.exits import FAILED, SUCCESS
from bluekrait.uci.options import OPTIONS, announcement
from bluekrait.uci.output import StrayText, info_string, write
from bluekrait.uci.reader import Reader

HEAD_START = 0.05  # seconds for the GUI's first word; loading begins after it, so as not to slow down `uciok`
ANSWERED = ("go", "d", "moves", "compiler")  # commands whose whole point is what they print
PING_PATIENCE = 8.0  # seconds an `isready` may have to wait; GUIs give up after ten or fifteen


class FrontDesk:
    """One conversation, from the first line to the exit code."""

    def __init__(self):
        self._mailbox = SimpleQueue()
        self._reader = Reader(self._post)
        self._room = EngineRoom(self._post)
        self._script = deque()  # commands given on the command line
        self._is_script = False
        self._is_ended = False  # no more lines will come, or none that count
        self._is_loaded = False
        self._activity = "loading the engine"
        self._given = 0  # commands given to the engine room so far
        self._last_go = 0  # the latest of them that was a `go`
        self._last_question = 0  # and that has an answer
        self._done = 0  # how many of them are done
        self._pings = deque()  # unanswered `isready`s: commands given before it, end of its patience
        self._exit_code = None

    def converse(self):
        """Talk with whoever is at standard input until he leaves; the exit code."""
        sys.stderr = StrayText(lambda line: self._post("complained", line))
        try:
            return self._converse()
        finally:
            sys.stderr = sys.__stderr__  # should the front desk itself break down, it can be read there

    def _converse(self):
        if self._is_terminal():
            write(f"BlueKrait {__version__}, a UCI chess engine: type help for the commands, quit to leave")
        self._reader.start()
        self._handle_message(HEAD_START)
        return self._work()

    def _is_terminal(self):
        return sys.stdin is not None and sys.stdin.isatty()

    def execute(self, commands):
        """Carry out commands one after another, up to the first that fails; the exit code."""
        self._script.extend(commands)
        self._is_script = True
        self._on_ended()
        self._move_on()
        return self._work()

    def _work(self):
        if self._exit_code is None:
            self._room.start()
        while self._exit_code is None:
            self._handle_message(self._pings[0][1] - monotonic() if self._pings else None)
        return self._exit_code

    def _move_on(self):
        """When nothing is left to wait for, take the next command of the script, or leave after the last."""
        while self._exit_code is None and self._is_ended and self._done == self._given and not self._pings:
            if self._script:
                self._obey(self._script.popleft())
            else:
                self._exit_code = SUCCESS

    def _obey(self, line):
        word, *words = line.split() or [""]
        if word in IN_ORDER:
            self._give(word, words)
        else:
            AT_ONCE.get(word, FrontDesk._wonder)(self, word)
            self._reader.line_is_done()

    def _give(self, word, words):
        self._given += 1
        if word == "go":
            self._last_go = self._given
        if word in ANSWERED:
            self._last_question = self._given
        self._room.give(IN_ORDER[word], words)

    # Messages.

    def _post(self, kind, *details):
        self._mailbox.put((kind, *details))

    def _handle_message(self, patience):
        try:
            kind, *details = self._mailbox.get(timeout=patience and max(0, patience))
        except Empty:
            kind, details = "waited", ()
        MESSAGES[kind](self, *details)
        self._move_on()

    def _on_line(self, line):
        if not self._is_ended:
            self._obey(line)

    def _on_ended(self):
        self._is_ended = self._room.is_alone = True

    def _on_complained(self, text):
        write(info_string(text))
        if self._is_script:
            self._exit_code = FAILED

    def _on_done(self):
        self._done += 1
        self._reader.line_is_done()
        self._answer_pings()

    def _on_compiled(self, done, total, what):
        self._activity = f"compiling, {100 * done // total} % ({what})"
        write(info_string(self._activity))

    def _on_loaded(self):
        self._is_loaded = True
        self._activity = "at work"
        self._answer_pings()

    def _on_failed(self, message):
        write(info_string(f"the engine cannot be loaded: {message}"))
        self._exit_code = FAILED

    def _on_waited(self):
        while self._pings and self._pings[0][1] <= monotonic():
            write(info_string(f"still {self._activity}"))
            self._answer_ping()

    # Commands that are obeyed at once. Their docstrings are what `help` prints.

    def _identify(self, word):
        """uci: name the engine and its options"""
        lines = [f"id name BlueKrait {__version__}", "id author the BlueKrait authors"]
        write("\n".join([*lines, *map(announcement, OPTIONS), "uciok"]))

    def _take_ping(self, word):
        """isready: say readyok when the commands before it are done, during go at once"""
        self._pings.append((self._given, monotonic() + PING_PATIENCE))
        self._answer_pings()

    def _answer_pings(self):
        is_thinking = self._done < self._last_go
        while self._is_loaded and self._pings and (is_thinking or self._pings[0][0] <= self._done):
            self._answer_ping()

    def _answer_ping(self):
        self._pings.popleft()
        write("readyok")

    def _stop(self, word):
        """stop, ponderhit: end what was started by go"""
        self._room.stop()

    def _quit(self, word):
        """quit: leave, from a terminal at once, else when the questions before it are answered"""
        if self._is_terminal() or self._done >= self._last_question:
            self._exit_code = SUCCESS
        else:  # a script, that would lose its results
            self._on_ended()

    def _help(self, word):
        """help: list the commands and the options"""
        commands = dict.fromkeys(command.__doc__ for command in [*AT_ONCE.values(), *IN_ORDER.values()])
        options = [f"option {option.name}: {option.help}" for option in OPTIONS]
        write("\n".join([*commands, *options]))

    def _nod(self, word):
        """ucinewgame, debug, register: understood, nothing to do"""

    def _wonder(self, word):
        self._on_complained(f"unknown command {word[:40]!r}, help lists those there are")


MESSAGES = {
    "line": FrontDesk._on_line,
    "ended": FrontDesk._on_ended,
    "said": lambda desk, text: write(text),
    "complained": FrontDesk._on_complained,
    "done": FrontDesk._on_done,
    "compiled": FrontDesk._on_compiled,
    "loaded": FrontDesk._on_loaded,
    "failed": FrontDesk._on_failed,
    "waited": FrontDesk._on_waited,
}

AT_ONCE = {
    "uci": FrontDesk._identify,
    "isready": FrontDesk._take_ping,
    "stop": FrontDesk._stop,
    "ponderhit": FrontDesk._stop,
    "quit": FrontDesk._quit,
    "help": FrontDesk._help,
    "ucinewgame": FrontDesk._nod,
    "debug": FrontDesk._nod,
    "register": FrontDesk._nod,
    "": FrontDesk._nod,
}


def is_command(line):
    """True if the line begins with a command there is."""
    words = line.split()
    return bool(words) and (words[0] in AT_ONCE or words[0] in IN_ORDER)
