"""Threats: what hangs, or is attacked by something worth less."""

from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.rules.bits import RANK_3, S8, pawn_captures, popcount
from bluekrait.search.evaluation.classical.generic import generic
from bluekrait.search.evaluation.classical.side import camp_type, reach_type
from bluekrait.search.evaluation.classical.sinks import note, slot

PAWN_ON_MINOR, PAWN_ON_MAJOR = slot("threat", "pawn on minor"), slot("threat", "pawn on major")
PUSH = slot("threat", "pawn push on piece")
MINOR_ON_PAWN, MINOR_ON_KNIGHT = slot("threat", "minor on weak pawn"), slot("threat", "minor on knight")
MINOR_ON_BISHOP = slot("threat", "minor on bishop")
MINOR_ON_ROOK, MINOR_ON_QUEEN = slot("threat", "minor on rook"), slot("threat", "minor on queen")
ROOK_ON_PAWN, ROOK_ON_MINOR = slot("threat", "rook on weak pawn"), slot("threat", "rook on weak minor")
ROOK_ON_QUEEN, KING_ON_WEAK = slot("threat", "rook on queen"), slot("threat", "king on weak piece")
HANGING, RESTRICTED = slot("threat", "hanging"), slot("threat", "contested squares")


@generic
def note_threats(sink, camp, enemy, reach, enemy_reach):
    """Note what a side threatens."""
    covered = enemy_reach.pawns | (enemy_reach.twice & ~reach.twice)  # where we have nothing to win
    weak = enemy.pieces & ~covered & reach.any
    men = enemy.pieces ^ enemy.pawns ^ enemy.king
    hanging = weak & (~enemy_reach.any | (men & reach.twice))
    sink = note_pawn_threats(sink, camp, enemy, reach, enemy_reach)
    sink = note_minor_threats(sink, reach.knights | reach.bishops, enemy, weak)
    sink = note(sink, ROOK_ON_PAWN, popcount(reach.rooks & weak & enemy.pawns))
    sink = note(sink, ROOK_ON_MINOR, popcount(reach.rooks & weak & (enemy.knights | enemy.bishops)))
    sink = note(sink, ROOK_ON_QUEEN, popcount(reach.rooks & enemy.queens))
    sink = note(sink, KING_ON_WEAK, popcount(reach.king & weak))
    sink = note(sink, HANGING, popcount(hanging))
    return note(sink, RESTRICTED, popcount(enemy_reach.any & ~covered & reach.any))


@generic
def note_pawn_threats(sink, camp, enemy, reach, enemy_reach):
    """Note pieces that pawns attack, or would attack after a step."""
    minors, majors = enemy.knights | enemy.bishops, enemy.rooks | enemy.queens
    sink = note(sink, PAWN_ON_MINOR, popcount(reach.pawns & minors))
    sink = note(sink, PAWN_ON_MAJOR, popcount(reach.pawns & majors))
    next_attacks = pawn_captures(safe_steps(camp, enemy, reach, enemy_reach)) & ~reach.pawns
    return note(sink, PUSH, popcount(next_attacks & (minors | majors)))


@inline(uint64(camp_type, camp_type, reach_type, reach_type))
def safe_steps(camp, enemy, reach, enemy_reach):
    """Where pawns may go by one step or two without being lost."""
    empty = ~(camp.pieces | enemy.pieces)
    steps = (camp.pawns << S8) & empty
    steps |= ((steps & RANK_3) << S8) & empty
    return steps & ~enemy_reach.pawns & (reach.any | ~enemy_reach.any)


@generic
def note_minor_threats(sink, attacked, enemy, weak):
    """Note what knights and bishops attack: anything bigger, and what is weak."""
    sink = note(sink, MINOR_ON_PAWN, popcount(attacked & weak & enemy.pawns))
    sink = note(sink, MINOR_ON_KNIGHT, popcount(attacked & weak & enemy.knights))
    sink = note(sink, MINOR_ON_BISHOP, popcount(attacked & weak & enemy.bishops))
    sink = note(sink, MINOR_ON_ROOK, popcount(attacked & enemy.rooks))
    return note(sink, MINOR_ON_QUEEN, popcount(attacked & enemy.queens))
