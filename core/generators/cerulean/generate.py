"""Pseudo-legal moves: all moves of the pieces, even if they leave the king in check.

All functions write into the one move list of the node. Each takes the number of moves in it, and returns the
new number.
"""

from numba import types

from bluekrait.core.compiler.jit import boolean, inline, internal, uint64
from bluekrait.core.generators.cerulean.attacks import blockers
from bluekrait.core.generators.cerulean.mailbox import generation_type, mailbox_type
from bluekrait.core.generators.cerulean.moves import (
    CAPTURED_SHIFT,
    CASTLING,
    DOUBLE_PUSH,
    EN_PASSANT,
    PAWN_MOVE,
    PROMOTION_SHIFT,
    TO_SHIFT,
    UNVERIFIED,
    UNVERIFIED_SHIFT,
    castling_targets,
)
from bluekrait.core.generators.cerulean.squares import (
    A_BISHOP,
    A_KING,
    A_KNIGHT,
    A_PAWN,
    A_QUEEN,
    A_ROOK,
    BISHOP_STEPS,
    EITHER_FLAG,
    KIND,
    KING_STEPS,
    KNIGHT_STEPS,
    MARGIN,
    NO_SQUARE,
    OUTSIDE,
    ROOK_STEPS,
    WHITE_FLAG,
    forward,
    from_0x88,
)
from bluekrait.core.rules.bits import EMPTY, FULL, ONE, TWO, U64

_four_steps, _eight_steps = types.UniTuple(uint64, 4), types.UniTuple(uint64, 8)


@internal(uint64(mailbox_type, generation_type))
def generate(record, generation):
    """Write the history entry and all pseudo-legal moves of a node. Returns how many moves there are.

    A piece that is alone between its king and an enemy slider may be pinned. Only the moves of such pieces,
    moves out of check, king moves and en-passant captures are tested for legality after they are made.
    """
    generation.key, generation.castling = record.key, record.castling
    generation.en_passant, generation.clock = record.en_passant, record.clock
    side = record.turn
    king = U64(record.lists[side | A_KING, EMPTY])
    unverified = blockers(record, king, side ^ EITHER_FLAG)
    count = _add_pawn_moves(record, generation, EMPTY, side, unverified)
    count = _add_leaps(record, generation, count, side | A_KNIGHT, KNIGHT_STEPS, unverified)
    count = _add_slides(record, generation, count, side | A_BISHOP, BISHOP_STEPS, unverified)
    count = _add_slides(record, generation, count, side | A_ROOK, ROOK_STEPS, unverified)
    count = _add_slides(record, generation, count, side | A_QUEEN, BISHOP_STEPS, unverified)
    count = _add_slides(record, generation, count, side | A_QUEEN, ROOK_STEPS, unverified)
    count = _add_leaps(record, generation, count, side | A_KING, KING_STEPS, FULL)
    if record.en_passant != NO_SQUARE:
        count = _add_en_passants(record, generation, count, side)
    if record.castling and unverified != FULL:
        count = _add_castlings(record, generation, count, side, king)
    return count


@inline(uint64(generation_type, uint64, uint64, uint64, uint64))
def _add(generation, count, start, target, found):
    """Write a move to a square, where the piece `found` is captured."""
    generation.moves[count] = start | target << TO_SHIFT | (found & KIND) << CAPTURED_SHIFT
    return count + ONE


@inline(uint64(uint64, uint64))
def _start(origin, unverified):
    """The bits that all moves of a piece share: its square, and whether legality must be tested."""
    return origin | ((unverified >> from_0x88(origin)) & ONE) << UNVERIFIED_SHIFT


@inline(uint64(mailbox_type, generation_type, uint64, uint64, _eight_steps, uint64))
def _add_leaps(record, generation, count, code, steps, unverified):
    """Moves of knights or of the king."""
    enemy = ~code & EITHER_FLAG
    for i in range(U64(record.counts[code])):
        origin = U64(record.lists[code, i])
        start = _start(origin, unverified)
        for step in steps:
            target = origin + step
            found = U64(record.board[MARGIN + target])
            if found == EMPTY or found & enemy:
                count = _add(generation, count, start, target, found)
    return count


