"""The only place where the search asks for an evaluation: the network's or the classical one."""

from bluekrait.core.board import all_pieces
from bluekrait.core.compiler.jit import board_type, boolean, inline, int64, internal, uint64
from bluekrait.core.rules.bits import EMPTY, without_lowest
from bluekrait.core.rules.legality import attacked_by_enemy
from bluekrait.search.evaluation.classical.sum_terms import evaluate as classical_score
from bluekrait.search.evaluation.network.accumulators import network_at
from bluekrait.search.evaluation.network.network_records import CLASSICAL, NETWORK
from bluekrait.search.evaluation.network.network_score import LARGEST, network_score
from bluekrait.search.tree.state import thread_type


@inline(int64(thread_type, board_type, uint64, int64))
def evaluate(thread, board, attacked, ply):
    """The score of a position for the side to move, as it stands; the enemy attacks these squares."""
    if thread.evaluation_kind == CLASSICAL or has_lone_king(board):
        return classical_score(thread.pawns, board)
    return learnt_score(thread, board, attacked, ply)


@internal(int64(thread_type, board_type, int64))
def evaluate_alone(thread, board, ply):
    """The same where it is not known yet what the enemy attacks."""
    return evaluate(thread, board, attacked_by_enemy(board), ply)


@inline(boolean(board_type))
def has_lone_king(board):
    """True if a side has nothing but its king.

    The classical evaluation knows where to drive that king, which a network learns from no game: games of
    training end when the score is clear.
    """
    enemy = all_pieces(board) & ~board.own
    return without_lowest(board.own) == EMPTY or without_lowest(enemy) == EMPTY


@internal(int64(thread_type, board_type, uint64, int64))
def learnt_score(thread, board, attacked, ply):
    """The network's score; in a residual, added to the classical one in the network's measure."""
    score = network_score(thread.network, thread.accumulators, board, attacked, ply)
    if thread.evaluation_kind == NETWORK:
        return score
    network = network_at(thread.network)
    score += classical_score(thread.pawns, board) * network.numerator // network.denominator
    return max(-LARGEST, min(LARGEST, score))
