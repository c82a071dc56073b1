"""The process of an engine: its start, what it is told of time, how long it is waited for, and its end."""

import asyncio
import shlex
import sys
from itertools import chain, repeat
from math import inf
from time import perf_counter

import chess
import pytest

from bluekrait.tools.match.runner import engine_process
from bluekrait.tools.match.runner.engine_process import EngineProcess, StartFailure, limit_of
from bluekrait.tools.match.runner.pair_play import play_in_sequence
from bluekrait.tools.match.setup.contest import Rules
from bluekrait.tools.match.setup.engine_spec import parse_engine
from bluekrait.tools.match.setup.time_control import SideClock
from helpers.match.matches import FAKE, contest_of, fake, noted_processes, wait_until_gone


def test_an_engine_is_told_both_clocks():
    scheduled, other = contest_of(fake("A", tc="tc=2/60+0.5"), fake("B", tc="tc=3/30+2")).schedule()
    clocks = {chess.WHITE: SideClock(scheduled.white.time), chess.BLACK: SideClock(scheduled.black.time)}
    clocks[chess.WHITE].spend(10)
    white, black = (limit_of(scheduled, clocks, side) for side in (chess.WHITE, chess.BLACK))
    for limit in (white, black):
        assert (limit.white_clock, limit.white_inc) == (50.5, 0.5)
        assert (limit.black_clock, limit.black_inc) == (30, 2)
    assert (white.remaining_moves, black.remaining_moves) == (1, 3)
    assert white.clock_id == black.clock_id != limit_of(other, clocks, chess.WHITE).clock_id


def test_a_side_without_a_clock_is_shown_with_that_of_the_other():
    scheduled = next(contest_of(fake("A", tc="tc=60+0.5"), fake("B", tc="nodes=9")).schedule())
    clocks = {chess.WHITE: SideClock(scheduled.white.time), chess.BLACK: SideClock(scheduled.black.time)}
    white, black = (limit_of(scheduled, clocks, side) for side in (chess.WHITE, chess.BLACK))
    assert (white.white_clock, white.white_inc) == (white.black_clock, white.black_inc) == (60, 0.5)
    assert (black.nodes, black.white_clock, black.black_clock) == (9, None, None)


def test_no_engine_is_waited_for_for_ever_before_its_search(monkeypatch):
    schedule = contest_of(fake("A", tc="nodes=1"), fake("B", "deaf", tc="nodes=1")).schedule()
    monkeypatch.setattr(engine_process, "READY_SECONDS", 5.0)  # long enough for the other engine
    game = play_in_sequence([next(schedule)])[0]
    assert (game.result, game.termination) == ("1-0", "abandoned")
    assert game.reason.startswith("Black's connection stalls")


def test_a_search_without_a_clock_may_take_hours(monkeypatch):
    def seconds():
        return perf_counter() + next(later)

    later = chain([0.0], repeat(36_000.0))  # all that comes after the search has begun
    monkeypatch.setattr(engine_process, "READY_SECONDS", inf)
    monkeypatch.setattr(engine_process, "perf_counter", seconds)
    slow = fake("A", "good", "sleep=0.3", tc="nodes=1")
    contest = contest_of(slow, fake("B", tc="nodes=1"), rules=Rules(max_moves=1))
    assert play_in_sequence([next(contest.schedule())])[0].termination == "adjudication"


def test_what_engines_start_is_ended_with_them(tmp_path):
    inner = shlex.join([sys.executable, str(FAKE), "hang", "at=1", f"pids={tmp_path / 'pids'}"])
    wrapper = parse_engine(["cmd=sh", "arg=-c", f"arg={inner}; true"], ("tc=0.1",))
    game = play_in_sequence(contest_of(fake("A"), wrapper).schedule())[0]
    assert game.reason == "Black loses on time (no answer)"
    assert len(noted_processes(tmp_path / "pids")) == 2
    wait_until_gone(tmp_path / "pids")


def test_a_player_that_cannot_be_executed():
    async def start():
        await EngineProcess(fake("A")._replace(command=("/no/such/program",))).start()

    with pytest.raises(StartFailure, match="^A does not start"):
        asyncio.run(start())
