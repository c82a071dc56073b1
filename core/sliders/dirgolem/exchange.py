"""Set-wise static exchange evaluation: which of all moves gain at least so much? Eight exchanges at a time.

The answer is that of `core.see`, for whole sets: of each direction one move is taken, and the eight exchanges
that follow are played in the lanes of a vector, one capture of each in every round. A lane that has come to
its end waits for the others. Promotions are to queens.
"""

from typing import NamedTuple

from numba import types

from bluekrait.core.bits import EMPTY, FULL, ONE, RANK_8, S8, U64
from bluekrait.core.board import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from bluekrait.core.jit import board_type, int64, internal, uint64
from bluekrait.core.see import VALUES
from bluekrait.core.sliders.dirgolem.directions import (
    FENCES,
    FOUR_STEPS,
    KNIGHT_FENCES,
    KNIGHT_STEPS,
    NORTH_EAST,
    NORTH_WEST,
    ORTHOGONAL,
    SOUTH_EAST,
    SOUTH_WEST,
    STEPS,
    TWO_STEPS,
)
from bluekrait.core.sliders.dirgolem.sight import fill, sight_type
from bluekrait.core.sliders.dirgolem.targets import Targets, targets_type
from bluekrait.core.sliders.dirgolem.vectors import (
    LANES,
    Vector,
    filled,
    is_empty,
    opposite,
    rotated,
    spread,
    vector_kernel,
    vector_type,
)

_PAWN, _KNIGHT, _BISHOP = U64(VALUES[PAWN]), U64(VALUES[KNIGHT]), U64(VALUES[BISHOP])
_ROOK, _QUEEN, _KING = U64(VALUES[ROOK]), U64(VALUES[QUEEN]), U64(VALUES[KING])
_SIGN = U64(1 << 63)
_BACK, _KNIGHTS_BACK = opposite(STEPS), opposite(KNIGHT_STEPS)


class Exchanges(NamedTuple):
    """Eight exchanges, one in each lane."""

    squares: Vector  # fought for; none where the lane is idle
    occupied: Vector
    standing: Vector  # the value of the piece that stands on the square
    surplus: Vector  # what the side that moved last has won beyond its goal


exchanges_type = types.NamedUniTuple(vector_type, 4, Exchanges)


@internal(targets_type(board_type, sight_type, targets_type, int64))
def winners(board, sight, moves, threshold):
    """The moves that win at least `threshold` centipawns; all of them must be legal."""
    goal = U64(threshold) if threshold >= 0 else EMPTY - U64(-threshold)
    castlings = moves.rays & board.own
    rays, leaps = moves.rays & ~castlings, moves.leaps
    won_rays = castlings & (FULL if threshold <= 0 else EMPTY)
    won_leaps = spread(EMPTY)
    while not is_empty(rays):
        squares = lowest_bits(rays)
        rays = rays ^ squares
        origins = opposite(fill(opposite(squares), sight.roads)) & sight.occupied
        won_rays = won_rays | (squares & outcome(board, sight.occupied, origins, squares, goal))
    while not is_empty(leaps):
        squares = lowest_bits(leaps)
        leaps = leaps ^ squares
        origins = rotated(squares, _KNIGHTS_BACK)
        won_leaps = won_leaps | (squares & outcome(board, sight.occupied, origins, squares, goal))
    return Targets(won_rays, won_leaps)


@vector_kernel(vector_type(vector_type))
def lowest_bits(words):
    """The lowest set bit of each word alone."""
    return words & (EMPTY - words)


