"""The entries of the compiled engine: those of the rules, the search, and the evaluation."""

from bluekrait.core import rules_entries
from bluekrait.core.compiler.jit import entry
from bluekrait.core.rules.position_records import read_board, read_position
from bluekrait.search.dtz_probe import outcome_and_distance
from bluekrait.search.evaluation.classical import evaluation_entries
from bluekrait.search.iterations import iterations_at, run_iterations
from bluekrait.search.tree import aspiration
from bluekrait.search.tree.evaluate import unscaled_evaluation
from bluekrait.search.tree.state import thread_at


@entry
def open_window(address):
    """Lay out the first window of a `SearchThread`'s iteration."""
    return aspiration.open_window(thread_at(address))


@entry
def search(address):
    """Search as an `Iterations` record says.

    All iterations, and return the depth of the last complete one. Or, if no last depth is given, one window
    of the thread's iteration; 1 if the score lies outside, and the window was widened.
    """
    job = iterations_at(address)
    thread = thread_at(job.thread)
    position = read_position(thread.position)
    if job.last_depth > 0:
        return run_iterations(job, thread, position)
    return 1 if aspiration.search_window(thread, position) else 0


@entry
def probe_tablebases(address):
    """What the tablebases know of the root of a `SearchThread`, see `outcome_and_distance`."""
    thread = thread_at(address)
    return outcome_and_distance(thread, read_board(thread.position.board))


@entry
def evaluate(address):
    """Evaluate the root of a `SearchThread`, without what its search adds to that."""
    thread = thread_at(address)
    return unscaled_evaluation(thread, read_board(thread.position.board))


ENTRIES = {
    **rules_entries.ENTRIES,
    **evaluation_entries.ENTRIES,
    "open_window": open_window,
    "search": search,
    "probe_tablebases": probe_tablebases,
    "evaluate": evaluate,
}
