"""Units of work for several worker processes, on this machine or on others.

A unit is a function call whose result depends on its arguments alone. So it does not matter where it runs, in
which order, or whether it runs again because its process died. Only a few units are in flight at a time, and
results are yielded as they arrive.

`local_pool` has the processes of this machine, `dask_pool` those of a cluster; `pools.open_pool` chooses.
"""

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import CancelledError, Future
from concurrent.futures.process import BrokenProcessPool
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, Protocol, TypeVar

from bluekrait.tools.common.errors import CommandError
from bluekrait.uci.exits import WRONG_ARGUMENTS

UNITS_PER_WORKER = 3  # in flight for each worker, so that none waits for its next unit
ATTEMPTS = 10  # a unit that is submitted so often, and whose workers die each time, is taken to be the cause
LONG_WAIT = 5.0  # seconds without a result, after which the pool may say why

Result = TypeVar("Result")


class PoolError(CommandError):
    """The work cannot continue."""


class PoolUnavailable(PoolError):
    """The work cannot start."""

    exit_code = WRONG_ARGUMENTS


class Submitter(Protocol):
    """The one method of `concurrent.futures.Executor` that a pool needs."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> "Future[Any]":
        """Start a call."""


class WorkerPool(NamedTuple):
    """Where units run."""

    executor: Submitter
    in_flight: Callable[[], int]  # how many units may be in flight now
    retry_on: tuple[type[BaseException], ...] = ()  # errors of the worker, not of the unit
    on_long_wait: Callable[[], object] = lambda: None


def run_units(
    pool: WorkerPool, function: Callable[..., Result], units: Iterable[tuple[Any, ...]]
) -> Generator[Result, None, None]:
    """Call the function with each unit's arguments. Yield results in the order in which they arrive."""
    waiting = iter(units)
    finished: SimpleQueue[Future[Result]] = SimpleQueue()
    running: dict[Future[Result], tuple[tuple[Any, ...], int]] = {}

    def submit(unit: tuple[Any, ...], attempt: int) -> None:
        future = pool.executor.submit(function, *unit)
        running[future] = unit, attempt
        future.add_done_callback(finished.put)

    def fill() -> None:
        while len(running) < pool.in_flight():
            unit = next(waiting, None)
            if unit is None:
                return
            submit(unit, 1)

    try:
        fill()
        while running:
            try:
                future = finished.get(timeout=LONG_WAIT)
            except Empty:
                pool.on_long_wait()
                continue
            unit, attempt = running.pop(future)
            try:
                result = future.result()
            except pool.retry_on:
                if attempt == ATTEMPTS:
                    message = f"it was given out {ATTEMPTS} times, and its workers died"
                    raise PoolError(f"a unit of work was lost: {message}") from None
                submit(unit, attempt + 1)
                continue
            yield result
            fill()
    except BrokenProcessPool:
        raise PoolError("a worker process was killed; the same command continues the work") from None
    except CancelledError:
        raise PoolError("the connection to the cluster was lost; the same command continues") from None
    finally:
        for future in running:
            future.cancel()
