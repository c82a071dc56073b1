"""The message loop: it takes one message after another, and answers it or gives a command to the executor.

Other threads put messages into its mailbox, as drawn in docs/architecture.md: the input reader posts the
lines of standard input, and the executor posts what comes of loading the engine and of running commands.
Only the message loop prints. What a line means and how answers are worded is up to the protocol: UCI, until
a line asks for another one.
"""

from __future__ import annotations

import sys
from collections import deque
from queue import Empty, SimpleQueue

from bluekrait.core.timer import LONGEST_WAIT, monotonic
from bluekrait.uci import __version__
from bluekrait.uci.executor import Executor
from bluekrait.uci.exits import FAILED, SUCCESS, reason
from bluekrait.uci.single_file import was_replaced
from bluekrait.uci.streams.input_reader import InputReader
from bluekrait.uci.streams.output import StandardErrorLines, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from bluekrait.search.engine import Engine
    from bluekrait.uci.streams.debug_log import DebugLog

    ProtocolMaker = Callable[["MessageLoop"], "ChessProtocol"]

FIRST_WAIT = 0.05  # seconds for the first line; loading begins after it, so that `uciok` comes first
SCRIPT_SECONDS = 0.2  # `quit` so soon after a command comes from a script that still wants the answer


class ChessProtocol:
    """What the message loop expects of a protocol. It alone calls these methods."""

    def prepare(self, engine: Engine) -> None:
        """Make a loaded engine ready: its first search is to be as quick as the next."""

    def obey(self, line: str) -> None:
        """Handle one line of input: answer it at once, or give a command to the executor."""
        raise NotImplementedError

    def inform(self, text: str) -> None:
        """Print one line for the user."""
        raise NotImplementedError

    def owes_answer(self) -> bool:
        """True if an answer is due that does not come from a command in the executor."""
        raise NotImplementedError

    def patience(self) -> float | None:
        """Seconds after which `on_timeout` is to be called if no message comes, None for never."""
        return None

    def on_timeout(self) -> None:
        """No message came for as long as `patience` said."""

    def on_loaded(self) -> None:
        """The engine is loaded."""

    def on_done(self) -> None:
        """The executor has finished one more command."""


