"""The search: principal variation search, as two functions that read downward.

`pv_node` finds the score of a position and the line that leads to it. `null_window` only tells whether a
position is worth at least beta, which is much quicker: nearly all nodes are of this kind, and nearly all
guesses are made here. Both go down to `quiescence`.

Steps of a node:
     1. leave, if the search or the game is over     6. give up without looking: razoring,
     2. no mate can be fast enough                       reverse futility, null move
     3. who gives check?                             7. a move that is better than all others
     4. ask the transposition table, tablebases      8. the moves: prune, make, reduce, search
     5. evaluate                                     9. mate or stalemate; learn; remember
"""

from bluekrait.core.compiler.jit import boolean, inline, int64, internal, position_type
from bluekrait.core.move import NO_MOVE, is_noisy
from bluekrait.core.rules.is_legal import is_legal
from bluekrait.core.rules.legality import legality
from bluekrait.search.scores import (
    DRAW,
    INFINITE,
    MAX_PLY,
    UNKNOWN,
    is_decided,
    is_loss,
    is_win,
    mate_in,
    mated_in,
)
from bluekrait.search.tree.checks import checking_squares, gives_check
from bluekrait.search.tree.child_node import extend_line, play, play_nothing
from bluekrait.search.tree.corrections import corrected, teach_correction
from bluekrait.search.tree.evaluate import evaluate
from bluekrait.search.tree.histories import note_noisy, note_quiet, teach_cutoff
from bluekrait.search.tree.picker import GOOD_NOISY, next_move, skip_quiet_moves, start_picking
from bluekrait.search.tree.pruning import (
    ALL_QUIET_MOVES,
    NOTHING,
    PLY,
    Node,
    history_of,
    hopelessness,
    is_improving,
    reduction_of,
)
from bluekrait.search.tree.quiescence import quiescence, raw_evaluation, refined, settles
from bluekrait.search.tree.state import has_pieces, is_draw, is_over, ply_of, thread_type
from bluekrait.search.tree.tablebase_probe import may_be_known, table_score
from bluekrait.search.tree.transpositions import LOWER, UPPER, Entry, bound_of, entry_type, recall, remember

RAZOR_DEPTH = 4
NULL_MOVE_DEPTH = 3
NULL_MOVE_LEAD, NULL_MOVE_EASE = 150, 20  # centipawns to be ahead, and how many less for each ply of depth
NULL_MOVE_MOST = 3  # plies of reduction for being ahead
REDUCTION_DEPTH = 2
ITERATIVE_DEPTH = 4  # from here on, a node without a move to begin with is looked at less deep
SINGULAR_BEHIND = 3  # a stored score may be so many plies shallower than what is asked
DOUBLE_EXTENSIONS = 6  # on one line
STALE_CLOCK = 80  # half-moves of the fifty-move rule after which stored scores are not believed


