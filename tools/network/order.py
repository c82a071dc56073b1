"""In which order positions are learnt from: at random, but so that memory is read in pieces.

In each epoch, blocks of neighbours come in random order, and the positions of many blocks are shuffled
together. All of it follows from the seed, the epoch and the group: nothing needs to be kept to go on.
"""

import numpy as np

BLOCK = 256  # neighbours that stay together until they are shuffled: some games
GROUP = 64  # batches that are shuffled together


class Order:
    """The order of so many positions."""

    def __init__(self, count, batch, seed):
        self._count, self.batch, self._seed = count, batch, seed
        self._blocks = count // BLOCK
        self.steps = self._blocks * BLOCK // batch  # of an epoch

    def group(self, epoch, number):
        """The positions of a group of batches, one batch after the other."""
        dice = np.random.default_rng([self._seed, 1, epoch])
        offset = dice.integers(self._count % BLOCK + 1)  # what is left out differs
        blocks = dice.permutation(self._blocks)
        places = np.arange(number * GROUP, min((number + 1) * GROUP, self.steps), dtype=np.int64)
        places = (places[:, None] * self.batch + np.arange(self.batch)).ravel()
        chosen = blocks[places // BLOCK] * BLOCK + places % BLOCK + offset
        return np.random.default_rng([self._seed, 2, epoch, number]).permutation(chosen)
