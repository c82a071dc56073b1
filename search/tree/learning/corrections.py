"""Correction history: the average error of the evaluation in similar positions, which is added to it.

The error is what is left of it after all corrections: what one of them knows, the others do not learn again.

Similar means: the same pawns, the same pieces of one side, the same minor or major pieces of both, the same
last move, or the same last move after the same one two or four half-moves back. The words of the board are
hashed as they are, so no separate pawn key or piece key is needed.
"""

from numba import types

from bluekrait.core.compiler.jit import board_type, inline, int64, internal, position_type, uint64
from bluekrait.core.rules.bits import U64
from bluekrait.core.rules.outcome import FIFTY_MOVES_CLOCK
from bluekrait.search.scores import DECIDED_BOUND
from bluekrait.search.thread_record import CORRECTION_KINDS, CORRECTIONS, PIECE_SQUARES, SIDES
from bluekrait.search.tree.state import ply_of, thread_type

GRAIN = 256  # corrections are kept in such fractions of a centipawn
LIMIT = 64 * GRAIN - 1
_MOST_CHANGE = LIMIT // 4  # by one error
_WEIGHT_LIMIT, _WEIGHT_SCALE = 24, 256  # of a new error in the average: more, the deeper the search
_SHARE_SCALE = 128  # the unit of `correction_share`
_FIFTY_MOVES_FADE = 200  # half-moves in which a score would fade to zero: the rule comes at half of it
_MOST_FADING = 1000  # centipawns of a score: if more did, steps towards a mate would not pay
_WITHOUT_SIDE = PIECE_SQUARES // SIDES - 1  # of the row of a move: its piece and target square

_MIX_1, _MIX_2, _MIX_3, _MIX_4 = (
    U64(odd) for odd in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0xD6E8FEB86659FD93)
)
_TOP_BITS = U64(64 - (CORRECTIONS.bit_length() - 1))

places_type = types.UniTuple(uint64, CORRECTION_KINDS)


@inline(uint64(int64, int64, uint64))
def place_of(kind, turn, mixture):
    """The place of a correction of some kind, by side to move and a hash of words."""
    return U64((kind * SIDES + turn) * CORRECTIONS) + ((mixture * _MIX_1) >> _TOP_BITS)


@inline(uint64(uint64, uint64, uint64, uint64))
def mixed(first, second, third, fourth):
    """A hash of four words."""
    one, other = first * _MIX_1 ^ second * _MIX_2, third * _MIX_3 ^ fourth * _MIX_4
    return one ^ (one >> U64(29)) ^ other ^ (other >> U64(31))


@inline(uint64(board_type))
def hash_of_pawns(board):
    """A hash of the pawns of both sides."""
    pawns = board.pawns & board.own
    return (pawns * _MIX_2) ^ ((board.pawns ^ pawns) * _MIX_3 >> U64(7))


@inline(uint64(board_type, uint64))
def hash_of_side(board, side):
    """A hash of the pieces, without pawns, of one side."""
    return mixed(board.knights & side, board.diagonals & side, board.orthogonals & side, board.kings & side)


@inline(uint64(board_type))
def hash_of_minors(board):
    """A hash of the knights, bishops and kings of both sides."""
    bishops = board.diagonals & ~board.orthogonals
    own = board.own & (board.knights | bishops | board.kings)
    return mixed(board.knights, bishops, board.kings, own)


@inline(uint64(board_type))
def hash_of_majors(board):
    """A hash of the rooks, queens and kings of both sides."""
    queens = board.orthogonals & board.diagonals
    own = board.own & (board.orthogonals | board.kings)
    return mixed(board.orthogonals, queens, board.kings, own)


@inline(uint64(thread_type, int64, int64))
def hash_of_moves(thread, ply, back):
    """A hash of the last move and of the one so many half-moves back, the same for both colours."""
    earlier, last = ply_of(thread, ply - back).continuation, ply_of(thread, ply - 1).continuation
    return U64((earlier & _WITHOUT_SIDE) * PIECE_SQUARES + (last & _WITHOUT_SIDE))


@inline(places_type(thread_type, position_type, int64))
def places_of(thread, position, ply):
    """The places of all corrections that belong to a position."""
    board, turn = position.board, position.ply & 1
    return (
        place_of(0, turn, hash_of_pawns(board)),
        place_of(1, turn, hash_of_side(board, board.own)),
        place_of(2, turn, hash_of_side(board, ~board.own)),
        place_of(3, turn, hash_of_minors(board)),
        place_of(4, turn, hash_of_majors(board)),
        place_of(5, turn, hash_of_moves(thread, ply, 1)),
        place_of(6, turn, hash_of_moves(thread, ply, 2)),
        place_of(7, turn, hash_of_moves(thread, ply, 4)),
    )


@inline(int64(thread_type, position_type, int64, int64))
def corrected(thread, position, ply, raw):
    """The evaluation after correction history; it shrinks as the fifty-move rule comes closer.

    The correction alone is kept in the ply's record.
    """
    node, correction = ply_of(thread, ply), 0
    for place in places_of(thread, position, ply):
        correction += int(thread.corrections[place])
    node.correction = correction * thread.parameters.correction_share // (GRAIN * _SHARE_SCALE)
    score = raw + node.correction
    fading = max(-_MOST_FADING, min(_MOST_FADING, score))
    score += -fading * min(position.clock, FIFTY_MOVES_CLOCK) // _FIFTY_MOVES_FADE
    return max(-DECIDED_BOUND + 1, min(DECIDED_BOUND - 1, score))


@internal(int64(thread_type, position_type, int64, int64, int64))
def update_correction(thread, position, ply, depth, error):
    """Update correction history by the difference between a search's score and the evaluation before it."""
    weight = min(3 * (depth + 1) // 2, _WEIGHT_LIMIT)
    for place in places_of(thread, position, ply):
        thread.corrections[place] = blended(int(thread.corrections[place]), error, weight)
    return weight


@inline(int64(int64, int64, int64))
def blended(value, error, weight):
    """A correction after one more error: a moving average. No error changes it by more than a quarter."""
    change = (error * GRAIN - value) * weight // _WEIGHT_SCALE
    change = max(-_MOST_CHANGE, min(_MOST_CHANGE, change))
    return max(-LIMIT, min(LIMIT, value + change))
