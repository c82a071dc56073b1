"""Judging a board: the terms put together, once for the number and once for the reasons."""

from bluekrait.core.board import all_pieces
from bluekrait.core.compiler.jit import board_type, int64, internal, record_reader, uint64
from bluekrait.core.rules.bits import U64, turned
from bluekrait.search.evaluation.classical.evaluation_records import Trace
from bluekrait.search.evaluation.classical.generic import generic
from bluekrait.search.evaluation.classical.scaling import phase_of, scale_of
from bluekrait.search.evaluation.classical.side import camp_of, turned_camp, turned_reach
from bluekrait.search.evaluation.classical.sinks import (
    Tally,
    end_game,
    middle_game,
    new_danger,
    note,
    slot,
    with_danger,
)
from bluekrait.search.evaluation.classical.tapered import score_of
from bluekrait.search.evaluation.classical.terms.king_danger import note_danger
from bluekrait.search.evaluation.classical.terms.mop_up import note_mating
from bluekrait.search.evaluation.classical.terms.passed_pawns import note_passed
from bluekrait.search.evaluation.classical.terms.pawns import (
    note_pawns,
    note_shelter,
    passed_pawns,
    pawn_cache_type,
    remembered_pawns,
)
from bluekrait.search.evaluation.classical.terms.pieces import note_pieces, note_teamwork
from bluekrait.search.evaluation.classical.terms.threats import note_threats

trace_at, _ = record_reader(Trace)
OWN_COUNTS, ENEMY_COUNTS = U64(Trace.own.offset), U64(Trace.enemy.offset)

generic(score_of)

TEMPO, INITIATIVE = slot("tempo", "to move"), slot("king danger", "to move")


@internal(int64(pawn_cache_type, board_type))
def evaluate(pawn_cache, board):
    """How good a board is for the side to move, in centipawns."""
    camp, enemy = camp_of(board, board.own), camp_of(board, all_pieces(board) & ~board.own)
    pawn_points, passed = remembered_pawns(pawn_cache, camp, enemy)
    own_points, enemy_points = note_both(int64(0), int64(0), camp, enemy, passed)
    points = pawn_points + own_points - enemy_points
    phase, scales = phase_of(camp, enemy), (scale_of(camp, enemy), scale_of(enemy, camp))
    return score_of(middle_game(points), end_game(points), phase, *scales)


@internal(int64(uint64, board_type))
def trace(address, board):
    """Fill in, in the `Trace` at an address, how the evaluation of a board comes about."""
    record = trace_at(address)
    record.own.counts[:] = record.enemy.counts[:] = 0
    own, foe = Tally(address + OWN_COUNTS), Tally(address + ENEMY_COUNTS)
    camp, enemy = camp_of(board, board.own), camp_of(board, all_pieces(board) & ~board.own)
    other_camp, other_enemy = turned_camp(enemy), turned_camp(camp)
    passed = passed_pawns(camp, enemy) | turned(passed_pawns(other_camp, other_enemy))
    note_shelter(note_pawns(own, camp, enemy), camp, enemy)
    note_shelter(note_pawns(foe, other_camp, other_enemy), other_camp, other_enemy)
    note_both(own, foe, camp, enemy, passed)
    record.phase = phase_of(camp, enemy)
    record.own_scale, record.enemy_scale = scale_of(camp, enemy), scale_of(enemy, camp)
    return 0


@generic
def note_both(own, foe, camp, enemy, passed):
    """Note everything but the pawn structure for both sides; their sinks."""
    other_camp, other_enemy = turned_camp(enemy), turned_camp(camp)
    own = note(own, TEMPO, 1)
    own_danger = note(new_danger(own), INITIATIVE, 1)
    own, own_danger, reach = note_pieces(own, own_danger, camp, enemy)
    foe, foe_danger, other_reach = note_pieces(foe, new_danger(foe), other_camp, other_enemy)
    enemy_reach, other_enemy_reach = turned_reach(other_reach), turned_reach(reach)
    own = note_side(own, own_danger, camp, enemy, reach, enemy_reach, passed)
    foe = note_side(foe, foe_danger, other_camp, other_enemy, other_reach, other_enemy_reach, turned(passed))
    return own, foe


@generic
def note_side(sink, danger, camp, enemy, reach, enemy_reach, passed):
    """Note for one side what depends on where both attack."""
    sink = note_mating(sink, camp, enemy)
    sink = note_teamwork(sink, camp, enemy, reach)
    sink = note_passed(sink, passed & camp.pawns, camp, enemy, enemy_reach)
    sink = note_threats(sink, camp, enemy, reach, enemy_reach)
    return with_danger(sink, note_danger(danger, camp, enemy, reach, enemy_reach))
