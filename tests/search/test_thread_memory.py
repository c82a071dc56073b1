"""What a new game clears in the record of a search thread, and what it leaves."""

import ctypes

import pytest

from bluekrait.search.scores import UNKNOWN
from bluekrait.search.thread_memory import forget
from bluekrait.search.thread_record import LOOK_BACK, SearchThread

SIZE = ctypes.sizeof(SearchThread)
BEHIND = 64  # bytes behind the record


@pytest.mark.parametrize("keep_pawns", [False, True])
def test_all_from_the_plies_on_is_cleared_and_nothing_else(keep_pawns):
    memory = bytearray(b"\1" * (SIZE + BEHIND))
    thread = SearchThread.from_buffer(memory)
    forget(thread, keep_pawns)
    for place, ply in enumerate(thread.plies):
        assert ply.static_eval == (UNKNOWN if place < LOOK_BACK else 0)
        ply.static_eval = 0
    plies, pawns, histories = (getattr(SearchThread, name).offset for name in ("plies", "pawns", "butterfly"))
    expected = bytearray(b"\1" * plies + bytes(SIZE - plies) + b"\1" * BEHIND)
    if keep_pawns:
        expected[pawns:histories] = b"\1" * (histories - pawns)
    assert memory == expected
