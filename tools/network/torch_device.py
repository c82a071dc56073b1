"""Training with PyTorch, on a GPU or on the processor: the same network, steps and rounding.

Features are computed by our own code, on the processor. Sums are computed in another order than by
`tools.network.numba_device`, so weights differ in their last digits; equal weights make equal files.
"""

from typing import Any

import numpy as np

from bluekrait.tools.data.formats.sample_array import Array, Samples, pieces_on
from bluekrait.tools.network.kernels.adam import BETA1, BETA2, step_constants
from bluekrait.tools.network.kernels.features import MOST, rows_of
from bluekrait.tools.network.kernels.gradients import (
    SHARPNESS,
    Workspace,
    bucket_of,
    find_features,
    new_workspace,
)
from bluekrait.tools.network.losses import targets_of
from bluekrait.tools.network.weights import FINENESS, LARGEST, Weights, over, rounded_copy

NARROWEST = 32  # of a workspace whose hidden values are not used
AT_ONCE = 1 << 14  # positions whose outputs are asked for


class TorchDevice:
    """A network in training, and the tensors that hold it."""

    def __init__(self, weights: Weights, name: str, decay: float, most_error: float = 1.0) -> None:
        self._torch = torch_for(name)
        self._place = "cuda" if name == "cuda" else "cpu"
        self._shape, self._decay, self._most_error = weights.shape, decay, most_error
        self._row = self._tensor(weights.row).requires_grad_()
        self._means, self._squares = (self._torch.zeros_like(self._row) for _ in range(2))
        self._fineness = self._tensor(_by_kind(weights, FINENESS))
        self._largest = self._tensor(_by_kind(weights, LARGEST))
        self._workspace: Workspace | None = None

    @property
    def weights(self) -> Weights:
        """The weights as arrays of NumPy."""
        return over(self._row.detach().cpu().numpy().copy(), self._shape)

    @property
    def rounded(self) -> Weights:
        """The weights as the engine will know them."""
        return rounded_copy(self.weights)

    @property
    def means(self) -> Array:
        """The mean gradients."""
        means: Array = self._means.cpu().numpy()
        return means

    @property
    def squares(self) -> Array:
        """The mean squares of gradients."""
        squares: Array = self._squares.cpu().numpy()
        return squares

    def restore(self, weights: Array, means: Array, squares: Array) -> None:
        """Continue with the numbers of a checkpoint."""
        with self._torch.no_grad():
            for tensor, numbers in zip((self._row, self._means, self._squares), (weights, means, squares)):
                tensor.copy_(self._torch.from_numpy(numbers))

    def step(self, step: int, rate: float, result_share: float, samples: Samples, bases: Array) -> float:
        """Learn from a batch; the summed squared error before."""
        targets = self._tensor(targets_of(samples, np.float32(result_share)).astype(np.float32))
        promised = self._torch.sigmoid(SHARPNESS * self._outputs(samples, bases))
        huber = self._torch.nn.functional.huber_loss
        loss = 2 * huber(promised, targets, reduction="sum", delta=self._most_error)
        (gradients,) = self._torch.autograd.grad(loss, self._row)
        length, epsilon, decay = step_constants(step, rate, self._decay)
        with self._torch.no_grad():
            gradients /= len(samples)
            self._means += (1 - BETA1) * (gradients - self._means)
            self._squares += (1 - BETA2) * (gradients * gradients - self._squares)
            self._row *= decay
            self._row -= length * self._means / (self._squares.sqrt() + epsilon)
            self._row.clamp_(-self._largest, self._largest)
        return float((promised - targets).square().sum().item())

    def outputs(self, samples: Samples, bases: Array) -> Array:
        """The outputs of the network for positions."""
        with self._torch.no_grad():
            parts = [
                self._outputs(samples[start : start + AT_ONCE], bases[start : start + AT_ONCE])
                for start in range(0, len(samples), AT_ONCE)
            ]
            outputs: Array = self._torch.cat(parts).cpu().numpy()
            return outputs

    def _outputs(self, samples: Samples, bases: Array) -> Any:
        torch, width, buckets = self._torch, self._shape.width, self._shape.buckets
        rows = rows_of(*self._shape.sets)
        rounded = torch.floor(self._row * self._fineness + 0.5) / self._fineness
        row = self._row + (rounded - self._row).detach()  # the gradients pass the rounding by
        table = torch.cat([row[: rows * width].reshape(rows, width), row.new_zeros(1, width)])
        outputs, biases = (
            row[rows * width :][: buckets * 2 * width],
            row[rows * width + buckets * 2 * width :],
        )
        sums = torch.nn.functional.embedding_bag(
            self._tensor(self._features(samples)), table, mode="sum", padding_idx=rows
        )
        squares = sums.clamp(0, 1).square().reshape(len(samples), 2 * width)
        chosen = self._tensor(bucket_of(pieces_on(samples), buckets))
        weighed = (squares * outputs.reshape(buckets, 2 * width)[chosen]).sum(dim=1)
        return self._tensor(bases) + biases[chosen] + weighed

    def _features(self, samples: Samples) -> Array:
        """The features of both perspectives of each position, then numbers that are no feature's."""
        workspace, none = self._workspace, rows_of(*self._shape.sets)
        if workspace is None or len(workspace.feature_ends) < 2 * len(samples):
            workspace = self._workspace = new_workspace(NARROWEST, *self._shape.sets, len(samples))
        find_features(samples, 0, len(samples), workspace)
        rows = 2 * len(samples)
        counts = workspace.feature_ends[:rows] - workspace.feature_starts[:rows]
        features = workspace.features[: rows * MOST].reshape(rows, MOST)
        return np.where(np.arange(MOST) < counts[:, None], features, none).astype(np.int64)

    def _tensor(self, array: Array) -> Any:
        return self._torch.tensor(array, device=self._place)


def _by_kind(weights: Weights, numbers: tuple[float, ...]) -> Array:
    """For each weight, the number of its kind."""
    result = np.ones_like(weights.row)  # also of what fills the cache line
    for array, number in zip(over(result, weights.shape).arrays, numbers):
        array[:] = number
    return result


def torch_for(name: str) -> Any:
    """PyTorch for this device. ValueError if it is not installed, or finds no such device."""
    try:
        import torch
    except ModuleNotFoundError:
        raise ValueError('this needs PyTorch: pip install "bluekrait[network]"') from None
    if name == "cuda" and not torch.cuda.is_available():
        raise ValueError("PyTorch finds no GPU for --device cuda")
    return torch
