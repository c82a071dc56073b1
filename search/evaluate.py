"""The evaluation: material, and who holds the centre."""

from bluekrait.core.bits import U64, popcount, signed
from bluekrait.core.jit import board_type, inline, int64, internal, uint64
from bluekrait.search.state import thread_type

CENTRE = U64(0x00003C7E7E3C0000)
INNER = U64(0x0000001818000000)


@inline(int64(board_type, uint64))
def side(board, own):
    """Material of one side, and a little for the centre."""
    pawns = board.pawns & own
    queens = board.diagonals & board.orthogonals & own
    score = (
        100 * signed(popcount(pawns))
        + 320 * signed(popcount(board.knights & own))
        + 330 * signed(popcount(board.diagonals & own))
        + 500 * signed(popcount(board.orthogonals & own))
        + 100 * signed(popcount(queens))
    )
    score += 8 * signed(popcount((pawns | board.knights | board.diagonals) & own & CENTRE))
    return score + 12 * signed(popcount((pawns | board.knights) & own & INNER))


@internal(int64(thread_type, board_type))
def evaluate(thread, board):
    """The score of a position for the side to move, as it stands."""
    return side(board, board.own) - side(board, ~board.own) + 10