class MessageLoop:
    """One conversation, from the first line to the exit code."""

    def __init__(self, load_protocol: Callable[[str], ProtocolMaker]) -> None:
        self._load_protocol = load_protocol
        self.executor = Executor(self._post, lambda engine: self._protocol.prepare(engine))
        self.is_loaded = False
        self.activity = "loading the engine"
        self.given = 0  # commands given to the executor so far
        self.done = 0  # how many of them are done
        self._mailbox: SimpleQueue[tuple[Any, ...]] = SimpleQueue()
        self._reader = InputReader(self._post)
        self._log: DebugLog | None = None
        self._protocol = load_protocol("uci")(self)
        self._script: deque[str] = deque()  # commands of the command line that are still to run
        self._is_script = False  # the commands come from the command line: the first error ends it
        self._last_question = 0  # the number of the latest command that has an answer
        self._question_time = 0.0
        self._last_stopped = 0  # the number of the latest of them that was stopped
        self._is_compiling = False  # the engine has to be compiled before it is loaded
        self._awaits_loading = False  # `quit` came, and an answer waits for nothing but the engine
        self._exit_code: int | None = None

    # From the first line to the last.

    def converse(self) -> int:
        """Read commands from standard input until it ends or one of them is `quit`; the exit code."""
        sys.stderr = StandardErrorLines(lambda line: self._post("info", line))
        try:
            return self._converse()
        finally:
            sys.stderr = sys.__stderr__  # a traceback of the message loop itself is printed there

    def _converse(self) -> int:
        if self._is_terminal():
            write(f"BlueKrait {__version__}, a UCI chess engine: type help for the commands, quit to leave")
        self._reader.start()
        self._handle_message(FIRST_WAIT)
        return self._run()

    def _is_terminal(self) -> bool:
        return sys.stdin is not None and sys.stdin.isatty()

    def execute(self, commands: list[str]) -> int:
        """Run commands one after another, up to the first that fails; the exit code."""
        self._script.extend(commands)
        self._is_script = True
        self.executor.close_input()
        self._continue_script()
        return self._run()

    def _run(self) -> int:
        if self._exit_code is None:
            self.executor.start()
        while self._exit_code is None:
            self._handle_message(self._protocol.patience())
        return self._exit_code

    def _continue_script(self) -> None:
        """After the end of input, when nothing is under way: the next command of the script, or the end."""
        while self._exit_code is None and self.executor.input_closed and self._is_idle():
            if self._script:
                self._protocol.obey(self._script.popleft())
            else:
                self._exit_code = SUCCESS

    def _is_idle(self) -> bool:
        return self.done == self.given and not self._protocol.owes_answer()

    # Called by the protocol.

    def give(self, name: str, action: Callable[[], None], is_question: bool = False) -> None:
        """Give a command to the executor."""
        self.given += 1
        if is_question:
            self._last_question, self._question_time = self.given, monotonic()
        self.executor.give(name, action)

    def stop(self) -> None:
        """Stop what was given so far. Its answers come at once, so `quit` waits for them."""
        self.executor.stop()
        if self.is_loaded:
            self._last_stopped = self._last_question

    def line_is_done(self) -> None:
        """A line was handled completely: the reader may read one more ahead."""
        self._reader.line_is_done()

    def write(self, text: str) -> None:
        """Print text."""
        if self._log:
            self._log.sent(text)
        write(text)

    def switch_protocol(self, name: str) -> None:
        """Speak another protocol from now on."""
        self._protocol = self._load_protocol(name)(self)

    def obey(self, line: str) -> None:
        """Let the present protocol handle a line."""
        self._protocol.obey(line)

    def quit(self) -> None:
        """Leave; but if a script asked for answers, wait for them."""
        self._awaits_loading = self._owes_until_loaded()
        if self._is_terminal() or not (self._owes_script() or self._awaits_loading):
            self._exit_code = SUCCESS
        else:
            self.executor.close_input()

    def _owes_script(self) -> bool:
        """True if a question of a script has no answer yet."""
        is_script = monotonic() - self._question_time < SCRIPT_SECONDS
        is_stopped = self._last_stopped == self._last_question
        return (is_script or is_stopped) and self._is_question_open()

    def _is_question_open(self) -> bool:
        return self.done < self._last_question

    def _owes_until_loaded(self) -> bool:
        """True if answers wait for nothing but the engine, and this takes a moment: it is not compiled."""
        is_loading = not (self.is_loaded or self._is_compiling)
        return is_loading and self._protocol.owes_answer() and not self._is_question_open()

    # Messages.

    def _post(self, kind: str, *details: object) -> None:
        self._mailbox.put((kind, *details))

    def _handle_message(self, patience: float | None) -> None:
        try:
            wait = LONGEST_WAIT if patience is None else min(max(0, patience), LONGEST_WAIT)
            kind, *details = self._mailbox.get(timeout=wait)
        except Empty:
            kind, details = "timeout", []
        try:
            MESSAGES[kind](self, *details)
        except Exception as error:
            if not was_replaced():
                raise
            self._on_error(reason(error))
        self._continue_script()

    def _on_line(self, line: str) -> None:
        if not self.executor.input_closed:
            if self._log:
                self._log.received(line)
            self._protocol.obey(line)

    def _on_end_of_input(self) -> None:
        if self._is_question_open() and not self._owes_script():
            self._exit_code = SUCCESS
        self.executor.close_input()

    def _on_info(self, text: str) -> None:
        self._protocol.inform(text)

    def _on_error(self, text: str) -> None:
        self._protocol.inform(text)
        if self._is_script:
            self._exit_code = FAILED

    def _on_log_file(self, path: str) -> None:
        from bluekrait.uci.streams.debug_log import DebugLog  # hardly ever needed

        self._log = self._log or DebugLog()
        try:
            self._log.open(path)
        except OSError as error:
            self._on_error(f"no log is kept: {path}: {error.strerror}")
        except ValueError as error:  # it has a null byte, or a letter that the locale lacks
            self._on_error(f"no log is kept: {path}: {error}")

    def _on_done(self) -> None:
        self.done += 1
        self.line_is_done()
        self._protocol.on_done()

    def _on_compiled(self, done: int, total: int, what: str) -> None:
        from bluekrait.uci.progress import compiling_text  # in most starts, nothing is compiled

        self._is_compiling = True
        if self._awaits_loading:  # that takes too long
            self._exit_code = SUCCESS
            return
        self.activity = compiling_text(done, total, what)
        self._protocol.inform(self.activity)

    def _on_loaded(self) -> None:
        self.is_loaded = True
        self.activity = "at work"
        self._protocol.on_loaded()

    def _on_failed(self, message: str) -> None:
        self._protocol.inform(f"the engine cannot be loaded: {message}")
        self._exit_code = FAILED

    def _on_timeout(self) -> None:
        self._protocol.on_timeout()


# What is done about each kind of message.
MESSAGES: dict[str, Callable[..., None]] = {
    # from the input reader
    "line": MessageLoop._on_line,
    "end_of_input": MessageLoop._on_end_of_input,
    # from the executor
    "compiled": MessageLoop._on_compiled,
    "loaded": MessageLoop._on_loaded,
    "failed": MessageLoop._on_failed,
    "output": MessageLoop.write,
    "info": MessageLoop._on_info,
    "log_file": MessageLoop._on_log_file,
    "done": MessageLoop._on_done,
    # from both
    "error": MessageLoop._on_error,
    # no message came in time
    "timeout": MessageLoop._on_timeout,
}
