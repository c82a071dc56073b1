"""The front desk: it answers at once, passes on what takes longer, and never waits.

Three threads work together. The reader posts the lines of standard input, the engine room posts what comes
of loading the engine and of carrying out commands, and the front desk takes one message after another from
its mailbox. Only the front desk prints. What the lines mean, and how answers are worded, is up to the
protocol that it speaks: UCI, until it is told to speak another.
"""

import sys
from collections import deque
from queue import Empty, SimpleQueue

from bluekrait.core.timer import monotonic
from bluekrait.uci import __version__
from bluekrait.uci.debug_log import Transcript
from bluekrait.uci.executor import EngineRoom
from bluekrait.uci.exits import FAILED, SUCCESS
from bluekrait.uci.input_reader import Reader
from bluekrait.uci.output import StrayText, write
from bluekrait.uci.protocol.messages import Uci

HEAD_START = 0.05  # seconds for the GUI's first word; loading begins after it, so as not to slow down `uciok`
LONGEST_WAIT = 1.0  # seconds: an interrupt in the very moment in which a wait begins is noticed when it ends
BREATH = 1.0  # seconds in which a script says all it has to say; whoever leaves later has stopped listening


class FrontDesk:
    """One conversation, from the first line to the exit code."""

    def __init__(self):
        self.room = EngineRoom(self._post)
        self.is_loaded = False
        self.activity = "loading the engine"
        self.given = 0  # commands given to the engine room so far
        self.done = 0  # how many of them are done
        self._mailbox = SimpleQueue()
        self._reader = Reader(self._post)
        self._transcript = Transcript()
        self._protocol = Uci(self)
        self._script = deque()  # commands given on the command line
        self._is_script = False
        self._is_ended = False  # no more lines will come, or none that count
        self._last_question = 0  # the latest command that has an answer
        self._question_time = 0.0
        self._exit_code = None

    # From the first line to the last.

    def converse(self):
        """Talk with whoever is at standard input until he leaves; the exit code."""
        sys.stderr = StrayText(lambda line: self._post("informed", line))
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
        self._end_input()
        self._move_on()
        return self._work()

    def _work(self):
        if self._exit_code is None:
            self.room.start()
        while self._exit_code is None:
            self._handle_message(self._protocol.patience())
        return self._exit_code

    def _move_on(self):
        """When nothing is left to wait for, take the next command of the script, or leave after the last."""
        while self._exit_code is None and self._is_ended and self._is_idle():
            if self._script:
                self._protocol.obey(self._script.popleft())
            else:
                self._exit_code = SUCCESS

    def _is_idle(self):
        return self.done == self.given and not self._protocol.owes_answer()

    # What a protocol calls.

    def give(self, command, words, is_question=False):
        """Have a command carried out in the engine room."""
        self.given += 1
        if is_question:
            self._last_question, self._question_time = self.given, monotonic()
        self.room.give(command, words)

    def line_is_done(self):
        """Nothing more will come of one line that was obeyed."""
        self._reader.line_is_done()

    def write(self, text):
        """Print text."""
        self._transcript.said(text)
        write(text)

    def speak(self, protocol):
        """Speak another protocol from now on."""
        self._protocol = protocol(self)
        return self._protocol

    def leave(self):
        """Leave, but let a script have the answers it asked for."""
        if self._is_terminal() or not self._owes_script():
            self._exit_code = SUCCESS
        else:
            self._end_input()

    def _owes_script(self):
        """True if there are answers to come, and whoever asked did not wait long before he left."""
        is_script = self._is_script or monotonic() - self._question_time < BREATH
        return is_script and self.done < self._last_question

    def _end_input(self):
        self._is_ended = True
        self.room.leave_alone()

    # Messages.

    def _post(self, kind, *details):
        self._mailbox.put((kind, *details))

    def _handle_message(self, patience):
        try:
            wait = LONGEST_WAIT if patience is None else min(max(0, patience), LONGEST_WAIT)
            kind, *details = self._mailbox.get(timeout=wait)
        except Empty:
            kind, details = "waited", ()
        MESSAGES[kind](self, *details)
        self._move_on()

    def _on_line(self, line):
        if not self._is_ended:
            self._transcript.heard(line)
            self._protocol.obey(line)

    def _on_ended(self):
        if self.done < self._last_question and not self._owes_script():
            self._exit_code = SUCCESS
        self._end_input()

    def _on_informed(self, text):
        self._protocol.inform(text)

    def _on_complained(self, text):
        self._protocol.inform(text)
        if self._is_script:
            self._exit_code = FAILED

    def _on_logged(self, path):
        try:
            self._transcript.open(path)
        except OSError as error:
            self._on_complained(f"no log is kept: {error}")

    def _on_done(self):
        self.done += 1
        self.line_is_done()
        self._protocol.on_done()

    def _on_compiled(self, done, total, what):
        self.activity = f"compiling, {100 * done // total} % ({what})"
        self._protocol.inform(self.activity)

    def _on_loaded(self):
        self.is_loaded = True
        self.activity = "at work"
        self._protocol.on_loaded()

    def _on_failed(self, message):
        self._protocol.inform(f"the engine cannot be loaded: {message}")
        self._exit_code = FAILED

    def _on_waited(self):
        self._protocol.on_waited()


MESSAGES = {
    "line": FrontDesk._on_line,
    "ended": FrontDesk._on_ended,
    "said": FrontDesk.write,
    "informed": FrontDesk._on_informed,
    "complained": FrontDesk._on_complained,
    "logged": FrontDesk._on_logged,
    "done": FrontDesk._on_done,
    "compiled": FrontDesk._on_compiled,
    "loaded": FrontDesk._on_loaded,
    "failed": FrontDesk._on_failed,
    "waited": FrontDesk._on_waited,
}
