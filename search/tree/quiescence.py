"""Quiescence search: a position is not evaluated in the middle of an exchange, but after the captures.

The side to move may decline to capture and keep its evaluation (stand pat), except in check, where it must
move: then evasions are searched, not only captures.
"""

from bluekrait.core.board import NONE
from bluekrait.core.compiler.jit import board_type, inline, int64, internal, position_type, uint32
from bluekrait.core.move import NO_MOVE, captured_of, is_noisy, promotion_of
from bluekrait.core.rules.bits import EMPTY
from bluekrait.core.rules.is_legal import is_legal
from bluekrait.core.rules.legality import legality
from bluekrait.core.rules.see import see_at_least, worth
from bluekrait.search.scores import (
    DRAW,
    EXACT,
    INFINITE,
    LOWER,
    NO_BOUND,
    UNKNOWN,
    UPPER,
    is_loss,
    mated_in,
    moderated,
)
from bluekrait.search.tree.learning.corrections import corrected
from bluekrait.search.tree.learning.histories import select_histories
from bluekrait.search.tree.node import enter_node, is_tt_cutoff, play_move, raw_evaluation, refined_by_tt
from bluekrait.search.tree.picker import GOOD_NOISY, next_move, start_picking, start_with_noisy_moves
from bluekrait.search.tree.repetitions import is_repetition_near
from bluekrait.search.tree.state import ply_of, thread_type
from bluekrait.search.tree.transpositions import TTEntry, probe, store

EVASIONS_ENOUGH = 1  # quiet ones, after an evasion that does not lose for certain


@inline(int64(board_type, uint32, int64, int64))
def futile_bound(board, move, futile, alpha):
    """Delta pruning: an upper bound for a capture that does not reach alpha, else UNKNOWN.

    `futile` is what a capture that wins nothing could be worth.
    """
    gain = futile + worth(captured_of(move))
    if gain <= alpha:
        return gain
    return futile if futile <= alpha and not see_at_least(board, move, 1) else UNKNOWN


@internal(int64(thread_type, position_type, int64, int64, int64))
def quiescence(thread, position, ply, alpha, beta):
    """The score of a position when its captures are played out; fail-soft."""
    # 1. Leave if the search or the game is over.
    score = enter_node(thread, position, ply)
    if score != UNKNOWN:
        return score
    board, node, tuned = position.board, ply_of(thread, ply), thread.parameters
    thread.selective_depth = max(thread.selective_depth, ply)
    ply_of(thread, ply + 1).killer = NO_MOVE
    floor = -INFINITE  # DRAW if the side to move can have one, though the move that repeats may be left out
    if alpha < DRAW and is_repetition_near(thread, position, ply):
        alpha = floor = DRAW
        if alpha >= beta:
            return alpha

    # 2. Probe the transposition table.
    state = legality(board)  # in the meantime its memory arrives
    in_check = state.checkers != EMPTY
    tt_entry = probe(thread, position.key, ply, position.clock)
    if beta - alpha == 1 and is_tt_cutoff(tt_entry, beta):
        return tt_entry.score

    # 3. Stand pat: not to capture at all, if the evaluation is good enough.
    best, raw_eval, futile = -INFINITE, UNKNOWN, -INFINITE
    if not in_check:
        raw_eval = raw_evaluation(thread, board, state.attacked, ply, tt_entry.evaluation)
        best = refined_by_tt(tt_entry, corrected(thread, position, ply, raw_eval))
        if best >= beta:
            best = moderated(best, beta)
            if tt_entry.bound == NO_BOUND:
                store(thread, position.key, ply, TTEntry(NO_MOVE, best, raw_eval, 0, LOWER, tt_entry.was_pv))
            return best
        futile = best + tuned.quiescence_futility
    window_alpha = alpha
    alpha = max(alpha, best)

    # 4. Play out the captures, or the evasions.
    hash_move = tt_entry.move
    if hash_move and not ((in_check or is_noisy(hash_move)) and is_legal(board, state, hash_move)):
        hash_move = NO_MOVE
    best_move, count, quiets = NO_MOVE, 0, 0
    start_picking(node, hash_move, NO_MOVE)
    if in_check:
        select_histories(node, board, state.attacked)
    else:
        node.attacked = state.attacked  # that is enough for captures
        start_with_noisy_moves(node, -tuned.quiescence_see)
    while True:
        move = next_move(thread, ply, position, state)
        if move == NO_MOVE or (node.stage > GOOD_NOISY and not in_check):
            break
        count += 1
        if not is_loss(best):
            if in_check:
                if not is_noisy(move):
                    quiets += 1
                    if quiets > EVASIONS_ENOUGH:
                        break
            elif count > tuned.quiescence_captures:
                break
            # Delta pruning: the captured piece would not bring the score up to alpha.
            elif promotion_of(move) == NONE:
                most = futile_bound(board, move, futile, alpha)
                if most != UNKNOWN:
                    best = max(best, most)
                    continue
        child = play_move(thread, node, position, move)
        score = -quiescence(thread, child, ply + 1, -beta, -alpha)
        if thread.stop:
            return DRAW
        if score > best:
            best = score
            if score > alpha:
                alpha, best_move = score, move
                if score >= beta:
                    break
    if best == -INFINITE:  # no evasion
        return mated_in(ply)

    # 5. Store.
    if best >= beta:
        best = moderated(best, beta)
    bound = LOWER if best >= beta else UPPER  # UPPER too if standing pat raised alpha, and no move did
    if window_alpha < best < beta and best_move:
        bound = EXACT
    store(thread, position.key, ply, TTEntry(int(best_move), best, raw_eval, 0, bound, tt_entry.was_pv))
    return max(best, floor)
