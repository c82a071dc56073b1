"""The compiled functions, loaded once for all engines and positions of a process."""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

from bluekrait.core import native
from bluekrait.search.engine import ENTRIES_MODULE

if TYPE_CHECKING:
    from bluekrait.core.native import Entries

_loading = Lock()


def entries() -> Entries:
    """The entries of the engine. The first time on a machine they are compiled, which is logged."""
    with _loading:
        return _entries()


@cache
def _entries() -> Entries:
    return native.load(ENTRIES_MODULE, _report)


def _report(done: int, total: int, what: str) -> None:
    import logging  # not needed where everything is compiled

    log = logging.getLogger("bluekrait")
    if done == 0:
        log.warning("the engine is compiled for this processor: about a minute, and only once")
    log.info("compiling %d of %d: %s", done + 1, total, what)
