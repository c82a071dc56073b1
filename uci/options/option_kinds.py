"""The kinds of UCI options: how each is announced, and which values it accepts.

A row of the table of options is one of these.
"""

from __future__ import annotations

from bluekrait.uci.numbers import parse_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    OptionValue = bool | int | str | None  # None for a button

EMPTY = "<empty>"  # how UCI writes an empty string


class Option:
    """What all kinds have in common."""

    default: OptionValue  # the value before it is changed

    def __init__(self, name: str, help: str) -> None:
        self.name = name
        self.help = help

    def announcement(self) -> str:
        """What follows the name in the line that tells a GUI of the option."""
        raise NotImplementedError

    def parse(self, text: str) -> OptionValue:
        """The value that `text` means."""
        raise NotImplementedError


class Check(Option):
    """True or false."""

    def __init__(self, name: str, default: bool, help: str) -> None:
        super().__init__(name, help)
        self.default: bool = default

    def announcement(self) -> str:
        """Kind and default."""
        return f"type check default {str(self.default).lower()}"

    def parse(self, text: str) -> bool:
        """`true` or `false`, however capitalised."""
        if text.lower() not in ("true", "false"):
            raise ValueError(f"expected true or false, not {text[:40]!r}")
        return text.lower() == "true"


class Spin(Option):
    """A whole number within bounds."""

    def __init__(self, name: str, default: int, low: int, high: int, help: str) -> None:
        super().__init__(name, help)
        self.default: int = default
        self.low = low
        self.high = high

    def announcement(self) -> str:
        """Kind, default and bounds."""
        return f"type spin default {self.default} min {self.low} max {self.high}"

    def parse(self, text: str) -> int:
        """A number within the bounds."""
        return parse_whole(text, self.low, self.high)


class Combo(Option):
    """One of several words."""

    def __init__(self, name: str, default: str, choices: tuple[str, ...], help: str) -> None:
        super().__init__(name, help)
        self.default: str = default
        self.choices = choices

    def announcement(self) -> str:
        """Kind, default and choices."""
        choices = "".join(f" var {choice}" for choice in self.choices)
        return f"type combo default {self.default}{choices}"

    def parse(self, text: str) -> str:
        """One of the choices, however capitalised."""
        for choice in self.choices:
            if choice.lower() == text.lower():
                return choice
        raise ValueError(f"expected {' or '.join(self.choices)}, not {text[:40]!r}")


class String(Option):
    """Any text, a path for example; at first none."""

    default = ""

    def announcement(self) -> str:
        """Kind and default."""
        return f"type string default {EMPTY}"

    def parse(self, text: str) -> str:
        """The text itself."""
        return "" if text == EMPTY else text


class Button(Option):
    """Something that happens when the button is pressed. It has no value."""

    default = None

    def announcement(self) -> str:
        """Kind."""
        return "type button"

    def parse(self, text: str) -> None:
        """None, whatever the text."""
