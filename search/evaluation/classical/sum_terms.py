"""The classical evaluation: all terms put together, once for the score and once for the trace."""

from bluekrait.core.board import all_pieces
from bluekrait.core.compiler.jit import (
    board_type,
    boolean,
    generic,
    inline,
    int64,
    internal,
    record_reader,
    uint64,
)
from bluekrait.core.rules.bits import U64, turned
from bluekrait.search.evaluation.classical.add_term import (
    TermCounter,
    add_danger_points,
    add_term,
    end_game,
    middle_game,
    new_danger,
    slot,
)
from bluekrait.search.evaluation.classical.evaluation_records import Trace
from bluekrait.search.evaluation.classical.king_and_pawn import is_king_and_pawn, wins_with_pawn
from bluekrait.search.evaluation.classical.scaling import phase_of, scales_of
from bluekrait.search.evaluation.classical.side_pieces import (
    pieces_of_side,
    side_type,
    turned_attacks,
    turned_side,
)
from bluekrait.search.evaluation.classical.tapered import score_of
from bluekrait.search.evaluation.classical.terms.king_danger import add_king_danger_terms
from bluekrait.search.evaluation.classical.terms.mop_up import (
    add_mating_terms,
    add_promotion_terms,
    can_mate_lone_king,
)
from bluekrait.search.evaluation.classical.terms.passed_pawns import add_passed_pawn_terms
from bluekrait.search.evaluation.classical.terms.pawns import (
    add_pawn_terms,
    add_shelter_terms,
    pawn_cache_type,
    probe_pawn_cache,
)
from bluekrait.search.evaluation.classical.terms.pieces import add_cooperation_terms, add_piece_terms
from bluekrait.search.evaluation.classical.terms.threats import add_threat_terms
from bluekrait.search.evaluation.passed_pawns import all_passed_pawns

trace_at, _ = record_reader(Trace)
OWN_COUNTS, ENEMY_COUNTS = U64(Trace.own.offset), U64(Trace.enemy.offset)

generic(score_of)

TEMPO, INITIATIVE = slot("tempo", "to move"), slot("king danger", "to move")


@internal(int64(pawn_cache_type, board_type))
def evaluate(pawn_cache, board):
    """The score of a board for the side to move, in centipawns."""
    side, enemy = pieces_of_side(board, board.own), pieces_of_side(board, all_pieces(board) & ~board.own)
    if is_lone_king_hunted(side, enemy):
        own_points, enemy_points = add_hunt(int64(0), int64(0), side, enemy)
        points = own_points - enemy_points
    else:
        pawn_points, passed = probe_pawn_cache(pawn_cache, side, enemy)
        own_points, enemy_points = add_both_sides(int64(0), int64(0), side, enemy, passed)
        points = pawn_points + own_points - enemy_points
    return score_of(middle_game(points), end_game(points), phase_of(side, enemy), *scales_of(side, enemy))


@internal(int64(uint64, board_type))
def trace(address, board):
    """Fill in, in the `Trace` at an address, how the evaluation of a board comes about."""
    record = trace_at(address)
    record.own.counts[:] = record.enemy.counts[:] = 0
    own_total, enemy_total = TermCounter(address + OWN_COUNTS), TermCounter(address + ENEMY_COUNTS)
    side, enemy = pieces_of_side(board, board.own), pieces_of_side(board, all_pieces(board) & ~board.own)
    if is_lone_king_hunted(side, enemy):
        add_hunt(own_total, enemy_total, side, enemy)
    else:
        passed = all_passed_pawns(side.pawns, enemy.pawns)
        other_side, other_enemy = turned_side(enemy), turned_side(side)
        add_shelter_terms(add_pawn_terms(own_total, side, enemy), side, enemy)
        add_shelter_terms(add_pawn_terms(enemy_total, other_side, other_enemy), other_side, other_enemy)
        add_both_sides(own_total, enemy_total, side, enemy, passed)
    record.phase = phase_of(side, enemy)
    record.own_scale, record.enemy_scale = scales_of(side, enemy)
    return 0


@inline(boolean(side_type, side_type))
def is_lone_king_hunted(side, enemy):
    """True if one of the sides, the first of which is to move, can mate the other, which has only a king."""
    return hunts_lone_king(side, enemy, True) or hunts_lone_king(turned_side(enemy), turned_side(side), False)


@inline(boolean(side_type, side_type, boolean))
def hunts_lone_king(side, enemy, is_to_move):
    """True if a side can mate the enemy's lone king, with its pieces or after promoting its pawn."""
    if is_king_and_pawn(side, enemy):
        return wins_with_pawn(side, enemy, is_to_move)
    return can_mate_lone_king(side, enemy)


@generic
def add_hunt(own_total, enemy_total, side, enemy):
    """Add what counts where a lone king is hunted; the totals of both sides."""
    own_total, own_danger = add_right_to_move(own_total)
    own_total = add_danger_points(own_total, own_danger)
    if hunts_lone_king(side, enemy, True):
        own_total = add_hunter_terms(own_total, side, enemy)
    else:
        enemy_total = add_hunter_terms(enemy_total, turned_side(enemy), turned_side(side))
    return own_total, enemy_total


@generic
def add_hunter_terms(total, side, enemy):
    """Add what counts for a side that hunts a lone king."""
    if is_king_and_pawn(side, enemy):
        return add_promotion_terms(total, side)
    return add_mating_terms(total, side, enemy)


@generic
def add_right_to_move(total):
    """Add that it is a side's move; the total, and the danger that the side is to the enemy's king."""
    return add_term(total, TEMPO, 1), add_term(new_danger(total), INITIATIVE, 1)


@generic
def add_both_sides(own_total, enemy_total, side, enemy, passed):
    """Add everything but the pawn structure for both sides; their totals."""
    other_side, other_enemy = turned_side(enemy), turned_side(side)
    own_total, own_danger = add_right_to_move(own_total)
    own_total, own_danger, attacks = add_piece_terms(own_total, own_danger, side, enemy)
    enemy_total, enemy_danger, other_attacks = add_piece_terms(
        enemy_total, new_danger(enemy_total), other_side, other_enemy
    )
    enemy_attacks, other_enemy_attacks = turned_attacks(other_attacks), turned_attacks(attacks)
    own_total = add_side_terms(own_total, own_danger, side, enemy, attacks, enemy_attacks, passed)
    other_passed = turned(passed)
    enemy_total = add_side_terms(
        enemy_total, enemy_danger, other_side, other_enemy, other_attacks, other_enemy_attacks, other_passed
    )
    return own_total, enemy_total


@generic
def add_side_terms(total, danger, side, enemy, attacks, enemy_attacks, passed):
    """Add for one side what depends on where both attack."""
    total = add_cooperation_terms(total, side, enemy, attacks)
    total = add_passed_pawn_terms(total, passed & side.pawns, side, enemy, enemy_attacks)
    total = add_threat_terms(total, side, enemy, attacks, enemy_attacks)
    return add_danger_points(total, add_king_danger_terms(danger, side, enemy, attacks, enemy_attacks))
