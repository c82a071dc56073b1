"""Histories and correction history: they stay within their limits, and are cleared when a game begins."""

from ctypes import addressof

import chess
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluekrait.core.compiler.jit import int64, position_type, uint32, uint64
from bluekrait.core.move import is_noisy
from bluekrait.search.parameters import PARAMETERS
from bluekrait.search.scores import DECIDED_BOUND
from bluekrait.search.thread_memory import forget
from bluekrait.search.thread_record import CORRECTION_KINDS, LOOK_BACK, PIECE_SQUARES, SearchThread
from bluekrait.search.tree.learning import corrections, histories
from bluekrait.search.tree.learning.histories import HISTORY_LIMIT
from bluekrait.search.tree.state import thread_at
from helpers.kernels import uncached_kernel
from helpers.oracles import packed_moves, position_of

TABLES = ("butterfly", "captures", "continuations", "pawn_histories", "counters", "corrections")
ANY_BONUS = st.integers(-HISTORY_LIMIT, HISTORY_LIMIT)
ANY_HISTORY = st.integers(-HISTORY_LIMIT, HISTORY_LIMIT)
PLAIN = DECIDED_BOUND - 1


@uncached_kernel(int64(int64, int64))
def gravity(value, bonus):
    """A history after a bonus."""
    return histories.gravity(value, bonus)


@uncached_kernel(int64(int64, int64, int64))
def blended(value, error, weight):
    """A correction after an error."""
    return corrections.blended(value, error, weight)


@uncached_kernel(int64(uint64, position_type, int64, int64))
def update(address, position, depth, error):
    """Update correction history by an error at the root."""
    return corrections.update_correction(thread_at(address), position, 0, depth, error)


@uncached_kernel(int64(uint64, position_type, int64))
def corrected(address, position, raw):
    """An evaluation at the root, put right."""
    return corrections.corrected(thread_at(address), position, 0, raw)


@uncached_kernel(int64(uint64, int64, int64, uint32, int64, uint32[::1]))
def cutoff(address, turn, depth, best, count, tried):
    """A move refutes the root, after quiet moves that did not."""
    thread = thread_at(address)
    node, quiets = thread.plies[LOOK_BACK], 0
    for i in range(count):
        quiets, _ = histories.record_tried(node, tried[i], quiets, 0)
    return histories.update_histories(thread, 0, turn, best, depth, quiets, 0)


@uncached_kernel(int64(uint64, int64, uint32))
def opinion(address, turn, move):
    """The history of a move at the root."""
    thread = thread_at(address)
    if is_noisy(move):
        return histories.capture_history(thread, thread.plies[LOOK_BACK], turn, move)
    return histories.quiet_history(thread, histories.history_context(thread, 0), turn, move)


@uncached_kernel(int64(uint64, int64, int64))
def refuted(address, ply, depth):
    """A reply refutes the move that led to a ply."""
    return histories.learn_from_refutation(thread_at(address), ply, 1, depth)


@uncached_kernel(int64(uint64))
def fade(address):
    """A new search begins."""
    return histories.fade_butterfly_history(thread_at(address))


@pytest.fixture
def thread():
    """The record of a thread with empty histories."""
    thread = SearchThread()
    for parameter in PARAMETERS:
        setattr(thread.parameters, parameter.name, parameter.value)
    forget(thread)
    return thread


# --- histories ----------------------------------------------------------------------------------------


@given(ANY_HISTORY, ANY_BONUS)
def test_gravity_stays_within_the_limit(value, bonus):
    assert abs(gravity(value, bonus)) <= HISTORY_LIMIT


@given(ANY_HISTORY, ANY_BONUS)
def test_gravity_pulls_where_the_bonus_points(value, bonus):
    after = gravity(value, bonus)
    assert after >= value if bonus >= 0 else after <= value + 1


@given(st.integers(0, HISTORY_LIMIT), st.integers(0, 2000))
def test_the_closer_to_the_limit_the_less_it_moves(value, bonus):
    assert gravity(value, bonus) - value <= gravity(0, bonus)


def test_however_often_something_is_learnt_the_tables_hold_it(thread):
    board = chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    quiet = [move for move in packed_moves(board) if not is_noisy(move)]
    for ply in thread.plies:
        ply.continuation = PIECE_SQUARES - 1
    for _ in range(100):
        cutoff(addressof(thread), 0, 100, quiet[0], len(quiet) - 1, np.array(quiet[1:], np.uint32))
        for name in ("butterfly", "continuations", "pawn_histories"):
            table = np.ctypeslib.as_array(getattr(thread, name))
            assert abs(table.astype(int)).max() <= HISTORY_LIMIT
    opinions = [opinion(addressof(thread), 0, move) for move in quiet]
    assert opinions[0] > HISTORY_LIMIT
    assert max(opinions[1:60]) < -HISTORY_LIMIT


