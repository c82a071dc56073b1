"""Set-wise checks: which of all moves give check, directly or by making way for another piece?

The enemy king looks in all eight directions. Who goes where he looks along the right line gives check; and
where his view meets the fill of our sliders, the one piece in between discovers a check by leaving the line.
Only castling and captures in passing, which move two pieces, are played out one by one.
"""

from bluekrait.core.board import BISHOP, KNIGHT, QUEEN, ROOK
from bluekrait.core.compiler.jit import board_type, boolean, int64, internal, uint64
from bluekrait.core.generators.dirgolem.directions import DIAGONAL, NORTH_EAST, NORTH_WEST, ORTHOGONAL
from bluekrait.core.generators.dirgolem.movers import movers_of, movers_type
from bluekrait.core.generators.dirgolem.sight import by_line, fill, leap, roads_over, sight_type, step
from bluekrait.core.generators.dirgolem.targets import Targets, targets_type
from bluekrait.core.generators.dirgolem.vectors import (
    along_lines,
    is_empty,
    lane_mask,
    spread,
    union,
    vector_kernel,
    vector_type,
)
from bluekrait.core.rules.bits import (
    EMPTY,
    FULL,
    RANK_8,
    S7,
    S8,
    S9,
    enemy_pawn_captures,
    knight_attacks_of,
    lowest_bit,
)
from bluekrait.core.rules.legality import castling_targets

_EASTERN, _WESTERN = lane_mask(NORTH_EAST), lane_mask(NORTH_WEST)


@internal(targets_type(board_type, sight_type, targets_type, int64))
def checking_moves(board, sight, moves, promotion):
    """The moves that give check, if pawns promote to a kind of piece. `moves` must be all legal ones."""
    king = board.kings & ~board.own
    movers = movers_of(board, sight, moves)
    view = fill(spread(king), sight.roads)
    blockers = along_lines(fill(our_sliders(board), sight.roads), view) & board.own
    all_blockers = union(blockers)

    # Who blocks a line discovers a check in the directions of all other lines.
    discovering = fill(blockers ^ all_blockers, sight.roads)
    special = (moves.rays & board.own) | (movers.pawns & board.en_passant)
    plain = (moves.rays & discovering) | direct_checks(board, movers, view, promotion)
    rays = (plain & ~special) | castling_checks(board, sight, special) | passing_checks(board, sight, special)

    leaps = leap(spread(board.knights & board.own & all_blockers)) | knight_attacks_of(king)
    return Targets(rays, moves.leaps & leaps)


@vector_kernel(vector_type(board_type))
def our_sliders(board):
    """Our sliders, in the lanes of the directions in which they move."""
    return by_line(board.orthogonals & board.own, board.diagonals & board.own)


@vector_kernel(vector_type(board_type, movers_type, vector_type, int64))
def direct_checks(board, movers, view, promotion):
    """The moves of sliders and pawns to where they attack the enemy king."""
    king = board.kings & ~board.own
    straight, oblique = union(view & ORTHOGONAL), union(view & DIAGONAL)
    checks = (movers.rooks & straight) | (movers.bishops & oblique) | (movers.queens & (straight | oblique))
    checks = checks | (movers.pawns & ~RANK_8 & enemy_pawn_captures(king))

    # What a pawn becomes may look back through the square that the pawn has left.
    along_files = FULL if promotion == ROOK or promotion == QUEEN else EMPTY
    along_diagonals = FULL if promotion == BISHOP or promotion == QUEEN else EMPTY
    squares = (straight & along_files) | (oblique & along_diagonals)
    if promotion == KNIGHT:
        squares = knight_attacks_of(king)
    back = step(view & board.pawns & board.own) & by_line(along_files, along_diagonals)
    return checks | (movers.pawns & RANK_8 & (back | squares))


@vector_kernel(vector_type(board_type, sight_type, vector_type))
def castling_checks(board, sight, special):
    """The castlings that give check."""
    king, rooks, checks = board.kings & board.own, union(special) & board.own, EMPTY
    while rooks:
        rook = lowest_bit(rooks)
        rooks ^= rook
        king_target, rook_target = castling_targets(king, rook)
        occupied = (sight.occupied & ~(king | rook)) | king_target | rook_target
        if gives_check(board, occupied, (our_sliders(board) & ~rook) | (ORTHOGONAL & rook_target)):
            checks |= rook
    return special & checks


@vector_kernel(vector_type(board_type, sight_type, vector_type))
def passing_checks(board, sight, special):
    """The captures in passing that give check; they may open a line in two places."""
    east, west = special[NORTH_EAST] & board.en_passant, special[NORTH_WEST] & board.en_passant
    if enemy_pawn_captures(board.kings & ~board.own) & board.en_passant == EMPTY:
        left = (sight.occupied & ~(board.en_passant >> S8)) | board.en_passant
        east = east if gives_check(board, left & ~(east >> S9), our_sliders(board)) else EMPTY
        west = west if gives_check(board, left & ~(west >> S7), our_sliders(board)) else EMPTY
    return (_EASTERN & east) | (_WESTERN & west)


@internal(boolean(board_type, uint64, vector_type))
def gives_check(board, occupied, sliders):
    """True if sliders, in the lanes of their directions, attack the enemy king over some occupancy."""
    return not is_empty(fill(spread(board.kings & ~board.own), roads_over(~occupied)) & sliders)
