"""Training on the cores of this machine, with Numba.

Gradients are computed at weights that are rounded as in the network's file; steps move the weights that are
not rounded (a straight-through estimator). So the losses reported are those of the network that the engine
will have.

A batch is cut into a fixed number of parts, each with its own gradients, which are then added up in order. So
the result depends neither on the speed nor on the number of the threads.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from bluekrait.tools.common.processors import usable_processors
from bluekrait.tools.data.formats.sample_array import Array, Samples
from bluekrait.tools.network.kernels.adam import move_weights, step_constants
from bluekrait.tools.network.kernels.gradients import add_gradients, new_workspace, put_outputs
from bluekrait.tools.network.kernels.sums import aligned
from bluekrait.tools.network.weights import FINENESS, LARGEST, Weights, ends_of, over, rounded_copy


class NumbaDevice:
    """A network in training, and the threads that compute its steps."""

    def __init__(self, weights: Weights, parts: int, decay: float, most_error: float = 1.0) -> None:
        self.weights, self.means, self.squares = weights, aligned(weights.row.size), aligned(weights.row.size)
        self.rounded, self._ends = rounded_copy(weights), ends_of(weights)
        self._decay, self._parts, self._most_error = decay, parts, most_error
        self._gradients = aligned(parts, weights.row.size)
        self._gradients_by_part = [over(row, weights.shape) for row in self._gradients]
        shape = weights.shape
        self._workspaces = [new_workspace(shape.width, *shape.sets) for _ in range(parts)]
        self._pool = ThreadPoolExecutor(len(usable_processors()))

    def restore(self, weights: Array, means: Array, squares: Array) -> None:
        """Continue with the numbers of a checkpoint."""
        for numbers, before in zip((self.weights.row, self.means, self.squares), (weights, means, squares)):
            numbers[:] = before
        self.rounded.row[:] = rounded_copy(self.weights).row

    def step(self, step: int, rate: float, result_share: float, samples: Samples, bases: Array) -> float:
        """Learn from a batch; the summed squared error before."""
        errors = self._pool.map(
            lambda part, first, end: self._add_gradients(part, first, end, result_share, samples, bases),
            *self._shares(len(samples)),
        )
        error = sum(errors)
        numbers = self.weights.row, self.rounded.row, self._gradients, self.means, self.squares
        kinds = self._ends, FINENESS, LARGEST
        constants = 1 / len(samples), *step_constants(step, rate, self._decay)
        self._all(
            lambda part, first, end: move_weights(*numbers, *kinds, first, end, *constants),
            self.weights.row.size,
        )
        return error

    def outputs(self, samples: Samples, bases: Array) -> Array:
        """The outputs of the network for positions."""
        results = np.empty(len(samples), np.float32)
        self._all(
            lambda part, first, end: put_outputs(
                samples, bases, first, end, *self.rounded.arrays, results, self._workspaces[part]
            ),
            len(samples),
        )
        return results

    def _add_gradients(
        self, part: int, first: int, end: int, result_share: float, samples: Samples, bases: Array
    ) -> float:
        gradients = self._gradients_by_part[part].arrays
        error: float = add_gradients(
            samples, bases, first, end, result_share, self._most_error,
            *self.rounded.arrays, *gradients, self._workspaces[part],
        )  # fmt: skip
        return error

    def _all(self, work: Callable[[int, int, int], object], size: int) -> None:
        """Let each part do its share of so many things."""
        list(self._pool.map(work, *self._shares(size)))

    def _shares(self, size: int) -> tuple[range, list[int], list[int]]:
        """Part, first and end of each share."""
        bounds = [size * part // self._parts for part in range(self._parts + 1)]
        return range(self._parts), bounds, bounds[1:]
