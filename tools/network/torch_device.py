"""Training by PyTorch, on a graphics card or on the processor: the same network, steps and rounding.

Only features are found here by our own code, on the processor. Sums are made in another order than by
`tools.network.parallel_slopes`, so weights differ in their last digits; equal weights make equal files.
"""

import numpy as np

from bluekrait.search.evaluation.network.network_file import QA, QB
from bluekrait.tools.data.sample_array import pieces_on
from bluekrait.tools.network.kernels.adam import INERTIA, MEMORY, step_constants
from bluekrait.tools.network.kernels.features import MOST, ROWS
from bluekrait.tools.network.kernels.slopes import bucket_of, find_features, new_desk
from bluekrait.tools.network.losses import targets_of
from bluekrait.tools.network.weights import LARGEST, over, rounded_copy

NARROWEST = 32  # of a desk whose hidden values nobody uses
AT_ONCE = 1 << 14  # positions whose outputs are asked for


class TorchDevice:
    """A network in training, and the tensors that hold it."""

    def __init__(self, weights, name, decay):
        self._torch = _torch()
        if name == "cuda" and not self._torch.cuda.is_available():
            raise ValueError("PyTorch finds no graphics card for --device cuda")
        self._place = "cuda" if name == "cuda" else "cpu"
        self._shape, self._decay = (weights.outputs.shape[1] // 2, len(weights.output_biases)), decay
        self._row = self._tensor(weights.row).requires_grad_()
        self._means, self._squares = (self._torch.zeros_like(self._row) for _ in range(2))
        self._scales = self._tensor(_scales(weights))
        self._desk = None

    @property
    def weights(self):
        """The weights as arrays of NumPy."""
        return over(self._row.detach().cpu().numpy().copy(), *self._shape)

    @property
    def rounded(self):
        """The weights as the engine will know them."""
        return rounded_copy(self.weights)

    @property
    def means(self):
        """The mean slopes."""
        return self._means.cpu().numpy()

    @property
    def squares(self):
        """The mean squares of slopes."""
        return self._squares.cpu().numpy()

    def restore(self, weights, means, squares):
        """Go on with the numbers of a checkpoint."""
        with self._torch.no_grad():
            for tensor, numbers in zip((self._row, self._means, self._squares), (weights, means, squares)):
                tensor.copy_(self._torch.from_numpy(numbers))

    def step(self, step, rate, result_share, samples, bases):
        """Learn from a batch; the summed squared error before."""
        targets = self._tensor(targets_of(samples, np.float32(result_share)).astype(np.float32))
        promised = self._torch.sigmoid(self._outputs(samples, bases))
        error = (promised - targets).square().sum()
        (slopes,) = self._torch.autograd.grad(error, self._row)
        length, tininess, decay = step_constants(step, rate, self._decay)
        with self._torch.no_grad():
            slopes /= len(samples)
            self._means += (1 - INERTIA) * (slopes - self._means)
            self._squares += (1 - MEMORY) * (slopes * slopes - self._squares)
            self._row *= decay
            self._row -= length * self._means / (self._squares.sqrt() + tininess)
            self._row.clamp_(-LARGEST, LARGEST)
        return error.item()

    def outputs(self, samples, bases):
        """What the network says of positions."""
        with self._torch.no_grad():
            parts = [
                self._outputs(samples[start : start + AT_ONCE], bases[start : start + AT_ONCE])
                for start in range(0, len(samples), AT_ONCE)
            ]
            return self._torch.cat(parts).cpu().numpy()

    def _outputs(self, samples, bases):
        torch, (width, buckets) = self._torch, self._shape
        rounded = torch.floor(self._row * self._scales + 0.5) / self._scales
        row = self._row + (rounded - self._row).detach()  # the slopes pass the rounding by
        table = torch.cat([row[: ROWS * width].reshape(ROWS, width), row.new_zeros(1, width)])
        outputs, biases = (
            row[ROWS * width :][: buckets * 2 * width],
            row[ROWS * width + buckets * 2 * width :],
        )
        sums = torch.nn.functional.embedding_bag(
            self._tensor(self._features(samples)), table, mode="sum", padding_idx=ROWS
        )
        squares = sums.clamp(0, 1).square().reshape(len(samples), 2 * width)
        chosen = self._tensor(bucket_of(pieces_on(samples), buckets))
        weighed = (squares * outputs.reshape(buckets, 2 * width)[chosen]).sum(dim=1)
        return self._tensor(bases) + biases[chosen] + weighed

    def _features(self, samples):
        """The features of both perspectives of each position, with `ROWS` where there are no more."""
        if self._desk is None or len(self._desk.feature_ends) < 2 * len(samples):
            self._desk = new_desk(NARROWEST, len(samples))
        find_features(samples, 0, len(samples), self._desk)
        rows = 2 * len(samples)
        counts = self._desk.feature_ends[:rows] - self._desk.feature_starts[:rows]
        features = self._desk.features[: rows * MOST].reshape(rows, MOST)
        return np.where(np.arange(MOST) < counts[:, None], features, ROWS).astype(np.int64)

    def _tensor(self, array):
        return self._torch.tensor(array, device=self._place)


def _scales(weights):
    """For each weight, how many whole numbers stand for 1."""
    scales = rounded_copy(weights)
    for array, scale in zip(scales.arrays, (QA, QB, QA * QB)):
        array[:] = scale
    scales.row[scales.row == 0] = 1  # what fills the cache line
    return scales.row


def _torch():
    try:
        import torch
    except ModuleNotFoundError:
        raise ValueError("this needs PyTorch: pip install 'bluekrait[network]'") from None
    return torch
