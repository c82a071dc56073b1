"""Phase one: what the enemy attacks, and what stands between his sliders and our king.

All eight directions are filled at once, each in a lane of its own; no branch is taken and no table read.
"""

from typing import NamedTuple

from numba import types

from bluekrait.core.board import all_pieces
from bluekrait.core.compiler.jit import board_type, uint64
from bluekrait.core.generators.dirgolem.directions import (
    CAPTURE,
    DIAGONAL,
    ENEMY_CAPTURE,
    FENCES,
    FOUR_STEPS,
    KNIGHT_FENCES,
    KNIGHT_STEPS,
    ORTHOGONAL,
    STEPS,
    TWO_STEPS,
)
from bluekrait.core.generators.dirgolem.vectors import (
    Vector,
    along_lines,
    rotated,
    spread,
    union,
    vector_kernel,
    vector_type,
)
from bluekrait.core.rules.bits import EMPTY, FULL, ONE


class Army(NamedTuple):
    """The pieces of one side."""

    pawns: int
    knights: int
    diagonals: int  # bishops and queens
    orthogonals: int  # rooks and queens
    kings: int


class Roads(NamedTuple):
    """The squares that can be entered in each direction by one step, by two and by four."""

    one: Vector
    two: Vector
    four: Vector


class Sight(NamedTuple):
    """What phase one finds out."""

    roads: Roads
    occupied: int
    attacked: int  # by the enemy, looking through our king
    targets: int  # where all but the king may go: not on their own, and answering any check
    between: int  # what separates our king from an enemy slider: nothing but empty squares, or one piece
    pinned: Vector  # by direction: the squares on whose pieces a pin forbids it
    checkers: int


army_type = types.NamedUniTuple(uint64, 5, Army)
roads_type = types.NamedUniTuple(vector_type, 3, Roads)
sight_type = types.NamedTuple((roads_type, uint64, uint64, uint64, uint64, vector_type, uint64), Sight)


@vector_kernel(sight_type(board_type))
def sight_of(board):
    """Phase one for a board."""
    theirs = army_of(board, ~board.own)
    return look(all_pieces(board), board.own, board.kings & board.own, theirs)


@vector_kernel(army_type(board_type, uint64))
def army_of(board, side):
    """The pieces of one side."""
    return Army(
        board.pawns & side,
        board.knights & side,
        board.diagonals & side,
        board.orthogonals & side,
        board.kings & side,
    )


@vector_kernel(sight_type(uint64, uint64, uint64, army_type))
def look(occupied, own, our_king, theirs):
    """Phase one, told what is occupied, what is our own, where our king is and what the enemy has."""
    king = spread(our_king)
    roads = roads_over(~occupied)
    sliders = by_line(theirs.orthogonals, theirs.diagonals)
    threats, view = fill(sliders, roads), fill(king, roads)

    behind = step(threats & king)  # the king does not hide what is behind him
    near = step(spread(theirs.kings) | (ENEMY_CAPTURE & theirs.pawns))
    attacked = union(threats | behind | near | leap(spread(theirs.knights)))
    pawns, knights = step(king) & CAPTURE & theirs.pawns, leap(king) & theirs.knights
    checkers = union((view & sliders) | pawns | knights)

    # Where a threat meets the king's own view, there is nothing between the two, or a single piece.
    line = along_lines(threats, view)
    between = union(line)
    answers = FULL if checkers == EMPTY else checkers | (between & ~occupied)
    targets = ~own & (answers if checkers & (checkers - ONE) == EMPTY else EMPTY)
    return Sight(roads, occupied, attacked, targets, between, line ^ between, checkers)


@vector_kernel(vector_type(uint64, uint64))
def by_line(orthogonals, diagonals):
    """A word for the four directions along files and ranks, and one for the four diagonal ones."""
    return (ORTHOGONAL & orthogonals) | (DIAGONAL & diagonals)


@vector_kernel(roads_type(uint64))
def roads_over(empty):
    """The roads over empty squares."""
    one = FENCES & empty
    two = one & rotated(one, STEPS)
    return Roads(one, two, two & rotated(two, TWO_STEPS))


@vector_kernel(vector_type(vector_type, roads_type))
def fill(sliders, roads):
    """What sliders attack in each direction, up to and including the first piece (Kogge-Stone)."""
    return step(flow(sliders, roads))


@vector_kernel(vector_type(vector_type, roads_type))
def flow(sliders, roads):
    """Sliders, and all empty squares that they reach in each direction."""
    sliders = sliders | (roads.one & rotated(sliders, STEPS))
    sliders = sliders | (roads.two & rotated(sliders, TWO_STEPS))
    return sliders | (roads.four & rotated(sliders, FOUR_STEPS))


@vector_kernel(vector_type(vector_type))
def step(pieces):
    """One step in each direction."""
    return rotated(pieces, STEPS) & FENCES


@vector_kernel(vector_type(vector_type))
def leap(knights):
    """One leap in each direction."""
    return rotated(knights, KNIGHT_STEPS) & KNIGHT_FENCES
