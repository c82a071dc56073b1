"""What the page asks for: fields of a message from the browser, checked before they are used."""

import json
from typing import Any

LONGEST_TEXT = 200
MOST_NUMBERS = 1 << 53  # JavaScript has no larger whole numbers


class BadRequest(ValueError):
    """A message cannot be understood; the text says what is wrong with it."""


class Request:
    """A message: what to do, and its fields. Each is checked when it is asked for."""

    def __init__(self, text: str) -> None:
        try:
            fields = json.loads(text)
        except (ValueError, RecursionError):
            raise BadRequest("a message must be JSON") from None
        if not isinstance(fields, dict) or not isinstance(fields.get("do"), str):
            raise BadRequest("a message must say what to do")
        self.do: str = fields["do"][:LONGEST_TEXT]
        self._fields: dict[str, Any] = fields

    def text(self, name: str, longest: int = LONGEST_TEXT) -> str:
        """A text that is not too long."""
        value = self._fields.get(name)
        if not isinstance(value, str) or len(value) > longest:
            raise BadRequest(f"{name} must be a text of at most {longest} letters")
        return value

    def choice(self, name: str, values: tuple[str, ...]) -> str:
        """One of several words."""
        value = self._fields.get(name)
        if value not in values:
            raise BadRequest(f"{name} must be {' or '.join(values)}")
        return str(value)

    def number(self, name: str, low: float, high: float) -> float:
        """A number within bounds."""
        value = self._fields.get(name)
        if not isinstance(value, (int, float)) or isinstance(value, bool) or not low <= value <= high:
            raise BadRequest(f"{name} must be a number from {low:g} to {high:g}")
        return float(value)

    def whole(self, name: str, low: int, high: int) -> int:
        """A whole number within bounds."""
        value = self.number(name, low, high)
        if value != int(value):
            raise BadRequest(f"{name} must be a whole number")
        return int(value)

    def has(self, name: str) -> bool:
        """True if there is such a field, and it is not null."""
        return self._fields.get(name) is not None

    def switch(self, name: str) -> bool:
        """True or False."""
        value = self._fields.get(name)
        if not isinstance(value, bool):
            raise BadRequest(f"{name} must be true or false")
        return value
