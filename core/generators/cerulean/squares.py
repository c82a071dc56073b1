"""The squares of a 0x88 board, and what stands on them.

There are sixteen files to a rank, of which eight exist: a square is 16 × rank + file as White sees it, so
seven bits are enough. The difference of two squares gives their distance in files and ranks, so any relation
of two squares is found in a small table by their difference.

In memory there are three more ranks below and three above. On them, and on the files that do not exist, every
square holds OUTSIDE, which is neither empty nor a piece: move generation needs no test for edges.
"""

import numpy as np

from bluekrait.core.board import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.rules.bits import ONE, U64

# A piece on the board is its kind, as `core.board` numbers them, and the flag of its side.
A_PAWN, A_KNIGHT, A_KING = U64(PAWN), U64(KNIGHT), U64(KING)
A_BISHOP, A_ROOK, A_QUEEN = U64(BISHOP), U64(ROOK), U64(QUEEN)
KINDS = (A_PAWN, A_KNIGHT, A_KING, A_BISHOP, A_ROOK, A_QUEEN)
SLIDERS = (A_BISHOP, A_ROOK, A_QUEEN)
KIND = U64(7)
WHITE_FLAG, BLACK_FLAG, EITHER_FLAG = U64(8), U64(16), U64(24)
OUTSIDE = U64(32)

MARGIN_SQUARES = 3 * 16  # left of the second rank below a1 lies the end of the third
MARGIN = U64(MARGIN_SQUARES)  # where a1 lies in memory
NO_SQUARE = U64(0)  # in place of an en-passant square; a1 is none
FILE, RANK = U64(0x07), U64(0x70)


def _steps(*differences: int) -> tuple[np.uint64, ...]:
    return tuple(U64(difference % 2**64) for difference in differences)


NORTH, SOUTH = _steps(16, -16)
KNIGHT_STEPS = _steps(14, 18, 31, 33, -14, -18, -31, -33)
BISHOP_STEPS = _steps(15, 17, -15, -17)
ROOK_STEPS = _steps(1, 16, -1, -16)
KING_STEPS = BISHOP_STEPS + ROOK_STEPS


@inline(uint64(uint64))
def to_0x88(square):
    """From a square from 0 to 63, as everywhere else, to a square of this board."""
    return square + (square & ~FILE)


@inline(uint64(uint64))
def from_0x88(square):
    """From a square of this board to a square from 0 to 63."""
    return (square + (square & FILE)) >> ONE


@inline(uint64(uint64))
def forward(side):
    """The step of a side's pawns."""
    return NORTH if side == WHITE_FLAG else SOUTH
