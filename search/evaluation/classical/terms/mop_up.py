"""How to mate a lone king: drive him to the edge, and if need be into a corner that the bishop sees."""

from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.rules.bits import S4, S7, lowest_square
from bluekrait.search.evaluation.classical.generic import generic
from bluekrait.search.evaluation.classical.sinks import note, slot
from bluekrait.search.evaluation.classical.square_sets import distance, file_of, rank_of
from bluekrait.search.evaluation.classical.terms.pieces import LIGHT_SQUARES

EDGE, CORNER = slot("mating", "king from centre"), slot("mating", "king to corner")
KINGS = slot("mating", "kings close")


@generic
def note_mating(sink, camp, enemy):
    """Note how far a lone enemy king is driven."""
    if enemy.pieces != enemy.king:
        return sink
    king = lowest_square(enemy.king)
    sink = note(sink, KINGS, S7 - distance(king, lowest_square(camp.king)))
    sink = note(sink, EDGE, eccentricity(rank_of(king)) + eccentricity(file_of(king)))
    if camp.bishops and camp.knights:  # with more as well, or losing the rest would look like progress
        sink = note(sink, CORNER, nearness_to_corner(king, camp.bishops))
    return sink


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
