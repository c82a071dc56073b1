"""The debug log: every line in both directions, with the time at which it passed."""

import os
from time import localtime, strftime, time

APPENDING = os.O_WRONLY | os.O_CREAT | os.O_APPEND


class Transcript:
    """A file that can be read while it grows; none, until `open` is called."""

    def __init__(self):
        self._descriptor = None

    def open(self, path):
        """Write behind what is in the file already; an empty path ends the log."""
        self._close()
        if path:
            self._descriptor = os.open(path, APPENDING, 0o666)

    def heard(self, text):
        """Note what came in."""
        self._note("<", text)

    def said(self, text):
        """Note what went out."""
        self._note(">", text)

    def _note(self, direction, text):
        if self._descriptor is not None:
            self._write([f"{_stamp()} {direction} {line}\n" for line in text.splitlines() or [""]])

    def _write(self, lines):
        try:
            os.write(self._descriptor, "".join(lines).encode("utf-8", "replace"))
        except OSError:  # the disk is full: a log is not worth a game
            self._close()

    def _close(self):
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _stamp():
    now = time()
    return strftime("%Y-%m-%d %H:%M:%S", localtime(now)) + f".{int(now * 1000) % 1000:03}"
