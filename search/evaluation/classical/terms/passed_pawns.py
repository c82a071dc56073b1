"""Passed pawns: how near they are to promotion depends on what stands in their way, and on the kings."""

from bluekrait.core.compiler.jit import boolean, inline, uint64
from bluekrait.core.rules.bits import EMPTY, ONE, S8, U64, bit_of, lowest_square, without_lowest
from bluekrait.search.evaluation.classical.generic import generic
from bluekrait.search.evaluation.classical.side import camp_type
from bluekrait.search.evaluation.classical.sinks import note, slot
from bluekrait.search.evaluation.classical.square_sets import distance, filled_down, filled_up, rank_of

THIRD, EIGHTH = U64(2), U64(7)  # ranks, counted from 0
LAST_RANK = U64(56)  # the bits of a square that tell its rank, all set

FREE = slot("passed pawn", "next square empty")  # by rank
SAFE = slot("passed pawn", "next square safe")  # by rank
CLEAR = slot("passed pawn", "way clear")  # by rank
OWN_KING = slot("passed pawn", "own king away")  # by distance to the next square, a time for each rank gone
ENEMY_KING = slot("passed pawn", "enemy king away")  # the same
ROOK_BEHIND = slot("passed pawn", "rook behind")
ENEMY_ROOK_BEHIND = slot("passed pawn", "enemy rook behind")
UNSTOPPABLE = slot("passed pawn", "unstoppable")


@generic
def note_passed(sink, passed, camp, enemy, enemy_reach):
    """Note the passed pawns of a side."""
    occupied = camp.pieces | enemy.pieces
    own_king, enemy_king = lowest_square(camp.king), lowest_square(enemy.king)
    while passed:
        square = lowest_square(passed)
        passed = without_lowest(passed)
        rank, pawn = rank_of(square), bit_of(square)
        step, way = pawn << S8, filled_up(pawn << S8)
        if step & occupied == EMPTY:
            sink = note(sink, FREE + rank, 1)
            sink = note(sink, SAFE + rank, step & enemy_reach.any == EMPTY)
            sink = note(sink, CLEAR + rank, way & (enemy.pieces | enemy_reach.any) == EMPTY)
        behind = filled_down(pawn)
        sink = note(sink, ROOK_BEHIND, behind & camp.rooks != EMPTY)
        sink = note(sink, ENEMY_ROOK_BEHIND, behind & enemy.rooks != EMPTY)
        sink = note(sink, UNSTOPPABLE, is_unstoppable(square, way, camp, enemy))
        if rank > THIRD:  # from there on, kings matter more with every step
            next_square, gone = square + S8, rank - THIRD
            sink = note(sink, OWN_KING + distance(own_king, next_square), gone)
            sink = note(sink, ENEMY_KING + distance(enemy_king, next_square), gone)
    return sink


@inline(boolean(uint64, uint64, camp_type, camp_type))
def is_unstoppable(square, way, camp, enemy):
    """True if a king would have to stop the pawn alone, and comes too late, whoever is to move."""
    if enemy.pieces != enemy.pawns | enemy.king or way & camp.pieces:
        return False
    steps = EIGHTH - max(rank_of(square), THIRD)  # from the second rank, the first step is a double one
    return distance(lowest_square(enemy.king), square | LAST_RANK) > steps + ONE
