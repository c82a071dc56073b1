"""Searches in the background: followed, stopped, awaited, forgotten; by threads and event loops."""

import asyncio
import gc
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Event, Timer

import pytest

from bluekrait import Engine, EngineBusy, Position
from bluekrait.search.library import background, engine_lock
from bluekrait.search.library.background import Search
from helpers.processes.machines import is_interrupted_while
from helpers.waiting import PATIENCE, wait_until

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
MATED = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"

FORKED = f"""
import os, signal, warnings
from bluekrait import Engine, Position

engine = Engine(threads=2)
engine.analyse(Position(), depth=2).result()
warnings.simplefilter("ignore")  # Python's about forks beside threads
child = os.fork()
if not child:
    signal.alarm({PATIENCE})
    os._exit(not engine.analyse(Position(), depth=2).result().move)
print(os.waitpid(child, 0)[1])
"""

ENDED = f"""
import atexit, threading

def tell():
    print(background.result({PATIENCE}).move is not None, thread.join())

atexit.register(tell)  # called after what is registered later
from bluekrait import Engine, Position

engines = [Engine(), Engine()]
background = engines[0].analyse(Position())
thread = threading.Thread(target=engines[1].search, args=[Position()], kwargs={{"seconds": 1e6}}, daemon=True)
thread.start()
"""

ENDED_AS_FORK = f"""
import os, signal, sys, warnings
from bluekrait import Engine, Position

engine = Engine()
next(iter(engine.analyse(Position())))
search = engine.analyse(Position())
warnings.simplefilter("ignore")  # Python's about forks beside threads
child = os.fork()
if not child:
    signal.alarm({PATIENCE})
    sys.exit(0)
print(os.waitpid(child, 0)[1])
"""

INTERRUPTED = f"""
import random, signal
from bluekrait import Engine, Position

class Interrupted(Exception): pass

def interrupt(*_):
    raise Interrupted

def call_until_interrupted(call):
    try:
        signal.setitimer(signal.ITIMER_REAL, random.uniform(0.0001, 0.002))
        while True:
            call()
    except Interrupted:
        pass

def wait(search):
    try:
        search.result(timeout=0.00001)
    except TimeoutError:
        pass

signal.signal(signal.SIGALRM, interrupt)
with Engine(hash_mb=1) as engine:
    for _ in range(300):
        call_until_interrupted(lambda: engine.search(Position(), nodes=10))
        signal.alarm({PATIENCE})  # what is never free again would be waited for without end
        search = engine.analyse(Position())
        call_until_interrupted(lambda: wait(search))
        signal.alarm({PATIENCE})
        search.stop()
        engine.search(Position(), nodes=10)
        signal.alarm(0)
"""

ENGINES, BYTES_KEPT = 20, 5000  # one after another, and what each may leave at most

MEMORY_KEPT = f"""
import gc
from bluekrait import Engine, Position

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

def use(count):
    for number in range(count):
        engine = Engine(threads=1 + number % 2)
        engine.search(Position(), nodes=200)
        for line in engine.analyse(Position(), depth=2):
            pass
    del engine, line
    gc.collect()

def growth():
    before = resident()
    use({ENGINES})
    return resident() - before

# Once in a while the allocator keeps the memory of one engine for the next; what is lost is lost each time.
use(10)
print(min(growth() for _ in range(3)))
"""


def search_threads():
    return [thread for thread in threading.enumerate() if "bluekrait" in thread.name]


@pytest.fixture
def engine():
    with Engine() as made:
        yield made


# --- following ----------------------------------------------------------------------------------------


def test_lines_are_found_one_after_another(engine):
    search = engine.analyse(KIWIPETE, depth=4, multi_pv=2)
    lines = list(search)
    assert [(line.depth, line.rank) for line in lines] == [(d, r) for d in (1, 2, 3, 4) for r in (1, 2)]
    assert list(search) == lines
    assert search.lines == tuple(lines[-2:])
    assert [line.uci for line in search.result().lines] == [line.uci for line in lines[-2:]]
    assert not search.is_running and "done" in repr(search)


def test_leaving_the_loop_stops_the_search(engine):
    for line in engine.analyse(KIWIPETE):
        if line.depth == 3:
            break
    assert line.depth == 3
    wait_until(lambda: not search_threads())


def test_a_search_is_stopped_and_gives_what_it_has(engine):
    search = engine.analyse(KIWIPETE)
    wait_until(lambda: search.lines)
    assert search.is_running
    search.stop()
    search.stop()
    assert search.result(PATIENCE).move in Position(KIWIPETE).legal_moves


