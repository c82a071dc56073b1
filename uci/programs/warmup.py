"""`bluekrait warmup`: compile everything before it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bluekrait.core.timer import monotonic
from bluekrait.uci.exits import SUCCESS, fail, reason
from bluekrait.uci.progress import ProgressLine
from bluekrait.uci.streams.output import write

if TYPE_CHECKING:
    from bluekrait.search.engine import Engine


class LoadError(Exception):
    """The engine cannot be loaded; the message says why, in one line."""


def main() -> int:
    """Load the engine and show the progress of the compiler; the exit code."""
    begin = monotonic()
    try:
        load_with_progress()
    except LoadError as error:
        return fail(error)
    write(f"ready after {monotonic() - begin:.1f} s")
    return SUCCESS


def load_with_progress() -> Engine:
    """The engine. The progress of the compiler is shown on a terminal."""
    line = ProgressLine()
    try:
        from bluekrait.search.engine import load_engine

        return load_engine(lambda done, total, what: line.show(f"compiling {100 * done // total} % ({what})"))
    except Exception as error:
        raise LoadError(f"the engine cannot be loaded: {reason(error)}") from error
    finally:
        line.clear()
