"""Whole numbers as people and GUIs write them."""

LONGEST = 20  # digits; whatever has more is more than anything here can be


def parse_whole(text, low, high):
    """The number in `text`, which must lie from `low` to `high`; ValueError says what was expected."""
    if _is_whole(text) and low <= _read(text) <= high:
        return _read(text)
    raise ValueError(f"expected a whole number from {low} to {high}, not {text[:40]!r}")


def parse_nearest(text, low, high):
    """The number from `low` to `high` that is nearest to the one in `text`; ValueError if there is none."""
    if _is_whole(text):
        return min(max(_read(text), low), high)
    raise ValueError(f"expected a whole number, not {text[:40]!r}")


def _is_whole(text):
    """True for an optional sign and digits; int() also takes "1_000", blanks and other alphabets' digits."""
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit()


def _read(text):
    """The number in `text`, without the time it takes to read a million digits."""
    digits = text.removeprefix("-").lstrip("0") or "0"
    number = int(digits) if len(digits) <= LONGEST else 10**LONGEST
    return -number if text.startswith("-") else number
