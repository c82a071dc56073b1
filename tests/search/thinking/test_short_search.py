"""Short searches run in one call: they find the same as searches that report every iteration."""

import pytest

from bluekrait.core.timer import monotonic
from bluekrait.search.bench_positions import BENCH_POSITIONS
from bluekrait.search.engine import load_engine
from bluekrait.search.limits import Limits, Settings
from bluekrait.search.reports import LOWER_BOUND
from bluekrait.search.scores import LOWER
from bluekrait.search.thinking.short_search import MOST_NODES, ShortSearch, is_short

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
    for engine in (silent, reporting):  # which other tests may have used
        engine.new_game()
    for fen in POSITIONS:
        short = found(silent, fen, limits, settings)
        long = found(reporting, fen, limits, settings, on_line=lambda line: None)
        assert short == long, fen
        assert silent._workers[0].record.nodes == reporting._workers[0].record.nodes


def test_a_line_tells_the_time_since_its_search_began(silent):
    silent.set_position(None, [])
    began = monotonic()
    (line,) = silent.go(Limits(nodes=1000)).lines
    assert 0 < line.seconds <= monotonic() - began


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


def test_a_better_move_is_told_with_its_bound(silent):
    """When a search is stopped after another move has come to the front."""
    silent.set_position(None, [])
    silent.go(Limits(nodes=1000, depth=3))
    worker = silent._workers[0]
    done = worker.run_iterations(3, 1)
    worker.record.stop = 1
    worker.record.ranking[0], worker.record.ranking[1] = worker.record.ranking[1], worker.record.ranking[0]
    worker.root(0).score, worker.root(0).bound = 40, LOWER
    lines = ShortSearch(worker, Limits(nodes=1000), Settings(), pieces=32)._lines(done)
    assert lines[0].moves[0] == worker.root(0).move and lines[0].bound == LOWER_BOUND


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


def test_further_stops_leave_a_move_with_a_score_too(silent, monkeypatch):
    silent.set_threads(1)
    worker = silent._workers[0]
    run_iterations = worker.run_iterations

    def stop_and_run(*arguments):
        silent.stop()
        return run_iterations(*arguments)

    monkeypatch.setattr(worker, "run_iterations", stop_and_run)
    silent.set_position(None, [])
    choice = silent.go(Limits(nodes=50_000))
    assert choice.lines[0].depth == 1 and choice.lines[0].moves[0] == choice.move
