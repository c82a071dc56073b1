"""The memory of the transposition table, as Python sees it."""

import struct

from bluekrait.core.memory.shared_memory import MEGABYTE, RESIDENT, SharedMemory
from bluekrait.search.transposition_layout import (
    CLUSTER_BYTES,
    ENTRY_BYTES,
    GENERATION_SHIFT,
    GENERATIONS,
    LABEL_MASK,
    SEAL,
)

SAMPLE_BYTES = 1000 * ENTRY_BYTES  # that `permille_used` looks at


class TranspositionTable:
    """Clusters of entries.

    The system provides the memory of a very large table as it is used, since that takes it seconds. That of
    any other is there before the first search, which would wait for each of its pages.
    """

    def __init__(self, megabytes: int) -> None:
        self.megabytes = megabytes
        self.clusters = megabytes * MEGABYTE // CLUSTER_BYTES
        self.generation = 0
        self._memory = SharedMemory(megabytes * MEGABYTE)
        if self._memory.size <= RESIDENT:
            self._memory.make_resident()
        self._is_used = False

    @property
    def address(self) -> int:
        """Where the first cluster is."""
        return self._memory.address

    def begin_search(self) -> None:
        """From now on, what is stored is newer than what is there."""
        self.generation = (self.generation + 1) % GENERATIONS
        self._is_used = True

    def clear(self) -> None:
        """Forget everything."""
        self.generation = 0
        if self._is_used:
            self._memory.clear()
            self._is_used = False

    def permille_used(self) -> int:
        """How many entries of a thousand were written by the present search."""
        sample = self._memory.first_bytes(min(SAMPLE_BYTES, self._memory.size))
        words = struct.iter_unpack("<QQ", sample)
        labels = ((data * SEAL ^ check) & LABEL_MASK for data, check in words if data)
        entries = len(sample) // ENTRY_BYTES
        used: int = sum(label >> GENERATION_SHIFT == self.generation for label in labels)
        return 1000 * used // entries
