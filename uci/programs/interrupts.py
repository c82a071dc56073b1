"""Ctrl-C and SIGTERM while libraries are loaded."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from functools import partial
from threading import current_thread, main_thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import FrameType
    from typing import Any


@contextmanager
def handlers_replaced(numbers: Iterable[int], note: Callable[..., None]) -> Iterator[None]:
    """A block in which signals call `note(handler, number, frame)` in place of their handlers.

    Those that are ignored, or end the process, still do so. Outside the main thread nothing changes.
    """
    if current_thread() is not main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in numbers}
    handlers = {number: handler for number, handler in before.items() if callable(handler)}
    for number, handler in handlers.items():
        signal.signal(number, partial(note, handler))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


@contextmanager
def interrupts_kept() -> Iterator[None]:
    """A block that ends with KeyboardInterrupt if Ctrl-C came in it, or a SIGTERM that has a handler.

    Without this, one that comes while NumPy or Numba is imported may be lost: NumPy turns it into an
    ImportError, and Python only prints what is raised in a callback of a library.
    """
    is_interrupted = False

    def note(handler: Any, number: int, frame: FrameType | None) -> None:
        nonlocal is_interrupted
        is_interrupted = True
        handler(number, frame)

    try:
        with handlers_replaced((signal.SIGINT, signal.SIGTERM), note):
            yield
    finally:
        if is_interrupted:
            raise KeyboardInterrupt