@internal(int64(thread_type, position_type, int64, int64, int64, boolean))
def null_window(thread, position, ply, depth, beta, is_cut_node):
    """At least beta if the position is worth so much, less if it is not; fail-soft."""
    if depth <= 0:
        return quiescence(thread, position, ply, beta - 1, beta)
    # 1. Leave if the search is over, or the game.
    if is_over(thread):
        return DRAW
    thread.keys[thread.game_length + ply] = position.key
    if is_draw(thread, position, ply):
        return DRAW
    if ply >= MAX_PLY:
        return evaluate(thread, position.board, ply)

    # 2. Even mate at once would be too late, or being mated now soon enough.
    if mate_in(ply + 1) < beta:
        return mate_in(ply + 1)
    if mated_in(ply) >= beta:
        return mated_in(ply)

    # 3. Who gives check? While that is worked out, the table's memory arrives.
    board, node, tuned = position.board, ply_of(thread, ply), thread.parameters
    state = legality(board)
    in_check = 1 if state.checkers else 0

    # 4. Ask the transposition table, and the tablebases.
    excluded = node.excluded
    known = recall(thread, position.key, ply)
    if not excluded and known.depth >= depth and settles(known, beta) and position.clock < STALE_CLOCK:
        return known.score
    if not excluded and may_be_known(thread, position, ply, depth):
        score = table_score(thread, board, ply)
        if score != UNKNOWN and is_settled_by_table(score, beta - 1, beta):
            return score
    hash_move = known.move if known.move and is_legal(board, state, known.move) else NO_MOVE
    previous = ply_of(thread, ply - 1)
    ply_of(thread, ply + 1).killer = NO_MOVE
    node.double_extensions = previous.double_extensions

    # 5. Evaluate.
    raw = estimate = node.static_eval = UNKNOWN
    if not in_check:
        raw = raw_evaluation(thread, board, ply, known)
        node.static_eval = corrected(thread, position, ply, raw)
        estimate = refined(known, node.static_eval)
    is_better = 1 if is_improving(thread, ply) else 0

    # 6. Give up without looking at the moves.
    if not in_check and not excluded and not is_decided(beta):
        # Razoring: so far behind that only captures could help.
        if depth <= RAZOR_DEPTH and estimate + tuned.razor_base + tuned.razor_slope * depth * depth < beta:
            score = quiescence(thread, position, ply, beta - 1, beta)
            if score < beta:
                return score
        # Reverse futility: so far ahead that the opponent will not catch up.
        if depth <= tuned.reverse_futility_depth and not is_decided(estimate):
            if estimate - tuned.reverse_futility_margin * (depth - is_better) >= beta:
                return (estimate + beta) // 2
        # Null move: good enough even after passing.
        if (
            depth >= NULL_MOVE_DEPTH
            and previous.move != NO_MOVE
            and estimate >= beta
            and node.static_eval >= beta + NULL_MOVE_LEAD - NULL_MOVE_EASE * depth
            and has_pieces(board)
            and ply >= thread.null_move_ply
        ):
            reduction = tuned.null_move_base + depth // tuned.null_move_divisor
            reduction += min(NULL_MOVE_MOST, (estimate - beta) // tuned.null_move_margin)
            child = play_nothing(thread, node, position)
            score = -null_window(thread, child, ply + 1, depth - reduction, 1 - beta, not is_cut_node)
            if thread.stop:
                return DRAW
            if score >= beta:
                if is_win(score):
                    score = beta
                if depth < tuned.null_move_verify_depth or thread.null_move_ply:
                    return score
                # Deep enough to make sure that this is no zugzwang.
                thread.null_move_ply = ply + 3 * (depth - reduction) // 4
                verified = null_window(thread, position, ply, depth - reduction, beta, not is_cut_node)
                thread.null_move_ply = 0
                if verified >= beta:
                    return score
    if is_cut_node and depth >= ITERATIVE_DEPTH and hash_move == NO_MOVE:
        depth -= 1

    # 7. Is the stored move better than all others? Then look deeper at it.
    extension = 0
    if hash_move and not excluded and may_be_singular(thread, known, ply, depth):
        goal = known.score - tuned.singular_margin * depth
        node.excluded = hash_move
        score = null_window(thread, position, ply, (depth - 1) // 2, goal, is_cut_node)
        node.excluded = NO_MOVE
        if thread.stop:
            return DRAW
        if score < goal:
            extension = 1
            if score < goal - tuned.double_extension_margin and node.double_extensions < DOUBLE_EXTENSIONS:
                extension = 2
        elif goal >= beta:  # several moves are too good
            return goal
        elif known.score >= beta:
            extension = -2
        elif is_cut_node:
            extension = -1

    # 8. The moves.
    best, best_move, count, quiets, noisies = -INFINITE, NO_MOVE, 0, 0, 0
    checks = checking_squares(board, state)
    start_picking(node, hash_move, thread.counters[previous.continuation])
    while True:
        move = next_move(thread, ply, position, state)
        if move == NO_MOVE:
            break
        if move == excluded:
            continue
        count += 1
        history, is_check = history_of(thread, ply, position, state, move), gives_check(checks, move)
        if not is_loss(best) and has_pieces(board):
            traits = Node(depth, beta - 1, node.static_eval, in_check, is_better)
            hopeless = hopelessness(thread, position, move, is_check, count, history, traits)
            if hopeless == ALL_QUIET_MOVES:
                skip_quiet_moves(node)
            if hopeless != NOTHING:
                continue
        lengthened = depth - 1
        if move == hash_move:
            lengthened += extension
            if extension == 2:
                node.double_extensions += 1
        child = play(thread, node, position, move)
        score = beta
        shallow = lengthened
        if count > 1 and depth >= REDUCTION_DEPTH and not (is_noisy(move) and node.stage == GOOD_NOISY):
            reduction = reduction_of(thread, depth, count, history, is_better, is_check)
            if is_cut_node:
                reduction += tuned.reduction_cut_node
            if known.was_pv:
                reduction -= tuned.reduction_pv
            shallow = max(1, min(lengthened, lengthened - reduction // PLY))
            is_reduced = shallow < lengthened  # then the child is expected to be cut off
            if is_reduced:
                score = -null_window(thread, child, ply + 1, shallow, 1 - beta, is_reduced)
        if score >= beta:
            score = -null_window(thread, child, ply + 1, lengthened, 1 - beta, not is_cut_node)
        if thread.stop:
            return DRAW
        if score > best:
            best = score
            if score >= beta:
                best_move = move
                break
        if is_noisy(move):
            noisies = note_noisy(node, noisies, move)
        else:
            quiets = note_quiet(node, quiets, move)

    # 9. Mate or stalemate; learn; remember.
    if count == 0:
        if excluded:
            return beta - 1
        return mated_in(ply) if in_check else DRAW
    if best_move:
        teach_cutoff(thread, ply, position.ply & 1, state.attacked, best_move, depth, quiets, noisies)
    if excluded:
        return best
    bound = bound_of(best, beta - 1, beta)
    conclude(thread, position, ply, Entry(best_move, best, raw, depth, bound, known.was_pv))
    return best


@internal(int64(thread_type, position_type, int64, int64, int64, int64))
def pv_node(thread, position, ply, depth, alpha, beta):
    """The score of a position, between alpha and beta, and in the ply's record the line that leads to it."""
    node = ply_of(thread, ply)
    node.length = 0
    if depth <= 0:
        return quiescence(thread, position, ply, alpha, beta)
    # 1. Leave if the search is over, or the game.
    if is_over(thread):
        return DRAW
    thread.keys[thread.game_length + ply] = position.key
    if is_draw(thread, position, ply):
        return DRAW
    if ply >= MAX_PLY:
        return evaluate(thread, position.board, ply)
    thread.selective_depth = max(thread.selective_depth, ply)

    # 2. Mates further away than one that is already known are of no interest.
    alpha, beta = max(alpha, mated_in(ply)), min(beta, mate_in(ply + 1))
    if alpha >= beta:
        return alpha

    # 3. Who gives check?
    board, tuned = position.board, thread.parameters
    state = legality(board)
    in_check = 1 if state.checkers else 0

    # 4. Ask the transposition table, but only for a move: a line that ends there could not be shown. What the
    #    tablebases know ends it where it settles the matter, else it is a floor or a ceiling.
    best, ceiling = -INFINITE, INFINITE
    if may_be_known(thread, position, ply, depth):
        score = table_score(thread, board, ply)
        if score != UNKNOWN:
            if is_settled_by_table(score, alpha, beta):
                return score
            if is_win(score):
                best, alpha = score, max(alpha, score)
            else:
                ceiling = score
    known = recall(thread, position.key, ply)
    hash_move = known.move if known.move and is_legal(board, state, known.move) else NO_MOVE
    previous = ply_of(thread, ply - 1)
    ply_of(thread, ply + 1).killer = NO_MOVE
    node.double_extensions = previous.double_extensions

    # 5. Evaluate.
    raw = node.static_eval = UNKNOWN
    if not in_check:
        raw = raw_evaluation(thread, board, ply, known)
        node.static_eval = corrected(thread, position, ply, raw)
    is_better = 1 if is_improving(thread, ply) else 0

    # 6. Nothing is given up here, but without a move to begin with a shallower search finds one.
    if depth >= ITERATIVE_DEPTH and hash_move == NO_MOVE:
        depth -= 1

    # 7. Is the stored move better than all others? Then look deeper at it.
    extension = 0
    if hash_move and may_be_singular(thread, known, ply, depth):
        goal = known.score - tuned.singular_margin * depth
        node.excluded = hash_move
        score = null_window(thread, position, ply, (depth - 1) // 2, goal, False)
        node.excluded = NO_MOVE
        if thread.stop:
            return DRAW
        if score < goal:
            extension = 1
        elif known.score >= beta:
            extension = -1

    # 8. The moves.
    best_move, count, quiets, noisies = NO_MOVE, 0, 0, 0
    checks = checking_squares(board, state)
    old_alpha = alpha
    start_picking(node, hash_move, thread.counters[previous.continuation])
    while True:
        move = next_move(thread, ply, position, state)
        if move == NO_MOVE:
            break
        count += 1
        history, is_check = history_of(thread, ply, position, state, move), gives_check(checks, move)
        if not is_loss(best) and has_pieces(board):
            traits = Node(depth + 1, alpha, node.static_eval, in_check, is_better)
            hopeless = hopelessness(thread, position, move, is_check, count, history, traits)
            if hopeless == ALL_QUIET_MOVES:
                skip_quiet_moves(node)
            if hopeless != NOTHING:
                continue
        lengthened = depth - 1
        if move == hash_move:
            lengthened += extension
        child = play(thread, node, position, move)
        score = beta
        if count > 1:
            shallow = lengthened
            if depth >= REDUCTION_DEPTH and not (is_noisy(move) and node.stage == GOOD_NOISY):
                reduction = reduction_of(thread, depth, count, history, is_better, is_check)
                reduction -= tuned.reduction_pv
                shallow = max(1, min(lengthened, lengthened - reduction // PLY))
            score = -null_window(thread, child, ply + 1, shallow, -alpha, True)
            if score > alpha and shallow < lengthened:
                score = -null_window(thread, child, ply + 1, lengthened, -alpha, False)
        if count == 1 or score > alpha:
            score = -pv_node(thread, child, ply + 1, lengthened, -beta, -alpha)
        if thread.stop:
            return DRAW
        if score > best:
            best = score
            if score > alpha:
                alpha, best_move = score, move
                extend_line(thread, ply, move)
                if score >= beta:
                    break
        if is_noisy(move):
            noisies = note_noisy(node, noisies, move)
        else:
            quiets = note_quiet(node, quiets, move)

    # 9. Mate or stalemate; learn; remember.
    if count == 0:
        return mated_in(ply) if in_check else DRAW
    best = min(best, ceiling)
    if best >= beta:
        teach_cutoff(thread, ply, position.ply & 1, state.attacked, best_move, depth, quiets, noisies)
    bound = bound_of(best, old_alpha, beta)
    conclude(thread, position, ply, Entry(best_move, best, raw, depth, bound, 1))
    return best


@inline(boolean(int64, int64, int64))
def is_settled_by_table(score, alpha, beta):
    """True if no search is needed: a draw is a draw, but a win may still be a mate that is soon enough."""
    if is_win(score):
        return score >= beta
    return score <= alpha if is_loss(score) else True


@inline(boolean(thread_type, entry_type, int64, int64))
def may_be_singular(thread, known, ply, depth):
    """True if enough is known of the stored move for a search that does without it to be worth its while."""
    return (
        depth >= thread.parameters.singular_depth
        and known.bound & LOWER != 0
        and known.depth >= depth - SINGULAR_BEHIND
        and not is_decided(known.score)
        and ply < 2 * thread.depth
    )


@internal(int64(thread_type, position_type, int64, entry_type))
def conclude(thread, position, ply, entry):
    """Remember what a node found out, and how wrong its evaluation was."""
    evaluation = ply_of(thread, ply).static_eval
    is_quiet = entry.move == NO_MOVE or not is_noisy(entry.move)
    if evaluation != UNKNOWN and is_quiet and not is_decided(entry.score):
        is_known_to_be_off = entry.bound & (LOWER if entry.score > evaluation else UPPER)
        if is_known_to_be_off:
            teach_correction(thread, position, ply, entry.depth, entry.score - evaluation)
    return remember(thread, position.key, ply, entry)
