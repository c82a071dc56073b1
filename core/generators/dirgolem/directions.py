"""The sixteen directions of moves, as lanes of two vectors.

    rays: sliders, kings, pawns             leaps: knights

       3     0     2                           . 3 . 0 .
         NW  N  NE                             2 . . . 1
       5  W  o  E  1                           . . o . .
         SW  S  SE                             5 . . . 6
       6     4     7                           . 4 . 7 .

A direction and its opposite are four lanes apart, so that each line has a lane in both halves of a vector.
Steps are rotations to the left. What leaves the board at one edge would come back at another: the wrap mask
of a lane, the squares that a step in its direction can reach, removes it.
"""

from typing import Any

from bluekrait.core.generators.dirgolem.machine import LANES
from bluekrait.core.generators.dirgolem.vectors import lane_mask, vector
from bluekrait.core.rules.bits import (
    NOT_FILE_A,
    NOT_FILE_H,
    NOT_FILES_AB,
    NOT_FILES_GH,
    RANK_1,
    RANK_7,
    RANK_8,
    S8,
    U64,
)

NORTH, EAST, NORTH_EAST, NORTH_WEST, SOUTH, WEST, SOUTH_WEST, SOUTH_EAST = range(LANES)

_NOT_RANK_1, _NOT_RANK_8 = ~RANK_1, ~RANK_8
_NOT_RANKS_12, _NOT_RANKS_78 = ~(RANK_1 | RANK_1 << S8), ~(RANK_7 | RANK_8)


def _rotations(*distances: int) -> Any:
    return vector(*(U64(distance % 64) for distance in distances))


STEPS = _rotations(8, 1, 9, 7, -8, -1, -9, -7)
TWO_STEPS = _rotations(16, 2, 18, 14, -16, -2, -18, -14)
FOUR_STEPS = _rotations(32, 4, 36, 28, -32, -4, -36, -28)
WRAP_MASKS = vector(
    _NOT_RANK_1,
    NOT_FILE_A,
    _NOT_RANK_1 & NOT_FILE_A,
    _NOT_RANK_1 & NOT_FILE_H,
    _NOT_RANK_8,
    NOT_FILE_H,
    _NOT_RANK_8 & NOT_FILE_H,
    _NOT_RANK_8 & NOT_FILE_A,
)

KNIGHT_STEPS = _rotations(17, 10, 6, 15, -17, -10, -6, -15)
KNIGHT_WRAP_MASKS = vector(
    _NOT_RANKS_12 & NOT_FILE_A,
    _NOT_RANK_1 & NOT_FILES_AB,
    _NOT_RANK_1 & NOT_FILES_GH,
    _NOT_RANKS_12 & NOT_FILE_H,
    _NOT_RANKS_78 & NOT_FILE_H,
    _NOT_RANK_8 & NOT_FILES_GH,
    _NOT_RANK_8 & NOT_FILES_AB,
    _NOT_RANKS_78 & NOT_FILE_A,
)

# Masks: all bits in some lanes, none in the others.
ORTHOGONAL = lane_mask(NORTH, EAST, SOUTH, WEST)
DIAGONAL = lane_mask(NORTH_EAST, NORTH_WEST, SOUTH_WEST, SOUTH_EAST)
PUSH = lane_mask(NORTH)
CAPTURE = lane_mask(NORTH_EAST, NORTH_WEST)
ENEMY_CAPTURE = lane_mask(SOUTH_EAST, SOUTH_WEST)
EASTWARD, WESTWARD = lane_mask(EAST), lane_mask(WEST)
