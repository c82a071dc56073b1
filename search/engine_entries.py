"""The entries of the compiled engine: those of the rules, the search, and the evaluation."""

from bluekrait.core import rules_entries
from bluekrait.core.compiler.jit import entry
from bluekrait.core.rules_entries import read_board, read_position
from bluekrait.search.evaluation.classical import evaluation_entries
from bluekrait.search.iterations import iterations_at, run_iterations
from bluekrait.search.tree import aspiration
from bluekrait.search.tree.evaluate import evaluate
from bluekrait.search.tree.state import thread_at


@entry
def open_window(address):
    """Lay out the first window of a `SearchThread`'s iteration."""
    return aspiration.open_window(thread_at(address))


@entry
def search(address):
    """Search the window of a `SearchThread`; 1 if the score lies outside, and the window was widened."""
    thread = thread_at(address)
    return 1 if aspiration.search_window(thread, read_position(thread.position)) else 0


@entry
def deepen(address):
    """Run all of `Iterations`; the depth of the last complete one."""
    job = iterations_at(address)
    thread = thread_at(job.thread)
    return run_iterations(job, thread, read_position(thread.position))


@entry
def judge(address):
    """Evaluate the root of a `SearchThread` as its search would."""
    thread = thread_at(address)
    return evaluate(thread, read_board(thread.position.board), 0)


ENTRIES = {
    **rules_entries.ENTRIES,
    **evaluation_entries.ENTRIES,
    "open_window": open_window,
    "search": search,
    "deepen": deepen,
    "judge": judge,
}
