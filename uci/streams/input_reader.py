"""The input reader: a thread that turns standard input, which may contain anything, into messages.

It posts `line` for every line, `error` for one that is too long, and `end_of_input` at the end.
"""

from __future__ import annotations

import sys
from collections import deque
from threading import Condition, Thread

from bluekrait.uci.exits import make_blocking

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

    from bluekrait.uci.session import Post

LINE_LIMIT = 1 << 20  # bytes; a game of a thousand moves takes a hundredth of it
READ_AHEAD = 64 << 20  # bytes; a program that sends more without waiting for answers must wait
BYTES_OF_COMMAND = 2000  # that a waiting line takes beside its text


class InputReader:
    """Standard input, line by line."""

    def __init__(self, post: Post) -> None:
        self._post = post
        self._sizes: deque[int] = deque()  # of the lines that wait
        self._waiting = 0  # the sum of these sizes
        self._changed = Condition()

    def start(self) -> None:
        """Begin to read."""
        if sys.platform == "win32":
            load_before_reading()
        Thread(target=self._read, daemon=True).start()

    def line_is_done(self) -> None:
        """One line less waits. It counts as the oldest one, although `stop` is done before others."""
        with self._changed:
            if self._sizes:  # not if the command came from elsewhere
                self._waiting -= self._sizes.popleft()
                self._changed.notify()

    def _wait_for_room(self, line: bytes) -> None:
        """Wait until less than `READ_AHEAD` is taken, then count the line."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting < READ_AHEAD)
            self._sizes.append(len(line) + BYTES_OF_COMMAND)
            self._waiting += self._sizes[-1]

    def _read(self) -> None:
        if sys.stdin is not None:  # it is None if standard input was closed at the start
            try:
                make_blocking(sys.stdin)
                self._post_lines(sys.stdin.buffer)
            except OSError:  # the terminal or the connection is gone
                pass
        self._post("end_of_input")

    def _post_lines(self, stream: BinaryIO) -> None:
        while line := stream.readline(LINE_LIMIT):
            if _is_cut_off(line):
                _skip_rest(stream)
                self._post("error", f"a line of more than {LINE_LIMIT} bytes was ignored")
            else:
                self._wait_for_room(line)
                # Windows shells put a byte order mark before the text that they pipe.
                self._post("line", line.decode("utf-8", "replace").lstrip("\ufeff"))


def load_before_reading() -> None:
    """Load NumPy, which the compiler needs.

    On Windows, a library that brings its own C runtime cannot be loaded while another thread waits for a line
    on a pipe: the runtime asks what kind of file standard input is, and gets the answer with the line.
    """
    try:
        __import__("numpy")
    except ImportError:
        return


def _skip_rest(stream: BinaryIO) -> None:
    """Read to the end of the line and discard it."""
    while _is_cut_off(stream.readline(LINE_LIMIT)):
        pass


def _is_cut_off(line: bytes) -> bool:
    return len(line) == LINE_LIMIT and not line.endswith(b"\n")
