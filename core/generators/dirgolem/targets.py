"""Phase two: all legal moves as sixteen sets of target squares.

A bit is a move: one square to go to, in one direction, by one piece. Which piece, the board tells: the
first one that is met on the way back. Only promotions are four moves in one bit.

The castling king takes his own rook, along the rank like any slider. No other move goes to an own piece, so
that bit means castling and nothing else, in chess and in Chess960 alike.

A capture in passing is legal for every pawn that is not pinned otherwise, since a board has an en passant
square only if some pawn may capture there; see `children.passed_square`.
"""

from typing import NamedTuple

from numba import types

from bluekrait.core.compiler.jit import board_type, boolean, uint64
from bluekrait.core.generators.dirgolem.directions import CAPTURE, EASTWARD, PUSH, WESTWARD
from bluekrait.core.generators.dirgolem.sight import (
    army_of,
    army_type,
    by_line,
    fill,
    leap,
    sight_type,
    step,
)
from bluekrait.core.generators.dirgolem.vectors import Vector, is_empty, spread, vector_kernel, vector_type
from bluekrait.core.rules.bits import EMPTY, ONE, RANK_3
from bluekrait.core.rules.legality import SQUARE_C1, SQUARE_D1, SQUARE_F1, SQUARE_G1, span


class Targets(NamedTuple):
    """The sixteen sets."""

    rays: Vector  # of sliders, king and pawns
    leaps: Vector  # of knights


targets_type = types.NamedUniTuple(vector_type, 2, Targets)


@vector_kernel(targets_type(board_type, sight_type))
def targets_of(board, sight):
    """Phase two for a board."""
    return aim(board, army_of(board, board.own), sight)


@vector_kernel(targets_type(board_type, army_type, sight_type))
def aim(board, ours, sight):
    """Phase two, told what is our own."""
    sliders = by_line(ours.orthogonals, ours.diagonals) & ~sight.pinned
    anywhere = fill(sliders, sight.roads) | pushes_and_captures(board, ours, sight)
    passing = step(CAPTURE & ours.pawns & ~sight.pinned) & board.en_passant
    king = step(spread(ours.kings)) & ~(board.own | sight.attacked)
    rays = (anywhere & sight.targets) | passing | king | castlings(board, ours, sight)
    return Targets(rays, leap(spread(ours.knights & ~sight.between)) & sight.targets)


@vector_kernel(vector_type(board_type, army_type, sight_type))
def pushes_and_captures(board, ours, sight):
    """Where pawns go by pushes, by captures, and by double pushes; checks may forbid some."""
    enemy = sight.occupied & ~board.own
    arrivals = (PUSH & ~sight.occupied) | (CAPTURE & enemy)
    singles = step(spread(ours.pawns) & ~sight.pinned) & arrivals
    doubles = step(PUSH & singles & RANK_3) & ~sight.occupied
    return singles | doubles


@vector_kernel(vector_type(board_type, army_type, sight_type))
def castlings(board, ours, sight):
    """The castling king's way to his own rooks.

    All squares that king and rook pass or reach must be empty but for the two, no square on the king's way
    attacked, and the rook not the king's only shield along the rank (Chess960).
    """
    king, rooks = ours.kings, board.castling & board.own
    east, west = rooks & ~(king | (king - ONE)), rooks & (king - ONE)
    way, passed = span(min(king, SQUARE_F1), max(east, SQUARE_G1)), span(king, SQUARE_G1)
    east = EMPTY if hindrances(king, east, way, passed, sight) else east
    way = span(min(west, SQUARE_C1), max(king, SQUARE_D1))
    passed = span(min(king, SQUARE_C1), max(king, SQUARE_C1))
    west = EMPTY if hindrances(king, west, way, passed, sight) else west
    return (EASTWARD & east) | (WESTWARD & west)


@vector_kernel(uint64(uint64, uint64, uint64, uint64, sight_type))
def hindrances(king, rook, way, passed, sight):
    """Why the king may not castle with a rook: squares in the way, attacked squares, or the rook itself."""
    return (way & (sight.occupied ^ king ^ rook)) | (passed & sight.attacked) | (rook & sight.between)


@vector_kernel(boolean(targets_type))
def has_moves(moves):
    """False in mate and in stalemate: the union of all sets is empty."""
    return not is_empty(moves.rays | moves.leaps)
