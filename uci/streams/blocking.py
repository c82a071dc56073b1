"""Streams that wait, whatever the program that started this one has chosen."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO


def make_blocking(stream: TextIO | None) -> None:
    """Let reads and writes wait. None is a stream that was closed at the start.

    Some launchers pass non-blocking pipes: there "nothing yet" looks like the end, and to find no room is an
    error.
    """
    if os.name == "posix" and stream is not None:
        os.set_blocking(stream.fileno(), True)
