"""The debug log: every line of input and output, with its time."""

from __future__ import annotations

import os
from time import localtime, strftime, time

APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND
NOT_WAITING = getattr(os, "O_NONBLOCK", 0)  # for somebody who reads, if it is a named pipe


class DebugLog:
    """A log file that is written line by line; no file until `open` is called."""

    def __init__(self) -> None:
        self._descriptor: int | None = None

    def open(self, path: str) -> None:
        """Append to this file from now on; an empty path ends the log."""
        self._close()
        if path:
            self._descriptor = os.open(path, APPEND | NOT_WAITING, 0o666)

    def received(self, text: str) -> None:
        """Log input."""
        self._log("<", text)

    def sent(self, text: str) -> None:
        """Log output."""
        self._log(">", text)

    def _log(self, direction: str, text: str) -> None:
        if self._descriptor is not None:
            lines = [f"{_timestamp()} {direction} {line}\n" for line in text.splitlines() or [""]]
            try:
                os.write(self._descriptor, "".join(lines).encode("utf-8", "replace"))
            except OSError:  # the disk is full, for example: end the log, not the game
                self._close()

    def _close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _timestamp() -> str:
    now = time()
    return strftime("%Y-%m-%d %H:%M:%S", localtime(now)) + f".{int(now * 1000) % 1000:03}"
