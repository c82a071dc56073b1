"""The root of the tree: its moves are searched one after another, and each keeps its score and line."""

from bluekrait.core.compiler.jit import inline, int64, internal, position_type
from bluekrait.core.move import NO_MOVE, is_noisy
from bluekrait.core.rules.bits import EMPTY, signed
from bluekrait.core.rules.legality import legality
from bluekrait.core.rules.movelist import move_list_type
from bluekrait.core.rules.outcome import number_of_moves
from bluekrait.search.scores import DRAW, INFINITE, UNKNOWN, bound_of
from bluekrait.search.tree.alphabeta import null_window, pv_node
from bluekrait.search.tree.extensions_and_reductions import (
    late_move_reduction,
    reduced_depth,
    reduction_of_node,
)
from bluekrait.search.tree.learning.histories import fade_butterfly_history, select_histories
from bluekrait.search.tree.node import evaluate_node, play_move, put_line
from bluekrait.search.tree.pruning import move_history
from bluekrait.search.tree.state import ply_of, root_move_type, thread_type
from bluekrait.search.tree.transpositions import TTEntry, no_entry, store

ROOT_REDUCTION_DEPTH, ROOT_REDUCTION_AFTER = 3, 3  # the first three moves are searched to full depth


@internal(int64(thread_type, move_list_type))
def fill_roots(thread, moves):
    """Fill in the root moves, with nothing known about them; how many there are."""
    thread.root_count, thread.rank = moves.count, 0
    for place in range(moves.count):
        root, move = thread.roots[place], moves.moves[place]
        root.move, root.score, root.nodes, root.length = move, -INFINITE, EMPTY, 1
        root.line[0] = move
        thread.ranking[place] = place
    return moves.count


@internal(int64(thread_type, position_type, int64, int64, int64))
def search_root(thread, position, depth, alpha, beta):
    """The score of the root without the moves before `thread.rank`; the best move is put at that rank."""
    node, rank = ply_of(thread, 0), thread.rank
    state = legality(position.board)
    if thread.nodes == EMPTY:  # a new search
        fade_butterfly_history(thread)
    thread.keys[thread.game_length] = position.key
    select_histories(node, position.board, state.attacked)
    raw_eval = evaluate_node(thread, position, state, 0, UNKNOWN)
    best, best_place = -INFINITE, rank
    shared_reduction = reduction_of_node(thread, node, no_entry(), NO_MOVE, alpha, 1, False, 1)
    ply_of(thread, 1).cutoffs = 0
    old_alpha = alpha
    for place in range(rank, thread.root_count):
        thread.current = place
        root = thread.roots[thread.ranking[place]]
        move, before, count = root.move, thread.nodes, place - rank + 1
        child_depth = depth - 1
        thread.selective_depth = 0
        history = move_history(thread, 0, position.ply & 1, move)
        child = play_move(thread, node, position, move)
        score = beta
        if count > 1:
            reduced = child_depth
            if depth >= ROOT_REDUCTION_DEPTH and count > ROOT_REDUCTION_AFTER and not is_noisy(move):
                reduction = shared_reduction + late_move_reduction(thread, 0, depth, count, history, False)
                reduced = reduced_depth(thread, 0, child_depth, reduction)
            score = -null_window(thread, child, 1, reduced, -alpha, True)
            if score > alpha and reduced < child_depth:
                score = -null_window(thread, child, 1, child_depth, -alpha, False)
        if count == 1 or score > alpha:
            score = -pv_node(thread, child, 1, child_depth, -beta, -alpha)
        root.nodes += thread.nodes - before
        if thread.stop:
            break
        if count == 1 or score > alpha:
            root.bound = bound_of(score, alpha, beta)
            record_result(thread, root, score)
        else:
            root.score = -INFINITE
        if score > best:
            best = score
            if score > alpha:
                alpha, best_place = score, place
                if score >= beta:
                    break
    move_to_front(thread, best_place, rank)
    if thread.stop:
        return DRAW
    bound = bound_of(best, old_alpha, beta)
    if rank == 0 and thread.root_count == signed(number_of_moves(position.board)):  # no move was left out
        first = thread.roots[thread.ranking[0]]
        best_move = first.move if best > old_alpha else NO_MOVE
        store(thread, position.key, 0, TTEntry(best_move, best, raw_eval, depth, bound, 1))
    return best


@inline(int64(thread_type, root_move_type, int64))
def record_result(thread, root, score):
    """Keep the score of a root move and the line it leads to."""
    root.score, root.selective_depth = score, thread.selective_depth
    put_line(root, root.move, ply_of(thread, 1))
    return score


@inline(int64(thread_type, int64, int64))
def move_to_front(thread, place, rank):
    """Put the root move at a place before those from a rank on."""
    index = thread.ranking[place]
    for i in range(place, rank, -1):
        thread.ranking[i] = thread.ranking[i - 1]
    thread.ranking[rank] = index
    return index
