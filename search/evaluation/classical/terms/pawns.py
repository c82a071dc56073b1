"""Pawn structure and king shelter. Both change rarely, so their points are kept in a pawn cache."""

from numba import types

from bluekrait.core.compiler.jit import generic, inline, int64, internal, record_reader, uint64
from bluekrait.core.rules.bits import (
    EMPTY,
    FILE_A,
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
    without_lowest,
)
from bluekrait.search.evaluation.classical.add_term import add_term, slot
from bluekrait.search.evaluation.classical.pawn_cache import PAWN_ENTRIES, PawnCache
from bluekrait.search.evaluation.classical.side_pieces import side_type, turned_side
from bluekrait.search.evaluation.passed_pawns import all_passed_pawns, passed_pawns
from bluekrait.search.evaluation.square_sets import beside, file_of, filled_down, filled_up, rank_of

RANK_START = U64(56)
QUEEN_SIDE = U64(0x0F0F0F0F0F0F0F0F)
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


@internal(pawn_points_type(pawn_cache_type, side_type, side_type))
def probe_pawn_cache(cache, side, enemy):
    """Points for pawns and shelter of both sides, and the passed pawns; from the cache if it has them."""
    index = (side.pawns * MIXER ^ (enemy.pawns + MIXER) * MIXER) * MIXER >> INDEX_SHIFT
    entry = cache.entries[index]
    if (entry.own ^ side.pawns) | (entry.enemy ^ enemy.pawns):
        other_side, other_enemy = turned_side(enemy), turned_side(side)
        entry.own, entry.enemy = side.pawns, enemy.pawns
        entry.points = add_pawn_terms(int64(0), side, enemy)
        entry.points -= add_pawn_terms(int64(0), other_side, other_enemy)
        entry.passed = all_passed_pawns(side.pawns, enemy.pawns)
        entry.own_king = EMPTY
    if (entry.own_king ^ side.king) | (entry.enemy_king ^ enemy.king):
        other_side, other_enemy = turned_side(enemy), turned_side(side)
        entry.own_king, entry.enemy_king = side.king, enemy.king
        entry.shelter = add_shelter_terms(int64(0), side, enemy)
        entry.shelter -= add_shelter_terms(int64(0), other_side, other_enemy)
    return entry.points + entry.shelter, entry.passed


@generic
def add_pawn_terms(total, side, enemy):
    """Add the pawn structure of a side."""
    pawns = side.pawns
    protected, phalanx = pawns & pawn_captures(pawns), pawns & beside(pawns)
    no_enemy_before = ~filled_down(enemy.pawns)
    isolated = pawns & ~beside(filled_down(filled_up(pawns)))
    backward = pawns & ~filled_up(beside(pawns)) & (enemy_pawn_captures(enemy.pawns) >> S8) & ~isolated
    passed = passed_pawns(pawns, enemy.pawns)

    total = add_pawn_squares(total, pawns)
    total = add_term(total, ISOLATED, popcount(isolated & ~no_enemy_before))
    total = add_term(total, OPEN_ISOLATED, popcount(isolated & no_enemy_before))
    total = add_term(total, BACKWARD, popcount(backward & ~no_enemy_before))
    total = add_term(total, OPEN_BACKWARD, popcount(backward & no_enemy_before))
    total = add_term(total, DOUBLED, popcount(pawns & filled_up(pawns << S8)))
    total = add_term(total, BOTH_WINGS, (pawns & QUEEN_SIDE != EMPTY) & (pawns & ~QUEEN_SIDE != EMPTY))
    total = add_ranks(total, PROTECTED, protected)
    total = add_ranks(total, PHALANX, phalanx)
    total = add_ranks(total, PASSED, passed)
    total = add_ranks(total, PROTECTED_PASSED, passed & (protected | phalanx))
    return add_ranks(total, CANDIDATE, candidates(side, enemy) & ~passed)


@inline(uint64(side_type, side_type))
def candidates(side, enemy):
    """Pawns with no pawn before them that can go on: nothing guards their next step, or they have helpers."""
    front = side.pawns & ~filled_down(enemy.pawns | side.pawns >> S8)
    next_step = enemy_pawn_captures(enemy.pawns) >> S8
    helped = filled_up(beside(side.pawns))
    return front & (~next_step | helped)


@generic
def add_pawn_squares(total, pawns):
    """Add each pawn's value and square."""
    while pawns:
        total = add_term(total, VALUE, 1)
        total = add_term(total, PLACE + lowest_square(pawns), 1)
        pawns = without_lowest(pawns)
    return total


@generic
def add_ranks(total, first_slot, pawns):
    """Add pawns by the rank they stand on."""
    while pawns:
        total = add_term(total, first_slot + rank_of(lowest_square(pawns)), 1)
        pawns = without_lowest(pawns)
    return total


@generic
def add_shelter_terms(total, side, enemy):
    """Add the king's shelter and the pawn storm against it: on his file and those beside it."""
    king = lowest_square(side.king)
    middle = min(max(file_of(king), ONE), S6)
    before_him = FULL << (king & RANK_START)
    file = middle - ONE
    while file <= middle + ONE:
        on_file = FILE_A << file & before_him
        own, foe = side.pawns & on_file, enemy.pawns & on_file
        own_rank = rank_of(lowest_square(own)) if own else EMPTY
        enemy_rank = rank_of(lowest_square(foe)) if foe else EMPTY
        by_file = min(file, S7 - file) * _BY_RANK
        total = add_term(total, SHELTER + by_file + own_rank, 1)
        total = add_term(total, STORM + by_file + enemy_rank, 1)
        file += ONE
    return total
