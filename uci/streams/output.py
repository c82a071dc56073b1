"""Output: whole lines on standard output, flushed at once, and nothing on standard error."""

from __future__ import annotations

import io
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST_MESSAGE = 300


def write(text: str) -> None:
    """Print text and a line end as UTF-8, whatever the locale says.

    So is printed what a command was called for: where it cannot be, the command fails. `print` is for what is
    told beside that, or stands in a file, too: it does nothing if standard output was closed at the start.
    """
    if sys.stdout is None:  # standard output was closed at the start
        raise BrokenPipeError
    sys.stdout.buffer.write(f"{text}\n".encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def info_string(text: str) -> str:
    """An `info string` of exactly one line: short, plain ASCII, no control characters."""
    plain = "".join(letter if " " <= letter <= "~" else "?" for letter in text[:LONGEST_MESSAGE])
    return f"info string {plain}"


class StandardErrorLines(io.TextIOBase):
    """Replaces standard error, which some GUIs show as output of the engine: passes lines to a callback."""

    def __init__(self, on_line: Callable[[str], None]) -> None:
        self._on_line = on_line

    def write(self, text: str) -> int:
        """Pass on the lines of `text` that are not blank."""
        for line in text.splitlines():
            if line.strip():
                self._on_line(line)
        return len(text)
