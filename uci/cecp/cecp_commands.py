"""The CECP commands that the executor runs, one after another.

Each takes the game and the words after its name. A ValueError becomes one line for the user.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from bluekrait.core.notation.san_and_uci import MoveError
from bluekrait.uci.cecp.cecp_features import VARIANTS, option_value
from bluekrait.uci.cecp.wording import read_move
from bluekrait.uci.option_effects import set_option
from bluekrait.uci.options.option_table import find_option, parse_value

if TYPE_CHECKING:
    from collections.abc import Callable

    from bluekrait.uci.cecp.cecp_game import CecpGame


# The game.


def new(game: CecpGame, words: list[str]) -> None:
    """Begin a game from the usual starting position; the engine plays Black."""
    engine = game.session.engine
    engine.new_game()
    engine.chess960 = False
    game.set_up(None)
    game.engine_side = game.turn ^ 1
    game.clock.restart()
    game.clock.clear_depth()


def variant(game: CecpGame, words: list[str]) -> None:
    """Play by other rules; the position follows."""
    if " ".join(words) not in VARIANTS:
        raise ValueError(f"variant {' '.join(words)[:40]!r} is not one of {', '.join(VARIANTS)}")
    game.session.engine.chess960 = words == ["fischerandom"]


def setboard(game: CecpGame, words: list[str]) -> None:
    """Set up a FEN."""
    try:
        game.set_up(" ".join(words))
    except ValueError as error:
        game.session.say(f"tellusererror Illegal position: {error}")


def force(game: CecpGame, words: list[str]) -> None:
    """Play neither side."""
    game.engine_side = None


def go(game: CecpGame, words: list[str]) -> None:
    """Play the side to move, and move."""
    game.engine_side = game.turn
    game.move_if_on_turn()


def playother(game: CecpGame, words: list[str]) -> None:
    """Play the side that is not to move."""
    game.engine_side = game.turn ^ 1


def usermove(game: CecpGame, words: list[str]) -> None:
    """Make a move, and answer it if the engine plays the other side."""
    text = " ".join(words)
    try:
        move = read_move(text, game.session.engine)
    except MoveError:
        game.session.say(f"Illegal move: {text[:40]}")
    else:
        game.play(move)
        game.move_if_on_turn()


def undo(game: CecpGame, words: list[str]) -> None:
    """Take back one move."""
    game.take_back(1)


def remove(game: CecpGame, words: list[str]) -> None:
    """Take back a move of each side."""
    game.take_back(2)


def result(game: CecpGame, words: list[str]) -> None:
    """The game is over."""
    game.engine_side = None


# Thinking.


def level(game: CecpGame, words: list[str]) -> None:
    """So many moves in so much time, and an increment."""
    _set_clock(game.clock.set_level, "level 40 5:30 2.5", words)


def st(game: CecpGame, words: list[str]) -> None:
    """So many seconds for each move."""
    _set_clock(game.clock.set_per_move, "st 10", words)


def sd(game: CecpGame, words: list[str]) -> None:
    """Limit the depth."""
    _set_clock(game.clock.set_depth, "sd 12", words)


def time(game: CecpGame, words: list[str]) -> None:
    """The remaining time of the engine."""
    _set_clock(game.clock.set_remaining, "time 6000", words)


def _set_clock(setter: Callable[..., None], example: str, words: list[str]) -> None:
    """Give the words of a command to the clock. A ValueError shows what they should look like."""
    name, *expected = example.split()
    if len(words) == len(expected):
        with suppress(ValueError, OverflowError):
            return setter(*words)
    given = " ".join([name, *words])
    raise ValueError(f"expected something like {example!r}, not {given[:40]!r}")


def post(game: CecpGame, words: list[str]) -> None:
    """Show the lines that are found."""
    game.shows_thinking = True


def nopost(game: CecpGame, words: list[str]) -> None:
    """Do not show them."""
    game.shows_thinking = False


def hard(game: CecpGame, words: list[str]) -> None:
    """Ponder: think in the opponent's time, too."""
    game.ponders = True


def easy(game: CecpGame, words: list[str]) -> None:
    """Do not ponder."""
    game.ponders = False


def analyze(game: CecpGame, words: list[str]) -> None:
    """Analyse every position that is set up or reached from now on."""
    game.is_analysing = True


def leave_analysis(game: CecpGame, words: list[str]) -> None:
    """Do not analyse any more; the engine plays neither side, even if `new` came meanwhile."""
    game.is_analysing = False
    game.engine_side = None


def hint(game: CecpGame, words: list[str]) -> None:
    """Print the answer that the engine expects."""
    if game.hint:
        game.session.say(f"Hint: {game.hint}")


def bk(game: CecpGame, words: list[str]) -> None:
    """Print the moves of the book, then an empty line."""
    engine, book = game.session.engine, game.session.book
    known = book.moves(engine.position, engine.legal_moves()) if book else []
    game.session.say("".join(f" {game.move_text(move)} {weight}\n" for move, weight in known))


# Settings.


def memory(game: CecpGame, words: list[str]) -> None:
    """Use so many megabytes."""
    _set(game, "Hash", " ".join(words))


def cores(game: CecpGame, words: list[str]) -> None:
    """Use so many threads."""
    _set(game, "Threads", " ".join(words))


def egtpath(game: CecpGame, words: list[str]) -> None:
    """Look for tablebases of one kind in these directories."""
    if words[:1] == ["syzygy"]:
        _set(game, "SyzygyPath", " ".join(words[1:]))


def option(game: CecpGame, words: list[str]) -> None:
    """<name>=<value>, or the name of a button."""
    name, _, value = " ".join(words).partition("=")
    _set(game, name, value)


def _set(game: CecpGame, name: str, text: str) -> None:
    found = find_option(name)
    set_option(game.session, found, parse_value(found, option_value(found, text)))


def ping(game: CecpGame, words: list[str]) -> None:
    """Answer that everything before it is done."""
    game.session.say(" ".join(["pong", *words]))


COMMANDS: dict[str, Callable[[CecpGame, list[str]], None]] = {
    "new": new,
    "variant": variant,
    "setboard": setboard,
    "force": force,
    "go": go,
    "playother": playother,
    "usermove": usermove,
    "undo": undo,
    "remove": remove,
    "result": result,
    "level": level,
    "st": st,
    "sd": sd,
    "time": time,
    "post": post,
    "nopost": nopost,
    "hard": hard,
    "easy": easy,
    "analyze": analyze,
    "exit": leave_analysis,
    "hint": hint,
    "bk": bk,
    "memory": memory,
    "cores": cores,
    "egtpath": egtpath,
    "option": option,
    "ping": ping,
}
