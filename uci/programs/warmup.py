"""`bluekrait warmup`: have everything compiled before it is needed."""

from bluekrait.core.timer import monotonic
from bluekrait.uci.exits import SUCCESS, fail
from bluekrait.uci.output import write
from bluekrait.uci.progress import ProgressLine


class LoadError(Exception):
    """The engine cannot be loaded; the message says why, in one line."""


def main():
    """Load the engine, showing what is compiled; the exit code."""
    begin = monotonic()
    try:
        load_with_progress()
    except LoadError as error:
        return fail(error)
    write(f"ready after {monotonic() - begin:.1f} s")
    return SUCCESS


def load_with_progress():
    """The engine. On a terminal the compiler can be watched."""
    line = ProgressLine()
    try:
        from bluekrait.search.engine import load_engine

        return load_engine(lambda done, total, what: line.show(f"compiling {100 * done // total} % ({what})"))
    except Exception as error:
        raise LoadError(f"the engine cannot be loaded: {type(error).__name__}: {error}") from error
    finally:
        line.clear()
