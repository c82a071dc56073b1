"""Phase two: all legal moves as sixteen sets of target squares.

A bit is a move: one target square, in one direction, by one piece. The piece is the first one on the way back
from the target. Only promotions are four moves in one bit.

Castling is the king's move to its own rook, along the rank like a slider's. No other move goes to an own
piece, so that bit means castling and nothing else, in chess and in Chess960 alike.

An en-passant capture is legal for every pawn that is not pinned otherwise, since a board has an en-passant
square only if some pawn may capture there; see `children.en_passant_square`.
"""

from typing import NamedTuple

from numba import types

from bluekrait.core.compiler.jit import board_type, boolean, uint64
from bluekrait.core.generators.dirgolem.directions import CAPTURE, EASTWARD, PUSH, WESTWARD
from bluekrait.core.generators.dirgolem.threats import (
    by_line,
    fill,
    leap,
    side_pieces,
    side_pieces_type,
    step,
    threats_type,
)
from bluekrait.core.generators.dirgolem.vectors import Vector, broadcast, is_empty, vector_kernel, vector_type
from bluekrait.core.rules.bits import EMPTY, ONE, RANK_3
from bluekrait.core.rules.legality import SQUARE_C1, SQUARE_D1, SQUARE_F1, SQUARE_G1, span


class Targets(NamedTuple):
    """The sixteen sets."""

    rays: Vector  # of sliders, king and pawns
    leaps: Vector  # of knights


targets_type = types.NamedUniTuple(vector_type, 2, Targets)


@vector_kernel(targets_type(board_type, threats_type))
def targets_of(board, threats):
    """Phase two for a board."""
    return find_targets(board, side_pieces(board, board.own), threats)


@vector_kernel(targets_type(board_type, side_pieces_type, threats_type))
def find_targets(board, ours, threats):
    """Phase two, with our pieces given."""
    sliders = by_line(ours.orthogonals, ours.diagonals) & ~threats.pinned
    anywhere = fill(sliders, threats.propagators) | pushes_and_captures(board, ours, threats)
    en_passants = step(CAPTURE & ours.pawns & ~threats.pinned) & board.en_passant
    king = step(broadcast(ours.kings)) & ~(board.own | threats.attacked)
    rays = (anywhere & threats.targets) | en_passants | king | castlings(board, ours, threats)
    return Targets(rays, leap(broadcast(ours.knights & ~threats.between)) & threats.targets)


@vector_kernel(vector_type(board_type, side_pieces_type, threats_type))
def pushes_and_captures(board, ours, threats):
    """Where pawns go by pushes, by captures, and by double pushes; checks may forbid some."""
    enemy = threats.occupied & ~board.own
    arrivals = (PUSH & ~threats.occupied) | (CAPTURE & enemy)
    singles = step(broadcast(ours.pawns) & ~threats.pinned) & arrivals
    doubles = step(PUSH & singles & RANK_3) & ~threats.occupied
    return singles | doubles


@vector_kernel(vector_type(board_type, side_pieces_type, threats_type))
def castlings(board, ours, threats):
    """The castling king's moves to its own rooks.

    All squares that king and rook cross or reach must be empty but for the two, no square that the king
    crosses may be attacked, and the rook may not be pinned along the rank (Chess960).
    """
    king, rooks = ours.kings, board.castling & board.own
    east, west = rooks & ~(king | (king - ONE)), rooks & (king - ONE)
    crossed, king_path = span(min(king, SQUARE_F1), max(east, SQUARE_G1)), span(king, SQUARE_G1)
    east = EMPTY if obstacles(king, east, crossed, king_path, threats) else east
    crossed = span(min(west, SQUARE_C1), max(king, SQUARE_D1))
    king_path = span(min(king, SQUARE_C1), max(king, SQUARE_C1))
    west = EMPTY if obstacles(king, west, crossed, king_path, threats) else west
    return (EASTWARD & east) | (WESTWARD & west)


@vector_kernel(uint64(uint64, uint64, uint64, uint64, threats_type))
def obstacles(king, rook, crossed, king_path, threats):
    """What keeps the king from castling with a rook: pieces in between, attacked squares, or a pin."""
    return (
        (crossed & (threats.occupied ^ king ^ rook))
        | (king_path & threats.attacked)
        | (rook & threats.between)
    )


@vector_kernel(boolean(targets_type))
def has_moves(moves):
    """False in mate and in stalemate: the union of all sets is empty."""
    return not is_empty(moves.rays | moves.leaps)
