"""The order of training positions: random, but such that memory is read in pieces.

In each epoch, blocks of neighbours come in random order, and the positions of many blocks are shuffled
together. All of it follows from the seed, the epoch and the group: checkpoints need not contain it.
"""

import numpy as np

from bluekrait.tools.data.formats.sample_array import Array

BLOCK = 256  # neighbours that stay together until they are shuffled: some games
GROUP = 64  # batches that are shuffled together


class PositionOrder:
    """The order of so many positions."""

    def __init__(self, count: int, batch: int, seed: int) -> None:
        self._count, self.batch, self._seed = count, batch, seed
        self._blocks = count // BLOCK
        self.steps = self._blocks * BLOCK // batch  # of an epoch
        self._epoch, self._offset = -1, 0  # whose order of blocks is known: none yet
        self._order = np.empty(0, np.int64)

    def group(self, epoch: int, number: int) -> Array:
        """The positions of a group of batches, one batch after the other."""
        if self._epoch != epoch:
            self._shuffle_blocks(epoch)
        places = np.arange(number * GROUP, min((number + 1) * GROUP, self.steps), dtype=np.int64)
        places = (places[:, None] * self.batch + np.arange(self.batch)).ravel()
        chosen = self._order[places // BLOCK] * BLOCK + places % BLOCK + self._offset
        return np.random.default_rng([self._seed, 2, epoch, number]).permutation(chosen)

    def _shuffle_blocks(self, epoch: int) -> None:
        rng = np.random.default_rng([self._seed, 1, epoch])
        self._epoch = epoch
        self._offset = int(rng.integers(self._count % BLOCK + 1))  # what is left out differs
        self._order = rng.permutation(self._blocks)
