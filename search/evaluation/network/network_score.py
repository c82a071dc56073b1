"""The network's evaluation of a position."""

from bluekrait.core.board import all_pieces
from bluekrait.core.compiler.jit import board_type, inline, int64, internal, uint64
from bluekrait.core.rules.bits import ONE, TWO, U64, popcount
from bluekrait.core.rules.make import seen_by_other_side
from bluekrait.search.evaluation.network.accumulators import (
    network_at,
    network_type,
    up_to_date,
    view_of,
)
from bluekrait.search.evaluation.network.network_file import QA, QB, SCALE
from bluekrait.search.evaluation.network.vectors import load_number, weigh

WHOLE = QA * QA * QB  # what stands for an output of 1 in a sum of squares times weights
LARGEST = 30_000  # no evaluation looks like a mate or a win that is known from tables


@internal(int64(uint64, uint64, board_type, uint64, int64))
def network_score(network_address, accumulators, board, attacked, ply):
    """How good a board is for the side to move, by the network alone; the enemy attacks these squares."""
    network = network_at(network_address)
    side, view = ply & 1, view_of(network, board, attacked)
    own = up_to_date(network, accumulators, ply, side, view)
    other = up_to_date(network, accumulators, ply, 1 - side, seen_by_other_side(view))
    return output(network, own, other, popcount(all_pieces(board)))


@inline(int64(network_type, uint64, uint64, uint64))
def output(network, own, other, pieces):
    """The evaluation that both sides' hidden numbers amount to."""
    bucket = bucket_of(pieces, network.buckets)
    row_bytes = network.width << ONE
    weights = network.output_weights + bucket * (row_bytes << ONE)
    total = weigh(own, weights, network.width) + weigh(other, weights + row_bytes, network.width)
    total += QA * load_number(network.output_biases + (bucket << TWO))
    return max(-LARGEST, min(LARGEST, (total * SCALE + WHOLE // 2) // WHOLE))


@inline(uint64(uint64, uint64))
def bucket_of(pieces, buckets):
    """Which output weights are used with so many pieces on the board; see `network_file.bucket_of`."""
    return min((max(pieces, TWO) - TWO) * buckets // U64(31), buckets - ONE)
