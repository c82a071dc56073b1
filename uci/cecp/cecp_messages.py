"""CECP, the protocol of xboard and of the engines before UCI, in its second version.

The message loop speaks it after the line `xboard`; if `uci` follows, as from GUIs that try both, it goes back
to UCI. The commands that change the game are run by the executor.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bluekrait.uci.cecp.cecp_commands import COMMANDS
from bluekrait.uci.cecp.cecp_features import DONE, NOT_DONE, features
from bluekrait.uci.cecp.cecp_game import CecpGame, show_first_line
from bluekrait.uci.cecp.wording import looks_like_move
from bluekrait.uci.message_loop import ChessProtocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from bluekrait.search.engine import Engine
    from bluekrait.uci.message_loop import MessageLoop

QUESTIONS = ("go", "usermove", "bk", "hint", "ping")  # commands that may have an answer
# Commands that do not end a background search, which analyses or ponders until the next command.
HARMLESS = ("time", "post", "nopost", "hint", "ping")
# Commands after which nobody wants the move that the engine is thinking about.
DISMISSING = ("new", "variant", "setboard", "force", "undo", "remove", "result", "analyze", "exit")

# Commands that end in a text, a path for example, whose blanks count; and how many words stand before it.
WORDS_BEFORE_TEXT = {"option": 1, "egtpath": 2}


class Xboard(ChessProtocol):
    """The message loop's side of CECP."""

    def __init__(self, loop: MessageLoop) -> None:
        self._loop = loop
        self._executor = loop.executor
        self._game = CecpGame(loop.executor.session)
        self._background = 0  # the number of the command that runs the background search
        self._owes_features = False
        self._give("new", [])

    def prepare(self, engine: Engine) -> None:
        """Search once, in the executor's thread."""
        from bluekrait.uci.first_search import search_once

        search_once(engine, show_first_line)

    def obey(self, line: str) -> None:
        """Handle one line of input."""
        word, *words = line.split() or [""]
        if word in WORDS_BEFORE_TEXT:
            words = line.strip().split(maxsplit=WORDS_BEFORE_TEXT[word])[1:]
        elif looks_like_move(word):
            word, words = "usermove", [word]
        if word == "uci":
            self._switch_to_uci(line)
        elif word in COMMANDS:
            self._obey_in_order(word, words)
        else:
            IMMEDIATE.get(word, Xboard._unknown)(self, line)
            self._loop.line_is_done()

    def _obey_in_order(self, word: str, words: list[str]) -> None:
        if self._is_searching_in_background() and word in HARMLESS:
            self._obey_meanwhile(word, words)
        elif self._is_hit(word, words):
            self._background = 0
            self._game.clock.start()
            self._executor.ponder_hit()
            self._loop.line_is_done()
        else:
            if self._is_searching_in_background() or word in DISMISSING:
                self._background = 0
                self._executor.dismiss()
            self._give(word, words)

    def _is_hit(self, word: str, words: list[str]) -> bool:
        is_pondering = self._is_searching_in_background() and not self._game.is_analysing
        return is_pondering and word == "usermove" and words == [self._game.hint]

    def _give(self, word: str, words: list[str]) -> None:
        self._loop.give(word, partial(COMMANDS[word], self._game, words), is_question=word in QUESTIONS)

    def _obey_meanwhile(self, word: str, words: list[str]) -> None:
        try:
            COMMANDS[word](self._game, words)
        except ValueError as error:
            self.inform(str(error))
        self._loop.line_is_done()

    def _is_searching_in_background(self) -> bool:
        return self._loop.done < self._background

    # Called by the message loop.

    def inform(self, text: str) -> None:
        """Print a comment."""
        self._loop.write(f"# {text}")

    def owes_answer(self) -> bool:
        """True if the features are still to be printed."""
        return self._owes_features

    def on_loaded(self) -> None:
        """Print the features if they were asked for."""
        if self._owes_features:
            self._print_features()

    def on_done(self) -> None:
        """After the last command, begin the background search."""
        is_idle = self._loop.done == self._loop.given and not self._executor.input_closed
        if is_idle and self._game.wants_background_search():
            self._loop.give("background search", self._game.search_in_background)
            self._background = self._loop.given

    # Commands that are handled at once.

    def _protover(self, line: str) -> None:
        self._loop.write(NOT_DONE)
        self._owes_features = True
        if self._loop.is_loaded:
            self._print_features()

    def _print_features(self) -> None:
        self._owes_features = False
        self._loop.write("\n".join([*features(), DONE]))

    def _move_now(self, line: str) -> None:
        if not self._is_searching_in_background():
            self._loop.stop()

    def _print_status(self, line: str) -> None:
        if status := self._game.status():
            self._loop.write(status)

    def _switch_to_uci(self, line: str) -> None:
        self._executor.dismiss()
        self._loop.give("uci", self._game.leave)
        self._loop.switch_protocol("uci")
        self._loop.obey(line)

    def _quit(self, line: str) -> None:
        self._loop.quit()

    def _ignore(self, line: str) -> None:
        pass

    def _unknown(self, line: str) -> None:
        self._loop.write(f"Error (unknown command): {line.strip()[:40]}")


IMMEDIATE: dict[str, Callable[[Xboard, str], None]] = {
    "protover": Xboard._protover,
    "?": Xboard._move_now,
    ".": Xboard._print_status,
    "quit": Xboard._quit,
    **dict.fromkeys(("", "xboard", "accepted", "rejected", "random", "draw"), Xboard._ignore),
    **dict.fromkeys(("computer", "name", "rating", "ics", "otim"), Xboard._ignore),
}
