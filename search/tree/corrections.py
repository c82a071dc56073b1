"""Correction history: the average error of the evaluation in similar positions, which is added to it.

Similar means: the same pawns, the same pieces of one side, or the same last move. The words of the board are
hashed as they are, so no separate pawn key or piece key is needed.
"""

from bluekrait.core.compiler.jit import board_type, inline, int64, internal, position_type, uint64
from bluekrait.core.rules.bits import U64
from bluekrait.search.scores import DECIDED_BOUND
from bluekrait.search.thread_record import CORRECTIONS
from bluekrait.search.tree.state import ply_of, thread_type

GRAIN = 256  # corrections are kept in such fractions of a centipawn
LIMIT = 64 * GRAIN - 1
_WEIGHT_LIMIT, _WEIGHT_SCALE = 16, 256
_FIFTY_MOVES_FADE = 200

_MIX_1, _MIX_2, _MIX_3, _MIX_4 = (
    U64(odd) for odd in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0xD6E8FEB86659FD93)
)
_TOP_BITS = U64(64 - (CORRECTIONS.bit_length() - 1))


@inline(int64(int64, uint64))
def index_of(turn, mixture):
    """The index for a hash of words, by side to move."""
    return turn * CORRECTIONS + int((mixture * _MIX_1) >> _TOP_BITS)


@inline(int64(board_type, int64))
def pawn_index(board, turn):
    """The index for the pawns of both sides."""
    pawns = board.pawns & board.own
    return index_of(turn, (pawns * _MIX_2) ^ ((board.pawns ^ pawns) * _MIX_3 >> U64(7)))


@inline(int64(board_type, int64, uint64))
def piece_index(board, turn, side):
    """The index for the pieces, without pawns, of one side."""
    minor = (board.knights & side) * _MIX_1 ^ (board.diagonals & side) * _MIX_2
    major = (board.orthogonals & side) * _MIX_3 ^ (board.kings & side) * _MIX_4
    return index_of(turn, minor ^ (minor >> U64(29)) ^ major ^ (major >> U64(31)))


@inline(int64(thread_type, position_type, int64, int64))
def corrected(thread, position, ply, raw):
    """The evaluation after correction history; it shrinks as the fifty-move rule comes closer.

    The correction alone is kept in the ply's record.
    """
    board, turn, node = position.board, position.ply & 1, ply_of(thread, ply)
    correction = (
        int(thread.pawn_corrections[pawn_index(board, turn)])
        + int(thread.own_corrections[piece_index(board, turn, board.own)])
        + int(thread.enemy_corrections[piece_index(board, turn, ~board.own)])
        + int(thread.move_corrections[ply_of(thread, ply - 1).continuation])
    )
    node.correction = correction // GRAIN
    score = (raw + node.correction) * (_FIFTY_MOVES_FADE - min(position.clock, 100)) // _FIFTY_MOVES_FADE
    return max(-DECIDED_BOUND + 1, min(DECIDED_BOUND - 1, score))


@internal(int64(thread_type, position_type, int64, int64, int64))
def update_correction(thread, position, ply, depth, error):
    """Update correction history by the difference between a search's score and the evaluation before it."""
    board, turn = position.board, position.ply & 1
    weight = min(depth + 1, _WEIGHT_LIMIT)
    place = pawn_index(board, turn)
    thread.pawn_corrections[place] = blended(int(thread.pawn_corrections[place]), error, weight)
    place = piece_index(board, turn, board.own)
    thread.own_corrections[place] = blended(int(thread.own_corrections[place]), error, weight)
    place = piece_index(board, turn, ~board.own)
    thread.enemy_corrections[place] = blended(int(thread.enemy_corrections[place]), error, weight)
    place = ply_of(thread, ply - 1).continuation
    thread.move_corrections[place] = blended(int(thread.move_corrections[place]), error, weight)
    return weight


@inline(int64(int64, int64, int64))
def blended(value, error, weight):
    """A correction after one more error: a moving average."""
    average = (value * (_WEIGHT_SCALE - weight) + error * GRAIN * weight) // _WEIGHT_SCALE
    return max(-LIMIT, min(LIMIT, average))
