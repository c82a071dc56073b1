"""Pruning: what a rule leaves to be searched."""

from ctypes import addressof

from hypothesis import given
from hypothesis import strategies as st

from bluekrait.core.compiler.jit import int64, uint64
from bluekrait.search.parameters import PARAMETERS
from bluekrait.search.thread_record import SearchThread
from bluekrait.search.tree import pruning
from bluekrait.search.tree.pruning import NULL_MOVE_DEPTH
from bluekrait.search.tree.state import thread_at
from helpers.kernels import uncached_kernel

DEPTHS, LEADS, IMPROVING = st.integers(NULL_MOVE_DEPTH, 200), st.integers(0, 3000), st.integers(0, 1)

THREAD = SearchThread()
for parameter in PARAMETERS:
    setattr(THREAD.parameters, parameter.name, parameter.value)


@uncached_kernel(int64(uint64, int64, int64, int64))
def null_move_depth(address, depth, lead, improving):
    """The depth of the search after a null move."""
    return pruning.null_move_depth(thread_at(address), depth, lead, improving)


@given(DEPTHS, LEADS, IMPROVING)
def test_a_null_move_leaves_more_than_quiescence_and_less_than_the_node(depth, lead, improving):
    assert 1 <= null_move_depth(addressof(THREAD), depth, lead, improving) < depth


@given(DEPTHS, LEADS, IMPROVING)
def test_a_deeper_node_is_not_searched_less_deep_after_a_null_move(depth, lead, improving):
    here = null_move_depth(addressof(THREAD), depth, lead, improving)
    assert null_move_depth(addressof(THREAD), depth + 1, lead, improving) >= here
