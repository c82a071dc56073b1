"""The move picker: hands out the legal moves one at a time, likely good ones first.

It works in stages, so that a cut-off early on saves generating and sorting what comes later:

    the move from the transposition table
    noisy moves that win or keep material, most valuable victims first (MVV)
    the killer, and the counter-move
    quiet moves by their history
    noisy moves that lose material

In check the same stages hold: legal moves are then evasions, and few.
"""

from bluekrait.core.board import BISHOP, KNIGHT, QUEEN, ROOK
from bluekrait.core.compiler.jit import board_type, boolean, inline, int64, internal, position_type, uint32
from bluekrait.core.move import NO_MOVE, captured_of, is_noisy, promotion_of
from bluekrait.core.rules.bits import U64
from bluekrait.core.rules.is_legal import is_legal
from bluekrait.core.rules.legality import legality_type
from bluekrait.core.rules.movegen import add_noisy_moves, add_quiet_moves
from bluekrait.core.rules.see import see_at_least, worth
from bluekrait.search.tree.checks import checking_squares, gives_check
from bluekrait.search.tree.learning.histories import capture_history, history_context, quiet_history
from bluekrait.search.tree.move_scores import end_scores, pick_best, set_score
from bluekrait.search.tree.state import ply_of, ply_type, thread_type
from bluekrait.search.tree.transpositions import prefetch_child

HASH_MOVE, GENERATE_NOISY, GOOD_NOISY, KILLER, COUNTER_MOVE = 0, 1, 2, 3, 4
GENERATE_QUIET, QUIET, BAD_NOISY, FINISHED = 5, 6, 7, 8

VICTIM_WEIGHT = 16  # a victim's value against the history of capturing it
CHECK_BONUS = 12_000  # what giving check is worth to a quiet move, in history,
CHECK_LOSS = 75  # unless it loses more than so many centipawns
UNDERPROMOTION_MALUS = 20_000  # so that it comes after everything else


@inline(int64(ply_type, int64, int64))
def start_picking(node, hash_move, counter_move):
    """Prepare to hand out moves. `hash_move` must be legal or NO_MOVE; the killer is in the node."""
    node.hash_move, node.counter_move = hash_move, counter_move
    node.stage = HASH_MOVE if hash_move else GENERATE_NOISY
    node.cursor = node.bad_noisy = node.is_quiet_skipped = node.good_exchange = 0
    return node.stage


@internal(uint32(thread_type, int64, position_type, legality_type))
def next_move(thread, ply, position, state):
    """The next move, NO_MOVE after the last."""
    node, board = ply_of(thread, ply), position.board
    if node.stage == HASH_MOVE:
        node.stage = GENERATE_NOISY
        return node.hash_move
    if node.stage == GENERATE_NOISY:
        node.list.count = add_noisy_moves(board, state, node.list, 0)
        score_noisy_moves(thread, node, position.ply & 1)
        node.stage = GOOD_NOISY
    if node.stage == GOOD_NOISY:
        while node.cursor < node.list.count:
            move = pick_best(node)
            if move == node.hash_move:
                continue
            prefetch_child(thread, position, move)
            if is_good_noisy(board, move, node.good_exchange):
                return move
            node.list.moves[U64(node.bad_noisy)] = move
            node.bad_noisy += 1
        node.stage = KILLER
    if node.stage == KILLER:
        node.stage = COUNTER_MOVE
        if not node.is_quiet_skipped and is_playable(node, board, state, node.killer):
            return node.killer
    if node.stage == COUNTER_MOVE:
        node.stage = GENERATE_QUIET
        if (
            not node.is_quiet_skipped
            and node.counter_move != node.killer
            and is_playable(node, board, state, node.counter_move)
        ):
            return node.counter_move
    if node.stage == GENERATE_QUIET:
        node.stage, node.cursor = QUIET, node.bad_noisy
        if not node.is_quiet_skipped:
            node.list.count = add_quiet_moves(board, state, node.list, node.bad_noisy)
            score_quiet_moves(thread, node, ply, position, state)
    if node.stage == QUIET:
        while node.cursor < node.list.count and not node.is_quiet_skipped:
            move = pick_best(node)
            if move != node.hash_move and move != node.killer and move != node.counter_move:
                prefetch_child(thread, position, move)
                return move
        node.stage, node.cursor = BAD_NOISY, 0
    if node.stage == BAD_NOISY:
        if node.cursor < node.bad_noisy:
            node.cursor += 1
            return node.list.moves[U64(node.cursor - 1)]
        node.stage = FINISHED
    return NO_MOVE


@inline(int64(ply_type))
def skip_quiet_moves(node):
    """From now on, hand out noisy moves only."""
    node.is_quiet_skipped = 1
    return 1


@inline(int64(ply_type, int64))
def start_with_noisy_moves(node, gain):
    """Hand out noisy moves only, first those that gain at least so much by exchanges."""
    node.good_exchange = gain
    return skip_quiet_moves(node)


@inline(uint32(board_type, uint32, int64))
def noisy_hash_move(board, move, gain):
    """The hash move if it is noisy and gains at least so much, else NO_MOVE."""
    return move if is_noisy(move) and see_at_least(board, move, gain) else NO_MOVE


@inline(boolean(board_type, uint32, int64))
def is_good_noisy(board, move, gain):
    """True if a noisy move gains at least so much, which is zero for most purposes."""
    if promotion_of(move) == KNIGHT or promotion_of(move) == BISHOP or promotion_of(move) == ROOK:
        return False
    return see_at_least(board, move, gain)


@inline(boolean(ply_type, board_type, legality_type, int64))
def is_playable(node, board, state, move):
    """True if the killer or counter-move is legal here and is not the hash move, which came before."""
    if move == NO_MOVE or move == node.hash_move:
        return False
    return is_legal(board, state, move)


@inline(int64(thread_type, ply_type, int64))
def score_noisy_moves(thread, node, turn):
    """Score noisy moves by the value of their victim (MVV) and by capture history."""
    for i in range(U64(node.list.count)):
        move = node.list.moves[i]
        score = VICTIM_WEIGHT * worth(captured_of(move)) + capture_history(thread, node, turn, move)
        promotion = promotion_of(move)
        if promotion == QUEEN:
            score += VICTIM_WEIGHT * worth(QUEEN)
        elif promotion:
            score -= UNDERPROMOTION_MALUS
        set_score(node, i, score)
    return end_scores(node)


@inline(int64(thread_type, ply_type, int64, position_type, legality_type))
def score_quiet_moves(thread, node, ply, position, state):
    """Score quiet moves by history, and checks that lose little higher; they follow the bad noisy moves."""
    checks, context = checking_squares(position.board, state), history_context(thread, ply)
    turn = position.ply & 1
    for i in range(U64(node.cursor), U64(node.list.count)):
        move = node.list.moves[i]
        score = quiet_history(thread, context, turn, move)
        if gives_check(checks, move) and see_at_least(position.board, move, -CHECK_LOSS):
            score += CHECK_BONUS
        set_score(node, i, score)
    return end_scores(node)
