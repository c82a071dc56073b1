"""Phase one: what the enemy attacks, and what stands between enemy sliders and our king.

All eight directions are filled at once, each in its own lane, without branches and without tables.
"""

from typing import NamedTuple

from numba import types

from bluekrait.core.board import all_pieces
from bluekrait.core.compiler.jit import board_type, uint64
from bluekrait.core.generators.dirgolem.directions import (
    CAPTURE,
    DIAGONAL,
    ENEMY_CAPTURE,
    FOUR_STEPS,
    KNIGHT_STEPS,
    KNIGHT_WRAP_MASKS,
    ORTHOGONAL,
    STEPS,
    TWO_STEPS,
    WRAP_MASKS,
)
from bluekrait.core.generators.dirgolem.vectors import (
    Vector,
    along_lines,
    broadcast,
    rotated,
    union,
    vector_kernel,
    vector_type,
)
from bluekrait.core.rules.bits import EMPTY, FULL, ONE


class SidePieces(NamedTuple):
    """The pieces of one side."""

    pawns: int
    knights: int
    diagonals: int  # bishops and queens
    orthogonals: int  # rooks and queens
    kings: int


class Propagators(NamedTuple):
    """The squares that can be entered in each direction by one step, by two and by four (Kogge-Stone)."""

    one: Vector
    two: Vector
    four: Vector


class Threats(NamedTuple):
    """The result of phase one."""

    propagators: Propagators
    occupied: int
    attacked: int  # by the enemy, looking through our king
    targets: int  # where all but the king may go: not on their own, and answering any check
    between: int  # squares between our king and an enemy slider, if they are empty or hold a single piece
    pinned: Vector  # by direction: the squares on whose pieces a pin forbids it


side_pieces_type = types.NamedUniTuple(uint64, 5, SidePieces)
propagators_type = types.NamedUniTuple(vector_type, 3, Propagators)
threats_type = types.NamedTuple((propagators_type, uint64, uint64, uint64, uint64, vector_type), Threats)


@vector_kernel(threats_type(board_type))
def threats_of(board):
    """Phase one for a board."""
    theirs = side_pieces(board, ~board.own)
    return find_threats(all_pieces(board), board.own, board.kings & board.own, theirs)


@vector_kernel(side_pieces_type(board_type, uint64))
def side_pieces(board, side):
    """The pieces of one side."""
    return SidePieces(
        board.pawns & side,
        board.knights & side,
        board.diagonals & side,
        board.orthogonals & side,
        board.kings & side,
    )


@vector_kernel(threats_type(uint64, uint64, uint64, side_pieces_type))
def find_threats(occupied, own, our_king, theirs):
    """Phase one, with the occupied squares, our own, our king and the enemy's pieces given."""
    king = broadcast(our_king)
    propagators = propagators_over(~occupied)
    sliders = by_line(theirs.orthogonals, theirs.diagonals)
    slider_rays, king_rays = fill(sliders, propagators), fill(king, propagators)

    behind = step(slider_rays & king)  # x-rays through the king
    near = step(broadcast(theirs.kings) | (ENEMY_CAPTURE & theirs.pawns))
    attacked = union(slider_rays | behind | near | leap(broadcast(theirs.knights)))
    pawns, knights = step(king) & CAPTURE & theirs.pawns, leap(king) & theirs.knights
    checkers = union((king_rays & sliders) | pawns | knights)

    # Where enemy rays and the king's rays overlap, there is nothing between the two, or a single piece.
    line = along_lines(slider_rays, king_rays)
    between = union(line)
    answers = FULL if checkers == EMPTY else checkers | (between & ~occupied)
    targets = ~own & (answers if checkers & (checkers - ONE) == EMPTY else EMPTY)
    return Threats(propagators, occupied, attacked, targets, between, line ^ between)


@vector_kernel(vector_type(uint64, uint64))
def by_line(orthogonals, diagonals):
    """A word for the four directions along files and ranks, and one for the four diagonal ones."""
    return (ORTHOGONAL & orthogonals) | (DIAGONAL & diagonals)


@vector_kernel(propagators_type(uint64))
def propagators_over(empty):
    """The propagators over some empty squares."""
    one = WRAP_MASKS & empty
    two = one & rotated(one, STEPS)
    return Propagators(one, two, two & rotated(two, TWO_STEPS))


@vector_kernel(vector_type(vector_type, propagators_type))
def fill(sliders, propagators):
    """What sliders attack in each direction, up to and including the first piece (Kogge-Stone)."""
    return step(occluded_fill(sliders, propagators))


@vector_kernel(vector_type(vector_type, propagators_type))
def occluded_fill(sliders, propagators):
    """Sliders, and all empty squares that they reach in each direction (occluded fill)."""
    sliders = sliders | (propagators.one & rotated(sliders, STEPS))
    sliders = sliders | (propagators.two & rotated(sliders, TWO_STEPS))
    return sliders | (propagators.four & rotated(sliders, FOUR_STEPS))


@vector_kernel(vector_type(vector_type))
def step(pieces):
    """One step in each direction."""
    return rotated(pieces, STEPS) & WRAP_MASKS


@vector_kernel(vector_type(vector_type))
def leap(knights):
    """One leap in each direction."""
    return rotated(knights, KNIGHT_STEPS) & KNIGHT_WRAP_MASKS
