"""The search: principal variation search (PVS), as two functions that read downward.

`pv_node` finds the score of a position and the line that leads to it. `null_window` only tells whether a
position is worth at least beta, which is much quicker: nearly all nodes are of this kind, and nearly all
pruning is done here. Both go down to `quiescence`.

Steps of a node:
    1. Leave if the search ends, or the game by a draw. 6. Prune the node: razoring, reverse futility, null
    2. Mate distance pruning.                              move, ProbCut. Without a hash move, reduce (IIR).
    3. Who gives check?                                 7. Is the hash move singular? Then extend it.
    4. Probe transposition table and tablebases.        8. The moves: prune, make, reduce (LMR), search.
    5. Evaluate.                                        9. Mate or stalemate; update histories; store.
"""

from bluekrait.core.compiler.jit import boolean, int64, internal, position_type
from bluekrait.core.move import NO_MOVE
from bluekrait.core.rules.bits import U64
from bluekrait.core.rules.legality import legality
from bluekrait.search.scores import (
    DRAW,
    INFINITE,
    LOWER,
    NO_BOUND,
    UNKNOWN,
    bound_of,
    is_decided,
    is_win,
    mate_in,
    mated_in,
    moderated,
)
from bluekrait.search.tree.checks import checking_squares, gives_check
from bluekrait.search.tree.extensions_and_reductions import (
    REDUCTION_DEPTH,
    hindsight,
    is_multicut,
    late_move_reduction,
    may_be_singular,
    negative_extension,
    reduced_depth,
    reduction_of_node,
    research_depth_change,
    singular_beta,
    singular_extension,
    singular_search_depth,
)
from bluekrait.search.tree.learning.histories import (
    depth_of_bonus,
    learn_from_evaluation,
    learn_from_fail_low,
    learn_from_refutation,
    learn_from_research,
    record_tried,
    select_histories,
    update_histories,
)
from bluekrait.search.tree.node import (
    enter_node,
    evaluate_node,
    is_tt_cutoff,
    legal_hash_move,
    play_move,
    play_null_move,
    refined_by_tt,
    reset_ply,
    store_node,
    update_pv,
)
from bluekrait.search.tree.picker import (
    GOOD_NOISY,
    next_move,
    noisy_hash_move,
    start_picking,
    start_with_noisy_moves,
)
from bluekrait.search.tree.pruning import (
    PROBCUT_REDUCTION,
    PROBCUT_STORED_REDUCTION,
    PruningContext,
    is_improving,
    is_pruned,
    is_reverse_futile,
    may_pass,
    may_probcut,
    may_razor,
    move_history,
    null_move_depth,
)
from bluekrait.search.tree.quiescence import quiescence
from bluekrait.search.tree.repetitions import is_repetition_near
from bluekrait.search.tree.state import ply_of, thread_type
from bluekrait.search.tree.tablebase_probe import is_tablebase_cutoff, may_probe_tablebases, tablebase_score
from bluekrait.search.tree.transpositions import TTEntry, prefetch_child, probe, store_evaluation

IIR_DEPTH = 4  # internal iterative reduction: from here on, a node without a hash move is searched less deep
STALE_CLOCK = 80  # half-moves of the fifty-move clock, from which on stored scores end no `null_window`


