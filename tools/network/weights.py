"""The weights of a network in training, as one row of floats: initialisation and quantisation."""

from typing import NamedTuple

import numpy as np

from bluekrait.search.evaluation.network.network_file import (
    QA,
    QB,
    SIDES,
    SQUARES,
    Head,
    Network,
    NetworkError,
    pack,
    read_network,
)
from bluekrait.tools.data.formats.sample_array import Array
from bluekrait.tools.network.kernels.features import rows_of
from bluekrait.tools.network.kernels.sums import LANES, aligned

# Of features, outputs, and output biases: how many whole numbers stand for 1, and the largest weight.
FINENESS = QA, QB, QA * QB
LARGEST = 1.0, 2.0, 2.0  # so that 127 is the largest whole number of a feature, and 256 that of an output
FEATURE_SPREAD, FEATURE_BIAS, OUTPUT_SPREAD = 0.08, 0.1, 0.05  # of the weights before the first step


class Shape(NamedTuple):
    """The numbers that decide how long the arrays of a network are."""

    width: int
    buckets: int = 1
    regions: int = 1
    threats: int = 1
    kinds: int = 6

    @property
    def sets(self) -> tuple[int, int, int]:
        """What decides how many features there are."""
        return self.regions, self.threats, self.kinds


class Weights(NamedTuple):
    """A row of floats, and the arrays that share its memory."""

    row: Array
    table: Array  # of each feature in each region, then of the biases: width numbers
    outputs: Array  # of each bucket: the half of the side to move, the half of the other
    output_biases: Array  # of each bucket
    shape: Shape  # what decides how long they are

    @property
    def arrays(self) -> tuple[Array, Array, Array]:
        """What kernels take."""
        return self.table, self.outputs, self.output_biases


def zeros(shape: Shape) -> Weights:
    """Numbers that are all 0: weights, gradients or moments."""
    return over(aligned(size_of(shape)), shape)


def size_of(shape: Shape) -> int:
    """How long the row of a network is: the last numbers fill a cache line."""
    width, buckets, rows = shape.width, shape.buckets, rows_of(*shape.sets)
    return -(-(rows * width + buckets * 2 * width + buckets) // LANES) * LANES


def over(row: Array, shape: Shape) -> Weights:
    """The arrays that a row of floats holds."""
    width, buckets, rows = shape.width, shape.buckets, rows_of(*shape.sets)
    table, outputs, biases = np.split(row, np.cumsum([rows * width, buckets * 2 * width]))
    return Weights(
        row, table.reshape(-1, width), outputs.reshape(buckets, 2 * width), biases[:buckets], shape
    )


def random_weights(shape: Shape, seed: int) -> Weights:
    """Small random weights to begin with: the same in all sets."""
    weights, rng = zeros(shape), np.random.default_rng([seed, 0])
    least = Shape(shape.width, shape.buckets)
    features = rng.normal(scale=FEATURE_SPREAD, size=(rows_of(*least.sets) - 1, shape.width))
    weights.table[:-1] = in_all_sets(features, least, shape)
    weights.table[-1] = FEATURE_BIAS
    weights.outputs[:] = rng.normal(scale=OUTPUT_SPREAD, size=weights.outputs.shape)
    return weights


def ends_of(weights: Weights) -> tuple[int, int, int]:
    """Where the weights of each kind end in the row; the last end behind what fills the cache line."""
    return weights.table.size, weights.table.size + weights.outputs.size, weights.row.size


def rounded_copy(weights: Weights) -> Weights:
    """The weights as the engine will know them."""
    result = zeros(weights.shape)
    for array, rough, fineness in zip(result.arrays, weights.arrays, FINENESS):
        array[:] = rounded(rough * np.float32(fineness)) / np.float32(fineness)
    return result


def quantised(weights: Weights, head: Head) -> Network:
    """The network in whole numbers, as the engine knows it."""
    return Network(
        head,
        rounded(weights.table[:-1] * QA).astype("i1").tobytes(),
        rounded(weights.table[-1] * QA).astype("<i2").tobytes(),
        rounded(weights.outputs * QB).astype("<i2").tobytes(),
        rounded(weights.output_biases.astype(float) * (QA * QB)).astype("<i4").tobytes(),
    )


def rounded(numbers: Array) -> Array:
    """The nearest whole numbers."""
    return np.floor(numbers + 0.5)


def from_network(network: Network) -> Weights:
    """The floats that a network in whole numbers stands for."""
    head = network.head
    weights = zeros(Shape(head.width, head.buckets, head.regions, head.threats, head.kinds))
    features = np.frombuffer(network.feature_weights, "i1")
    weights.table[:-1] = features.reshape(-1, head.width) / np.float32(QA)
    weights.table[-1] = np.frombuffer(network.feature_biases, "<i2") / np.float32(QA)
    outputs = np.frombuffer(network.output_weights, "<i2")
    weights.outputs[:] = outputs.reshape(weights.outputs.shape) / np.float32(QB)
    weights.output_biases[:] = np.frombuffer(network.output_biases, "<i4") / (QA * QB)
    return weights


def grown(weights: Weights, shape: Shape, seed: int) -> Weights:
    """The same network with more sets of weights, which are still the same, or with more hidden numbers.

    The new hidden numbers are random, and do not count yet: their output weights are 0.
    """
    old, width = weights.shape, weights.shape.width
    result = random_weights(shape, seed)
    result.table[:-1, :width] = in_all_sets(weights.table[:-1], old, shape)
    result.table[-1, :width] = weights.table[-1]
    result.outputs[:] = 0
    for half in range(2):
        before, after = half * width, half * shape.width
        result.outputs[:, after : after + width] = weights.outputs[:, before : before + width]
    result.output_biases[:] = weights.output_biases
    return result


def in_all_sets(features: Array, old: Shape, new: Shape) -> Array:
    """The same weights of features in more sets; those of passed pawns are as those of pawns."""
    few = features.reshape(*old.sets[:2], SIDES, old.kinds, SQUARES, -1)
    pawns = few[..., : new.kinds - old.kinds, :, :]  # the first kind, or none
    few = np.concatenate([few, pawns], axis=3)
    many: Array = np.broadcast_to(few, (*new.sets[:2], *few.shape[2:]))
    return many.reshape(-1, features.shape[-1])


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
