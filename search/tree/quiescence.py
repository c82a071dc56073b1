"""Quiescence: a position is not evaluated in the middle of an exchange, but when the captures are over.

The side to move may decline to capture and stand on its evaluation, except in check, where it must move: then
all evasions are looked at.
"""

from bluekrait.core.compiler.jit import board_type, boolean, inline, int64, internal, position_type
from bluekrait.core.move import NO_MOVE, captured_of, is_noisy, promotion_of
from bluekrait.core.rules.bits import EMPTY
from bluekrait.core.rules.is_legal import is_legal
from bluekrait.core.rules.legality import legality
from bluekrait.core.rules.see import VALUES, see_at_least
from bluekrait.search.scores import DRAW, INFINITE, MAX_PLY, UNKNOWN, is_decided, is_loss, mated_in
from bluekrait.search.tree.child_node import play
from bluekrait.search.tree.corrections import corrected
from bluekrait.search.tree.evaluate import evaluate
from bluekrait.search.tree.picker import GOOD_NOISY, next_move, skip_quiet_moves, start_picking
from bluekrait.search.tree.state import is_draw, is_over, ply_of, thread_type
from bluekrait.search.tree.transpositions import EXACT, LOWER, UPPER, Entry, entry_type, recall, remember

EVASIONS_ENOUGH = 2  # quiet ones, if they do not lose to mate


@internal(int64(thread_type, position_type, int64, int64, int64))
def quiescence(thread, position, ply, alpha, beta):
    """The score of a position when its captures are played out; fail-soft within the window."""
    # 1. Leave if the search is over, or the game.
    if is_over(thread):
        return DRAW
    thread.keys[thread.game_length + ply] = position.key
    if is_draw(thread, position, ply):
        return DRAW
    board, node = position.board, ply_of(thread, ply)
    thread.selective_depth = max(thread.selective_depth, ply)
    if ply >= MAX_PLY:
        return evaluate(thread, board, ply)

    # 2. Ask the transposition table.
    state = legality(board)  # in the meantime its memory arrives
    in_check = state.checkers != EMPTY
    known = recall(thread, position.key, ply)
    if beta - alpha == 1 and settles(known, beta):
        return known.score

    # 3. Stand on the evaluation, if that is allowed and good enough.
    best, raw, futile = -INFINITE, UNKNOWN, -INFINITE
    if not in_check:
        raw = raw_evaluation(thread, board, ply, known)
        best = refined(known, corrected(thread, position, ply, raw))
        if best >= beta:
            if known.bound == 0:
                remember(thread, position.key, ply, Entry(NO_MOVE, best, raw, 0, LOWER, 0))
            return best
        futile = best + thread.parameters.quiescence_futility
    window_alpha = alpha
    alpha = max(alpha, best)

    # 4. Play out the captures, or the evasions.
    hash_move = known.move
    if hash_move and not ((in_check or is_noisy(hash_move)) and is_legal(board, state, hash_move)):
        hash_move = NO_MOVE
    best_move, quiets = NO_MOVE, 0
    start_picking(node, hash_move, NO_MOVE)
    if not in_check:
        skip_quiet_moves(node)
    while True:
        move = next_move(thread, ply, position, state)
        if move == NO_MOVE or (node.stage > GOOD_NOISY and not in_check):
            break
        if not is_loss(best):
            if in_check:
                if not is_noisy(move):
                    quiets += 1
                    if quiets > EVASIONS_ENOUGH:
                        break
            elif promotion_of(move) == NO_MOVE:
                gain = futile + VALUES[captured_of(move)]
                if gain <= alpha:
                    best = max(best, gain)
                    continue
                if futile <= alpha and not see_at_least(board, move, 1):
                    best = max(best, futile)
                    continue
        child = play(thread, node, position, move)
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

    # 5. Remember what was found out.
    bound = LOWER if best >= beta else UPPER
    if window_alpha < best < beta and best_move:
        bound = EXACT
    remember(thread, position.key, ply, Entry(int(best_move), best, raw, 0, bound, 0))
    return best


@inline(boolean(entry_type, int64))
def settles(known, beta):
    """True if a stored score tells whether the position is worth at least beta."""
    return known.bound & (LOWER if known.score >= beta else UPPER) != 0


@inline(int64(thread_type, board_type, int64, entry_type))
def raw_evaluation(thread, board, ply, known):
    """The evaluation as it was stored, or made now."""
    return evaluate(thread, board, ply) if known.evaluation == UNKNOWN else known.evaluation


@inline(int64(entry_type, int64))
def refined(known, evaluation):
    """The evaluation, or a stored score that comes closer to the truth."""
    if is_decided(known.score):
        return evaluation
    if known.bound & (LOWER if known.score > evaluation else UPPER):
        return known.score
    return evaluation
