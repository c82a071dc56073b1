"""King danger: what a side brings together against the enemy's king. Alone it means little, together much."""

from bluekrait.core.rules.attacks import bishop_attacks, knight_attacks, rook_attacks
from bluekrait.core.rules.bits import EMPTY, S8, lowest_square, popcount
from bluekrait.search.evaluation.classical.generic import generic
from bluekrait.search.evaluation.classical.sinks import note, slot
from bluekrait.search.evaluation.classical.square_sets import beside
from bluekrait.search.evaluation.classical.terms.pieces import king_ring

CONSTANT = slot("king danger", "always")
NO_QUEEN = slot("king danger", "no queen takes part")
WEAK_RING = slot("king danger", "weak squares in the ring")
ATTACKS_NEAR, DEFENCES_NEAR = slot("king danger", "attacks near"), slot("king danger", "defences near")
PAWNS_NEAR = slot("king danger", "pawns near")
KNIGHT_AT_HOME = slot("king danger", "knight at home")
KNIGHT_CHECKS, BISHOP_CHECKS = (
    slot("king danger", "safe knight checks"),
    slot("king danger", "safe bishop checks"),
)
ROOK_CHECKS, QUEEN_CHECKS = slot("king danger", "safe rook checks"), slot("king danger", "safe queen checks")
X_RAYS = slot("king danger", "x-rays")
UNSAFE_CHECKS = slot("king danger", "unsafe checks")


@generic
def note_danger(danger, camp, enemy, reach, enemy_reach):
    """Note what makes the attack on the enemy's king dangerous, beside the pieces that aim at him."""
    ring = king_ring(enemy.king)
    near = ring | beside(ring) | ring >> S8
    weak = ~enemy_reach.twice & (~enemy_reach.any | enemy_reach.king | enemy_reach.queens)
    danger = note(danger, CONSTANT, 1)
    danger = note(danger, NO_QUEEN, camp.queens == EMPTY)
    danger = note(danger, WEAK_RING, popcount(ring & weak & reach.any))
    danger = note(danger, ATTACKS_NEAR, popcount(near & reach.any) + popcount(near & reach.twice))
    danger = note(danger, DEFENCES_NEAR, popcount(near & enemy_reach.any))
    danger = note(danger, PAWNS_NEAR, popcount(ring & enemy.pawns))
    danger = note(danger, KNIGHT_AT_HOME, ring & enemy.knights != EMPTY)
    return note_checks(danger, camp, enemy, reach, enemy_reach, weak)


@generic
def note_checks(danger, camp, enemy, reach, enemy_reach, weak):
    """Note where checks can be given, and whether whoever gives them survives."""
    king, occupied = lowest_square(enemy.king), (camp.pieces | enemy.pieces) ^ enemy.queens
    diagonals, lines = bishop_attacks(king, occupied), rook_attacks(king, occupied)
    safe = ~enemy_reach.any | (weak & reach.twice)
    knight_checks = knight_attacks(king) & reach.knights & ~camp.pieces
    bishop_checks = diagonals & reach.bishops & ~camp.pieces
    rook_checks = lines & reach.rooks & ~camp.pieces
    queen_checks = (diagonals | lines) & reach.queens & ~camp.pieces & ~enemy_reach.queens
    danger = note(danger, KNIGHT_CHECKS, popcount(knight_checks & safe))
    danger = note(danger, BISHOP_CHECKS, popcount(bishop_checks & safe))
    danger = note(danger, ROOK_CHECKS, popcount(rook_checks & safe))
    danger = note(danger, QUEEN_CHECKS, popcount(queen_checks & safe))
    behind = bishop_attacks(king, occupied & ~diagonals) & ~diagonals & (camp.bishops | camp.queens)
    behind |= rook_attacks(king, occupied & ~lines) & ~lines & (camp.rooks | camp.queens)
    danger = note(danger, X_RAYS, popcount(behind))
    return note(danger, UNSAFE_CHECKS, popcount((knight_checks | bishop_checks | rook_checks) & ~safe))
