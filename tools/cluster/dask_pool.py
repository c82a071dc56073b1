"""Other machines as a farm (`tools.cluster.worker_pool`): the workers of a Dask scheduler.

    dask scheduler                                  on one machine; it tells its address
    bluekrait worker tcp://192.168.1.10:8786        on each that is to work
    bluekrait datagen --cluster tcp://192.168.1.10:8786 positions.bks

Workers may come and go while the work goes on. A unit whose worker died is given to another, by the scheduler
a few times and then again by us. All must run the same sources, or the results would not fit together: each
unit says which it expects.
"""

import logging
import sys
from contextlib import contextmanager
from functools import cache
from hashlib import blake2b
from importlib import resources

from bluekrait.core.timer import monotonic
from bluekrait.tools.cluster.worker_pool import AHEAD, Farm, FarmError, NoFarmError

CONNECT_SECONDS = 8
REFRESH_SECONDS = 5  # after which the workers are counted again
FEWEST_AHEAD = 32  # units in flight, however few workers there are
PACKAGES = ("bluekrait.core", "bluekrait.search", "bluekrait.tools")  # whose sources must agree


@contextmanager
def open_cluster(address):
    """The farm behind the scheduler at an address. A NoFarmError if there is none."""
    with connected(address) as client:
        from distributed import KilledWorker

        if not client.nthreads():
            note = f"no worker at {address} yet, waiting: start some by bluekrait worker {address}"
            print(f"bluekrait: {note}", file=sys.stderr)
        executor = client.get_executor(pure=False)
        try:
            yield Farm(_Checked(executor), _Crew(client).ahead, (KilledWorker,))
        finally:
            executor.shutdown(wait=False)


@contextmanager
def connected(address):
    """A client of the scheduler at an address. A NoFarmError if there is none."""
    try:
        from distributed import Client
    except ModuleNotFoundError:
        needs = "a cluster needs distributed, which is not installed: pip install 'bluekrait[cluster]'"
        raise NoFarmError(needs) from None
    for name in ("distributed", "distributed.client", "distributed.core", "distributed.comm"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is told in one line of ours
    try:
        if not address:
            raise ValueError("Dask would start a scheduler of its own")
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise NoFarmError(f"no scheduler answers at {address} ({type(error).__name__})") from None
    try:
        yield client
    finally:
        client.close()


class _Crew:
    """The workers that there are, counted now and then."""

    def __init__(self, client):
        self._client = client
        self._next_look = self._threads = 0

    def ahead(self):
        """How many units may be in flight."""
        if monotonic() > self._next_look:
            self._next_look = monotonic() + REFRESH_SECONDS
            self._threads = sum(self._client.nthreads().values())
        return max(FEWEST_AHEAD, AHEAD * self._threads)


class _Checked:
    """An executor on whose machines nothing is run but by the sources that are used here."""

    def __init__(self, executor):
        self._executor = executor

    def submit(self, function, *arguments):
        """The call, as a future."""
        return self._executor.submit(call, sources(), function, *arguments)


def call(expected, function, *arguments):
    """Make a call on a worker. A FarmError if its sources are not those that are expected."""
    if sources() != expected:
        raise FarmError("a worker runs other sources than this command does: install the same everywhere")
    return function(*arguments)


@cache
def sources():
    """A digest of all sources that decide what comes out of a unit."""
    digest = blake2b(digest_size=12)
    for package in PACKAGES:
        for name, text in _files(resources.files(package)):
            digest.update(name.encode() + b"\0" + text + b"\0")
    return digest.hexdigest()


def _files(folder):
    """Names and contents of the modules below a folder, wherever that is."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir() and entry.name != "__pycache__":
            yield from _files(entry)
        elif entry.name.endswith(".py"):
            yield entry.name, entry.read_bytes()
