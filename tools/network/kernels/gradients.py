"""The error of a network over many positions, and its gradient: forward and backward pass.

Positions are processed in chunks that fit the processor's L2 cache. In a chunk, the hidden values of a
perspective are the sum of the weight rows of its features. Backward, the gradient of a weight row is the sum
of the gradients of hidden values, over the perspectives that have its feature. Both are `add_all`, once with
the lists of features by perspective, once with the lists of perspectives by feature.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from bluekrait.core.compiler.jit import inline, int64, kernel, share
from bluekrait.core.rules.bits import popcount
from bluekrait.search.evaluation.network.network_file import SCALE
from bluekrait.tools.data.formats.look_ahead import RESULT_SCALE
from bluekrait.tools.network.kernels.features import MOST, put_features, rows_of, samples_type
from bluekrait.tools.network.kernels.sums import (
    MIDDLE,
    NARROW,
    WIDE,
    add_rows_middle,
    add_rows_narrow,
    add_rows_wide,
    aligned,
    matrix_type,
    numbers_type,
)

CHUNK = 256  # positions that are worked at together
SHARPNESS = SCALE / RESULT_SCALE

float32, float64 = types.float32, types.float64
_floats, _numbers = types.float32[::1], types.int64[::1]


class Workspace(NamedTuple):
    """The working memory of one thread."""

    hidden: NDArray[Any]  # of each perspective in the chunk: its hidden values, then the gradients by them
    features: NDArray[Any]  # of each perspective
    feature_starts: NDArray[Any]  # where those of a perspective begin ...
    feature_ends: NDArray[Any]  # ... and end
    members: NDArray[Any]  # of each feature: the perspectives that have it
    member_starts: NDArray[Any]
    member_ends: NDArray[Any]
    regions: int
    threats: int
    kinds: int


def new_workspace(
    width: int, regions: int = 1, threats: int = 1, kinds: int = 6, positions: int = CHUNK
) -> Workspace:
    """The working memory for a network of that shape."""
    rows, features_and_bias = 2 * positions, rows_of(regions, threats, kinds)
    starts = np.arange(rows, dtype=np.int64) * MOST
    features, members = (np.zeros(rows * MOST, np.uint16) for _ in range(2))
    ends = np.zeros(rows, np.int64)
    return Workspace(
        aligned(rows, width),
        features,
        starts,
        ends,
        members,
        np.zeros(features_and_bias, np.int64),
        np.zeros(features_and_bias, np.int64),
        regions,
        threats,
        kinds,
    )


workspace_type = types.NamedTuple(
    (matrix_type, numbers_type, _numbers, _numbers, numbers_type, _numbers, _numbers, int64, int64, int64),
    Workspace,
)


@kernel(types.void(matrix_type, numbers_type, _numbers, _numbers, matrix_type, int64))
def add_all(table, chosen, starts, ends, target, count):
    """To each of the first rows of the target, add the chosen rows of the table."""
    width = table.shape[1]
    wide = width - width % WIDE
    middle = width - width % MIDDLE
    for column in range(0, wide, WIDE):
        for row in range(count):
            add_rows_wide(table, chosen, starts[row], ends[row], target, row, column)
    for column in range(wide, middle, MIDDLE):
        for row in range(count):
            add_rows_middle(table, chosen, starts[row], ends[row], target, row, column)
    for column in range(middle, width, NARROW):
        for row in range(count):
            add_rows_narrow(table, chosen, starts[row], ends[row], target, row, column)


@kernel(types.void(samples_type, int64, int64, workspace_type))
def find_features(samples, first, count, workspace):
    """Write down the features of each perspective."""
    for place in range(count):
        sample = samples[first + place]
        own, other = workspace.feature_starts[2 * place], workspace.feature_starts[2 * place + 1]
        size = put_features(
            sample["occupied"], sample["first_pieces"], sample["last_pieces"],
            workspace.regions, workspace.threats, workspace.kinds, workspace.features, own, other,
        )  # fmt: skip
        workspace.feature_ends[2 * place] = own + size
        workspace.feature_ends[2 * place + 1] = other + size


@kernel(types.void(workspace_type, int64))
def find_members(workspace, rows):
    """Write down the perspectives of each feature: the same lists the other way round."""
    starts, ends = workspace.member_starts, workspace.member_ends
    ends[:] = 0
    for row in range(rows):
        for place in range(workspace.feature_starts[row], workspace.feature_ends[row]):
            ends[workspace.features[place]] += 1
    end = 0
    for feature in range(len(starts)):
        starts[feature] = end
        end += ends[feature]
        ends[feature] = starts[feature]
    for row in range(rows):
        for place in range(workspace.feature_starts[row], workspace.feature_ends[row]):
            feature = workspace.features[place]
            workspace.members[ends[feature]] = row
            ends[feature] += 1


def bucket_of(pieces: Any, buckets: int) -> Any:
    """Which of the outputs judges a position with so many pieces; arrays are taken too."""
    return (pieces - 2) * buckets // 31


share(bucket_of)


@kernel(float32(_floats, _floats), fastmath=True)
def half_output(hidden, weights):
    """What the hidden values of a perspective add to the output: squares, clipped, weighed."""
    total = float32(0)
    for place in range(len(hidden)):
        value = min(max(hidden[place], float32(0)), float32(1))
        total += value * value * weights[place]
    return total


@kernel(types.void(_floats, _floats, _floats, float32), fastmath=True)
def turn_into_gradients(hidden, weights, weight_gradients, gradient):
    """Replace hidden values by their gradients; add up the gradients of the output weights."""
    double = float32(2) * gradient
    for place in range(len(hidden)):
        value = hidden[place]
        clipped = min(max(value, float32(0)), float32(1))
        weight_gradients[place] += gradient * clipped * clipped
        inner = double * clipped * weights[place]
        hidden[place] = inner if value < float32(1) else float32(0)  # 0 below 0 already


@inline(float32(float32))
def expectation(output):
    """The expected result of an output: a sigmoid."""
    return float32(1) / (float32(1) + math.exp(-float32(SHARPNESS) * output))


@inline(float32(samples_type.dtype, float32))
def label_of(sample, result_share):
    """The expected result that a network should predict."""
    promised = expectation(float32(sample["score"]) / float32(SCALE))
    return result_share * float32(sample["result"]) / float32(2) + (float32(1) - result_share) * promised


network_type = (matrix_type, matrix_type, _floats)  # of features with biases, outputs, their biases


@kernel(types.void(samples_type, int64, int64, matrix_type, workspace_type))
def find_hidden(samples, first, count, table, workspace):
    """Compute the hidden values of some positions, before clipping."""
    find_features(samples, first, count, workspace)
    workspace.hidden[: 2 * count] = 0
    add_all(
        table,
        workspace.features,
        workspace.feature_starts,
        workspace.feature_ends,
        workspace.hidden,
        2 * count,
    )


@inline(float32(int64, int64, matrix_type, matrix_type, _floats))
def output_of(place, bucket, hidden, outputs, output_biases):
    """The output of the network for a position of the chunk."""
    width, weights = hidden.shape[1], outputs[bucket]
    own = half_output(hidden[2 * place], weights[:width])
    return output_biases[bucket] + own + half_output(hidden[2 * place + 1], weights[width:])


@kernel(types.void(samples_type, _floats, int64, int64, *network_type, _floats, workspace_type))
def put_outputs(samples, bases, first, end, table, outputs, output_biases, results, workspace):
    """The outputs of the network for some positions, the bases included."""
    for start in range(first, end, CHUNK):
        count = min(int64(CHUNK), end - start)
        find_hidden(samples, start, count, table, workspace)
        for place in range(count):
            bucket = bucket_of(int64(popcount(samples[start + place]["occupied"])), len(output_biases))
            output = output_of(place, bucket, workspace.hidden, outputs, output_biases)
            results[start + place] = bases[start + place] + output


@kernel(
    float64(
        samples_type, _floats, int64, int64, float32, float32, *network_type, *network_type, workspace_type
    )
)
def add_gradients(
    samples, bases, first, end, result_share, most_error, table, outputs, output_biases,
    table_gradients, output_gradients, bias_gradients, workspace,
):  # fmt: skip
    """The summed squared error over some positions; the gradients of their Huber losses are added up.

    An error beyond `most_error` pulls no stronger than one of that size, so 1 leaves the squared error.
    """
    width, hidden, error = table.shape[1], workspace.hidden, 0.0
    for start in range(first, end, CHUNK):
        count = min(int64(CHUNK), end - start)
        find_hidden(samples, start, count, table, workspace)
        for place in range(count):
            sample = samples[start + place]
            bucket = bucket_of(int64(popcount(sample["occupied"])), len(output_biases))
            output = output_of(place, bucket, hidden, outputs, output_biases)
            expected = expectation(bases[start + place] + output)
            miss = expected - label_of(sample, result_share)
            error += miss * miss
            pull = max(-most_error, min(most_error, miss))
            gradient = float32(2 * SHARPNESS) * pull * expected * (float32(1) - expected)
            weights, gradients = outputs[bucket], output_gradients[bucket]
            bias_gradients[bucket] += gradient
            turn_into_gradients(hidden[2 * place], weights[:width], gradients[:width], gradient)
            turn_into_gradients(hidden[2 * place + 1], weights[width:], gradients[width:], gradient)
        find_members(workspace, 2 * count)
        add_all(
            hidden, workspace.members, workspace.member_starts, workspace.member_ends,
            table_gradients, len(table_gradients),
        )  # fmt: skip
    return error
