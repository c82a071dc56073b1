"""The UCI options. One row of the table announces an option, checks its values and explains it."""

from __future__ import annotations

import os

from bluekrait.core.memory.usable_memory import memory_megabytes
from bluekrait.uci.options.option_kinds import Button, Check, Combo, Spin, String

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bluekrait.uci.options.option_kinds import Option, OptionValue

EVALUATIONS = NETWORK, CLASSICAL = ("network", "classical")

OPTIONS = (
    Spin("Threads", 1, 1, max(256, os.cpu_count() or 1), "number of threads to search and to count with"),
    Spin("Hash", 16, 1, memory_megabytes(), "size of the transposition table in megabytes"),
    Button("Clear Hash", "clear the transposition table"),
    Spin("MultiPV", 1, 1, 218, "how many of the best moves to report"),
    Check("Ponder", False, "the GUI may let the engine think in the opponent's time"),
    Spin("Move Overhead", 20, 0, 5000, "milliseconds that a move may lose on its way to the board"),
    Check("UCI_AnalyseMode", False, "analyse instead of play: no book, full strength"),
    Check("UCI_Chess960", False, "write castling as king takes rook"),
    Check("UCI_ShowWDL", False, "report the chances of win, draw and loss in thousandths"),
    Check("UCI_LimitStrength", False, "limit the playing strength to UCI_Elo"),
    Spin("UCI_Elo", 1600, 800, 2800, "playing strength under UCI_LimitStrength"),
    Spin("Skill Level", 20, 0, 20, "playing strength, 20 for full strength"),
    String("UCI_Opponent", "title, rating, kind and name of the opponent"),
    Check("OwnBook", False, "play from BookFile as long as it knows the position"),
    String("BookFile", "an opening book in Polyglot's format"),
    Combo("Book Choice", "weighted", ("weighted", "best"), "which of the book's moves to play"),
    String("SyzygyPath", f"directories of Syzygy tablebases, {os.pathsep!r} between them"),
    Spin("SyzygyProbeDepth", 1, 1, 100, "least remaining depth at which the largest tables are probed"),
    Spin("SyzygyProbeLimit", 7, 0, 7, "probe positions of at most this many pieces"),
    Check("Syzygy50MoveRule", True, "wins that the fifty-move rule prevents count as draws"),
    String("EvalFile", "a network for the evaluation; empty for the one in the package, if there is one"),
    Combo("Evaluation", NETWORK, EVALUATIONS, "which evaluation the search uses"),
    String("Debug Log File", "a file for all input and output"),
    Spin("PerftHash", 0, 0, 65536, "size of perft's hash table in megabytes, 0 for none"),
    Combo(
        "PerftGenerator",
        "live",
        ("live", "cerulean", "dirgolem"),
        "the move generator that perft counts with",
    ),
)


class OptionError(ValueError):
    """There is no such option, or it cannot have this value."""


class Options:
    """The present values, by the names as the table spells them; one getter for each type."""

    def __init__(self) -> None:
        self._values: dict[str, OptionValue] = {option.name: option.default for option in OPTIONS}

    def set(self, name: str, value: OptionValue) -> None:
        """Change a value."""
        self._values[name] = value

    def is_on(self, name: str) -> bool:
        """The value of a check."""
        return bool(self._values[name])

    def number(self, name: str) -> int:
        """The value of a spin."""
        value = self._values[name]
        assert isinstance(value, int)
        return value

    def text(self, name: str) -> str:
        """The value of a string or a combo."""
        return str(self._values[name])


def find_option(name: str) -> Option:
    """The option of that name, however it is capitalised."""
    found = _named(name, OPTIONS) or _named(name, tunable())
    if not found:
        raise OptionError(f"no option is called {name[:40]!r}")
    return found


def _named(name: str, options: Iterable[Option]) -> Option | None:
    for option in options:
        if option.name.lower() == name.lower():
            return option
    return None


def tunable() -> list[Spin]:
    """The parameters of the search, for tuners."""
    from bluekrait.search.parameters import PARAMETERS

    return [Spin(one.name, one.value, one.low, one.high, "a parameter of the search") for one in PARAMETERS]


def announced() -> Sequence[Option]:
    """The options that a GUI is told of: the tunable ones only if the environment asks for them.

    Match runners set only options that were announced, so a tuner that uses one needs BLUEKRAIT_TUNE=1.
    """
    return [*OPTIONS, *tunable()] if os.environ.get("BLUEKRAIT_TUNE") else OPTIONS


def announcement(option: Option) -> str:
    """The line that tells a GUI of the option."""
    return f"option name {option.name} {option.announcement()}"


def parse_value(option: Option, text: str) -> OptionValue:
    """The value that `text` means for this option."""
    try:
        return option.parse(text)
    except ValueError as error:
        raise OptionError(f"option {option.name}: {error}") from None


def words_of_setting(line: str) -> list[str]:
    """The words of a line; what follows `value` is one of them, with all blanks that are in it."""
    words, rest = [], line.strip()
    while rest:
        word, *remainder = rest.split(maxsplit=1)
        words.append(word)
        rest = remainder[0] if remainder else ""
        if word.lower() == "value":
            return [*words, rest]
    return words


def parse_setting(words: list[str]) -> tuple[Option, OptionValue]:
    """Option and value from `name <option> value <value>`; both may consist of several words."""
    keywords = [word.lower() for word in words]
    if keywords[:1] != ["name"]:
        raise OptionError("expected setoption name <option> value <value>")
    end = keywords.index("value") if "value" in keywords else len(words)
    option = find_option(" ".join(words[1:end]))
    return option, parse_value(option, " ".join(words[end + 1 :]))
