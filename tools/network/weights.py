"""The weights of a network in training, as one row of floats: initialisation and quantisation."""

from typing import NamedTuple

import numpy as np

from bluekrait.search.evaluation.network.network_file import (
    INPUTS,
    LARGEST_OUTPUT_WEIGHT,
    QA,
    QB,
    Head,
    Network,
    NetworkError,
    pack,
    read_network,
)
from bluekrait.tools.data.sample_array import Array
from bluekrait.tools.network.kernels.features import ROWS
from bluekrait.tools.network.kernels.sums import LANES, aligned

LARGEST = 1.98  # of any weight: so that it fits its whole number
FEATURE_SPREAD, FEATURE_BIAS, OUTPUT_SPREAD = 0.08, 0.1, 0.05  # of the weights before the first step


class Weights(NamedTuple):
    """A row of floats, and the arrays that share its memory."""

    row: Array
    table: Array  # of each feature, then of the biases: width numbers
    outputs: Array  # of each bucket: the half of the side to move, the half of the other
    output_biases: Array  # of each bucket

    @property
    def arrays(self) -> tuple[Array, Array, Array]:
        """What kernels take."""
        return self[1:]


def zeros(width: int, buckets: int) -> Weights:
    """Numbers that are all 0: weights, gradients or moments."""
    return over(aligned(size_of(width, buckets)), width, buckets)


def size_of(width: int, buckets: int) -> int:
    """How long the row of a network is: the last numbers fill a cache line."""
    return -(-(ROWS * width + buckets * 2 * width + buckets) // LANES) * LANES


def over(row: Array, width: int, buckets: int) -> Weights:
    """The arrays that a row of floats holds."""
    table, outputs, biases = np.split(row, np.cumsum([ROWS * width, buckets * 2 * width]))
    return Weights(row, table.reshape(ROWS, width), outputs.reshape(buckets, 2 * width), biases[:buckets])


def random_weights(width: int, buckets: int, seed: int) -> Weights:
    """Small random weights to begin with."""
    weights, rng = zeros(width, buckets), np.random.default_rng([seed, 0])
    weights.table[:] = rng.normal(scale=FEATURE_SPREAD, size=weights.table.shape)
    weights.table[INPUTS] = FEATURE_BIAS
    weights.outputs[:] = rng.normal(scale=OUTPUT_SPREAD, size=weights.outputs.shape)
    return weights


def bounds_of(weights: Weights) -> tuple[int, int]:
    """Where the output weights begin in the row, and where they end."""
    return weights.table.size, weights.table.size + weights.outputs.size


def rounded_copy(weights: Weights) -> Weights:
    """The weights as the engine will know them."""
    result = zeros(weights.outputs.shape[1] // 2, len(weights.output_biases))
    for array, rough, fineness in zip(result.arrays, weights.arrays, (QA, QB, QA * QB)):
        array[:] = rounded(rough * np.float32(fineness)) / np.float32(fineness)
    return result


def quantised(weights: Weights, head: Head) -> Network:
    """The network in whole numbers, as the engine knows it."""
    output_weights = np.clip(rounded(weights.outputs * QB), -LARGEST_OUTPUT_WEIGHT, LARGEST_OUTPUT_WEIGHT)
    return Network(
        head,
        rounded(weights.table[:INPUTS] * QA).astype("<i2").tobytes(),
        rounded(weights.table[INPUTS] * QA).astype("<i2").tobytes(),
        output_weights.astype("<i2").tobytes(),
        rounded(weights.output_biases.astype(float) * (QA * QB)).astype("<i4").tobytes(),
    )


def rounded(numbers: Array) -> Array:
    """The nearest whole numbers."""
    return np.floor(numbers + 0.5)


def from_network(network: Network) -> Weights:
    """The floats that a network in whole numbers stands for."""
    weights = zeros(network.head.width, network.head.buckets)
    table = np.frombuffer(network.feature_weights + network.feature_biases, "<i2")
    weights.table[:] = table.reshape(weights.table.shape) / np.float32(QA)
    outputs = np.frombuffer(network.output_weights, "<i2")
    weights.outputs[:] = outputs.reshape(weights.outputs.shape) / np.float32(QB)
    weights.output_biases[:] = np.frombuffer(network.output_biases, "<i4") / (QA * QB)
    return weights


def packed(weights: Weights, head: Head) -> bytes:
    """The file of the network."""
    return pack(quantised(weights, head))


def read_weights(path: str) -> tuple[Weights, Head]:
    """The floats of the network in a file, and its head. A ValueError if there is none."""
    try:
        network = read_network(path)
    except NetworkError as error:
        raise ValueError(f"{path}: {error}") from None
    return from_network(network), network.head