@internal(int64(thread_type, position_type, int64, int64, int64, boolean))
def null_window(thread, position, ply, depth, beta, is_cut_node):
    """At least beta if the position is worth so much, less if it is not; fail-soft."""
    if depth <= 0:
        return quiescence(thread, position, ply, beta - 1, beta)
    # 1. Leave if the search or the game is over.
    score = enter_node(thread, position, ply)
    if score != UNKNOWN:
        return score
    excluded = ply_of(thread, ply).excluded
    if beta <= DRAW and not excluded and is_repetition_near(thread, position, ply):
        return DRAW

    # 2. Mate distance pruning: even mate at once would be too late, or being mated now soon enough.
    if mate_in(ply + 1) < beta:
        return mate_in(ply + 1)
    if mated_in(ply) >= beta:
        return mated_in(ply)

    # 3. Who gives check? While that is worked out, the table's memory arrives.
    board, turn, node, tuned = position.board, position.ply & 1, ply_of(thread, ply), thread.parameters
    previous = ply_of(thread, ply - 1)
    state = legality(board)
    in_check = 1 if state.checkers else 0

    # 4. Probe transposition table and tablebases.
    tt_entry = probe(thread, position.key, ply, position.clock)
    if not excluded and tt_entry.depth >= depth and position.clock < STALE_CLOCK:
        if is_tt_cutoff(tt_entry, beta):
            return tt_entry.score
    if not excluded and may_probe_tablebases(thread, position, ply, depth):
        score = tablebase_score(thread, board, ply)
        if score != UNKNOWN and is_tablebase_cutoff(score, beta - 1, beta):
            return score
    hash_move = legal_hash_move(board, state, tt_entry)
    if hash_move:
        prefetch_child(thread, position, hash_move)
    reset_ply(thread, ply)
    select_histories(node, board, state.attacked)

    # 5. Evaluate.
    raw_eval = evaluate_node(thread, position, state, ply, tt_entry.evaluation)
    if raw_eval != tt_entry.evaluation and tt_entry.bound == NO_BOUND:  # most pruned nodes store nothing else
        store_evaluation(thread, position.key, raw_eval)
    improving = 1 if is_improving(thread, ply) else 0
    if not excluded:
        learn_from_evaluation(thread, ply, turn)
    depth += hindsight(thread, ply)
    estimate = refined_by_tt(tt_entry, node.static_eval)

    # 6. Prune the node.
    if not in_check and not excluded and not is_decided(beta):
        # Razoring: so far behind that only captures could help.
        if may_razor(thread, depth, estimate, beta):
            score = quiescence(thread, position, ply, beta - 1, beta)
            if score < beta:
                return score
        # Reverse futility: so far ahead that the opponent will not catch up.
        if is_reverse_futile(thread, depth, estimate, beta, improving, tt_entry.was_pv):
            return moderated(estimate, beta)
        # Null move: good enough even after passing.
        is_allowed = is_cut_node and previous.move != NO_MOVE and ply >= thread.null_move_ply
        if is_allowed and may_pass(thread, board, depth, estimate, node.static_eval, beta):
            null_depth = null_move_depth(thread, depth, estimate - beta, improving)
            child = play_null_move(thread, node, position)
            before, thread.repeatable_from = thread.repeatable_from, thread.game_length + ply + 1
            score = -null_window(thread, child, ply + 1, null_depth, 1 - beta, not is_cut_node)
            thread.repeatable_from = before
            if thread.stop:
                return DRAW
            if score >= beta:
                if is_win(score):
                    score = beta
                if depth < tuned.null_move_verify_depth or thread.null_move_ply:
                    return score
                # Verification: deep enough to make sure that this is no zugzwang. In the upper three quarters
                # nobody may pass, since that would only put the same question once more.
                thread.null_move_ply = ply + 3 * null_depth // 4
                verified = null_window(thread, position, ply, null_depth, beta, not is_cut_node)
                thread.null_move_ply = 0
                node.reduction = 0  # that of its last move
                if verified >= beta:
                    return score
        # ProbCut: a capture so good that a shallow search exceeds beta by far.
        probcut_beta = beta + tuned.probcut_margin
        if may_probcut(tt_entry, depth, probcut_beta):
            start_picking(node, noisy_hash_move(board, hash_move, probcut_beta - node.static_eval), NO_MOVE)
            start_with_noisy_moves(node, probcut_beta - node.static_eval)
            move = next_move(thread, ply, position, state)
            while move != NO_MOVE and node.stage <= GOOD_NOISY:
                child = play_move(thread, node, position, move)
                score = -quiescence(thread, child, ply + 1, -probcut_beta, 1 - probcut_beta)
                if score >= probcut_beta:
                    shallow = depth - PROBCUT_REDUCTION
                    score = -null_window(thread, child, ply + 1, shallow, 1 - probcut_beta, not is_cut_node)
                if thread.stop:
                    return DRAW
                if score >= probcut_beta:
                    stored_depth = depth - PROBCUT_STORED_REDUCTION
                    entry = TTEntry(node.move, score, raw_eval, stored_depth, LOWER, tt_entry.was_pv)
                    store_node(thread, position, ply, entry)
                    return score if is_decided(score) else score - tuned.probcut_margin
                move = next_move(thread, ply, position, state)
    # Internal iterative reduction (IIR): a shallower search finds a hash move for the next time.
    if depth >= IIR_DEPTH and hash_move == NO_MOVE:
        depth -= 1

    # 7. Is the hash move singular? Then extend it.
    extension = 0
    if hash_move and not excluded and may_be_singular(thread, tt_entry, ply, depth):
        limit = singular_beta(thread, tt_entry, depth, tt_entry.was_pv)
        node.excluded = hash_move
        score = null_window(thread, position, ply, singular_search_depth(depth), limit, is_cut_node)
        node.excluded = NO_MOVE
        if thread.stop:
            return DRAW
        if is_multicut(score, limit, beta):
            return score
        if score < limit:
            history = move_history(thread, ply, turn, hash_move)
            extension = singular_extension(thread, node, hash_move, history, score, limit)
        else:
            extension = negative_extension(tt_entry.score, beta, is_cut_node)

    # 8. The moves.
    best, best_move, count, quiets, noisies = -INFINITE, NO_MOVE, 0, 0, 0
    checks = checking_squares(board, state)
    shared_reduction = reduction_of_node(
        thread, node, tt_entry, hash_move, beta - 1, improving, is_cut_node, tt_entry.was_pv
    )
    ply_of(thread, ply + 1).cutoffs = 0
    start_picking(node, hash_move, thread.counters[U64(previous.continuation)])
    while True:
        move = next_move(thread, ply, position, state)
        if move == NO_MOVE:
            break
        if move == excluded:
            continue
        count += 1
        history, is_check = move_history(thread, ply, turn, move), gives_check(checks, move)
        context = PruningContext(depth, beta - 1, estimate, in_check, improving)
        if is_pruned(thread, node, position, best, move, is_check, count, history, context):
            continue
        node.extension = extension if move == hash_move else 0
        child_depth = depth - 1 + node.extension
        reduced = child_depth
        if count > 1 and depth >= REDUCTION_DEPTH:
            reduction = shared_reduction + late_move_reduction(thread, ply, depth, count, history, is_check)
            reduced = reduced_depth(thread, ply, child_depth, reduction)
        child = play_move(thread, node, position, move)
        node.count, node.reduction = count, child_depth - reduced
        is_reduced = reduced < child_depth  # then the child is expected to be a cut node
        score = -null_window(thread, child, ply + 1, reduced, 1 - beta, is_reduced or not is_cut_node)
        if is_reduced and score >= beta:
            node.reduction = 0
            child_depth += research_depth_change(thread, score, best)
            if reduced < child_depth:
                score = -null_window(thread, child, ply + 1, child_depth, 1 - beta, not is_cut_node)
            learn_from_research(thread, ply, turn, move, depth, score >= beta)
        if thread.stop:
            return DRAW
        if score > best:
            best = score
            if score >= beta:
                best_move = move
                break
        quiets, noisies = record_tried(node, move, quiets, noisies)

    # 9. Mate or stalemate; update histories; store.
    if count == 0:
        if excluded:
            return beta - 1
        return mated_in(ply) if in_check else DRAW
    if best_move:
        node.cutoffs += 1
        bonus_depth = depth_of_bonus(thread, depth, best - beta)
        update_histories(thread, ply, turn, best_move, bonus_depth, quiets, noisies)
        learn_from_refutation(thread, ply, turn, depth)
    elif not excluded:
        learn_from_fail_low(thread, ply, turn, depth)
    if excluded:
        return best
    bound = bound_of(best, beta - 1, beta)
    store_node(thread, position, ply, TTEntry(best_move, best, raw_eval, depth, bound, tt_entry.was_pv))
    return best


