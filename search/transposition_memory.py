"""The memory of the transposition table, as Python sees it."""

from __future__ import annotations

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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bluekrait.core.memory.large_pages import LargePages

SAMPLE_BYTES = 1000 * ENTRY_BYTES  # that `permille_used` looks at


class TranspositionTable:
    """Clusters of entries.

    The system provides the memory of a very large table as it is used, since that takes it seconds: in small
    pages, which searches exchange for large ones beside their work. That of any other is there before the
    first search, which would wait for each of its pages.
    """

    def __init__(self, megabytes: int) -> None:
        self.megabytes = megabytes
        self.clusters = megabytes * MEGABYTE // CLUSTER_BYTES
        self.generation = 0
        self._memory = SharedMemory(megabytes * MEGABYTE)
        self._large_pages: LargePages | None = None
        if self._memory.size <= RESIDENT:
            self._memory.make_resident()
        else:
            self._large_pages = self._memory.large_pages_later()
        self._is_used = False

    @property
    def address(self) -> int:
        """Where the first cluster is."""
        return self._memory.address

    def begin_search(self) -> None:
        """From now on, what is stored is newer than what is there."""
        self.generation = (self.generation + 1) % GENERATIONS
        self._is_used = True
        if self._large_pages:
            self._large_pages.resume()

    def end_search(self) -> None:
        """Do nothing more until the next search begins."""
        if self._large_pages:
            self._large_pages.pause()

    def clear(self) -> None:
        """Forget everything."""
        self.generation = 0
        if self._is_used:
            if self._large_pages:
                self._large_pages.begin_again()
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
