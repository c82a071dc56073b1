"""What one side of a game searches with: a thread, a transposition table, parameters, an evaluation."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from bluekrait.search.evaluation.network.network_memory import ThreadEvaluation
from bluekrait.search.parameters import DEFAULTS
from bluekrait.search.thread_memory import forget, new_thread
from bluekrait.search.transposition_layout import CLUSTER_BYTES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bluekrait.search.evaluation.network.network_memory import NetworkMemory

TABLE_BYTES = 1 << 19  # fits into the processor's second cache beside what else a search needs


class Searcher:
    """It evaluates with a network, or classically without one."""

    def __init__(self, network: NetworkMemory | None = None, table_bytes: int = TABLE_BYTES) -> None:
        self._thread = thread = new_thread()
        self._table = (ctypes.c_char * (table_bytes + CLUSTER_BYTES))()
        start = ctypes.addressof(self._table)
        thread.table = start + -start % CLUSTER_BYTES
        thread.clusters = table_bytes // CLUSTER_BYTES
        self._evaluation = ThreadEvaluation(network)
        self._evaluation.attach(thread)
        self.set_parameters({})

    @property
    def address(self) -> int:
        """The address of the thread's record."""
        return ctypes.addressof(self._thread)

    def set_parameters(self, values: Mapping[str, int]) -> None:
        """Search with these values of the parameters in `search.parameters`, all others at their defaults."""
        for name, value in {**DEFAULTS, **values}.items():
            setattr(self._thread.parameters, name, value)

    def forget(self) -> None:
        """Clear what the last game left."""
        ctypes.memset(self._table, 0, len(self._table))
        forget(self._thread, keep_pawns=True)
