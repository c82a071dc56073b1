"""Passed pawns: how near they are to promotion depends on what stands in their way, and on the kings."""

from bluekrait.core.compiler.jit import boolean, generic, inline, uint64
from bluekrait.core.rules.bits import EMPTY, ONE, S8, U64, bit_of, lowest_square, without_lowest
from bluekrait.search.evaluation.classical.add_term import add_term, slot
from bluekrait.search.evaluation.classical.side_pieces import side_type
from bluekrait.search.evaluation.square_sets import distance, filled_down, filled_up, rank_of

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
def add_passed_pawn_terms(total, passed, side, enemy, enemy_attacks):
    """Add the passed pawns of a side."""
    occupied = side.pieces | enemy.pieces
    own_king, enemy_king = lowest_square(side.king), lowest_square(enemy.king)
    while passed:
        square = lowest_square(passed)
        passed = without_lowest(passed)
        rank, pawn = rank_of(square), bit_of(square)
        step, way = pawn << S8, filled_up(pawn << S8)
        if step & occupied == EMPTY:
            total = add_term(total, FREE + rank, 1)
            total = add_term(total, SAFE + rank, step & enemy_attacks.any == EMPTY)
            total = add_term(total, CLEAR + rank, way & (enemy.pieces | enemy_attacks.any) == EMPTY)
        behind = filled_down(pawn)
        total = add_term(total, ROOK_BEHIND, behind & side.rooks != EMPTY)
        total = add_term(total, ENEMY_ROOK_BEHIND, behind & enemy.rooks != EMPTY)
        total = add_term(total, UNSTOPPABLE, is_unstoppable(square, way, side, enemy))
        if rank > THIRD:  # from there on, kings matter more with every step
            next_square, gone = square + S8, rank - THIRD
            total = add_term(total, OWN_KING + distance(own_king, next_square), gone)
            total = add_term(total, ENEMY_KING + distance(enemy_king, next_square), gone)
    return total


@inline(boolean(uint64, uint64, side_type, side_type))
def is_unstoppable(square, way, side, enemy):
    """True if the enemy has only a king to stop the pawn, and it comes too late, even if it moves first."""
    if enemy.pieces != enemy.pawns | enemy.king or way & side.pieces:
        return False
    steps = EIGHTH - max(rank_of(square), THIRD)  # from the second rank, the first step is a double one
    return distance(lowest_square(enemy.king), square | LAST_RANK) > steps + ONE
