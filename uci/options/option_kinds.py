"""The kinds of UCI options: how each is announced, and what may be said for its value.

A row of the table of options is one of these. `default` is None for a button, which has no value.
"""

from collections import namedtuple

from bluekrait.uci.numbers import parse_whole

EMPTY = "<empty>"  # how UCI writes a text of no letters


class Check(namedtuple("Check", "name default help")):
    """True or false."""

    __slots__ = ()

    def announcement(self):
        """What UCI is told about it, behind its name."""
        return f"type check default {str(self.default).lower()}"

    def parse(self, text):
        """The value that `text` means."""
        if text.lower() not in ("true", "false"):
            raise ValueError(f"expected true or false, not {text[:40]!r}")
        return text.lower() == "true"


class Spin(namedtuple("Spin", "name default low high help")):
    """A whole number within bounds."""

    __slots__ = ()

    def announcement(self):
        """What UCI is told about it, behind its name."""
        return f"type spin default {self.default} min {self.low} max {self.high}"

    def parse(self, text):
        """The value that `text` means."""
        return parse_whole(text, self.low, self.high)


class Combo(namedtuple("Combo", "name default choices help")):
    """One of several words."""

    __slots__ = ()

    def announcement(self):
        """What UCI is told about it, behind its name."""
        choices = "".join(f" var {choice}" for choice in self.choices)
        return f"type combo default {self.default}{choices}"

    def parse(self, text):
        """The value that `text` means."""
        for choice in self.choices:
            if choice.lower() == text.lower():
                return choice
        raise ValueError(f"expected {' or '.join(self.choices)}, not {text[:40]!r}")


class String(namedtuple("String", "name default help")):
    """Any text, a path for example."""

    __slots__ = ()

    def announcement(self):
        """What UCI is told about it, behind its name."""
        return f"type string default {self.default or EMPTY}"

    def parse(self, text):
        """The value that `text` means."""
        return "" if text == EMPTY else text


class Button(namedtuple("Button", "name help")):
    """Something that happens when it is pressed."""

    __slots__ = ()

    default = None

    def announcement(self):
        """What UCI is told about it, behind its name."""
        return "type button"

    def parse(self, text):
        """None: whatever is said, the button was pressed."""
