"""How long to think: never longer than there is time, and a sensible time whatever a clock says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluekrait.search.limits import Limits
from bluekrait.search.thinking import clock
from bluekrait.search.thinking.clock import (
    HARD_FACTOR,
    INCREMENT_SHARE,
    LEAST_SECONDS,
    RESERVE,
    SCORE_DROP,
    SOFT_SHARE,
    STABLE_AT_MOST,
    Clock,
    moves_left,
    soft_limit_factor,
    time_budget,
)

OVERHEAD = 20  # milliseconds

clocks = st.integers(-10_000, 10_000_000)  # milliseconds
overheads = st.integers(0, 5000)
increments = st.integers(0, 100_000)
moves_to_go = st.none() | st.integers(1, 200)


@given(clocks, increments, moves_to_go, overheads)
def test_there_is_always_some_time_and_never_more_than_is_left(remaining, increment, moves, overhead):
    soft, hard, _ = time_budget(Limits(remaining, increment, moves), overhead)
    assert 0 <= soft <= hard
    assert LEAST_SECONDS <= hard <= max(LEAST_SECONDS, (remaining - overhead) / 1000)


@given(st.integers(100, 10_000_000), increments, st.none() | st.integers(2, 200))
def test_with_moves_to_come_something_is_kept_for_them(remaining, increment, moves):
    assert time_budget(Limits(remaining, increment, moves), OVERHEAD).hard < 0.9 * remaining / 1000


@given(st.integers(1000, 1_000_000), st.integers(2, 40), increments)
def test_who_only_takes_soft_times_reaches_the_time_control(remaining, moves, increment):
    for left in range(moves, 0, -1):
        soft = time_budget(Limits(remaining, increment, left), OVERHEAD).soft
        remaining -= 1000 * soft
        assert remaining > 0
        remaining += increment


@given(clocks, clocks, increments, moves_to_go)
def test_more_time_is_never_less(remaining, other, increment, moves):
    less, more = (
        time_budget(Limits(left, increment, moves), OVERHEAD) for left in sorted((remaining, other))
    )
    assert less.soft <= more.soft and less.hard <= more.hard


@given(st.integers(1000, 1_000_000), st.integers(1, 50), st.integers(1, 50))
def test_the_fewer_moves_the_longer_each(remaining, moves, others):
    few, many = (time_budget(Limits(remaining, 0, count), OVERHEAD) for count in sorted((moves, others)))
    assert few.soft >= many.soft


@given(st.integers(1000, 1_000_000), increments, st.integers(0, 500), st.integers(0, 500))
def test_early_in_the_game_more_time_is_kept_for_later(remaining, increment, ply, other):
    early, late = (time_budget(Limits(remaining, increment), OVERHEAD, at) for at in sorted((ply, other)))
    assert early.soft <= late.soft and early.hard <= late.hard
    first, later = (time_budget(Limits(remaining), OVERHEAD, at) for at in (0, 80))
    assert first.soft < later.soft


@given(st.integers(1000, 1_000_000), st.integers(0, 500))
def test_without_an_increment_more_time_is_kept_for_later(remaining, ply):
    none, some, full = (moves_left(remaining, share * remaining, None, ply) for share in (0, 0.004, 0.01))
    assert none > some > full == moves_left(remaining, remaining, None, ply)


def test_how_many_moves_are_to_come():
    assert moves_left(60.0, 0.0, None, 0) == pytest.approx(42)
    assert moves_left(60.0, 0.6, None, 0) == 30
    assert moves_left(60.0, 0.6, None, 40) == 20
    assert moves_left(60.0, 0.6, None, 400) == 16
    assert moves_left(60.0, 0.0, 40, 0) == 30
    assert moves_left(60.0, 0.0, 7, 0) == 7


def test_one_move_may_take_a_few_fair_shares():
    budget = time_budget(Limits(20_000 + RESERVE + OVERHEAD, 0, 20), OVERHEAD)
    assert budget.soft == pytest.approx(SOFT_SHARE)
    assert budget.hard == pytest.approx(HARD_FACTOR)
    with_increment = time_budget(Limits(20_000 + RESERVE + OVERHEAD, 1000, 20), OVERHEAD)
    assert with_increment.hard == pytest.approx(HARD_FACTOR * (1 + INCREMENT_SHARE))


def test_the_last_move_before_the_control_may_take_nearly_everything():
    assert 0.8 < time_budget(Limits(1000, 0, 1), OVERHEAD).hard < 1.0


@pytest.mark.parametrize("remaining", [0, -1, -100_000])
@pytest.mark.parametrize("increment", [0, 1000])
def test_without_time_the_answer_comes_at_once(remaining, increment):
    soft, hard, _ = time_budget(Limits(remaining, increment), OVERHEAD)
    assert soft <= hard == LEAST_SECONDS


def test_the_last_moments_of_the_clock_are_left_alone():
    assert time_budget(Limits(OVERHEAD + RESERVE), OVERHEAD).hard == LEAST_SECONDS
    assert time_budget(Limits(OVERHEAD + RESERVE + 1000), OVERHEAD).hard > LEAST_SECONDS


def test_a_negative_increment_is_none():
    assert time_budget(Limits(1000, -500), OVERHEAD) == time_budget(Limits(1000, 0), OVERHEAD)


@given(st.integers(-100, 1_000_000), overheads)
def test_an_exact_time_is_taken_whole(move_time, overhead):
    soft, hard, is_flexible = time_budget(Limits(move_time=move_time, remaining=5), overhead)
    assert soft is None and not is_flexible
    assert hard == pytest.approx(max(LEAST_SECONDS, (move_time - overhead) / 1000))


def test_without_a_clock_there_is_no_limit():
    assert time_budget(Limits(depth=5), OVERHEAD) == (None, None, False)


@given(st.floats(0, 1), st.integers(0, 127), st.integers(-60_000, 60_000))
def test_soft_limit_factor_is_bounded(share, stable, drop):
    assert 0.2 < soft_limit_factor(share, stable, drop) < 5


@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 30), st.integers(0, 30))
def test_the_surer_the_sooner(share, other, stable, longer):
    assert soft_limit_factor(max(share, other), stable, 0) <= soft_limit_factor(min(share, other), stable, 0)
    assert soft_limit_factor(share, max(stable, longer), 0) <= soft_limit_factor(
        share, min(stable, longer), 0
    )
    assert soft_limit_factor(share, stable, stable) <= soft_limit_factor(share, stable, stable + longer)


def test_what_the_soft_limit_depends_on():
    """Nodes, stability and score each change it by half and more."""
    usual = soft_limit_factor(0.5, 0, 0)
    assert soft_limit_factor(1, 0, 0) < usual / 2 and soft_limit_factor(0, 0, 0) > 1.5 * usual
    assert soft_limit_factor(0.5, STABLE_AT_MOST, 0) < 0.6 * usual
    assert soft_limit_factor(0.5, 0, SCORE_DROP) == pytest.approx(1.5 * usual)


# --- watching ---------------------------------------------------------------------------------------


@pytest.fixture
def tick(monkeypatch):
    """Let seconds pass; the clock says 100 at first."""
    now = [100.0]
    monkeypatch.setattr(clock, "monotonic", lambda: now[0])

    def advance(seconds):
        now[0] += seconds

    return advance


def test_seconds_pass(tick):
    watch = Clock(Limits(move_time=1020), OVERHEAD)
    assert (watch.seconds, watch.seconds_left()) == (0, pytest.approx(1.0))
    tick(0.75)
    assert (watch.seconds, watch.seconds_left()) == (0.75, pytest.approx(0.25))
    tick(9)
    assert watch.seconds_left() == 0


def test_what_passed_since_the_move_was_asked_for_counts(tick):
    watch = Clock(Limits(move_time=1020, asked_at=99.75), OVERHEAD)
    assert (watch.seconds, watch.seconds_left()) == (0.25, pytest.approx(0.75))


def test_an_exact_time_is_no_reason_to_stop_early(tick):
    watch = Clock(Limits(move_time=1000), OVERHEAD)
    tick(0.9)
    assert not watch.is_playing
    assert not watch.is_time_to_stop(0.001)


def test_the_soft_time_is_stretched_up_to_the_hard_one(tick):
    limits = Limits(60_000)
    soft, hard, _ = time_budget(limits, OVERHEAD)
    watch = Clock(limits, OVERHEAD)
    assert watch.is_playing and not watch.is_time_to_stop(1)
    tick(soft * 0.99)
    assert not watch.is_time_to_stop(1) and watch.is_time_to_stop(0.9)
    tick(soft * 0.02)
    assert watch.is_time_to_stop(1) and not watch.is_time_to_stop(1.5)
    tick(hard)
    assert watch.is_time_to_stop(1000)


def test_pondering_costs_no_time(tick):
    limits = Limits(60_000, ponder=True)
    watch = Clock(limits, OVERHEAD)
    tick(1000)
    assert not watch.is_running
    assert watch.seconds_left() is None
    watch.ponder_hit()
    assert watch.is_running
    assert watch.seconds_left() == pytest.approx(time_budget(limits, OVERHEAD).hard)
    assert watch.seconds == 1000
    tick(time_budget(limits, OVERHEAD).hard)
    assert watch.seconds_left() == 0


def test_the_clock_runs_from_the_first_ponder_hit(tick):
    watch = Clock(Limits(move_time=1020, ponder=True), OVERHEAD)
    watch.ponder_hit()
    tick(0.75)
    watch.ponder_hit()
    assert watch.seconds_left() == pytest.approx(0.25)


def test_what_was_thought_while_pondering_need_not_be_thought_again(tick):
    soft = time_budget(Limits(60_000), OVERHEAD).soft
    watch = Clock(Limits(60_000, ponder=True), OVERHEAD)
    tick(soft / 2)
    watch.ponder_hit()
    assert not watch.is_time_to_stop(1)
    tick(soft * 0.51)
    assert watch.is_time_to_stop(1)


def test_without_limits_the_clock_never_rings(tick):
    watch = Clock(Limits(infinite=True), OVERHEAD)
    tick(1e6)
    assert watch.seconds_left() is None
    assert not watch.is_time_to_stop(0)
