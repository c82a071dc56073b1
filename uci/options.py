"""The UCI options. One row of the table announces an option, checks what is sent for it and explains it."""

import os
from collections import namedtuple

from bluekrait.uci.numbers import parse_whole

Option = namedtuple("Option", "name kind default low high help")

OPTIONS = (
    Option("Threads", "spin", 1, 1, max(256, os.cpu_count() or 1), "processor cores to use"),
    Option("PerftHash", "spin", 0, 0, 65536, "megabytes in which perft remembers positions, 0 for none"),
    Option("UCI_Chess960", "check", False, None, None, "write castling as king takes rook"),
)


class OptionError(ValueError):
    """There is no such option, or it cannot have this value."""


def find_option(name):
    """The option of that name, however it is capitalised."""
    for option in OPTIONS:
        if option.name.lower() == name.lower():
            return option
    raise OptionError(f"no option is called {name[:40]!r}")


def announcement(option):
    """The line that tells a GUI of the option."""
    line = f"option name {option.name} type {option.kind} default {spelled(option.default)}"
    return f"{line} min {option.low} max {option.high}" if option.kind == "spin" else line


def spelled(value):
    """The value as UCI writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def parse_value(option, text):
    """The value that `text` means for this option."""
    try:
        return _PARSERS[option.kind](option, text)
    except ValueError as error:
        raise OptionError(f"option {option.name}: {error}") from None


def _parse_spin(option, text):
    return parse_whole(text, option.low, option.high)


def _parse_check(option, text):
    if text.lower() not in ("true", "false"):
        raise ValueError(f"expected true or false, not {text[:40]!r}")
    return text.lower() == "true"


_PARSERS = {"spin": _parse_spin, "check": _parse_check}


class Options:
    """The present values, under the names as the table spells them."""

    def __init__(self):
        self._values = {option.name: option.default for option in OPTIONS}

    def __getitem__(self, name):
        return self._values[name]

    def set(self, words):
        """Obey the words after `setoption`; an OptionError leaves all values as they were."""
        name, value = _split(words)
        option = find_option(name)
        self._values[option.name] = parse_value(option, value)


def _split(words):
    """Name and value out of `name <id> value <x>`; both may consist of several words."""
    keywords = [word.lower() for word in words]
    if keywords[:1] != ["name"]:
        raise OptionError("expected setoption name <option> value <value>")
    end = keywords.index("value") if "value" in keywords else len(words)
    return " ".join(words[1:end]), " ".join(words[end + 1 :])
