"""The doors of the compiled engine: those of the rules, and the search."""

from bluekrait.core import entries
from bluekrait.core.entries import read_position
from bluekrait.core.jit import entry
from bluekrait.search.root import search_root
from bluekrait.search.state import thread_at


@entry
def search(address):
    """Search the root of a `SearchThread` to its depth, within its window; the score."""
    thread = thread_at(address)
    return search_root(thread, read_position(thread.position), thread.depth, thread.alpha, thread.beta)


ENTRIES = {**entries.ENTRIES, "search": search}
