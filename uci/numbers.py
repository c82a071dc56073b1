"""Whole numbers as users and GUIs write them."""

from __future__ import annotations

MOST_DIGITS = 20  # a number with more digits is larger than every limit here


def parse_whole(text: str, low: int, high: int) -> int:
    """The number in `text`, which must lie from `low` to `high`; ValueError says what was expected."""
    if _is_whole(text) and low <= _read(text) <= high:
        return _read(text)
    raise ValueError(f"expected a whole number from {low} to {high}, not {text[:40]!r}")


def parse_nearest(text: str, low: int, high: int) -> int:
    """The number from `low` to `high` that is nearest to the one in `text`; ValueError if it has none."""
    if _is_whole(text):
        return min(max(_read(text), low), high)
    raise ValueError(f"expected a whole number, not {text[:40]!r}")


def _is_whole(text: str) -> bool:
    """True for an optional sign and digits; int() also accepts "1_000", blanks and other digits."""
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit()


def _read(text: str) -> int:
    """The number in `text`; one of too many digits is not converted, since that could take minutes."""
    digits = text.removeprefix("-").lstrip("0") or "0"
    number = int(digits) if len(digits) <= MOST_DIGITS else 10**MOST_DIGITS
    return -number if text.startswith("-") else number
