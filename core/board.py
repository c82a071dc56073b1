"""A position is a value, seen from the side to move.

A `Board` is eight 64-bit words. There is no colour in it: the pieces of the side to move are `own`, they move
up the board, and after a move the board is turned round (every word byte-swapped). Moves are never unmade:
the caller still has the old value.

The bitboards that a piece stands in tell its kind. Its code is the same, read as three bits:

    code      bit 2: king, diagonal or orthogonal   bit 1: knight or orthogonal   bit 0: pawn or diagonal
    PAWN    1   0 0 1        BISHOP  5   1 0 1  (diagonal)
    KNIGHT  2   0 1 0        ROOK    6   1 1 0  (orthogonal)
    KING    4   1 0 0        QUEEN   7   1 1 1  (both)

Squares count from a1 = 0 along the ranks to h8 = 63, always as the side to move sees them.
"""

from typing import NamedTuple

NONE, PAWN, KNIGHT, KING, BISHOP, ROOK, QUEEN = 0, 1, 2, 4, 5, 6, 7

WHITE, BLACK = 0, 1
TURN_ROUND = 56  # square ^ TURN_ROUND is the same square seen from the other side


class Board(NamedTuple):
    """The pieces, as the side to move sees them. `own` of Black is what Black may move."""

    pawns: int
    knights: int
    diagonals: int  # bishops and queens
    orthogonals: int  # rooks and queens
    kings: int
    own: int
    castling: int  # the rooks, of both sides, that may still castle
    en_passant: int  # the square that a pawn may capture on; set only if such a capture is legal


class Position(NamedTuple):
    """A board, and what the rules need to know of the moves before."""

    board: Board
    key: int  # Zobrist key: equal positions, equal keys
    clock: int  # half-moves since the last capture or pawn move
    ply: int  # half-moves since White's first move; odd when Black is to move


def all_pieces(board: Board) -> int:
    """The pieces of both sides."""
    return board.pawns | board.knights | board.diagonals | board.orthogonals | board.kings


def piece_on(board: Board, bit: int) -> int:
    """Code of the piece on a square given as a single bit, NONE if it is empty."""
    low = int((board.pawns | board.diagonals) & bit != 0)
    middle = int((board.knights | board.orthogonals) & bit != 0)
    high = int((board.diagonals | board.orthogonals | board.kings) & bit != 0)
    return low | middle << 1 | high << 2
