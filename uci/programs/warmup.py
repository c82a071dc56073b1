"""`bluekrait warmup`: compile everything before it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bluekrait.core import native
from bluekrait.core.compiler import cache, processor
from bluekrait.core.timer import monotonic
from bluekrait.uci.exits import LOADING_ERRORS, NOT_KEPT, SUCCESS, exit_code, fail, reason
from bluekrait.uci.programs.interrupts import interrupts_kept
from bluekrait.uci.programs.parser import Parser
from bluekrait.uci.progress import ProgressLine, compiling_text
from bluekrait.uci.streams.output import write

if TYPE_CHECKING:
    from bluekrait.search.engine import Engine


class LoadError(Exception):
    """The engine cannot be loaded; the message says why, in one line."""


def main(arguments: list[str]) -> int:
    """Load the engine and show the progress of the compiler; the exit code."""
    description = "Compile everything now, so that later starts are fast."
    try:
        Parser(prog="bluekrait warmup", description=description).parse_args(arguments)
    except SystemExit as leaving:
        return exit_code(leaving)
    begin = monotonic()
    try:
        load_with_progress()
    except LoadError as error:
        return fail(error)
    if not _is_kept():
        text = f"the compiled code could not be kept in {cache.location()}: the next start compiles again"
        return fail(text, NOT_KEPT)
    write(f"ready after {monotonic() - begin:.1f} s")
    return SUCCESS


def _is_kept() -> bool:
    """True if later starts need not compile."""
    from bluekrait.search.engine import ENTRIES_MODULE

    return processor.is_interpreted() or native.is_warm(ENTRIES_MODULE)


@interrupts_kept()
def load_with_progress() -> Engine:
    """The engine. The progress of the compiler is shown on a terminal."""
    line = ProgressLine()
    try:
        from bluekrait.search.engine import load_engine

        return load_engine(lambda *progress: line.show(compiling_text(*progress)))
    except LOADING_ERRORS as error:
        raise LoadError(f"the engine cannot be loaded: {reason(error)}") from error
    finally:
        line.clear()
