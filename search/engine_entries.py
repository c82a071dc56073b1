"""The doors of the compiled engine: those of the rules, the search, and the reasons for an evaluation."""

from bluekrait.core import rules_entries
from bluekrait.core.compiler.jit import entry
from bluekrait.core.rules_entries import read_position
from bluekrait.search.evaluation.classical import evaluation_entries
from bluekrait.search.tree.root import search_root
from bluekrait.search.tree.state import thread_at


@entry
def search(address):
    """Search the root of a `SearchThread` to its depth, within its window; the score."""
    thread = thread_at(address)
    return search_root(thread, read_position(thread.position), thread.depth, thread.alpha, thread.beta)


ENTRIES = {**rules_entries.ENTRIES, **evaluation_entries.ENTRIES, "search": search}
