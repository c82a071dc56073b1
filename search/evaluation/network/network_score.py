"""The network's evaluation of a position."""

from bluekrait.core.board import all_pieces
from bluekrait.core.compiler.jit import board_type, inline, int64, internal, uint64
from bluekrait.core.rules.bits import ONE, TWO, U64, popcount
from bluekrait.search.evaluation.network.accumulators import numbers_of, up_to_date
from bluekrait.search.evaluation.network.network_file import QA, QB, SCALE
from bluekrait.search.evaluation.network.vectors import load_number, weigh
from bluekrait.search.evaluation.network.views import network_at, network_type, view_of

WHOLE = QA * QA * QB  # what stands for an output of 1 in a sum of squares times weights
LARGEST = 30_000  # no evaluation looks like a mate or a win that is known from tables


@internal(int64(uint64, uint64, board_type, uint64, int64))
def network_score(network_address, accumulators, board, attacked, ply):
    """How good a board is for the side to move, by the network alone; the enemy attacks these squares."""
    network = network_at(network_address)
    side = U64(ply & 1)
    accumulator = up_to_date(network, accumulators, ply, view_of(network, board, attacked, side))
    own, other = numbers_of(network, accumulator, side), numbers_of(network, accumulator, side ^ ONE)
    return output(network, own, other, popcount(all_pieces(board)))


@inline(int64(network_type, uint64, uint64, uint64))
def output(network, own, other, pieces):
    """The evaluation that both sides' hidden numbers amount to."""
    bucket = bucket_of(pieces, network.buckets)
    weights = network.output_weights + bucket * (network.width << TWO)
    total = weigh(own, other, weights, network.width)
    total += QA * load_number(network.output_biases + (bucket << TWO))
    return max(-LARGEST, min(LARGEST, (total * SCALE + WHOLE // 2) // WHOLE))


@inline(uint64(uint64, uint64))
def bucket_of(pieces, buckets):
    """Which output weights are used with so many pieces on the board; see `network_file.bucket_of`."""
    return min((max(pieces, TWO) - TWO) * buckets // U64(31), buckets - ONE)
