"""The beginning of a node: where the search ends, whatever else there is to find."""

from ctypes import addressof

import pytest

from bluekrait.core import parse_fen
from bluekrait.core.compiler.jit import int64, position_type, uint64
from bluekrait.core.notation.fen import STARTING_FEN
from bluekrait.search.evaluation.network.network_records import CLASSICAL
from bluekrait.search.scores import DRAW, MAX_PLY, UNKNOWN
from bluekrait.search.thread_record import SearchThread
from bluekrait.search.tree import node
from bluekrait.search.tree.state import thread_at
from helpers.kernels import uncached_kernel
from helpers.search.judgements import score_of

POSITION = parse_fen(STARTING_FEN)


@uncached_kernel(int64(uint64, position_type, int64))
def enter_node(address, position, ply):
    """The score of a node that is not searched, UNKNOWN of others."""
    return node.enter_node(thread_at(address), position, ply)


@pytest.fixture
def thread():
    """A thread that has searched some nodes, and may search one more."""
    thread = SearchThread(nodes=99, node_limit=100)
    thread.evaluation_kind = CLASSICAL
    return thread


@pytest.mark.parametrize("ply", [1, MAX_PLY - 1])
def test_a_node_is_searched(thread, ply):
    assert enter_node(addressof(thread), POSITION, ply) == UNKNOWN
    assert thread.keys[ply] == POSITION.key


def test_the_longest_line_ends_with_the_evaluation(thread):
    assert enter_node(addressof(thread), POSITION, MAX_PLY) == score_of(STARTING_FEN) != DRAW


@pytest.mark.parametrize("why", [{"nodes": 100}, {"stop": 1}], ids=str)
def test_a_search_that_must_stop_searches_no_node(thread, why):
    for name, value in why.items():
        setattr(thread, name, value)
    assert enter_node(addressof(thread), POSITION, 1) == DRAW
    assert thread.stop


def test_a_drawn_game_is_not_searched(thread):
    assert enter_node(addressof(thread), POSITION._replace(clock=100), 1) == DRAW
