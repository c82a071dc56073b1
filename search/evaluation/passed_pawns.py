"""Passed pawns: those that no enemy pawn can stop, and no pawn of their own side stands before."""

from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.rules.bits import S8, enemy_pawn_captures, pawn_captures
from bluekrait.search.evaluation.square_sets import filled_down, filled_up


@inline(uint64(uint64, uint64))
def passed_pawns(own, enemy):
    """The passed pawns of the own side, by the pawns of both."""
    guarded = filled_down(enemy >> S8 | enemy_pawn_captures(enemy))
    return own & ~guarded & ~filled_down(own >> S8)


@inline(uint64(uint64, uint64))
def enemy_passed_pawns(own, enemy):
    """Those of the enemy, whose pawns come down the board."""
    guarded = filled_up(own << S8 | pawn_captures(own))
    return enemy & ~guarded & ~filled_up(enemy << S8)


@inline(uint64(uint64, uint64))
def all_passed_pawns(own, enemy):
    """Those of both sides."""
    return passed_pawns(own, enemy) | enemy_passed_pawns(own, enemy)
