"""The doors of the compiled engine: those of the rules, the search, and the reasons for an evaluation."""

from bluekrait.core import entries
from bluekrait.core.entries import read_position
from bluekrait.core.jit import entry
from bluekrait.search.evaluation import entries as evaluation_entries
from bluekrait.search.root import search_root
from bluekrait.search.state import thread_at


@entry
def search(address):
    """Search the root of a `SearchThread` to its depth, within its window; the score."""
    thread = thread_at(address)
    return search_root(thread, read_position(thread.position), thread.depth, thread.alpha, thread.beta)


ENTRIES = {**entries.ENTRIES, **evaluation_entries.ENTRIES, "search": search}
