"""The worker processes of this machine."""

import gc
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.process import BaseProcess
from threading import Thread
from time import sleep
from typing import Any

from bluekrait.core.timer import monotonic
from bluekrait.search.engine import ENTRIES_MODULE
from bluekrait.tools.cluster.terminal_signals import (
    leave_terminal_signals_to_parent,
    terminal_signals_blocked,
)
from bluekrait.tools.cluster.worker_pool import UNITS_PER_WORKER, WorkerPool
from bluekrait.tools.common.compiling import load_entries
from bluekrait.tools.common.processors import processes_at_a_time
from bluekrait.uci.exits import INTERRUPTED

LONGEST_FAREWELL = 1.0  # seconds


@contextmanager
def open_local_pool(processes: int, entries: str = ENTRIES_MODULE) -> Iterator[WorkerPool]:
    """A pool of worker processes; with only one process, units run in a thread of this process."""
    load_entries(entries)  # compile once, before every process would
    if processes == 1:
        with _threads(1) as thread:
            yield WorkerPool(thread, lambda: 1)
        return
    processes = processes_at_a_time(processes)
    with terminal_signals_blocked():  # it starts a process that keeps account of its semaphores
        executor = ProcessPoolExecutor(processes, _WorkerContext(), _initialize_worker)
    try:
        yield WorkerPool(executor, lambda: UNITS_PER_WORKER * processes)
    except BaseException:
        _end_workers(executor)
        gc.collect()  # its queues: the program may exit without doing so, and Python would complain
        raise
    finally:
        executor.shutdown(cancel_futures=True)


class _WorkerProcess(SpawnProcess):
    def start(self) -> None:
        with terminal_signals_blocked():
            super().start()


class _WorkerContext(SpawnContext):
    Process = _WorkerProcess


def _end_workers(executor: Any) -> None:
    """End the worker processes at once: their results are not needed."""
    manager, workers = executor._executor_manager_thread, active_children()
    calls, results = executor._call_queue, executor._result_queue
    executor.shutdown(wait=False, cancel_futures=True)
    deadline = monotonic() + LONGEST_FAREWELL
    while executor._cancel_pending_futures and monotonic() < deadline:
        sleep(0.01)  # until the executor has dropped the units that wait: they must not fail when workers end
    for worker in workers:
        worker.terminate()
        worker.join()
    del calls  # not before: a worker that is just starting opens its semaphores
    # A worker may have died in the middle of a result. The executor would wait for the rest of it for ever
    # while this process can still write to the pipe; so it sees its end.
    results._writer.close()
    if manager is not None:
        manager.join()


@contextmanager
def open_thread_pool(threads: int) -> Iterator[WorkerPool]:
    """A pool of threads of this process, for units that share memory and run without the interpreter lock."""
    with _threads(threads) as executor:
        yield WorkerPool(executor, lambda: UNITS_PER_WORKER * threads)


@contextmanager
def _threads(count: int) -> Iterator[ThreadPoolExecutor]:
    """Threads for units, so that Ctrl-C and SIGTERM reach the main thread while compiled code runs.

    After an interrupt nobody waits for the end of a unit.
    """
    executor = ThreadPoolExecutor(count)
    try:
        yield executor
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def _initialize_worker() -> None:
    """Leave Ctrl-C and a closed terminal to the parent process, and exit when the parent exits."""
    leave_terminal_signals_to_parent()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    Thread(target=_exit_with, args=(parent_process(),), daemon=True).start()


def _exit_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(INTERRUPTED)
