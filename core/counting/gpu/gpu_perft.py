"""Perft on a graphics card: breadth-first over columns of boards in the memory of the card.

Each ply has columns of its own. A part of the boards of one ply is expanded into the columns of the next;
when these are counted, the next part follows. So no tree is too large, and the host has little to do.
"""

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
from numba import cuda

from bluekrait.core.board import Board, Position
from bluekrait.core.counting.perft_threads import PerftResult
from bluekrait.core.records import MAX_MOVES

OnProgress = Callable[[int, float], object]

WORDS = len(Board._fields)
WORD_BYTES = 8
THREADS = 128  # of a block
MOST_BLOCKS = 16384  # that count: each of their threads then takes several boards
CHILDREN = 48  # for so many of each board there is room, when a part of a ply is expanded
LARGEST_COLUMNS = 1 << 25  # boards: two gigabytes
MEMORY_SHARE = 0.8  # of the card's free memory


class NoCardError(RuntimeError):
    """There is no graphics card that Numba can use; the message says so in one line."""


def check_card() -> None:
    """Raise NoCardError if there is no card, or no software for it."""
    if not cuda.is_available():
        raise NoCardError(
            "there is no graphics card that Numba can use; it needs one by NVIDIA, its driver, and "
            'pip install "bluekrait[gpu]"'
        )


class GpuPerft:
    """Counts on the card; `stop` may be called from another thread."""

    def __init__(self, capacity: int | None = None) -> None:
        check_card()
        self._capacity = capacity
        self._stopped = False
        self._nodes = 0
        self._fraction = 0.0

    def stop(self) -> None:
        """End the count early."""
        self._stopped = True

    def run(self, position: Position, depth: int, on_progress: OnProgress | None = None) -> PerftResult:
        """Count the leaves below a position. `on_progress(nodes, fraction)` is called from time to time."""
        from bluekrait.core.counting.gpu import gpu_kernels  # which are built of many functions

        began = perf_counter()
        self._kernels, self._on_progress = gpu_kernels, on_progress
        self._nodes, self._fraction = int(depth == 0), 0.0
        if depth > 0:
            plies = [cuda.device_array((WORDS, size), np.uint64) for size in self._sizes(depth)]
            words = np.array([[int(word)] for word in position.board], np.uint64)
            plies[0].copy_to_device(words)
            self._count(plies, 1, 1.0)
        return PerftResult(self._nodes, perf_counter() - began, not self._stopped)

    def _sizes(self, depth: int) -> list[int]:
        """The capacity of the columns of each ply but the last, whose boards are only counted."""
        capacity = self._capacity
        if capacity is None:
            free, _ = cuda.current_context().get_memory_info()
            capacity = int(min(LARGEST_COLUMNS, MEMORY_SHARE * free / (WORDS * WORD_BYTES * depth)))
        return [1] + [max(MAX_MOVES, capacity)] * (depth - 1)

    def _count(self, plies: list[Any], number: int, share: float) -> None:
        """Count below the first boards of a ply; `share` is their part of the whole work."""
        if len(plies) == 1:
            self._nodes += self._moves_of(plies[0], number)
            self._fraction += share
            if self._on_progress:
                self._on_progress(self._nodes, self._fraction)
            return
        boards, children = plies[:2]
        first, part = 0, max(1, children.shape[1] // CHILDREN)
        while first < number and not self._stopped:
            part = min(part, number - first)
            found = self._expand(boards, first, part, children)
            if found > children.shape[1]:
                part //= 2  # a single board has room: the columns are longer than any list of moves
                continue
            self._count(plies[1:], found, share * part / number)
            first += part

    def _expand(self, boards: Any, first: int, part: int, children: Any) -> int:
        """Expand some boards. Returns how many children they have; if there is no room for all, some lack."""
        number = cuda.to_device(np.zeros(1, np.uint64))
        blocks = -(-part // THREADS)
        self._kernels.expand[blocks, THREADS](boards, first, part, children, number)
        return int(number.copy_to_host()[0])

    def _moves_of(self, boards: Any, number: int) -> int:
        """The number of legal moves of the first boards together."""
        nodes = cuda.to_device(np.zeros(1, np.uint64))
        blocks = max(1, min(MOST_BLOCKS, -(-number // THREADS)))
        self._kernels.count[blocks, THREADS](boards, number, nodes)
        return int(nodes.copy_to_host()[0])