@internal(vector_type(board_type, uint64, vector_type, vector_type, uint64))
def outcome(board, occupied, origins, squares, goal):
    """All bits in the lanes where the move reaches its goal, if both sides go on capturing on its square."""
    exchanges = opened(board, occupied, origins, squares, goal)
    active = filled(squares) & ~filled(exchanges.surplus & _SIGN)
    won, side = active, spread(~board.own)
    while not is_empty(active):
        attackers = attackers_of(board, exchanges) & exchanges.occupied
        mine = attackers & side
        surplus = exchanges.standing - exchanges.surplus - ONE
        taker = least_valuable(board, mine)
        forbidden = filled(taker & board.kings) & filled(attackers & ~mine)
        active = active & filled(mine) & ~filled(surplus & _SIGN) & ~forbidden
        won, side = won ^ active, ~side
        exchanges = Exchanges(squares, exchanges.occupied ^ taker, value_of(board, taker), surplus)
    return won


@vector_kernel(exchanges_type(board_type, uint64, vector_type, vector_type, uint64))
def opened(board, occupied, origins, squares, goal):
    """The exchanges after the moves that begin them."""
    passing = filled(origins & board.pawns) & squares & board.en_passant
    promoting = filled(origins & board.pawns) & filled(squares & RANK_8)
    mover = value_of(board, origins)
    standing = (mover & ~promoting) | (promoting & _QUEEN)
    won = value_of(board, squares) + (filled(passing) & _PAWN)
    left = ((spread(occupied) & ~origins) | squares) & ~(passing >> S8)
    return Exchanges(squares, left, standing, won + standing - mover - goal)


@vector_kernel(vector_type(board_type, exchanges_type))
def attackers_of(board, exchanges):
    """The pieces of both sides that attack each square; some may have left the board already."""
    squares, empty = exchanges.squares, ~exchanges.occupied
    enemy_pawns, own_pawns = board.pawns & ~board.own, board.pawns & board.own
    attackers = spread(EMPTY)
    for direction in range(LANES):
        leap = rotated(squares, spread(KNIGHT_STEPS[direction])) & KNIGHT_FENCES[direction]
        attackers = attackers | (leap & board.knights)

        distance, fence = spread(STEPS[direction]), FENCES[direction]
        near = rotated(squares, distance) & fence
        pieces = board.kings
        if direction == NORTH_EAST or direction == NORTH_WEST:
            pieces |= enemy_pawns
        if direction == SOUTH_EAST or direction == SOUTH_WEST:
            pieces |= own_pawns
        attackers = attackers | (near & pieces)

        road = empty & fence
        far = squares | (road & rotated(squares, distance))
        road = road & rotated(road, distance)
        far = far | (road & rotated(far, spread(TWO_STEPS[direction])))
        road = road & rotated(road, spread(TWO_STEPS[direction]))
        far = far | (road & rotated(far, spread(FOUR_STEPS[direction])))
        sliders = board.orthogonals if ORTHOGONAL[direction] else board.diagonals
        attackers = attackers | (rotated(far, distance) & fence & sliders)
    return attackers


@vector_kernel(vector_type(board_type, vector_type))
def least_valuable(board, pieces):
    """One of the least valuable of some pieces, lane by lane."""
    chosen = lowest_bits(pieces & board.pawns)
    chosen = chosen | (lowest_bits(pieces & board.knights) & ~filled(chosen))
    chosen = chosen | (lowest_bits(pieces & board.diagonals & ~board.orthogonals) & ~filled(chosen))
    chosen = chosen | (lowest_bits(pieces & board.orthogonals & ~board.diagonals) & ~filled(chosen))
    chosen = chosen | (lowest_bits(pieces & board.orthogonals) & ~filled(chosen))
    return chosen | (pieces & board.kings & ~filled(chosen))


@vector_kernel(vector_type(board_type, vector_type))
def value_of(board, bits):
    """The value of the piece on a single square, lane by lane; nothing for an empty one."""
    both = board.diagonals & board.orthogonals
    value = (filled(bits & board.pawns) & _PAWN) | (filled(bits & board.knights) & _KNIGHT)
    value = value | (filled(bits & board.diagonals & ~both) & _BISHOP)
    value = value | (filled(bits & board.orthogonals & ~both) & _ROOK)
    return value | (filled(bits & both) & _QUEEN) | (filled(bits & board.kings) & _KING)