def test_a_search_that_is_stopped_before_it_begins_ends_at_once(engine):
    for _ in range(20):
        search = engine.analyse(KIWIPETE)
        search.stop()
        assert search.result(PATIENCE).move


@pytest.mark.parametrize(
    "wait",
    [Search.result, lambda search: search.result(10 * PATIENCE), list, lambda search: search.__exit__()],
    ids=["result", "timeout", "lines", "with"],
)
def test_windows_hears_an_interrupt_while_it_waits_for_a_search(monkeypatch, wait):
    monkeypatch.setattr(background, "LONGEST_WAIT", 0.1)
    over = threading.Event()

    def work(*callbacks):
        over.wait()
        raise InterruptedError

    search = Search(Position(), work, lambda: None, lambda search: None, None)
    assert is_interrupted_while(lambda: wait(search), over.set)
    over.set()
    with pytest.raises(InterruptedError):
        search.result()


def test_windows_hears_an_interrupt_while_it_waits_for_its_turn(monkeypatch):
    monkeypatch.setattr(engine_lock, "LONGEST_WAIT", 0.1)
    lock, over = engine_lock.EngineLock(), threading.Event()

    def work():
        with lock:
            over.wait()

    with ThreadPoolExecutor(1) as executor:
        executor.submit(work)
        wait_until(lock._lock.locked)
        assert is_interrupted_while(lock.__enter__, over.set)
        over.set()
    with lock:  # it is free
        pass


def test_an_interrupt_at_any_line_leaves_the_lock_free():
    lock, before = engine_lock.EngineLock(), sys.gettrace()

    def taken(interrupted_line):
        lines = 0

        def trace(frame, event, _):
            nonlocal lines
            lines += event == "line"
            if lines == interrupted_line:
                raise KeyboardInterrupt
            return trace if frame.f_code.co_filename == engine_lock.__file__ else None

        sys.settrace(trace)
        try:
            with lock:
                sys.settrace(before)
        finally:
            sys.settrace(before)
        return lines

    for line in range(1, taken(None) + 1):
        with pytest.raises(KeyboardInterrupt):
            taken(line)
        assert not lock._lock.locked()


def test_closing_that_is_interrupted_can_be_done_again():
    lock, released = engine_lock.EngineLock(), Event()
    with pytest.raises(ZeroDivisionError):
        lock.close(lambda: None, lambda: 1 / 0)
    lock.close(lambda: pytest.fail("the lock is not free"), released.set)
    assert released.is_set()


def test_waiting_has_an_end(engine):
    with engine.analyse(KIWIPETE) as search:
        with pytest.raises(TimeoutError, match="goes on"):
            search.result(timeout=0.05)
        assert search.is_running
    assert not search.is_running


def test_waiting_until_no_time_has_an_end(engine):
    with engine.analyse(KIWIPETE) as search:
        stopping = Timer(PATIENCE, search.stop)
        stopping.start()
        with pytest.raises(TimeoutError):
            search.result(timeout=float("nan"))
        stopping.cancel()


def test_a_search_that_nobody_holds_is_stopped(engine):
    engine.analyse(KIWIPETE)
    gc.collect()
    wait_until(lambda: not search_threads())


def test_errors_reach_everyone_who_asks(engine, monkeypatch):
    monkeypatch.setattr(engine._engine, "go", lambda *arguments, **named: 1 / 0)
    search = engine.analyse(KIWIPETE, depth=1)
    with pytest.raises(ZeroDivisionError):
        list(search)
    with pytest.raises(ZeroDivisionError):
        search.result()

    async def wait():
        await engine.analyse(KIWIPETE, depth=1)

    with pytest.raises(ZeroDivisionError):
        asyncio.run(wait())


# --- one engine for many, many engines ----------------------------------------------------------------


def test_threads_that_share_an_engine_wait_for_one_another(engine):
    positions = [Position().play(move) for move in Position().legal_moves]
    alone = [engine.search(position, depth=1).move in position.legal_moves for position in positions]
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda position: engine.search(position, nodes=800), positions))
    assert all(alone)
    for position, result in zip(positions, results):
        assert result.move in position.legal_moves


def test_engines_do_not_disturb_each_other():
    def lines(number):
        with Engine(hash_mb=1 + number % 2) as engine:
            return engine.search(KIWIPETE, nodes=20_000, multi_pv=2).line.uci

    alone = [lines(number) for number in range(2)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lines, range(8)))
    assert together == 4 * alone


