"""What a terminal sends to all its processes: workers leave it to the process that started them."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from types import FrameType
from typing import Any

from bluekrait.tools.common.errors import HANGUP
from bluekrait.uci.programs.interrupts import handlers_replaced

TERMINAL_SIGNALS = [signal.SIGINT] if HANGUP is None else [signal.SIGINT, HANGUP]


@contextmanager
def terminal_signals_blocked() -> Iterator[None]:
    """Processes started in this block do not get them; this process gets them at the end of the block."""
    with _interrupts_delayed(), _inherited_as_blocked():
        yield


@contextmanager
def _interrupts_delayed() -> Iterator[None]:
    """What interrupts this process, SIGTERM too, does so at the end of the block.

    A process that is started by half prints a traceback. To block the signals in this thread is not enough:
    another thread would take them, and Python calls their handlers here.
    """
    arrived: list[int] = []

    def note(handler: Any, number: int, frame: FrameType | None) -> None:
        arrived.append(number)

    with handlers_replaced((*TERMINAL_SIGNALS, signal.SIGTERM), note):
        yield
    if arrived:
        signal.raise_signal(arrived[0])


@contextmanager
def _inherited_as_blocked() -> Iterator[None]:
    """Processes started in this block begin with these signals blocked."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, TERMINAL_SIGNALS)
    try:
        # The first process that is started brings Python's resource tracker with it, which unblocks SIGINT.
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, TERMINAL_SIGNALS)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def leave_terminal_signals_to_parent() -> None:
    """In a process that was started while they were blocked: ignore them from now on."""
    for number in TERMINAL_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, TERMINAL_SIGNALS)
