"""The only place where the search asks for an evaluation: the network's or the classical one."""

from bluekrait.core.board import all_pieces
from bluekrait.core.compiler.jit import board_type, boolean, inline, int64, internal, uint64
from bluekrait.core.rules.bits import EMPTY, popcount, without_lowest
from bluekrait.core.rules.legality import attacked_by_enemy
from bluekrait.search.evaluation.classical.sum_terms import evaluate as classical_score
from bluekrait.search.evaluation.network.network_records import CLASSICAL, NETWORK
from bluekrait.search.evaluation.network.network_score import LARGEST, network_score
from bluekrait.search.evaluation.network.views import network_at
from bluekrait.search.scores import MATERIAL_SCALE_BASE, MATERIAL_SCALE_UNIT, is_decided
from bluekrait.search.tree.state import thread_type


@inline(int64(thread_type, board_type, uint64, int64))
def evaluate(thread, board, attacked, ply):
    """The score that the search gives a position for the side to move; the enemy attacks these squares."""
    if is_judged_classically(thread, board):
        return classical_score(thread.pawns, board)
    return scaled_by_material(board, network_evaluation(thread, board, attacked, ply))


@internal(int64(thread_type, board_type, int64))
def evaluate_alone(thread, board, ply):
    """The same where it is not known yet what the enemy attacks."""
    return evaluate(thread, board, attacked_by_enemy(board), ply)


@internal(int64(thread_type, board_type))
def unscaled_evaluation(thread, board):
    """The score as the classical evaluation or the network tells it, whatever the search makes of that."""
    if is_judged_classically(thread, board):
        return classical_score(thread.pawns, board)
    return network_evaluation(thread, board, attacked_by_enemy(board), 0)


@inline(boolean(thread_type, board_type))
def is_judged_classically(thread, board):
    """True if the classical evaluation is chosen, or if a side has nothing but its king.

    The classical evaluation knows where to drive that king, which a network learns from no game: games of
    training end when the score is clear.
    """
    enemy = all_pieces(board) & ~board.own
    has_lone_king = without_lowest(board.own) == EMPTY or without_lowest(enemy) == EMPTY
    return thread.evaluation_kind == CLASSICAL or has_lone_king


@inline(int64(board_type))
def material_scale(board):
    """How much the network's score counts on this board, in units of 1 / `MATERIAL_SCALE_UNIT`."""
    return MATERIAL_SCALE_BASE + int(popcount(all_pieces(board)))


@inline(int64(board_type, int64))
def scaled_by_material(board, score):
    """The score counts more with more pieces on the board: who is ahead can still do more with it."""
    return max(-LARGEST, min(LARGEST, score * material_scale(board) // MATERIAL_SCALE_UNIT))


@internal(int64(thread_type, board_type, int64))
def unscaled_by_material(thread, board, score):
    """The score of a search as the evaluation itself would tell it: `scaled_by_material` undone.

    A network learns such scores. If it learnt those of the search, it would weight them by pieces itself, and
    the search once more.
    """
    if is_decided(score) or is_judged_classically(thread, board):
        return score
    weight = material_scale(board)
    return (2 * MATERIAL_SCALE_UNIT * score + weight) // (2 * weight)


@internal(int64(thread_type, board_type, uint64, int64))
def network_evaluation(thread, board, attacked, ply):
    """The network's score; in a residual, added to the classical one in the network's measure."""
    score = network_score(thread.network, thread.accumulators, board, attacked, ply)
    if thread.evaluation_kind == NETWORK:
        return score
    network = network_at(thread.network)
    score += classical_score(thread.pawns, board) * network.numerator // network.denominator
    return max(-LARGEST, min(LARGEST, score))