def test_waiting_for_ones_own_endless_analysis_is_an_error(engine):
    with engine.analyse(KIWIPETE) as search:
        wait_until(lambda: search.lines)
        with pytest.raises(EngineBusy, match="stop that, or use another"):
            engine.search(KIWIPETE, nodes=10)
        with pytest.raises(EngineBusy):
            engine.options.threads = 2
    assert engine.search(KIWIPETE, nodes=10).move


def test_an_endless_analysis_that_waits_for_its_turn_is_waited_for_no_less(engine):
    with engine.analyse(KIWIPETE, depth=100) as first:
        wait_until(lambda: first.lines)
        with engine.analyse(KIWIPETE) as endless:
            with pytest.raises(EngineBusy):
                engine.search(KIWIPETE, nodes=10)
            endless.stop()
            first.stop()
            assert engine.search(KIWIPETE, nodes=10).move


@pytest.mark.parametrize(
    "wait",
    [lambda search: search.result(), list, lambda search: search.__exit__()],
    ids=["result", "for", "with"],
)
def test_a_search_that_waits_for_ones_own_endless_analysis_is_an_error_too(engine, wait):
    with engine.analyse(KIWIPETE) as endless:
        wait_until(lambda: endless.lines)
        for second in (engine.play(KIWIPETE, nodes=10), engine.analyse(KIWIPETE)):
            with pytest.raises(EngineBusy, match="stop that, or use another"):
                wait(second)
            second.stop()
            with pytest.raises(TimeoutError):
                second.result(timeout=0.01)
    assert second.result(PATIENCE).move


def test_a_search_that_had_its_turn_is_waited_for(engine):
    first = engine.analyse(KIWIPETE, nodes=200_000)
    wait_until(lambda: first.lines)
    with engine.analyse(KIWIPETE):
        assert first.result().move and list(first)


def test_a_result_that_needed_no_search_is_there_whatever_runs_now(engine):
    over = engine.analyse(MATED)
    wait_until(lambda: not over.is_running)
    with engine.analyse(KIWIPETE):
        assert over.result().move is None and len(list(over)) == 1


def test_a_search_with_a_limit_is_waited_for_by_who_began_it(engine):
    over = engine.analyse(MATED)  # has no limit, but ends by itself
    assert over.result(PATIENCE).move is None
    limited = engine.analyse(KIWIPETE, nodes=300_000)
    wait_until(lambda: limited.lines)
    assert engine.search(KIWIPETE, nodes=10).move
    assert limited.result(PATIENCE).move


def test_a_task_that_waits_for_an_endless_analysis_does_not_keep_others_from_stopping_it(engine):
    async def main():
        endless = engine.analyse(KIWIPETE)

        async def stop():
            endless.stop()

        result, _ = await asyncio.gather(engine.play(KIWIPETE, nodes=10), stop())
        return result

    assert asyncio.run(main()).move


def test_a_thread_is_not_taken_for_another_one_that_has_ended(engine, monkeypatch):
    check_wait, is_checked = engine._lock.check_wait, Event()

    def check():
        try:
            check_wait()
        finally:
            is_checked.set()

    with ThreadPoolExecutor(1) as pool:
        endless = pool.submit(engine.analyse, KIWIPETE).result()
    wait_until(lambda: endless.lines)
    with ThreadPoolExecutor(1) as pool:  # its thread is likely to get the number of the first one
        monkeypatch.setattr(engine._lock, "check_wait", check)
        waiting = pool.submit(engine.search, KIWIPETE, nodes=10)
        assert is_checked.wait(PATIENCE)
        endless.stop()
        assert waiting.result(PATIENCE).move


def test_the_engine_stops_what_has_hardly_begun(engine):
    for _ in range(20):
        search = engine.analyse(KIWIPETE)
        engine.stop()
        assert search.result().move


def test_a_late_stop_does_not_hit_the_next_search(engine):
    for _ in range(20):
        first = engine.analyse(KIWIPETE, nodes=200)
        second = engine.analyse(KIWIPETE, depth=6)
        first.result()
        first.stop()
        assert second.result().line.depth == 6


# --- the end ------------------------------------------------------------------------------------------


