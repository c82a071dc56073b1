"""Compiled code for a tool: if it has to be compiled first, the tool shows how far that is."""

from bluekrait.core import native
from bluekrait.core.native import Entries
from bluekrait.uci.programs.interrupts import interrupts_kept
from bluekrait.uci.progress import ProgressLine, compiling_text


@interrupts_kept()
def load_entries(module: str) -> Entries:
    """The compiled entries of a module."""
    line = ProgressLine()
    try:
        return native.load(module, lambda *progress: line.show(compiling_text(*progress)))
    finally:
        line.clear()
