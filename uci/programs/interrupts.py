"""Ctrl-C and SIGTERM while libraries are loaded."""

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
    """A block that ends with KeyboardInterrupt if Ctrl-C came in it, or a SIGTERM that has a handler.

    Without this, one that comes while NumPy or Numba is imported may be lost: NumPy turns it into an
    ImportError, and Python only prints what is raised in a callback of a library.
    """
    if current_thread() is not main_thread():
        yield
        return
    numbers: tuple[int, ...] = signal.SIGINT, signal.SIGTERM
    before = {number: signal.getsignal(number) for number in numbers}
    handlers = {number: handler for number, handler in before.items() if callable(handler)}
    is_interrupted = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal is_interrupted
        is_interrupted = True
        handlers[number](number, frame)

    for number in handlers:  # the others are ignored, or end the process
        signal.signal(number, note)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if is_interrupted:
            raise KeyboardInterrupt
