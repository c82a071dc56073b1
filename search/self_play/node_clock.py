"""A game clock that counts nodes: self-play as with a clock, but the same games on every machine.

Each side has a number of nodes for the whole game, and some more for each move, in the ratio of 10 seconds to
0.1. A search may take as many of them as `search.thinking.clock` would give it of seconds. With a soft limit
for each move, a side whose last iterations are longer would search more; here it must save that later.
"""

from bluekrait.core.compiler.jit import inline, int64, internal, position_type
from bluekrait.core.rules.bits import U64, signed
from bluekrait.search.limits import DEEPEST
from bluekrait.search.self_play.choose_move import is_settled, mean_of_last
from bluekrait.search.self_play.job import job_type
from bluekrait.search.thinking.clock import (
    BY_NODES,
    BY_NODES_SLOPE,
    BY_STABILITY,
    BY_STABILITY_SLOPE,
    HARD_FACTOR,
    INCREMENT_SHARE,
    LARGEST_SHARE,
    MOVES_LEFT,
    MOVES_LEFT_AT_START,
    PLIES_UNTIL_LESS,
    SCORE_DROP,
    SCORE_RISE,
    SCORE_THAT_DOUBLES,
    SOFT_SHARE,
    STABLE_AT_MOST,
    THOUSAND,
)
from bluekrait.search.thread_record import NO_NODE_LIMIT
from bluekrait.search.tree.aspiration import search_depth
from bluekrait.search.tree.state import root_at, thread_type

MOVES_AT_START = 100  # that the nodes at the beginning would pay for, in increments
_INCREMENT, _SOFT, _HARD, _MOST = (
    round(THOUSAND * share) for share in (INCREMENT_SHARE, SOFT_SHARE, HARD_FACTOR, LARGEST_SHARE)
)


@inline(int64(job_type))
def start_clocks(job):
    """Give both sides their nodes for the game; how many."""
    job.nodes_left[0] = job.nodes_left[1] = MOVES_AT_START * signed(job.nodes)
    return job.nodes_left[0]


@inline(int64(int64, int64, int64))
def fair_share(left, increment, ply):
    """The nodes of a move, if all moves to come were alike."""
    moves = max(MOVES_LEFT, MOVES_LEFT_AT_START - ply // PLIES_UNTIL_LESS)
    return left // moves + increment * _INCREMENT // THOUSAND


@inline(int64(int64, int64, int64, int64))
def soft_limit_thousandths(best_nodes, nodes, stable_iterations, score_drop):
    """What `clock.soft_limit_factor` says, in thousandths."""
    by_nodes = BY_NODES - BY_NODES_SLOPE * best_nodes // nodes
    by_stability = BY_STABILITY - BY_STABILITY_SLOPE * min(stable_iterations, STABLE_AT_MOST)
    by_score = THOUSAND + min(max(score_drop, SCORE_RISE), SCORE_DROP) * THOUSAND // SCORE_THAT_DOUBLES
    return by_nodes * by_stability * by_score // (THOUSAND * THOUSAND)


@internal(int64(job_type, thread_type, position_type))
def search_by_clock(job, thread, position):
    """Search a position with the nodes that the clock allows; the score. The best move is at rank 0."""
    turn = position.ply & 1
    fair = fair_share(job.nodes_left[turn], signed(job.nodes), position.ply)
    most = max(fair, job.nodes_left[turn] * _MOST // THOUSAND)
    soft, hard = fair * _SOFT // THOUSAND, min(fair * _HARD // THOUSAND, most)
    before = score = best = stable = 0
    thread.node_limit = NO_NODE_LIMIT
    for depth in range(1, DEEPEST + 1):
        if not search_depth(thread, position, depth, root_at(thread, 0).score):
            break
        root = root_at(thread, 0)
        before, score = root.score if depth == 1 else score, root.score
        stable = stable + 1 if root.move == best else 0
        best = root.move
        nodes = signed(thread.nodes)
        factor = soft_limit_thousandths(signed(root.nodes), nodes, stable, before - score)
        if nodes >= min(soft * factor // THOUSAND, hard) or is_settled(score, depth):
            break
        thread.node_limit = U64(hard)
    job.nodes_left[turn] += signed(job.nodes) - signed(thread.nodes)
    return mean_of_last(before, score)
