"""Work in units, done by several processes, here or on other machines (`tools.cluster.dask_pool`).

A unit is a call whose result depends on its arguments alone, so that it does not matter where it is made, in
which order, and whether it is made again because its process died. Units are handed out a few at a time, and
their results are taken as they come.
"""

import os
import signal
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from queue import SimpleQueue
from threading import Thread
from typing import NamedTuple

from bluekrait.core.compiler import native
from bluekrait.search.engine import ENTRIES_MODULE
from bluekrait.tools.common.processors import processes_at_a_time
from bluekrait.uci.exits import FAILED, INTERRUPTED, WRONG_ARGUMENTS

AHEAD = 3  # units in flight for each that is being worked at, so that nobody waits for the next
ATTEMPTS = 10  # before a unit whose processes all die is taken to be the cause


class FarmError(RuntimeError):
    """The work can not go on; the message says why, in one line."""

    exit_code = FAILED


class NoFarmError(FarmError):
    """The work can not begin."""

    exit_code = WRONG_ARGUMENTS


class Farm(NamedTuple):
    """Where units are worked at."""

    executor: Executor
    ahead: Callable  # how many units may be in flight, at the moment
    losses: tuple = ()  # exceptions that mean: it was not the unit's fault, try again


@contextmanager
def open_farm(processes, cluster=None):
    """Processes of this machine, or those of a cluster if its address is given."""
    if cluster is not None:
        from bluekrait.tools.cluster.dask_pool import open_cluster

        with open_cluster(cluster) as farm:
            yield farm
        return
    native.load(ENTRIES_MODULE)  # so that not every process compiles the engine
    if processes == 1:
        yield Farm(_ThisProcess(), lambda: 1)
        return
    processes = processes_at_a_time(processes)
    executor = ProcessPoolExecutor(processes, get_context("spawn"), _begin_work)
    try:
        yield Farm(executor, lambda: AHEAD * processes)
    except BaseException:
        for process in active_children():  # what they are at is lost, and nobody waits for it
            process.terminate()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def results(farm, function, units):
    """What the function makes of each unit, a tuple of arguments, in the order in which that is finished."""
    waiting, finished, flying = iter(units), SimpleQueue(), {}

    def send(unit, attempt):
        future = farm.executor.submit(function, *unit)
        flying[future] = unit, attempt
        future.add_done_callback(finished.put)

    def fill():
        while len(flying) < farm.ahead():
            unit = next(waiting, None)
            if unit is None:
                return
            send(unit, 1)

    try:
        fill()
        while flying:
            future = finished.get()
            unit, attempt = flying.pop(future)
            try:
                result = future.result()
            except farm.losses:
                if attempt == ATTEMPTS:
                    raise FarmError(f"a unit of work was lost with {ATTEMPTS} workers, one by one") from None
                send(unit, attempt + 1)
                continue
            yield result
            fill()
    except BrokenProcessPool:
        raise FarmError("a process was killed; the same command goes on where it was") from None
    except CancelledError:
        raise FarmError("the connection to the cluster is lost; the same command goes on") from None
    finally:
        for future in flying:
            future.cancel()


class _ThisProcess(Executor):
    """Does the work at once, where it is given."""

    def submit(self, function, /, *arguments, **options):
        """The finished call; what goes wrong is raised here and now."""
        future = Future()
        future.set_result(function(*arguments, **options))
        return future


def _begin_work():
    """Make ready a process. Who is interrupted is the one who gave the work; this one ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    Thread(target=_leave_with, args=(parent_process(),), daemon=True).start()


def _leave_with(parent):
    parent.join()
    os._exit(INTERRUPTED)
