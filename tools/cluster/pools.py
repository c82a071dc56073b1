"""Open a pool of workers: on this machine, or behind a Dask scheduler."""

from contextlib import AbstractContextManager

from bluekrait.search.engine import ENTRIES_MODULE
from bluekrait.tools.cluster.dask_pool import open_dask_pool
from bluekrait.tools.cluster.local_pool import open_local_pool
from bluekrait.tools.cluster.worker_pool import WorkerPool


def open_pool(
    processes: int, cluster: str | None = None, entries: str = ENTRIES_MODULE
) -> AbstractContextManager[WorkerPool]:
    """Worker processes of this machine, or those of the scheduler at the address `cluster`.

    `entries` is the module of the compiled code that units run.
    """
    return open_local_pool(processes, entries) if cluster is None else open_dask_pool(cluster)
