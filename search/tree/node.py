"""The steps that all nodes share: entering, hash move, evaluation, making a move, storing the result."""

from bluekrait.core.compiler.jit import (
    board_type,
    boolean,
    generic,
    inline,
    int64,
    internal,
    position_type,
    uint32,
    uint64,
)
from bluekrait.core.move import NO_MOVE, is_noisy
from bluekrait.core.rules.bits import EMPTY, ONE, U64
from bluekrait.core.rules.is_legal import is_legal
from bluekrait.core.rules.legality import legality_type
from bluekrait.core.rules.make import make_move, make_null_move
from bluekrait.search.scores import DRAW, LOWER, MAX_PLY, UNKNOWN, UPPER, is_decided
from bluekrait.search.tree.evaluate import evaluate, evaluate_alone
from bluekrait.search.tree.learning.corrections import corrected, update_correction
from bluekrait.search.tree.learning.histories import piece_square
from bluekrait.search.tree.state import is_draw, must_stop, ply_of, ply_type, thread_type
from bluekrait.search.tree.transpositions import prefetch_cluster, store, tt_entry_type


@inline(int64(thread_type, position_type, int64))
def enter_node(thread, position, ply):
    """The score of a node that is not to be searched; UNKNOWN if it is.

    It is not if the search must stop, if the game is drawn, or if the line is as long as lines may be.
    """
    if must_stop(thread):
        return DRAW
    thread.keys[U64(thread.game_length + ply)] = position.key
    if is_draw(thread, position, ply):
        return DRAW
    if ply >= MAX_PLY:
        return evaluate_alone(thread, position.board, ply)
    return UNKNOWN


@inline(int64(thread_type, int64))
def reset_ply(thread, ply):
    """Prepare the fields of a ply that depend on its parent, and the killer of its children."""
    node, previous = ply_of(thread, ply), ply_of(thread, ply - 1)
    node.double_extensions = previous.double_extensions + (1 if previous.extension > 1 else 0)
    node.extension = 0
    node.reduction = 0
    ply_of(thread, ply + 1).killer = NO_MOVE
    return 0


@inline(boolean(tt_entry_type, int64))
def is_tt_cutoff(tt_entry, beta):
    """True if the bound of a stored score tells whether the position is worth at least beta."""
    return tt_entry.bound & (LOWER if tt_entry.score >= beta else UPPER) != 0


@inline(uint32(board_type, legality_type, tt_entry_type))
def legal_hash_move(board, state, tt_entry):
    """The move from the transposition table, NO_MOVE without one; two positions may share a key."""
    return tt_entry.move if tt_entry.move and is_legal(board, state, tt_entry.move) else NO_MOVE


@inline(int64(thread_type, board_type, uint64, int64, int64))
def raw_evaluation(thread, board, attacked, ply, stored):
    """The evaluation, before correction history: the stored one, or a new one if that is UNKNOWN."""
    return evaluate(thread, board, attacked, ply) if stored == UNKNOWN else stored


@inline(int64(thread_type, position_type, legality_type, int64, int64))
def evaluate_node(thread, position, state, ply, stored):
    """Set the node's static evaluation; the raw one. Both are UNKNOWN in check."""
    node = ply_of(thread, ply)
    raw_eval = node.static_eval = UNKNOWN
    node.correction = 0
    if state.checkers == EMPTY:
        raw_eval = raw_evaluation(thread, position.board, state.attacked, ply, stored)
        node.static_eval = corrected(thread, position, ply, raw_eval)
    return raw_eval


@inline(int64(tt_entry_type, int64))
def refined_by_tt(tt_entry, evaluation):
    """The evaluation, or the stored score if its bound shows that it is closer to the truth."""
    if is_decided(tt_entry.score):
        return evaluation
    if tt_entry.bound & (LOWER if tt_entry.score > evaluation else UPPER):
        return tt_entry.score
    return evaluation


@inline(position_type(thread_type, ply_type, position_type, uint32))
def play_move(thread, node, position, move):
    """Make a move; the position after it."""
    child = make_move(position, move)
    prefetch_cluster(thread, child.key)
    thread.nodes += ONE
    node.move, node.continuation = move, piece_square(position.ply & 1, move)
    return child


@inline(position_type(thread_type, ply_type, position_type))
def play_null_move(thread, node, position):
    """Make a null move (pass); the position after it."""
    child = make_null_move(position)
    prefetch_cluster(thread, child.key)
    thread.nodes += ONE
    node.move, node.continuation = NO_MOVE, 0
    return child


@generic
def put_line(record, move, child):
    """Let the line of a record be a move and the line of the next ply; its length."""
    record.line[0] = move
    for i in range(child.length):
        record.line[i + 1] = child.line[i]
    record.length = child.length + 1
    return record.length


@inline(int64(thread_type, int64, uint32))
def update_pv(thread, ply, move):
    """Put a move before the principal variation (PV) of the next ply; its length now."""
    return put_line(ply_of(thread, ply), move, ply_of(thread, ply + 1))


@internal(int64(thread_type, position_type, int64, tt_entry_type))
def store_node(thread, position, ply, entry):
    """Store the result of a node, and update correction history by the error of its evaluation."""
    evaluation = ply_of(thread, ply).static_eval
    is_quiet = entry.move == NO_MOVE or not is_noisy(entry.move)
    if evaluation != UNKNOWN and is_quiet and not is_decided(entry.score):
        is_error_known = entry.bound & (LOWER if entry.score > evaluation else UPPER)
        if is_error_known:
            update_correction(thread, position, ply, entry.depth, entry.score - evaluation)
    return store(thread, position.key, ply, entry)
