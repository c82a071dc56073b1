"""Set-wise checks: which of all moves give check, directly or by discovery?

The rays from the enemy king in all eight directions are the squares from which sliders give check. Where
these rays meet the fill of our sliders, there is one piece in between, which discovers a check if it leaves
the line. Only castling and en passant, which move two pieces, are tested one by one.
"""

from bluekrait.core.board import BISHOP, KNIGHT, QUEEN, ROOK
from bluekrait.core.compiler.jit import board_type, boolean, int64, internal, uint64
from bluekrait.core.generators.dirgolem.directions import DIAGONAL, NORTH_EAST, NORTH_WEST, ORTHOGONAL
from bluekrait.core.generators.dirgolem.moves_by_piece import moves_by_piece, moves_by_piece_type
from bluekrait.core.generators.dirgolem.targets import Targets, targets_type
from bluekrait.core.generators.dirgolem.threats import (
    by_line,
    fill,
    leap,
    propagators_over,
    step,
    threats_type,
)
from bluekrait.core.generators.dirgolem.vectors import (
    along_lines,
    broadcast,
    is_empty,
    lane_mask,
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


@internal(targets_type(board_type, threats_type, targets_type, int64))
def checking_moves(board, threats, moves, promotion):
    """The moves that give check, if pawns promote to a kind of piece. `moves` must be all legal ones."""
    king = board.kings & ~board.own
    by_piece = moves_by_piece(board, threats, moves)
    king_rays = fill(broadcast(king), threats.propagators)
    blockers = along_lines(fill(our_sliders(board), threats.propagators), king_rays) & board.own
    all_blockers = union(blockers)

    # A piece that blocks a line discovers a check in the directions of all other lines.
    discovering = fill(blockers ^ all_blockers, threats.propagators)
    special = (moves.rays & board.own) | (by_piece.pawns & board.en_passant)
    plain = (moves.rays & discovering) | direct_checks(board, by_piece, king_rays, promotion)
    rays = (
        (plain & ~special)
        | castling_checks(board, threats, special)
        | en_passant_checks(board, threats, special)
    )

    leaps = leap(broadcast(board.knights & board.own & all_blockers)) | knight_attacks_of(king)
    return Targets(rays, moves.leaps & leaps)


@vector_kernel(vector_type(board_type))
def our_sliders(board):
    """Our sliders, in the lanes of the directions in which they move."""
    return by_line(board.orthogonals & board.own, board.diagonals & board.own)


@vector_kernel(vector_type(board_type, moves_by_piece_type, vector_type, int64))
def direct_checks(board, by_piece, king_rays, promotion):
    """The moves of sliders and pawns to where they attack the enemy king."""
    king = board.kings & ~board.own
    straight, oblique = union(king_rays & ORTHOGONAL), union(king_rays & DIAGONAL)
    checks = (
        (by_piece.rooks & straight) | (by_piece.bishops & oblique) | (by_piece.queens & (straight | oblique))
    )
    checks = checks | (by_piece.pawns & ~RANK_8 & enemy_pawn_captures(king))

    # A promoted piece may give check through the square that the pawn has left.
    along_files = FULL if promotion == ROOK or promotion == QUEEN else EMPTY
    along_diagonals = FULL if promotion == BISHOP or promotion == QUEEN else EMPTY
    squares = (straight & along_files) | (oblique & along_diagonals)
    if promotion == KNIGHT:
        squares = knight_attacks_of(king)
    back = step(king_rays & board.pawns & board.own) & by_line(along_files, along_diagonals)
    return checks | (by_piece.pawns & RANK_8 & (back | squares))


@vector_kernel(vector_type(board_type, threats_type, vector_type))
def castling_checks(board, threats, special):
    """The castlings that give check."""
    king, rooks, checks = board.kings & board.own, union(special) & board.own, EMPTY
    while rooks:
        rook = lowest_bit(rooks)
        rooks ^= rook
        king_target, rook_target = castling_targets(king, rook)
        occupied = (threats.occupied & ~(king | rook)) | king_target | rook_target
        if gives_check(board, occupied, (our_sliders(board) & ~rook) | (ORTHOGONAL & rook_target)):
            checks |= rook
    return special & checks


@vector_kernel(vector_type(board_type, threats_type, vector_type))
def en_passant_checks(board, threats, special):
    """The en-passant captures that give check; they may open a line in two places."""
    east, west = special[NORTH_EAST] & board.en_passant, special[NORTH_WEST] & board.en_passant
    if enemy_pawn_captures(board.kings & ~board.own) & board.en_passant == EMPTY:
        left = (threats.occupied & ~(board.en_passant >> S8)) | board.en_passant
        east = east if gives_check(board, left & ~(east >> S9), our_sliders(board)) else EMPTY
        west = west if gives_check(board, left & ~(west >> S7), our_sliders(board)) else EMPTY
    return (_EASTERN & east) | (_WESTERN & west)


@internal(boolean(board_type, uint64, vector_type))
def gives_check(board, occupied, sliders):
    """True if sliders, in the lanes of their directions, attack the enemy king over some occupancy."""
    return not is_empty(fill(broadcast(board.kings & ~board.own), propagators_over(~occupied)) & sliders)
