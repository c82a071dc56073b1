"""Ctrl-C while libraries are loaded."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


@contextmanager
def interrupts_kept() -> Iterator[None]:
    """A block that ends with KeyboardInterrupt if Ctrl-C came in it.

    Without this, one that comes while NumPy or Numba is imported may be lost: NumPy turns it into an
    ImportError, and Python only prints what is raised in a callback of a library.
    """
    handler = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or not callable(handler):  # not callable: it is ignored
        yield
        return
    is_interrupted = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal is_interrupted
        is_interrupted = True
        handler(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if is_interrupted:
            raise KeyboardInterrupt
