"""Short searches run in one call: they find the same as searches that report every iteration."""

import pytest

from bluekrait.search.bench_positions import BENCH_POSITIONS
from bluekrait.search.engine import load_engine
from bluekrait.search.limits import Limits, Settings
from bluekrait.search.thinking.short_search import MOST_NODES, is_short

POSITIONS = BENCH_POSITIONS[::5]


@pytest.fixture(scope="module")
def silent():
    return load_engine()


@pytest.fixture(scope="module")
def reporting():
    return load_engine()


def found(engine, fen, limits, settings, on_line=None):
    """What a search found, without what depends on time: the filling is counted only in long searches."""
    engine.set_position(fen, [])
    choice = engine.go(limits, settings, on_line)
    return choice._replace(lines=[line._replace(seconds=0, hash_permille=0) for line in choice.lines])


@pytest.mark.parametrize("lines", [1, 3])
@pytest.mark.parametrize("nodes, depth", [(1, None), (60, None), (1000, None), (5000, None), (50_000, 4)])
def test_short_search_finds_the_same(silent, reporting, lines, nodes, depth):
    limits, settings = Limits(nodes=nodes, depth=depth), Settings(multi_pv=lines)
    for fen in POSITIONS:
        short = found(silent, fen, limits, settings)
        long = found(reporting, fen, limits, settings, on_line=lambda line: None)
        assert short == long, fen
        assert silent._workers[0].record.nodes == reporting._workers[0].record.nodes


def test_moves_to_choose_from_hold_for_one_search_only(silent):
    silent.set_position(None, [])
    chosen = silent.legal_moves()[3]
    assert silent.go(Limits(nodes=500, search_moves=(chosen,))).move == chosen
    settings = Settings(multi_pv=20)
    assert len(silent.go(Limits(nodes=20_000, depth=2), settings).lines) == 20


def test_only_searches_that_need_no_clock_are_short():
    assert is_short(Limits(nodes=MOST_NODES))
    assert is_short(Limits(nodes=10, depth=3))
    other = {"move_time": 10, "remaining": 10, "mate": 2, "ponder": True}
    assert not any(is_short(Limits(nodes=10, **{name: value})) for name, value in other.items())
    assert not is_short(Limits(nodes=MOST_NODES + 1))
    assert not is_short(Limits(depth=1))


@pytest.mark.parametrize(
    "rank, score, beta, margin, is_bound",
    [
        (0, 40, 50, 15, False),  # within the window
        (0, 50, 50, 15, True),  # stopped before it was widened
        (0, 50, 73, 23, True),  # after that
        (0, 60, 73, 23, False),  # exact, in the wider window
        (2, 50, 30, 15, False),  # the window of a later line
    ],
)
def test_the_best_move_may_have_a_lower_bound(silent, rank, score, beta, margin, is_bound):
    silent.go(Limits(nodes=10))
    worker = silent._workers[0]
    worker.record.rank, worker.record.beta, worker.record.margin = rank, beta, margin
    worker.root(0).score = score
    assert worker.failed_high() == is_bound


def test_no_thread_is_started_for_a_short_search():
    engine = load_engine()
    engine.go(Limits(nodes=100))
    assert not engine._workers[0]._has_thread
    engine.go(Limits(depth=1))
    assert engine._workers[0]._has_thread


def test_a_stop_leaves_a_move_with_a_score(silent):
    silent.set_position(None, [])
    choice = silent.go(Limits(nodes=50_000), on_start=silent.stop)
    assert choice.lines[0].depth == 1 and choice.lines[0].moves[0] == choice.move
