"""The Universal Chess Interface: what each line asks for, and when it is answered.

The commands that need the engine are imported when the first of them comes, after `uciok`.
"""

from __future__ import annotations

from collections import deque
from functools import partial

from bluekrait.core.timer import monotonic
from bluekrait.uci import __version__
from bluekrait.uci.exits import one_line
from bluekrait.uci.message_loop import ChessProtocol
from bluekrait.uci.options.option_table import OPTIONS, announced, announcement, words_of_setting
from bluekrait.uci.streams.output import info_string

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bluekrait.search.engine import Engine
    from bluekrait.uci.message_loop import MessageLoop

PING_PATIENCE = 8.0  # seconds that an `isready` may wait; GUIs give up after ten or fifteen


class Uci(ChessProtocol):
    """The message loop's side of UCI."""

    def __init__(self, loop: MessageLoop) -> None:
        self._loop = loop
        self._last_go = 0  # number of the latest command given to the executor that was a `go`
        # `isready`s without an answer: commands given before it, and the time at which its patience ends
        self._pings: deque[tuple[int, float]] = deque()

    def prepare(self, engine: Engine) -> None:
        """Search once, in the executor's thread."""
        from bluekrait.uci.first_search import search_once
        from bluekrait.uci.protocol.commands import go

        search_once(engine, lambda session: go(session, ["depth", "1"]))

    def obey(self, line: str) -> None:
        """Handle one line of input."""
        line = self._skip_unknown(line)
        word, *words = line.split() or [""]
        if word == "setoption":
            words = words_of_setting(line)[1:]
        if word in IMMEDIATE or not is_command(word):
            IMMEDIATE.get(word, Uci._unknown)(self, word)
            self._loop.line_is_done()
        else:
            self._give(word, words)

    def _skip_unknown(self, line: str) -> str:
        """The line without unknown words before a command of UCI, which are to be ignored."""
        words = line.split()
        place = next((place for place, word in enumerate(words) if word in OWN_WORDS), 0)
        if place == 0 or is_command(line):
            return line
        skipped = " ".join(words[:place])
        self.inform(f"ignored before {words[place]}: {skipped[:40]!r}")
        return line.split(maxsplit=place)[place]

    def _give(self, word: str, words: list[str]) -> None:
        """Let the executor run a command."""
        from bluekrait.uci.protocol.commands import COMMANDS, QUESTIONS

        action = partial(COMMANDS[word], self._loop.executor.session, words)
        self._loop.give(word, action, is_question=word in QUESTIONS)
        if word == "go":
            self._last_go = self._loop.given

    def inform(self, text: str) -> None:
        """Print an `info string`."""
        self._loop.write(info_string(text))

    def owes_answer(self) -> bool:
        """True if a `readyok` is due."""
        return bool(self._pings)

    def patience(self) -> float | None:
        """Seconds until the first `isready` must be answered, None if there is none."""
        return self._pings[0][1] - monotonic() if self._pings else None

    def on_timeout(self) -> None:
        """Answer every `isready` that has waited for too long."""
        while self._pings and self._pings[0][1] <= monotonic():
            self.inform(f"still {self._loop.activity}")
            self._answer_ping()

    def on_loaded(self) -> None:
        """Answer `isready`."""
        self._answer_pings()

    def on_done(self) -> None:
        """Answer `isready` if it waited for this command."""
        self._answer_pings()

    def _answer_pings(self) -> None:
        done = self._loop.done
        is_searching = done < self._last_go
        while self._loop.is_loaded and self._pings and (is_searching or self._pings[0][0] <= done):
            self._answer_ping()

    def _answer_ping(self) -> None:
        self._pings.popleft()
        self._loop.write("readyok")

    # Commands that need no engine. Their docstrings are what `help` prints.

    def _identify(self, word: str) -> None:
        """uci: name the engine and its options"""
        lines = [f"id name BlueKrait {__version__}", "id author the BlueKrait authors"]
        self._loop.write("\n".join([*lines, *map(announcement, announced()), "uciok"]))

    def _ping(self, word: str) -> None:
        """isready: print readyok when the commands before it are done, or at once during go"""
        self._pings.append((self._loop.given, monotonic() + PING_PATIENCE))
        self._answer_pings()

    def _stop(self, word: str) -> None:
        """stop: stop the search that go started"""
        self._loop.stop()

    def _ponder_hit(self, word: str) -> None:
        """ponderhit: the opponent played the move that go ponder expected; from now on the clock counts"""
        self._loop.executor.ponder_hit()

    def _switch_to_xboard(self, word: str) -> None:
        """xboard: speak CECP from now on"""
        self._loop.switch_protocol("xboard")

    def _quit(self, word: str) -> None:
        """quit: leave; a script that sends it at once gets its answers first"""
        self._loop.quit()

    def _help(self, word: str) -> None:
        """help: list the commands and the options"""
        from bluekrait.uci.protocol.commands import COMMANDS

        commands = dict.fromkeys(map(help_line, [*IMMEDIATE, *COMMANDS]))
        options = [f"option {option.name}: {option.help}" for option in OPTIONS]
        self._loop.write("\n".join([*commands, *options]))

    def _ignore(self, word: str) -> None:
        """register: accepted, without effect"""

    def _unknown(self, word: str) -> None:
        self.inform(f"unknown command {word[:40]!r}, type help for a list")


IMMEDIATE: dict[str, Callable[[Uci, str], None]] = {
    "uci": Uci._identify,
    "isready": Uci._ping,
    "stop": Uci._stop,
    "ponderhit": Uci._ponder_hit,
    "xboard": Uci._switch_to_xboard,
    "quit": Uci._quit,
    "help": Uci._help,
    "register": Uci._ignore,
    "": Uci._ignore,
}


# The commands that the text of UCI knows; the others are our own.
OWN_WORDS = frozenset(
    {"uci", "debug", "isready", "setoption", "register", "ucinewgame"}
    | {"position", "go", "stop", "ponderhit", "quit"}
)


def help_line(name: str) -> str:
    """What `help` prints about a command."""
    from bluekrait.uci.protocol.commands import COMMANDS

    return one_line((IMMEDIATE.get(name) or COMMANDS[name]).__doc__)


def is_command(line: str) -> bool:
    """True if the line begins with a command that exists."""
    from bluekrait.uci.protocol.commands import COMMANDS

    words = line.split()
    return bool(words) and (words[0] in IMMEDIATE or words[0] in COMMANDS)
