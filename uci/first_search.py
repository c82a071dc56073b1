"""The first search of an engine. Its result is thrown away; the next one is as quick as all that follow.

It imports what every search needs, starts the thread that searches, and lets the system provide their memory.
"""

from __future__ import annotations

import gc

from bluekrait.core.compiler.processor import is_interpreted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bluekrait.search.engine import Engine
    from bluekrait.uci.session import Session

SMALLEST_HASH = 1  # megabytes: a table that is made quickly, and forgotten with all that is in it


def search_once(engine: Engine, search: Callable[[Session], None]) -> None:
    """Run a shallow search as the protocol does for a command; afterwards the engine is as new."""
    if is_interpreted():  # it would take longer than everything else
        return
    from bluekrait.search.engine import DEFAULT_MEGABYTES
    from bluekrait.uci.session import Session

    session = Session(lambda *message: None)
    session.engine = engine
    engine.set_hash(SMALLEST_HASH)
    search(session)
    engine.set_hash(DEFAULT_MEGABYTES)
    engine.new_game()
    gc.freeze()  # what was made so far stays: no collection need look at it
