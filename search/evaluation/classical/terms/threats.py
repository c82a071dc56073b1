"""Threats: what hangs, or is attacked by something worth less."""

from bluekrait.core.compiler.jit import generic, inline, uint64
from bluekrait.core.rules.bits import RANK_3, S8, pawn_captures, popcount
from bluekrait.search.evaluation.classical.add_term import add_term, slot
from bluekrait.search.evaluation.classical.side_pieces import attacks_type, side_type

PAWN_ON_MINOR, PAWN_ON_MAJOR = slot("threat", "pawn on minor"), slot("threat", "pawn on major")
PUSH = slot("threat", "pawn push on piece")
MINOR_ON_PAWN, MINOR_ON_KNIGHT = slot("threat", "minor on weak pawn"), slot("threat", "minor on knight")
MINOR_ON_BISHOP = slot("threat", "minor on bishop")
MINOR_ON_ROOK, MINOR_ON_QUEEN = slot("threat", "minor on rook"), slot("threat", "minor on queen")
ROOK_ON_PAWN, ROOK_ON_MINOR = slot("threat", "rook on weak pawn"), slot("threat", "rook on weak minor")
ROOK_ON_QUEEN, KING_ON_WEAK = slot("threat", "rook on queen"), slot("threat", "king on weak piece")
HANGING, RESTRICTED = slot("threat", "hanging"), slot("threat", "contested squares")


@generic
def add_threat_terms(total, side, enemy, attacks, enemy_attacks):
    """Add what a side threatens."""
    covered = enemy_attacks.pawns | (enemy_attacks.twice & ~attacks.twice)  # where we have nothing to win
    weak = enemy.pieces & ~covered & attacks.any
    men = enemy.pieces ^ enemy.pawns ^ enemy.king
    hanging = weak & (~enemy_attacks.any | (men & attacks.twice))
    total = add_pawn_threats(total, side, enemy, attacks, enemy_attacks)
    total = add_minor_threats(total, attacks.knights | attacks.bishops, enemy, weak)
    total = add_term(total, ROOK_ON_PAWN, popcount(attacks.rooks & weak & enemy.pawns))
    total = add_term(total, ROOK_ON_MINOR, popcount(attacks.rooks & weak & (enemy.knights | enemy.bishops)))
    total = add_term(total, ROOK_ON_QUEEN, popcount(attacks.rooks & enemy.queens))
    total = add_term(total, KING_ON_WEAK, popcount(attacks.king & weak))
    total = add_term(total, HANGING, popcount(hanging))
    return add_term(total, RESTRICTED, popcount(enemy_attacks.any & ~covered & attacks.any))


@generic
def add_pawn_threats(total, side, enemy, attacks, enemy_attacks):
    """Add pieces that pawns attack, or would attack after a step."""
    minors, majors = enemy.knights | enemy.bishops, enemy.rooks | enemy.queens
    total = add_term(total, PAWN_ON_MINOR, popcount(attacks.pawns & minors))
    total = add_term(total, PAWN_ON_MAJOR, popcount(attacks.pawns & majors))
    next_attacks = pawn_captures(safe_steps(side, enemy, attacks, enemy_attacks)) & ~attacks.pawns
    return add_term(total, PUSH, popcount(next_attacks & (minors | majors)))


@inline(uint64(side_type, side_type, attacks_type, attacks_type))
def safe_steps(side, enemy, attacks, enemy_attacks):
    """Where pawns may go by one step or two without being lost."""
    empty = ~(side.pieces | enemy.pieces)
    steps = (side.pawns << S8) & empty
    steps |= ((steps & RANK_3) << S8) & empty
    return steps & ~enemy_attacks.pawns & (attacks.any | ~enemy_attacks.any)


@generic
def add_minor_threats(total, attacked, enemy, weak):
    """Add what knights and bishops attack: pieces worth more, and weak ones."""
    total = add_term(total, MINOR_ON_PAWN, popcount(attacked & weak & enemy.pawns))
    total = add_term(total, MINOR_ON_KNIGHT, popcount(attacked & weak & enemy.knights))
    total = add_term(total, MINOR_ON_BISHOP, popcount(attacked & weak & enemy.bishops))
    total = add_term(total, MINOR_ON_ROOK, popcount(attacked & enemy.rooks))
    return add_term(total, MINOR_ON_QUEEN, popcount(attacked & enemy.queens))
