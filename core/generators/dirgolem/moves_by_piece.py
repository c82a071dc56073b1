"""The sixteen sets split by the moving piece, and single bits made into packed moves.

The first piece on the way back from a target is the one that moves. So the moves of some pieces are the
intersection of all moves with the fill of those pieces.
"""

from typing import NamedTuple

from numba import types

from bluekrait.core.board import BISHOP, KING, KNIGHT, NONE, PAWN, QUEEN, ROOK, piece_on
from bluekrait.core.compiler.jit import board_type, inline, int64, uint32, uint64
from bluekrait.core.generators.dirgolem.directions import DIAGONAL, KNIGHT_STEPS, ORTHOGONAL, PUSH, STEPS
from bluekrait.core.generators.dirgolem.targets import targets_type
from bluekrait.core.generators.dirgolem.threats import fill, step, threats_type
from bluekrait.core.generators.dirgolem.vectors import Vector, broadcast, vector_kernel, vector_type
from bluekrait.core.move import CASTLING, DOUBLE_PUSH, EN_PASSANT, NORMAL, pack
from bluekrait.core.rules.bits import EMPTY, RANK_3, RANK_8, S8, S16, U64, lowest_square

_BOARD_SQUARES, _LAST_SQUARE = U64(64), U64(63)


class MovesByPiece(NamedTuple):
    """The moves of each kind of piece, as targets by direction; the least valuable kind first."""

    pawns: Vector
    knights: Vector
    bishops: Vector
    rooks: Vector
    queens: Vector
    king: Vector  # castling among them


KINDS = (PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING)  # in the order of `MovesByPiece`

moves_by_piece_type = types.NamedUniTuple(vector_type, len(KINDS), MovesByPiece)


@vector_kernel(moves_by_piece_type(board_type, threats_type, targets_type))
def moves_by_piece(board, threats, moves):
    """Split the moves of a board by piece."""
    pawns = pawn_moves(board, threats, moves)
    king = moves.rays & (step(broadcast(board.kings & board.own)) | board.own)
    queens = moves.rays & fill(
        broadcast(board.diagonals & board.orthogonals & board.own), threats.propagators
    )
    others = moves.rays & ~(pawns | king | queens)
    return MovesByPiece(pawns, moves.leaps, others & DIAGONAL, others & ORTHOGONAL, queens, king)


@vector_kernel(vector_type(board_type, threats_type, targets_type))
def pawn_moves(board, threats, moves):
    """The moves of pawns: one step from a pawn, or two."""
    arrivals = step(broadcast(board.pawns & board.own))
    return moves.rays & (arrivals | step(PUSH & RANK_3 & arrivals & ~threats.occupied))


@inline(uint64(uint64, int64, int64, uint64))
def origin_of_bit(occupied, kind, direction, target):
    """The origin of the piece that moves to a target; both are single bits."""
    if kind == KNIGHT:
        return stepped_back(target, KNIGHT_STEPS[direction])
    origin = stepped_back(target, STEPS[direction])
    while origin & occupied == EMPTY:
        origin = stepped_back(origin, STEPS[direction])
    return origin


@inline(uint64(uint64, uint64))
def stepped_back(bit, distance):
    """A single bit rotated to the right."""
    return (bit >> distance) | (bit << ((_BOARD_SQUARES - distance) & _LAST_SQUARE))


@inline(uint32(board_type, int64, uint64, uint64, int64))
def packed(board, kind, origin, target, promotion):
    """A legal move of a kind of piece, packed as the live generator packs it."""
    captured = piece_on(board, target) if target & board.own == EMPTY else NONE
    special = NORMAL
    if kind == KING and target & board.own:
        special = CASTLING
    if kind == PAWN and target == origin << S16:
        special = DOUBLE_PUSH
    if kind == PAWN and captured == NONE and target & (origin << S8 | origin << S16) == EMPTY:
        special, captured = EN_PASSANT, PAWN
    becomes = promotion if kind == PAWN and target & RANK_8 else NONE
    return uint32(pack(lowest_square(origin), lowest_square(target), kind, captured, becomes, special))
