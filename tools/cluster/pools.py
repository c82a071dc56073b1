"""Open a pool of workers: on this machine, or behind a Dask scheduler."""

from contextlib import AbstractContextManager

from bluekrait.tools.cluster.dask_pool import open_dask_pool
from bluekrait.tools.cluster.local_pool import open_local_pool
from bluekrait.tools.cluster.worker_pool import WorkerPool


def open_pool(processes: int, cluster: str | None = None) -> AbstractContextManager[WorkerPool]:
    """Worker processes of this machine, or those of the scheduler at the address `cluster`."""
    return open_local_pool(processes) if cluster is None else open_dask_pool(cluster)
