"""Mating a lone king: drive him to the edge; with bishop and knight, into a corner of the bishop's colour."""

from bluekrait.core.compiler.jit import generic, inline, uint64
from bluekrait.core.rules.bits import S4, S7, lowest_square
from bluekrait.search.evaluation.classical.add_term import add_term, slot
from bluekrait.search.evaluation.classical.terms.pieces import LIGHT_SQUARES
from bluekrait.search.evaluation.square_sets import distance, file_of, rank_of

EDGE, CORNER = slot("mating", "king from centre"), slot("mating", "king to corner")
KINGS = slot("mating", "kings close")


@generic
def add_mop_up_terms(total, side, enemy):
    """Add how far a lone enemy king has been driven to the edge."""
    if enemy.pieces != enemy.king:
        return total
    king = lowest_square(enemy.king)
    total = add_term(total, KINGS, S7 - distance(king, lowest_square(side.king)))
    total = add_term(total, EDGE, eccentricity(rank_of(king)) + eccentricity(file_of(king)))
    if side.bishops and side.knights:  # with more as well, or losing the rest would look like progress
        total = add_term(total, CORNER, nearness_to_corner(king, side.bishops))
    return total


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
