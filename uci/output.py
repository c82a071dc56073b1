"""The way out: whole lines on standard output, flushed, and nothing on standard error."""

import io
import sys

LONGEST_MESSAGE = 300


def write(text):
    """Print text and a line end, whatever encoding the machine believes in."""
    if sys.stdout is None:  # what Python makes of a closed standard output
        raise BrokenPipeError
    sys.stdout.buffer.write(f"{text}\n".encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def info_string(text):
    """The text as exactly one line a GUI will log: short, plain ASCII, no control characters."""
    plain = "".join(letter if " " <= letter <= "~" else "?" for letter in text[:LONGEST_MESSAGE])
    return f"info string {plain}"


class StrayText(io.TextIOBase):
    """Stands in for standard error, which GUIs take for the engine's words: hands each line on instead."""

    def __init__(self, hand_on):
        self._hand_on = hand_on

    def write(self, text):
        """Hand on the lines of `text` that are not blank."""
        for line in text.splitlines():
            if line.strip():
                self._hand_on(line)
        return len(text)
