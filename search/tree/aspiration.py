"""Aspiration windows: an iteration first searches a narrow window around the last score, and widens it.

One step searches one window. Between two steps the caller may look at the result: `search.thinking.worker`
reports scores outside their window there. `search_depth` goes on at once.
"""

from bluekrait.core.compiler.jit import boolean, inline, int64, internal, position_type
from bluekrait.search.scores import INFINITE, is_decided
from bluekrait.search.tree.root import search_root
from bluekrait.search.tree.state import thread_type

ASPIRATION_DEPTH = 4  # before, scores jump too much
WIDEST = 2500  # centipawns; a window that must go beyond is open
MOST_REDUCED = 3  # plies, after fail-highs


@internal(int64(thread_type))
def open_window(thread):
    """Set the first window of an iteration, around `thread.expected`; the depth."""
    expected, margin = thread.expected, thread.parameters.aspiration_window
    thread.depth, thread.margin = thread.iteration, margin
    thread.alpha, thread.beta = -INFINITE, INFINITE
    if thread.iteration >= ASPIRATION_DEPTH and not is_decided(expected):
        thread.alpha, thread.beta = max(-INFINITE, expected - margin), min(INFINITE, expected + margin)
    return thread.iteration


@internal(boolean(thread_type, position_type))
def search_window(thread, position):
    """Search the window. True if the score lies outside: the window is wider then, to be searched again."""
    score = search_root(thread, position, thread.depth, thread.alpha, thread.beta)
    thread.score = score
    if thread.stop or thread.alpha < score < thread.beta:
        return False
    widen(thread, score)
    return True


@internal(boolean(thread_type, position_type, int64, int64))
def search_depth(thread, position, depth, expected):
    """Search one depth from `thread.rank` on, around the expected score. False if it was stopped."""
    thread.iteration, thread.expected = depth, expected
    open_window(thread)
    while search_window(thread, position):
        pass
    return not thread.stop


@inline(int64(thread_type, int64))
def widen(thread, score):
    """Move the bound that the score fell outside of; the margin."""
    thread.margin += thread.margin // 2 + 1
    if score <= thread.alpha:
        thread.beta = (thread.alpha + thread.beta) // 2
        thread.alpha = score - thread.margin if score > -WIDEST else -INFINITE
        thread.depth = thread.iteration
    else:
        thread.beta = score + thread.margin if score < WIDEST else INFINITE
        shallower = max(1, thread.depth - 1, thread.iteration - MOST_REDUCED)
        thread.depth = thread.iteration if is_decided(score) else shallower
    return thread.margin
