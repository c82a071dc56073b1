"""King danger: the attack of a side on the enemy's king. Its weights are added up, and the sum is squared."""

from bluekrait.core.compiler.jit import generic
from bluekrait.core.rules.attacks import bishop_attacks, knight_attacks, rook_attacks
from bluekrait.core.rules.bits import EMPTY, S8, lowest_square, popcount
from bluekrait.search.evaluation.classical.add_term import add_term, slot
from bluekrait.search.evaluation.classical.terms.pieces import king_ring
from bluekrait.search.evaluation.square_sets import beside

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
def add_king_danger_terms(danger, side, enemy, attacks, enemy_attacks):
    """Add what makes the attack on the enemy's king dangerous, beside the pieces that attack his ring."""
    ring = king_ring(enemy.king)
    near = ring | beside(ring) | ring >> S8
    weak = ~enemy_attacks.twice & (~enemy_attacks.any | enemy_attacks.king | enemy_attacks.queens)
    danger = add_term(danger, CONSTANT, 1)
    danger = add_term(danger, NO_QUEEN, side.queens == EMPTY)
    danger = add_term(danger, WEAK_RING, popcount(ring & weak & attacks.any))
    danger = add_term(danger, ATTACKS_NEAR, popcount(near & attacks.any) + popcount(near & attacks.twice))
    danger = add_term(danger, DEFENCES_NEAR, popcount(near & enemy_attacks.any))
    danger = add_term(danger, PAWNS_NEAR, popcount(ring & enemy.pawns))
    danger = add_term(danger, KNIGHT_AT_HOME, ring & enemy.knights != EMPTY)
    return add_check_terms(danger, side, enemy, attacks, enemy_attacks, weak)


@generic
def add_check_terms(danger, side, enemy, attacks, enemy_attacks, weak):
    """Add the squares from which checks can be given, safe or not."""
    king, occupied = lowest_square(enemy.king), (side.pieces | enemy.pieces) ^ enemy.queens
    diagonals, lines = bishop_attacks(king, occupied), rook_attacks(king, occupied)
    safe = ~enemy_attacks.any | (weak & attacks.twice)
    knight_checks = knight_attacks(king) & attacks.knights & ~side.pieces
    bishop_checks = diagonals & attacks.bishops & ~side.pieces
    rook_checks = lines & attacks.rooks & ~side.pieces
    queen_checks = (diagonals | lines) & attacks.queens & ~side.pieces & ~enemy_attacks.queens
    danger = add_term(danger, KNIGHT_CHECKS, popcount(knight_checks & safe))
    danger = add_term(danger, BISHOP_CHECKS, popcount(bishop_checks & safe))
    danger = add_term(danger, ROOK_CHECKS, popcount(rook_checks & safe))
    danger = add_term(danger, QUEEN_CHECKS, popcount(queen_checks & safe))
    behind = bishop_attacks(king, occupied & ~diagonals) & ~diagonals & (side.bishops | side.queens)
    behind |= rook_attacks(king, occupied & ~lines) & ~lines & (side.rooks | side.queens)
    danger = add_term(danger, X_RAYS, popcount(behind))
    return add_term(danger, UNSAFE_CHECKS, popcount((knight_checks | bishop_checks | rook_checks) & ~safe))
