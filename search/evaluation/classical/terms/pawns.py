"""Pawn structure, and the shelter it gives to the king: what changes so rarely that it is remembered."""

from numba import types

from bluekrait.core.compiler.jit import inline, int64, internal, record_reader, uint64
from bluekrait.core.rules.bits import (
    EMPTY,
    FULL,
    ONE,
    S6,
    S7,
    S8,
    U64,
    enemy_pawn_captures,
    lowest_square,
    pawn_captures,
    popcount,
    turned,
    without_lowest,
)
from bluekrait.search.evaluation.classical.evaluation_records import PAWN_ENTRIES, PawnCache
from bluekrait.search.evaluation.classical.generic import generic
from bluekrait.search.evaluation.classical.side import camp_type, turned_camp
from bluekrait.search.evaluation.classical.sinks import note, slot
from bluekrait.search.evaluation.classical.square_sets import beside, file_of, filled_down, filled_up, rank_of

RANK_START = U64(56)
QUEEN_SIDE = U64(0x0F0F0F0F0F0F0F0F)
FILE_A = U64(0x0101010101010101)
MIXER, INDEX_SHIFT = U64(0x9E3779B97F4A7C15), U64(64 - PAWN_ENTRIES.bit_length() + 1)

VALUE, PLACE = slot("pawn", "value"), slot("pawn", "place")
ISOLATED, OPEN_ISOLATED = slot("pawn", "isolated"), slot("pawn", "isolated on a semi-open file")
BACKWARD, OPEN_BACKWARD = slot("pawn", "backward"), slot("pawn", "backward on a semi-open file")
DOUBLED, BOTH_WINGS = slot("pawn", "doubled"), slot("pawn", "on both wings")
PROTECTED, PHALANX = slot("pawn", "protected"), slot("pawn", "side by side")  # by rank
CANDIDATE = slot("pawn", "candidate")  # by rank
PASSED, PROTECTED_PASSED = slot("passed pawn", "rank"), slot("passed pawn", "protected")  # by rank
SHELTER = slot("king", "shelter")  # by distance of the file from the edge, and rank of the nearest pawn
STORM = slot("king", "storm")  # by the same of the enemy's nearest pawn
_BY_RANK = U64(8)

pawn_cache_at, pawn_cache_type = record_reader(PawnCache)

pawn_points_type = types.Tuple((int64, uint64))


@internal(pawn_points_type(pawn_cache_type, camp_type, camp_type))
def remembered_pawns(cache, camp, enemy):
    """Points for the pawns and the shelter of both sides, and the passed pawns, out of the cache."""
    index = (camp.pawns * MIXER ^ (enemy.pawns + MIXER) * MIXER) * MIXER >> INDEX_SHIFT
    entry = cache.entries[index]
    if (entry.own ^ camp.pawns) | (entry.enemy ^ enemy.pawns):
        other_camp, other_enemy = turned_camp(enemy), turned_camp(camp)
        entry.own, entry.enemy = camp.pawns, enemy.pawns
        entry.points = note_pawns(int64(0), camp, enemy) - note_pawns(int64(0), other_camp, other_enemy)
        entry.passed = passed_pawns(camp, enemy) | turned(passed_pawns(other_camp, other_enemy))
        entry.own_king = EMPTY
    if (entry.own_king ^ camp.king) | (entry.enemy_king ^ enemy.king):
        other_camp, other_enemy = turned_camp(enemy), turned_camp(camp)
        entry.own_king, entry.enemy_king = camp.king, enemy.king
        entry.shelter = note_shelter(int64(0), camp, enemy) - note_shelter(int64(0), other_camp, other_enemy)
    return entry.points + entry.shelter, entry.passed


@inline(uint64(camp_type, camp_type))
def passed_pawns(camp, enemy):
    """The pawns that no enemy pawn can stop, and no own pawn stands before."""
    guarded = filled_down(enemy.pawns >> S8 | enemy_pawn_captures(enemy.pawns))
    return camp.pawns & ~guarded & ~filled_down(camp.pawns >> S8)


@generic
def note_pawns(sink, camp, enemy):
    """Note the pawns of a side, among themselves and against the enemy's."""
    pawns = camp.pawns
    protected, phalanx = pawns & pawn_captures(pawns), pawns & beside(pawns)
    no_enemy_before = ~filled_down(enemy.pawns)
    isolated = pawns & ~beside(filled_down(filled_up(pawns)))
    backward = pawns & ~filled_up(beside(pawns)) & (enemy_pawn_captures(enemy.pawns) >> S8) & ~isolated
    passed = passed_pawns(camp, enemy)

    sink = note_places(sink, pawns)
    sink = note(sink, ISOLATED, popcount(isolated & ~no_enemy_before))
    sink = note(sink, OPEN_ISOLATED, popcount(isolated & no_enemy_before))
    sink = note(sink, BACKWARD, popcount(backward & ~no_enemy_before))
    sink = note(sink, OPEN_BACKWARD, popcount(backward & no_enemy_before))
    sink = note(sink, DOUBLED, popcount(pawns & filled_up(pawns << S8)))
    sink = note(sink, BOTH_WINGS, (pawns & QUEEN_SIDE != EMPTY) & (pawns & ~QUEEN_SIDE != EMPTY))
    sink = note_ranks(sink, PROTECTED, protected)
    sink = note_ranks(sink, PHALANX, phalanx)
    sink = note_ranks(sink, PASSED, passed)
    sink = note_ranks(sink, PROTECTED_PASSED, passed & (protected | phalanx))
    return note_ranks(sink, CANDIDATE, candidates(camp, enemy) & ~passed)


@inline(uint64(camp_type, camp_type))
def candidates(camp, enemy):
    """Pawns that would be passed if the pawns that guard their next step were traded for their helpers."""
    front = camp.pawns & ~filled_down(enemy.pawns | camp.pawns >> S8)
    next_step = enemy_pawn_captures(enemy.pawns) >> S8
    helped = filled_up(beside(camp.pawns))
    return front & (~next_step | helped)


@generic
def note_places(sink, pawns):
    """Note each pawn and where it stands."""
    while pawns:
        sink = note(sink, VALUE, 1)
        sink = note(sink, PLACE + lowest_square(pawns), 1)
        pawns = without_lowest(pawns)
    return sink


@generic
def note_ranks(sink, first_slot, pawns):
    """Note some pawns by the rank they stand on."""
    while pawns:
        sink = note(sink, first_slot + rank_of(lowest_square(pawns)), 1)
        pawns = without_lowest(pawns)
    return sink


@generic
def note_shelter(sink, camp, enemy):
    """Note the pawns before the king, own and enemy, on his file and those beside it."""
    king = lowest_square(camp.king)
    middle = min(max(file_of(king), ONE), S6)
    before_him = FULL << (king & RANK_START)
    file = middle - ONE
    while file <= middle + ONE:
        on_file = FILE_A << file & before_him
        own, foe = camp.pawns & on_file, enemy.pawns & on_file
        own_rank = rank_of(lowest_square(own)) if own else EMPTY
        enemy_rank = rank_of(lowest_square(foe)) if foe else EMPTY
        by_file = min(file, S7 - file) * _BY_RANK
        sink = note(sink, SHELTER + by_file + own_rank, 1)
        sink = note(sink, STORM + by_file + enemy_rank, 1)
        file += ONE
    return sink
