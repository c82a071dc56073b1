"""Training on the cores of this machine.

Slopes are taken at the weights rounded as in the network's file, and move those that are not rounded. So a
network learns to live with rounding, and what is reported is what the engine will have.

A batch is cut into a fixed number of parts, each with slopes of its own, which are then added up in order. So
the result does not depend on which thread was faster, nor on how many there are.
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from bluekrait.tools.common.processors import usable_processors
from bluekrait.tools.network.kernels.adam import move_weights, step_constants
from bluekrait.tools.network.kernels.slopes import add_slopes, new_desk, put_outputs
from bluekrait.tools.network.kernels.sums import aligned
from bluekrait.tools.network.weights import LARGEST, bounds_of, over, rounded_copy


class Processors:
    """A network in training, and the threads that work at it."""

    def __init__(self, weights, parts, decay):
        self.weights, self.means, self.squares = weights, aligned(weights.row.size), aligned(weights.row.size)
        self.rounded, self._bounds = rounded_copy(weights), bounds_of(weights)
        self._decay, self._parts = decay, parts
        width, buckets = weights.table.shape[1], len(weights.output_biases)
        self._slopes = aligned(parts, weights.row.size)
        self._slopes_by_part = [over(row, width, buckets) for row in self._slopes]
        self._desks = [new_desk(width) for _ in range(parts)]
        self._pool = ThreadPoolExecutor(len(usable_processors()))
        for kernel in add_slopes, put_outputs, move_weights:
            getattr(kernel, "prepare", int)()  # before several threads want it

    def restore(self, weights, means, squares):
        """Go on with the numbers of a checkpoint."""
        for numbers, before in zip((self.weights.row, self.means, self.squares), (weights, means, squares)):
            numbers[:] = before
        self.rounded.row[:] = rounded_copy(self.weights).row

    def step(self, step, rate, result_share, samples, bases):
        """Learn from a batch; the summed squared error before."""
        errors = self._pool.map(
            lambda part, first, end: self._add_slopes(part, first, end, result_share, samples, bases),
            *self._shares(len(samples)),
        )
        error = sum(errors)
        numbers = self.weights.row, self.rounded.row, self._slopes, self.means, self.squares
        constants = 1 / len(samples), *step_constants(step, rate, self._decay), LARGEST
        self._all(
            lambda part, first, end: move_weights(*numbers, self._bounds, first, end, *constants),
            self.weights.row.size,
        )
        return error

    def outputs(self, samples, bases):
        """What the network says of positions."""
        results = np.empty(len(samples), np.float32)
        self._all(
            lambda part, first, end: put_outputs(
                samples, bases, first, end, *self.rounded.arrays, results, self._desks[part]
            ),
            len(samples),
        )
        return results

    def _add_slopes(self, part, first, end, result_share, samples, bases):
        slopes = self._slopes_by_part[part].arrays
        return add_slopes(
            samples, bases, first, end, result_share, *self.rounded.arrays, *slopes, self._desks[part]
        )

    def _all(self, work, size):
        """Let each part do its share of so many things."""
        list(self._pool.map(work, *self._shares(size)))

    def _shares(self, size):
        """Part, first and end of each share."""
        bounds = [size * part // self._parts for part in range(self._parts + 1)]
        return range(self._parts), bounds, bounds[1:]