def test_closing_stops_a_search():
    engine = Engine()
    search = engine.analyse(KIWIPETE)
    wait_until(lambda: search.lines)
    engine.close()
    assert search.result(PATIENCE).move
    for call in (engine.search, engine.analyse):
        with pytest.raises(ValueError, match="closed"):
            call(KIWIPETE, nodes=1)
    engine.close()


def test_a_closed_engine_keeps_no_thread():
    before = threading.active_count()
    engine = Engine(threads=2)
    engine.search(KIWIPETE, depth=2)
    assert threading.active_count() > before
    engine.close()
    wait_until(lambda: threading.active_count() <= before)


def test_engines_that_are_dropped_leave_no_thread():
    before = threading.active_count()
    for _ in range(5):
        list(Engine(threads=2).analyse(KIWIPETE, depth=2))
    gc.collect()
    wait_until(lambda: threading.active_count() <= before)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes are forked here")
def test_a_forked_process_goes_on_with_an_engine(warm_cache):
    answer = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True)
    assert answer.stdout == "0\n", answer.stderr


def test_a_program_that_ends_stops_its_searches_first(warm_cache):
    answer = subprocess.run([sys.executable, "-c", ENDED], capture_output=True, text=True)
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "True None\n", "")


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no timer that interrupts")
def test_an_interrupt_at_any_moment_leaves_the_engine_free(warm_cache):
    answer = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True)
    assert (answer.returncode, answer.stderr) == (0, "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no fork")
def test_a_forked_process_ends_though_its_parent_searches(warm_cache):
    answer = subprocess.run([sys.executable, "-c", ENDED_AS_FORK], capture_output=True, text=True)
    assert (answer.stdout, answer.stderr) == ("0\n", "")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is read from /proc")
def test_engines_that_are_dropped_leave_no_memory(warm_cache):
    answer = subprocess.run([sys.executable, "-c", MEMORY_KEPT], capture_output=True, text=True)
    assert int(answer.stdout) < ENGINES * BYTES_KEPT, answer.stderr


# --- event loops --------------------------------------------------------------------------------------


def test_an_event_loop_follows_and_is_not_blocked(engine):
    ticks = []

    async def tick_and_stop(search):
        while len(ticks) < 5:
            await asyncio.sleep(0.001)
            ticks.append(search.is_running)
        search.stop()

    async def main():
        depths = [line.depth async for line in engine.analyse(KIWIPETE, depth=7)]
        search = engine.analyse(KIWIPETE, seconds=PATIENCE)
        ticking = asyncio.create_task(tick_and_stop(search))
        result = await search
        await ticking
        return depths, result

    depths, result = asyncio.run(main())
    assert depths == [1, 2, 3, 4, 5, 6, 7]
    assert result.move in Position(KIWIPETE).legal_moves
    assert ticks == [True] * 5


def test_searches_of_one_engine_take_turns_in_a_loop(engine):
    async def main():
        positions = [Position().play(move) for move in ("e4", "d4", "c4")]
        return await asyncio.gather(*(engine.analyse(position, nodes=2000) for position in positions))

    assert len({result.position.fen for result in asyncio.run(main())}) == 3


def test_leaving_an_asynchronous_loop_stops_the_search(engine):
    async def main():
        async with engine.analyse(KIWIPETE) as search:
            async for line in search:
                if line.depth == 2:
                    break
        return search

    assert not asyncio.run(main()).is_running


def test_leaving_a_search_that_failed_raises_nothing(engine, monkeypatch):
    monkeypatch.setattr(engine._engine, "go", lambda *arguments, **named: 1 / 0)

    async def main():
        async with engine.analyse(KIWIPETE) as search:
            pass
        return search

    search = asyncio.run(main())
    with pytest.raises(ZeroDivisionError):
        search.result()


def test_an_event_loop_that_is_closed_ends_no_search(engine):
    loop, search = asyncio.new_event_loop(), engine.analyse(KIWIPETE)
    lines = search._run.follow_async()
    first = loop.run_until_complete(lines.__anext__())
    loop.close()
    wait_until(lambda: not search.is_running or search.lines[0].depth > first.depth + 2)
    search.stop()
    assert search.result(PATIENCE).line.depth > first.depth + 2
    with suppress(StopIteration):
        lines.aclose().send(None)


def test_cancelling_a_task_stops_its_search(engine):
    async def main(search):
        async def wait():
            await search

        task = asyncio.create_task(wait())
        while not search.lines:
            assert search.is_running
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    search = engine.play(KIWIPETE)
    asyncio.run(main(search))
    wait_until(lambda: not search.is_running)
