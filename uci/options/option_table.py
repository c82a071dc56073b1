"""The UCI options. One row of the table announces an option, checks what is sent for it and explains it."""

import os

from bluekrait.uci.options.machine import memory_megabytes
from bluekrait.uci.options.option_kinds import Button, Check, Combo, Spin, String

OPTIONS = (
    Spin("Threads", 1, 1, max(256, os.cpu_count() or 1), "processor cores to use"),
    Spin("Hash", 16, 1, memory_megabytes(), "megabytes in which the search remembers positions"),
    Button("Clear Hash", "forget the positions that were searched"),
    Spin("MultiPV", 1, 1, 218, "how many of the best moves to report"),
    Check("Ponder", False, "the GUI may let the engine think in the other side's time"),
    Spin("Move Overhead", 20, 0, 5000, "milliseconds that a move may lose on its way to the board"),
    Check("UCI_AnalyseMode", False, "analyse rather than play: no book, no weaknesses"),
    Check("UCI_Chess960", False, "write castling as king takes rook"),
    Check("UCI_ShowWDL", False, "report the chances of win, draw and loss in thousandths"),
    Check("UCI_LimitStrength", False, "play as weakly as UCI_Elo says"),
    Spin("UCI_Elo", 1600, 800, 2800, "how strong to play under UCI_LimitStrength"),
    Spin("Skill Level", 20, 0, 20, "how strong to play, 20 for as well as possible"),
    String("UCI_Opponent", "", "title, rating, kind and name of the other side"),
    Check("OwnBook", False, "play from BookFile as long as it knows the position"),
    String("BookFile", "", "an opening book in Polyglot's format"),
    Combo("Book Choice", "weighted", ("weighted", "best"), "which of the book's moves to play"),
    String("SyzygyPath", "", f"directories of Syzygy tablebases, {os.pathsep!r} between them"),
    Spin(
        "SyzygyProbeDepth",
        1,
        1,
        100,
        "probe the largest tables only where so deep a search would follow",
    ),
    Spin("SyzygyProbeLimit", 7, 0, 7, "probe positions of at most so many pieces"),
    Check("Syzygy50MoveRule", True, "wins that the fifty-move rule spoils count as draws"),
    String("EvalFile", "", "a network for the evaluation"),
    String("Debug Log File", "", "a file that keeps everything that is said and heard"),
    Spin("PerftHash", 0, 0, 65536, "megabytes in which perft remembers positions, 0 for none"),
    Combo("PerftGenerator", "live", ("live", "cerulean", "dirgolem"), "whose moves perft counts"),
)


class OptionError(ValueError):
    """There is no such option, or it cannot have this value."""


class Options(dict):
    """The present values, under the names as the table spells them."""

    def __init__(self):
        super().__init__({option.name: option.default for option in OPTIONS})


def find_option(name):
    """The option of that name, however it is capitalised."""
    found = _named(name, OPTIONS) or _named(name, tunable())
    if not found:
        raise OptionError(f"no option is called {name[:40]!r}")
    return found


def _named(name, options):
    for option in options:
        if option.name.lower() == name.lower():
            return option
    return None


def tunable():
    """The numbers that shape the search, for tuners who know their names."""
    from bluekrait.search.parameters import PARAMETERS

    return [Spin(one.name, one.value, one.low, one.high, "shapes the search") for one in PARAMETERS]


def announced():
    """The options that a GUI is told of: no tunable ones, unless the environment asks for them.

    Match runners only set what was announced, so a tuner who uses one needs BLUEKRAIT_TUNE=1.
    """
    return [*OPTIONS, *tunable()] if os.environ.get("BLUEKRAIT_TUNE") else OPTIONS


def announcement(option):
    """The line that tells a GUI of the option."""
    return f"option name {option.name} {option.announcement()}"


def parse_value(option, text):
    """The value that `text` means for this option."""
    try:
        return option.parse(text)
    except ValueError as error:
        raise OptionError(f"option {option.name}: {error}") from None


def parse_setting(words):
    """Option and value out of `name <option> value <value>`; both may consist of several words."""
    keywords = [word.lower() for word in words]
    if keywords[:1] != ["name"]:
        raise OptionError("expected setoption name <option> value <value>")
    end = keywords.index("value") if "value" in keywords else len(words)
    option = find_option(" ".join(words[1:end]))
    return option, parse_value(option, " ".join(words[end + 1 :]))
