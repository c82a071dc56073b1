"""The workers of a Dask scheduler as a worker pool (`worker_pool`).

    dask scheduler                                  # on one machine; it prints its address
    bluekrait worker tcp://192.168.1.10:8786        # on each machine that works
    bluekrait datagen --cluster tcp://192.168.1.10:8786 games.bkg

Workers may join and leave at any time. A unit whose worker died is given to another worker, a few times by
the scheduler and then again by `worker_pool`. All machines must run the same sources with the same network,
because results of different versions must not be mixed: every unit carries a digest of what it expects.
"""

import gc
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import blake2b
from importlib import resources
from typing import TYPE_CHECKING, Any

from bluekrait.core.compiler.sources import PACKAGES
from bluekrait.core.timer import monotonic
from bluekrait.tools.cluster.worker_pool import (
    UNITS_PER_WORKER,
    PoolError,
    PoolUnavailable,
    Submitter,
    WorkerPool,
)
from bluekrait.uci.exits import tell

if TYPE_CHECKING:
    from concurrent.futures import Future
    from importlib.resources.abc import Traversable

CONNECT_SECONDS = 8
SOURCES = (".py", ".bin", ".bknn")  # what the result of a unit can depend on
UNREADABLE = "deserialization of the task graph"  # in what Dask says if its scheduler lacks a package
SAME_EVERYWHERE = 'pip install "bluekrait[cluster]", the same version, where scheduler and workers run'
REFRESH_SECONDS = 5  # the workers are counted again after this time
FEWEST_IN_FLIGHT = 32  # units, however few workers there are


@contextmanager
def open_dask_pool(address: str) -> Iterator[WorkerPool]:
    """The workers of the scheduler at an address. PoolUnavailable if no scheduler answers."""
    with connected(address) as client:
        from distributed import KilledWorker

        workers = _Workers(client, address)
        workers.note_absence()
        executor = client.get_executor(pure=False)
        try:
            yield WorkerPool(
                _CheckingExecutor(executor), workers.in_flight, (KilledWorker,), workers.note_absence
            )
        except RuntimeError as error:
            if UNREADABLE in str(error):
                raise PoolError(f"the scheduler cannot read the work: {SAME_EVERYWHERE}") from None
            raise
        finally:
            executor.shutdown(wait=False)


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """A `distributed.Client` of the scheduler at an address. PoolUnavailable if no scheduler answers."""
    try:
        import distributed
    except ModuleNotFoundError:
        needs = 'a cluster needs distributed, which is not installed: pip install "bluekrait[cluster]"'
        raise PoolUnavailable(needs) from None
    for name in ("distributed", "distributed.client", "distributed.core", "distributed.comm"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # we report errors ourselves, in one line
    # An AssertionError comes if the thread of Dask does not start within ten seconds, on a busy machine.
    try:
        if not address:
            raise ValueError("Dask would start a scheduler of its own")
        client = _client(distributed, address)
    except (OSError, ValueError, TypeError, KeyError, AssertionError) as error:
        raise PoolUnavailable(f"no scheduler answers at {address} ({type(error).__name__})") from None
    try:
        yield client
    finally:
        client.close()


def _client(distributed: Any, address: str) -> Any:
    # What is left of a client that could not connect takes a lock of Dask when it is collected. The next
    # client holds that lock while it waits for a thread to start: a collection in there would block both.
    gc.collect()
    return distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)


class _Workers:
    """The workers of a scheduler, counted every few seconds."""

    def __init__(self, client: Any, address: str) -> None:
        self._client = client
        self._address = address
        self._next_refresh = 0.0
        self._threads = 0
        self._are_missed = False

    def note_absence(self) -> None:
        """Say so if there is none, once until one comes: the command waits for the next one."""
        try:
            are_missed = not self._client.nthreads()
        except OSError:  # the scheduler is gone; the units will tell
            return
        if are_missed and not self._are_missed:
            note = f"no worker at {self._address}, waiting: start one with bluekrait worker {self._address}"
            tell(f"bluekrait: {note}")
        self._are_missed = are_missed

    def in_flight(self) -> int:
        """How many units may be in flight."""
        if monotonic() > self._next_refresh:
            self._next_refresh = monotonic() + REFRESH_SECONDS
            with suppress(OSError):  # the scheduler is gone; the units will tell
                self._threads = sum(self._client.nthreads().values())
        return max(FEWEST_IN_FLIGHT, UNITS_PER_WORKER * self._threads)


class _CheckingExecutor:
    """An executor whose workers refuse calls unless they run the same sources as this process."""

    def __init__(self, executor: Submitter) -> None:
        self._executor = executor

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> "Future[Any]":
        """Start a call."""
        return self._executor.submit(checked_call, source_digest(), function, *arguments)


def checked_call(expected: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Runs on a worker: make a call. PoolError if the worker's sources are not the expected ones."""
    if source_digest() != expected:
        differs = "a worker runs other sources, or has another network, than this command"
        raise PoolError(f"{differs}: install the same version everywhere")
    return function(*arguments)


@cache
def source_digest() -> str:
    """A digest of all sources and data files that can change the result of a unit."""
    digest = blake2b(digest_size=12)
    for package in PACKAGES:
        for name, content in _sources(resources.files(package)):
            digest.update(name.encode() + b"\0" + content + b"\0")
    return digest.hexdigest()


def _sources(folder: "Traversable") -> Iterator[tuple[str, bytes]]:
    """Names and contents of the sources below a folder; the package may be inside a zip file."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir() and entry.name != "__pycache__":
            yield from _sources(entry)
        elif entry.name.endswith(SOURCES):
            yield entry.name, entry.read_bytes()
