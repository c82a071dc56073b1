"""Mating a lone king: drive him to the edge; with bishop and knight, into a corner of the bishop's colour.

Nothing else counts then but what the pieces are worth. Where they stand and how far they move would hide
the small steps in which a king is driven. A pawn alone, if it is known to win, only has to go on.
"""

from bluekrait.core.compiler.jit import boolean, generic, inline, uint64
from bluekrait.core.rules.bits import (
    DARK_SQUARES,
    EMPTY,
    LIGHT_SQUARES,
    S4,
    S7,
    lowest_square,
    popcount,
    without_lowest,
)
from bluekrait.search.evaluation.classical.add_term import add_term, slot
from bluekrait.search.evaluation.classical.side_pieces import side_type
from bluekrait.search.evaluation.square_sets import distance, file_of, rank_of

EDGE, CORNER = slot("mating", "king from centre"), slot("mating", "king to corner")
PROMOTION, RANKS = slot("mating", "pawn that promotes"), slot("mating", "ranks of that pawn")
KINGS, MINORS = slot("mating", "kings close"), slot("mating", "minors close")
PAWN, KNIGHT, BISHOP = slot("pawn", "value"), slot("knight", "value"), slot("bishop", "value")
ROOK, QUEEN = slot("rook", "value"), slot("queen", "value")


@inline(boolean(side_type, side_type))
def can_mate_lone_king(side, enemy):
    """True if the enemy has only a king, and the side can force mate without a pawn."""
    has_both_bishops = side.bishops & LIGHT_SQUARES != EMPTY and side.bishops & DARK_SQUARES != EMPTY
    has_two_minors = has_both_bishops or (side.bishops != EMPTY and side.knights != EMPTY)
    return enemy.pieces == enemy.king and (has_two_minors or side.rooks | side.queens != EMPTY)


@generic
def add_material_terms(total, side):
    """Add what the pieces of a side are worth."""
    total = add_term(total, PAWN, popcount(side.pawns))
    total = add_term(total, KNIGHT, popcount(side.knights))
    total = add_term(total, BISHOP, popcount(side.bishops))
    total = add_term(total, ROOK, popcount(side.rooks))
    return add_term(total, QUEEN, popcount(side.queens))


@generic
def add_mating_terms(total, side, enemy):
    """Add what counts for a side that can mate a lone king: its pieces, and how far that king is driven."""
    total = add_material_terms(total, side)
    king = lowest_square(enemy.king)
    total = add_term(total, KINGS, S7 - distance(king, lowest_square(side.king)))
    total = add_term(total, EDGE, eccentricity(rank_of(king)) + eccentricity(file_of(king)))
    if side.bishops and side.knights:  # with more as well, or losing the rest would look like progress
        total = add_term(total, CORNER, nearness_to_corner(king, side.bishops))
        minors = side.bishops | side.knights
        while minors:
            total = add_term(total, MINORS, S7 - distance(king, lowest_square(minors)))
            minors = without_lowest(minors)
    return total


@generic
def add_promotion_terms(total, side):
    """Add what counts for a side whose only piece is a pawn that wins: less than any piece that mates."""
    total = add_term(total, PAWN, 1)
    total = add_term(total, PROMOTION, 1)
    return add_term(total, RANKS, rank_of(lowest_square(side.pawns)))


@inline(uint64(uint64))
def eccentricity(rank):
    """How far a rank or file is from the middle: 0 to 3."""
    return max(rank, S7 - rank) - S4


@inline(uint64(uint64, uint64))
def nearness_to_corner(king, bishop):
    """How near a king is to a corner that the bishop can attack: 0 on the wrong diagonal, 7 in the corner."""
    rank, file = rank_of(king), file_of(king)
    mirrored = S7 - file if bishop & LIGHT_SQUARES else file
    return max(rank + mirrored, S7) - min(rank + mirrored, S7)