@internal(int64(thread_type, position_type, int64, int64, int64, int64))
def pv_node(thread, position, ply, depth, alpha, beta):
    """The score of a position: exact between alpha and beta, elsewhere a bound (fail-soft).

    The line that leads to it is put into the ply's record.
    """
    node = ply_of(thread, ply)
    node.length = 0
    if depth <= 0:
        return quiescence(thread, position, ply, alpha, beta)
    # 1. Leave if the search or the game is over.
    score = enter_node(thread, position, ply)
    if score != UNKNOWN:
        return score
    thread.selective_depth = max(thread.selective_depth, ply)
    floor = -INFINITE  # DRAW if the side to move can have one, though the move that repeats may be left out
    if alpha < DRAW and is_repetition_near(thread, position, ply):
        alpha = floor = DRAW
        if alpha >= beta:
            return alpha

    # 2. Mate distance pruning: mates further away than one that is known are of no interest.
    alpha, beta = max(alpha, mated_in(ply)), min(beta, mate_in(ply + 1))
    if alpha >= beta:
        return alpha

    # 3. Who gives check?
    board, turn, previous = position.board, position.ply & 1, ply_of(thread, ply - 1)
    state = legality(board)
    in_check = 1 if state.checkers else 0

    # 4. Probe the transposition table, but only for a move: a line that ends there could not be shown. What
    #    the tablebases know is the score where it lies outside the window, else a lower or upper limit of it.
    best, ceiling = -INFINITE, INFINITE
    if may_probe_tablebases(thread, position, ply, depth):
        score = tablebase_score(thread, board, ply)
        if score != UNKNOWN:
            if is_tablebase_cutoff(score, alpha, beta):
                return score
            if is_win(score):
                best, alpha = score, max(alpha, score)
            else:
                ceiling = score
    tt_entry = probe(thread, position.key, ply, position.clock)
    hash_move = legal_hash_move(board, state, tt_entry)
    reset_ply(thread, ply)
    select_histories(node, board, state.attacked)

    # 5. Evaluate.
    raw_eval = evaluate_node(thread, position, state, ply, tt_entry.evaluation)
    improving = 1 if is_improving(thread, ply) else 0
    learn_from_evaluation(thread, ply, turn)

    # 6. The node is not pruned; without a hash move it is reduced (IIR).
    if depth >= IIR_DEPTH and hash_move == NO_MOVE:
        depth -= 1

    # 7. Is the hash move singular? Then extend it.
    extension = 0
    if hash_move and may_be_singular(thread, tt_entry, ply, depth):
        limit = singular_beta(thread, tt_entry, depth, 0)
        node.excluded = hash_move
        score = null_window(thread, position, ply, singular_search_depth(depth), limit, False)
        node.excluded = NO_MOVE
        if thread.stop:
            return DRAW
        extension = 1 if score < limit else negative_extension(tt_entry.score, beta, False)

    # 8. The moves.
    best_move, count, quiets, noisies = NO_MOVE, 0, 0, 0
    checks = checking_squares(board, state)
    shared_reduction = reduction_of_node(thread, node, tt_entry, hash_move, alpha, improving, False, 1)
    ply_of(thread, ply + 1).cutoffs = 0
    old_alpha = alpha
    start_picking(node, hash_move, thread.counters[U64(previous.continuation)])
    while True:
        move = next_move(thread, ply, position, state)
        if move == NO_MOVE:
            break
        count += 1
        history, is_check = move_history(thread, ply, turn, move), gives_check(checks, move)
        # Pruned as if a ply deeper: a move that is overlooked here costs more.
        context = PruningContext(depth + 1, alpha, node.static_eval, in_check, improving)
        if is_pruned(thread, node, position, best, move, is_check, count, history, context):
            continue
        child_depth = depth - 1
        if move == hash_move:
            child_depth += extension
        reduced = child_depth
        if count > 1 and depth >= REDUCTION_DEPTH:
            reduction = shared_reduction + late_move_reduction(thread, ply, depth, count, history, is_check)
            reduced = reduced_depth(thread, ply, child_depth, reduction)
        child = play_move(thread, node, position, move)
        node.count, node.reduction = count, child_depth - reduced
        # A null window first, reduced, then in full depth. `null_window` has similar lines: a function for
        # both would call `null_window` and be called by it, but kernels call only what was compiled before.
        score = beta
        if count > 1:
            score = -null_window(thread, child, ply + 1, reduced, -alpha, True)
            node.reduction = 0
            if score > alpha and reduced < child_depth:
                child_depth += research_depth_change(thread, score, best)
                if reduced < child_depth:
                    score = -null_window(thread, child, ply + 1, child_depth, -alpha, False)
                learn_from_research(thread, ply, turn, move, depth, score > alpha)
        if count == 1 or score > alpha:
            score = -pv_node(thread, child, ply + 1, child_depth, -beta, -alpha)
        if thread.stop:
            return DRAW
        if score > best:
            best = score
            if score > alpha:
                alpha, best_move = score, move
                update_pv(thread, ply, move)
                if score >= beta:
                    break
        quiets, noisies = record_tried(node, move, quiets, noisies)

    # 9. Mate or stalemate; update histories; store.
    if count == 0:
        return mated_in(ply) if in_check else DRAW
    best = min(best, ceiling)
    if best >= beta:
        node.cutoffs += 1
        bonus_depth = depth_of_bonus(thread, depth, best - beta)
        update_histories(thread, ply, turn, best_move, bonus_depth, quiets, noisies)
    elif best <= old_alpha:
        learn_from_fail_low(thread, ply, turn, depth)
    bound = bound_of(best, old_alpha, beta)
    store_node(thread, position, ply, TTEntry(best_move, best, raw_eval, depth, bound, 1))
    return max(best, floor)
