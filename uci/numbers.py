"""Whole numbers as people and GUIs write them."""


def parse_whole(text, low, high):
    """The number in `text`, which must lie from `low` to `high`; ValueError says what was expected."""
    digits = text[1:] if text.startswith("-") else text
    # int() also takes "1_000", other alphabets' digits and blanks, and is slow on a million digits.
    if digits.isascii() and digits.isdigit() and len(digits) < 20 and low <= int(text) <= high:
        return int(text)
    raise ValueError(f"expected a whole number from {low} to {high}, not {text[:40]!r}")
