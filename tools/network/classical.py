"""The classical evaluation of many positions: the baseline of networks, and what a residual is added to."""

import ctypes

import numpy as np
from numba import types

from bluekrait.core.compiler.jit import kernel, uint64
from bluekrait.core.tables import table_block
from bluekrait.search.evaluation.classical.pawn_cache import PawnCache
from bluekrait.search.evaluation.classical.sum_terms import evaluate
from bluekrait.search.evaluation.classical.terms.pawns import pawn_cache_at
from bluekrait.search.self_play.packing import board_of
from bluekrait.tools.data.formats.sample_array import Array, Samples
from bluekrait.tools.network.kernels.features import samples_type
from bluekrait.tools.network.losses import expectations

LOWEST, HIGHEST = 100, 1000  # between which the scale is looked for
COARSE = 25  # between two scales that are tried first


@kernel(types.void(uint64, samples_type, types.float32[::1]))
def put_scores(address, samples, scores):
    """Evaluate samples one by one."""
    cache = pawn_cache_at(address)
    for place in range(len(samples)):
        sample = samples[place]
        scores[place] = evaluate(
            cache, board_of(sample["occupied"], sample["first_pieces"], sample["last_pieces"])
        )


def classical_scores(samples: Samples) -> Array:
    """The scores of the classical evaluation, without a search, in its own units."""
    table_block.block()
    cache, scores = PawnCache(), np.zeros(len(samples), np.float32)
    put_scores(ctypes.addressof(cache), samples, scores)
    return scores


def fitted_scale(scores: Array, targets: Array) -> int:
    """How many of its units are one unit of a network: those that predict the targets best."""
    errors = [(squared_error(scores / scale, targets), scale) for scale in range(LOWEST, HIGHEST + 1, COARSE)]
    middle = min(errors)[1]
    nearby = range(max(LOWEST, middle - COARSE), min(HIGHEST, middle + COARSE) + 1)
    return min((squared_error(scores / scale, targets), scale) for scale in nearby)[1]


def squared_error(outputs: Array, targets: Array) -> float:
    """The mean squared error of the expectations of outputs."""
    return float(np.square(expectations(outputs) - targets).mean())