def test_histories_that_contradict_each_other_stay_within_the_limit(thread):
    table = np.ctypeslib.as_array(thread.continuations)
    for back, value in ((1, HISTORY_LIMIT), (2, -HISTORY_LIMIT), (4, -HISTORY_LIMIT)):
        thread.plies[LOOK_BACK - back].continuation = back
        table[back * PIECE_SQUARES : (back + 1) * PIECE_SQUARES] = value
    cutoff(addressof(thread), 0, 100, packed_moves(chess.Board())[0], 0, np.zeros(1, np.uint32))
    assert abs(table.astype(int)).max() == HISTORY_LIMIT
    assert table[2 * PIECE_SQUARES : 3 * PIECE_SQUARES].max() > -HISTORY_LIMIT


def test_what_refutes_is_praised_and_what_did_not_is_blamed(thread):
    moves = packed_moves(chess.Board())
    cutoff(addressof(thread), 0, 6, moves[3], 3, np.array(moves[:3], np.uint32))
    opinions = [opinion(addressof(thread), 0, move) for move in moves]
    assert opinions[3] > 0 > max(opinions[:3])
    assert set(opinions[4:]) == {0}
    assert thread.plies[LOOK_BACK].killer == thread.counters[0] == moves[3]
    others = [opinion(addressof(thread), 1, move) for move in moves]  # the pawns alone tell them something
    assert 0 < others[3] < opinions[3]
    assert set(others[4:]) == {0}


def test_a_capture_that_refutes_is_no_killer(thread):
    board = chess.Board("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    (capture,) = (move for move in packed_moves(board) if is_noisy(move))
    cutoff(addressof(thread), 0, 6, capture, 0, np.zeros(1, np.uint32))
    assert opinion(addressof(thread), 0, capture) > 0
    assert thread.plies[LOOK_BACK].killer == 0


def test_a_capture_is_another_one_where_the_enemy_can_take_back(thread):
    board = chess.Board("4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1")
    (capture,) = (move for move in packed_moves(board) if is_noisy(move))
    root = thread.plies[LOOK_BACK]
    for attacked, others in ((0, 1 << chess.D5), (1 << chess.D5, 0)):
        root.attacked = attacked
        before = opinion(addressof(thread), 0, capture)
        cutoff(addressof(thread), 0, 6, capture, 0, np.zeros(1, np.uint32))
        assert opinion(addressof(thread), 0, capture) > before == 0
        thread.captures[:] = [0] * len(thread.captures)
        root.attacked = others
        assert opinion(addressof(thread), 0, capture) == 0


@pytest.mark.parametrize(("count", "is_blamed"), [(0, False), (1, True), (2, False)])
def test_a_first_move_that_is_refuted_is_blamed(thread, count, is_blamed):
    move, root = packed_moves(chess.Board())[0], thread.plies[LOOK_BACK]
    for ply in thread.plies:
        ply.continuation = PIECE_SQUARES - 1
    root.move, root.count = move, count
    refuted(addressof(thread), 1, 6)
    assert (opinion(addressof(thread), 0, move) < 0) == is_blamed


def test_butterfly_history_fades_by_a_quarter(thread):
    table = np.ctypeslib.as_array(thread.butterfly)
    before = np.arange(len(table)) % (2 * HISTORY_LIMIT + 1) - HISTORY_LIMIT
    table[:] = before
    fade(addressof(thread))
    assert abs(table - 0.75 * before).max() < 1


# --- corrections --------------------------------------------------------------------------------------


@given(
    st.integers(-corrections.LIMIT, corrections.LIMIT), st.integers(-2 * PLAIN, 2 * PLAIN), st.integers(1, 16)
)
def test_a_correction_stays_within_its_limit(value, error, weight):
    assert abs(blended(value, error, weight)) <= corrections.LIMIT < 1 << 15


@given(st.integers(-60, 60))
def test_an_error_that_stays_is_learnt(error):
    value = 0
    for _ in range(400):
        value = blended(value, error, 16)
    assert abs(value / corrections.GRAIN - error) < 1


def test_corrections_pull_towards_the_truth_and_not_too_far(thread):
    position = position_of(chess.Board())
    for error in (400, -400):
        before = corrected(addressof(thread), position, 10)
        for _ in range(200):
            update(addressof(thread), position, 12, error)
        after = corrected(addressof(thread), position, 10)
        assert (after - before) * error > 0
        assert abs(after - 10) <= CORRECTION_KINDS * 64


def test_no_correction_makes_a_mate(thread):
    position = position_of(chess.Board())
    for error, raw in ((400, PLAIN), (-400, -PLAIN)):
        for _ in range(200):
            update(addressof(thread), position, 12, error)
        assert abs(corrected(addressof(thread), position, raw)) <= PLAIN


# --- forgetting ---------------------------------------------------------------------------------------


def test_everything_that_was_learnt_is_forgotten():
    thread = SearchThread()
    for name in TABLES:
        table = getattr(thread, name)
        table[0] = table[len(table) - 1] = 1
    thread.nodes = thread.plies[LOOK_BACK].killer = 7
    forget(thread)
    assert not any(np.ctypeslib.as_array(getattr(thread, name)).any() for name in TABLES)
    assert (thread.nodes, thread.plies[LOOK_BACK].killer) == (7, 0)
