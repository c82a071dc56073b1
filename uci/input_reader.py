"""The reader: a thread that turns standard input, which may contain anything at all, into messages.

It posts `line` for every line, `complained` for one that is too long to be kept, and `ended` at the end.
"""

import os
import sys
from threading import Semaphore, Thread

LINE_LIMIT = 1 << 20  # bytes; a game of a thousand moves takes a hundredth of it
READ_AHEAD = 1000  # lines; whoever sends more without waiting for answers is made to wait, not kept in memory


class Reader:
    """Standard input, line by line."""

    def __init__(self, post):
        self._post = post
        self._allowance = Semaphore(READ_AHEAD)

    def start(self):
        """Begin reading."""
        Thread(target=self._read, daemon=True).start()

    def line_is_done(self):
        """Allow one line more to be read ahead."""
        self._allowance.release()

    def _read(self):
        if sys.stdin is not None:  # what Python makes of a closed standard input
            try:
                _make_blocking(sys.stdin.fileno())
                self._post_lines(sys.stdin.buffer)
            except OSError:  # the terminal is gone, or it was a directory
                pass
        self._post("ended")

    def _post_lines(self, stream):
        while line := stream.readline(LINE_LIMIT):
            if _is_cut_off(line):
                _skip_rest(stream)
                self._post("complained", f"a line of more than {LINE_LIMIT} bytes was ignored")
            else:
                self._allowance.acquire()
                # Windows shells put a byte order mark before what they pipe.
                self._post("line", line.decode("utf-8", "replace").lstrip("\ufeff"))


def _make_blocking(descriptor):
    """Have reads wait: some launchers hand over pipes on which "nothing yet" would look like the end."""
    if os.name == "posix":
        os.set_blocking(descriptor, True)


def _skip_rest(stream):
    """Read on to the end of the line, keeping nothing."""
    while _is_cut_off(stream.readline(LINE_LIMIT)):
        pass


def _is_cut_off(line):
    return len(line) == LINE_LIMIT and not line.endswith(b"\n")
