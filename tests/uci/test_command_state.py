"""The state of a command, and the executor that runs commands: what stop and ponderhit do, and when."""

from threading import Event, Thread

import pytest

from bluekrait.core.move import NO_MOVE
from bluekrait.search.limits import Limits
from bluekrait.search.playing import choice
from bluekrait.search.reports import Choice
from bluekrait.uci.command_state import CommandState
from bluekrait.uci.executor import SECONDS_BETWEEN_REPORTS, Executor
from bluekrait.uci.session import Session
from helpers.waiting import PATIENCE


def test_a_command_is_stopped_before_it_begins():
    state = CommandState()
    assert not state.is_stopped()
    state.stop()
    assert state.is_stopped()
    assert not state.is_dismissed()


def test_a_dismissed_command_is_stopped_too():
    state = CommandState()
    state.dismiss()
    assert state.is_dismissed()
    assert state.is_stopped()


def test_only_a_command_that_ponders_can_be_hit():
    state = CommandState()
    state.ponder_hit()
    assert not state.is_ponder_hit()
    state.hold_answer(is_ponder=False)
    assert not state.is_ponder_hit()
    state.hold_answer(is_ponder=True)
    assert state.is_ponder_hit()


def test_end_of_input_stops_what_waits_for_stop_and_nothing_else():
    searching, infinite, pondering = CommandState(), CommandState(), CommandState()
    infinite.hold_answer(is_ponder=False)
    pondering.hold_answer(is_ponder=True)
    pondering.ponder_hit()
    for state in (searching, infinite, pondering):
        state.close_input()
    assert [state.is_stopped() for state in (searching, infinite, pondering)] == [False, True, False]


def test_a_command_given_after_the_end_of_input_does_not_wait_for_stop():
    state = CommandState(input_closed=True)
    state.hold_answer(is_ponder=True)
    state.wait_until_released()
    assert state.is_stopped()


def test_an_answer_that_is_not_held_does_not_wait():
    CommandState().wait_until_released()


@pytest.mark.parametrize("signal", ["stop", "dismiss", "ponder_hit", "close_input"])
def test_a_held_answer_is_released(signal):
    state, released = CommandState(), Event()
    state.hold_answer(is_ponder=True)

    def wait():
        state.wait_until_released()
        released.set()

    Thread(target=wait, daemon=True).start()
    assert not released.wait(0.01)
    getattr(state, signal)()
    assert released.wait(PATIENCE)


# The session


@pytest.fixture
def session():
    """A session that asks a fake engine."""
    session = Session(lambda *message: None)
    session.engine = FakeEngine()
    return session


@pytest.fixture
def asked(monkeypatch):
    """The times from which searches are to be timed. Every answer is given at 5.0."""
    times = []

    def choose_move(engine, limits, *settings, **reports):
        times.append(limits.asked_at)
        return Choice(NO_MOVE, NO_MOVE, [])

    monkeypatch.setattr(choice, "choose_move", choose_move)
    monkeypatch.setattr("bluekrait.uci.session.monotonic", lambda: 5.0)
    return times


def test_a_search_is_timed_from_its_command_or_from_the_answer_before(session, asked):
    for given_at in (1.0, 2.0, 9.0):
        session.command = CommandState()
        session.command.given_at = given_at
        session.think(Limits(depth=1), on_line=print)
    assert asked == [1.0, 5.0, 9.0]


def test_a_search_is_timed_from_any_answer_before(session, asked):
    session.command.given_at = 1.0
    session.say("\nNodes searched: 20\n")
    session.think(Limits(depth=1), on_line=print)
    assert asked == [5.0]


# The executor


@pytest.fixture
def executor(monkeypatch):
    """An executor without an engine. What it posts is in `posted`; its thread is started by the tests."""
    executor = Executor(lambda *message: executor.posted.append(message), lambda engine: None)
    executor.posted = []
    executor.session.engine = FakeEngine()
    monkeypatch.setattr(executor, "_load", lambda: True)
    return executor


class FakeEngine:
    """Counts the signals that reach it."""

    def __init__(self):
        self.stops = self.hits = 0

    def stop(self):
        self.stops += 1

    def ponder_hit(self):
        self.hits += 1


def run(executor):
    """Run all that was given; `posted`."""
    finished = Event()
    executor.give("end", finished.set)
    executor.start()
    assert finished.wait(PATIENCE)
    return executor.posted


def test_commands_run_in_order_and_each_is_done(executor):
    order = []
    for number in range(5):
        executor.give("append", lambda number=number: order.append(number))
    posted = run(executor)
    assert order == [0, 1, 2, 3, 4]
    assert posted[:5] == [("done",)] * 5


def test_stop_concerns_what_was_given_before_it(executor):
    stopped = []

    def note():
        stopped.append(executor.session.command.is_stopped())

    executor.give("before", note)
    executor.give("before", note)
    executor.stop()
    executor.give("after", note)
    run(executor)
    assert stopped == [True, True, False]


def test_a_command_given_after_the_end_of_input_is_told_that_no_stop_can_come(executor):
    stopped = []

    def search():
        executor.session.command.hold_answer(is_ponder=False)
        stopped.append(executor.session.command.is_stopped())

    executor.close_input()
    executor.give("go", search)
    run(executor)
    assert stopped == [True]


def test_a_search_that_begins_after_its_stop_is_told(executor):
    executor.give("go", executor.session.forward_to_engine)
    executor.stop()
    assert executor.session.engine.stops == 0, "no command of the session is stopped before the first begins"
    run(executor)
    assert executor.session.engine.stops == 1


def test_a_search_is_stopped_while_it_runs(executor):
    begun, seen = Event(), Event()

    def search():
        begun.set()
        assert seen.wait(PATIENCE)

    executor.give("go", search)
    executor.start()
    assert begun.wait(PATIENCE)
    executor.stop()
    seen.set()
    assert executor.session.engine.stops == 1


def test_a_command_that_ends_meanwhile_keeps_no_stop_from_the_next(executor):
    begun, told, stopped = Event(), Event(), []
    executor.give("first", lambda: begun.set() or told.wait(PATIENCE))
    executor.give("second", lambda: None)
    executor.start()
    assert begun.wait(PATIENCE)

    def stop(state):
        stopped.append(state)
        told.set()
        Event().wait(0.05)  # long enough for the first to end, if it could

    executor._signal(stop)
    assert len(stopped) == 2


def test_ponder_hit_reaches_the_search(executor):
    def ponder():
        executor.session.command.hold_answer(is_ponder=True)
        executor.session.forward_to_engine()

    executor.give("go", ponder)
    executor.ponder_hit()
    run(executor)
    assert (executor.session.engine.stops, executor.session.engine.hits) == (0, 1)


def test_errors_are_posted_and_do_not_end_the_executor(executor):
    def complain():
        raise ValueError("not like this")

    def fail():
        raise ZeroDivisionError("by nothing")

    executor.give("complain", complain)
    executor.give("divide", fail)
    posted = run(executor)
    assert posted[:4] == [
        ("error", "not like this"),
        ("done",),
        ("error", "divide failed, ZeroDivisionError: by nothing"),
        ("done",),
    ]


def test_the_progress_of_the_compiler_is_told_a_few_times_a_second(executor, monkeypatch):
    now = [100.0]
    monkeypatch.setattr("bluekrait.uci.executor.monotonic", lambda: now[0])
    for step in range(8):
        executor._report(step, 8, "rook moves")
        now[0] += 0.6 * SECONDS_BETWEEN_REPORTS
    assert executor.posted == [("compiled", step, 8, "rook moves") for step in (0, 2, 4, 6)]