@inline(uint64(mailbox_type, generation_type, uint64, uint64, _four_steps, uint64))
def _add_slides(record, generation, count, code, steps, unverified):
    """Moves of bishops, rooks or queens in four directions."""
    enemy = ~code & EITHER_FLAG
    for i in range(U64(record.counts[code])):
        origin = U64(record.lists[code, i])
        start = _start(origin, unverified)
        for step in steps:
            target = origin + step
            found = U64(record.board[MARGIN + target])
            while found == EMPTY:
                count = _add(generation, count, start, target, found)
                target += step
                found = U64(record.board[MARGIN + target])
            if found & enemy:
                count = _add(generation, count, start, target, found)
    return count


@inline(uint64(mailbox_type, generation_type, uint64, uint64, uint64))
def _add_pawn_moves(record, generation, count, side, unverified):
    """Moves of pawns, except en passant. A pawn promotes if there is no square ahead of its target."""
    code, enemy, ahead = side | A_PAWN, side ^ EITHER_FLAG, forward(side)
    for i in range(U64(record.counts[code])):
        origin = U64(record.lists[code, i])
        start, target = _start(origin, unverified) | PAWN_MOVE, origin + ahead
        beyond = U64(record.board[MARGIN + target + ahead])
        if record.board[MARGIN + target] == EMPTY:
            count = _add_pawn_move(generation, count, start, target, EMPTY, beyond == OUTSIDE)
            if beyond == EMPTY and record.board[MARGIN + origin - ahead - ahead] == OUTSIDE:
                count = _add(generation, count, start | DOUBLE_PUSH, target + ahead, EMPTY)
        for aside in (target - ONE, target + ONE):
            found = U64(record.board[MARGIN + aside])
            if found & enemy:
                count = _add_pawn_move(generation, count, start, aside, found, beyond == OUTSIDE)
    return count


@inline(uint64(generation_type, uint64, uint64, uint64, uint64, boolean))
def _add_pawn_move(generation, count, start, target, found, promotes):
    """One move of a pawn, or its four promotions."""
    if promotes:
        for kind in (A_KNIGHT, A_BISHOP, A_ROOK, A_QUEEN):
            count = _add(generation, count, start | kind << PROMOTION_SHIFT, target, found)
        return count
    return _add(generation, count, start, target, found)


@inline(uint64(mailbox_type, generation_type, uint64, uint64))
def _add_en_passants(record, generation, count, side):
    """En-passant captures. Two pawns leave a rank at once, so their legality must always be tested."""
    pawn, target = side | A_PAWN, record.en_passant
    behind = target - forward(side)
    for origin in (behind - ONE, behind + ONE):
        if record.board[MARGIN + origin] == pawn:
            start = origin | PAWN_MOVE | EN_PASSANT | UNVERIFIED
            count = _add(generation, count, start, target, A_PAWN)
    return count


@internal(uint64(mailbox_type, generation_type, uint64, uint64, uint64))
def _add_castlings(record, generation, count, side, king):
    """Castling, if no other piece stands on the squares that king and rook cross or reach."""
    first = EMPTY if side == WHITE_FLAG else TWO
    for right in range(first, first + TWO):
        rook = record.castling_rooks[right]
        if (record.castling >> U64(right)) & ONE and _is_way_free(record, king, rook):
            count = _add(generation, count, king | CASTLING | UNVERIFIED, rook, EMPTY)
    return count


@inline(boolean(mailbox_type, uint64, uint64))
def _is_way_free(record, king, rook):
    """True if the squares that king and rook cross or reach are empty but for the two."""
    king_target, rook_target = castling_targets(king, rook)
    west = min(min(king, rook), min(king_target, rook_target))
    east = max(max(king, rook), max(king_target, rook_target))
    for square in range(west, east + ONE):
        if square != king and square != rook and record.board[MARGIN + square] != EMPTY:
            return False
    return True
