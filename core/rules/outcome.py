"""Whether a game is over, and if so, why."""

from bluekrait.core.compiler.jit import (
    board_type,
    boolean,
    inline,
    int64,
    internal,
    kernel,
    position_type,
    uint64,
)
from bluekrait.core.records import CHECKMATE, FIFTY_MOVES, INSUFFICIENT_MATERIAL, ONGOING, STALEMATE
from bluekrait.core.rules.bits import DARK_SQUARES, EMPTY, ONE, popcount
from bluekrait.core.rules.count_moves import count_moves
from bluekrait.core.rules.legality import legal_en_passants, legality

FIFTY_MOVES_CLOCK = 100  # half-moves


@kernel(int64(position_type))
def status(position):
    """ONGOING, CHECKMATE, STALEMATE, FIFTY_MOVES or INSUFFICIENT_MATERIAL.

    Repetitions depend on the history of the game; see `core.rules.history`.
    """
    board = position.board
    if number_of_moves(board) == EMPTY:
        return CHECKMATE if legality(board).checkers else STALEMATE
    if is_insufficient_material(board):
        return INSUFFICIENT_MATERIAL
    return FIFTY_MOVES if position.clock >= FIFTY_MOVES_CLOCK else ONGOING


@internal(uint64(board_type))
def number_of_moves(board):
    """How many legal moves there are."""
    count = count_moves(board)
    if board.en_passant:
        count += popcount(legal_en_passants(board))
    return count


@inline(boolean(board_type))
def is_insufficient_material(board):
    """True if no sequence of legal moves leads to mate: a lone minor piece, or bishops of one colour only."""
    if board.pawns | board.orthogonals:
        return False
    bishops = board.diagonals
    if popcount(bishops | board.knights) <= ONE:
        return True
    one_coloured = bishops & DARK_SQUARES == EMPTY or bishops & ~DARK_SQUARES == EMPTY
    return board.knights == EMPTY and one_coloured
