"""Engines that are still open when the program ends are closed first.

Python ends without its daemon threads, and releases memory that compiled code in them still uses.
"""

from __future__ import annotations

import atexit
import os
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from typing import Any

_open: WeakKeyDictionary[Any, int] = WeakKeyDictionary()  # with the process that made each


def close_in_the_end(engine: Any) -> None:
    """Close an engine when this process ends, if it is there then."""
    _open[engine] = os.getpid()


@atexit.register
def _close_all() -> None:
    """Close what was made here. In a forked process no thread is left that would give an engine free."""
    for engine, process in list(_open.items()):
        if process == os.getpid():
            engine.close()
