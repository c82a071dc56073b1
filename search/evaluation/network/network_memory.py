"""A network where the compiled evaluation finds it: once for all threads, and accumulators for each of them.

Needs neither Numba nor NumPy, for it runs at every start.
"""

from __future__ import annotations

import ctypes

from bluekrait.core.memory.shared_memory import SharedMemory
from bluekrait.search.evaluation.network.network_records import (
    CHANGES_BYTES,
    CLASSICAL,
    CODES,
    HEADER_BYTES,
    KIND_CODES,
    NETWORK,
    PLIES,
    RESIDUAL,
    SIDES,
    NetworkRecord,
    accumulator_bytes,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bluekrait.search.evaluation.network.network_file import Network


class NetworkMemory:
    """A network in memory, to be read by any number of threads."""

    def __init__(self, network: Network) -> None:
        from bluekrait.search.evaluation.network import network_file  # only if there is a network

        self.head = head = network.head
        self.evaluation_kind = NETWORK if head.kind == network_file.BARE else RESIDUAL
        block = network_file.SQUARES * head.width  # bytes: the rows of one kind of piece of one side
        region_bytes = head.threats * SIDES * CODES * block
        blank = network_file.aligned(ctypes.sizeof(NetworkRecord))
        rows = blank + accumulator_bytes(head.width)
        output_weights = rows + head.regions * region_bytes
        output_biases = output_weights + len(network.output_weights)
        self._memory = SharedMemory(output_biases + len(network.output_biases))
        self.address = start = self._memory.address
        self._blank = bytes(HEADER_BYTES) + SIDES * network.feature_biases
        ctypes.memmove(start + blank, self._blank, len(self._blank))
        for number in range(head.regions * head.threats * SIDES * head.kinds):
            side, kind = divmod(number, head.kinds)  # a side's pieces in a region, attacked or not
            place = rows + (side * CODES + KIND_CODES[kind]) * block
            weights = network.feature_weights[number * block : (number + 1) * block]
            ctypes.memmove(start + place, weights, block)
        ctypes.memmove(start + output_weights, network.output_weights, len(network.output_weights))
        ctypes.memmove(start + output_biases, network.output_biases, len(network.output_biases))
        record = NetworkRecord(head.width, head.buckets, *head.factor)
        record.region_bytes = region_bytes if head.regions > 1 else 0
        record.has_threats = int(head.threats > 1)
        record.has_passed_pawns = int(head.kinds == len(KIND_CODES))
        record.feature_weights, record.blank = start + rows, start + blank
        record.output_weights, record.output_biases = start + output_weights, start + output_biases
        ctypes.memmove(start, ctypes.addressof(record), ctypes.sizeof(record))

    def new_accumulators(self) -> SharedMemory:
        """Accumulators for one thread, all of them of the empty board."""
        accumulators = SharedMemory(CHANGES_BYTES + PLIES * len(self._blank))
        content = self._blank * PLIES
        ctypes.memmove(accumulators.address + CHANGES_BYTES, content, len(content))
        return accumulators


class ThreadEvaluation:
    """How a thread evaluates: by a `NetworkMemory`, with accumulators of its own; by None, classically."""

    def __init__(self, network: NetworkMemory | None) -> None:
        self._network = network
        self.accumulators = network.new_accumulators() if network else None

    def attach(self, thread: Any) -> None:
        """Let a `SearchThread` evaluate so. This object must live as long as that holds."""
        if self._network and self.accumulators:
            thread.network, thread.accumulators = self._network.address, self.accumulators.address
            thread.evaluation_kind = self._network.evaluation_kind
        else:
            thread.evaluation_kind = CLASSICAL
