"""Making pseudo-legal moves, testing whether they were legal, and unmaking them.

The metadata of a move says what kind of move it is, so that make does not have to find that out again.
"""

from bluekrait.core.compiler.jit import boolean, inline, internal, uint64
from bluekrait.core.generators.cerulean.attacks import is_attacked
from bluekrait.core.generators.cerulean.mailbox import generation_type, mailbox_type
from bluekrait.core.generators.cerulean.moves import (
    CAPTURE,
    CASTLING,
    DOUBLE_PUSH,
    EN_PASSANT,
    PAWN_MOVE,
    SPECIAL,
    UNVERIFIED,
    captured_of,
    origin_of,
    promotion_of,
    target_of,
)
from bluekrait.core.generators.cerulean.pieces import (
    castle,
    demote,
    move_piece,
    promote,
    remove_piece,
    restore_piece,
    uncastle,
)
from bluekrait.core.generators.cerulean.squares import A_KING, A_PAWN, EITHER_FLAG, MARGIN, NO_SQUARE, forward
from bluekrait.core.rules.bits import EMPTY, ONE, U64


@inline(uint64(mailbox_type, uint64))
def make(record, move):
    """Make a pseudo-legal move. Returns the key."""
    origin, target, side = origin_of(move), target_of(move), record.turn
    change = _pass_turn(record, move)
    if move & SPECIAL:
        change ^= _make_special(record, move, side)
    else:
        if move & CAPTURE:
            change ^= remove_piece(record, record.turn | captured_of(move), target)
        change ^= move_piece(record, U64(record.board[MARGIN + origin]), origin, target)
        if move & DOUBLE_PUSH:
            change ^= _set_en_passant(record, origin, target)
    record.key ^= change
    return record.key


@inline(uint64(mailbox_type, uint64, generation_type))
def unmake(record, move, generation):
    """Unmake the last move and restore the state before it. Returns the key."""
    record.key, record.castling = generation.key, generation.castling
    record.en_passant, record.clock = generation.en_passant, generation.clock
    record.turn ^= EITHER_FLAG
    if move & SPECIAL:
        _unmake_special(record, move, record.turn)
    else:
        origin, target = origin_of(move), target_of(move)
        move_piece(record, U64(record.board[MARGIN + target]), target, origin)
        if move & CAPTURE:
            restore_piece(record, record.turn ^ EITHER_FLAG | captured_of(move), target)
    return record.key


@inline(boolean(mailbox_type, uint64))
def was_legal(record, move):
    """True if the move just made leaves its king out of check, and castling crossed no attacked square."""
    if not move & UNVERIFIED:
        return True
    enemy = record.turn
    king = U64(record.lists[enemy ^ EITHER_FLAG | A_KING, EMPTY])
    if is_attacked(record, king, enemy):
        return False
    return not move & CASTLING or _was_way_safe(record, origin_of(move), king, enemy)


@inline(uint64(mailbox_type, uint64))
def _pass_turn(record, move):
    """Update everything but the pieces. Returns the change of the key."""
    rights = record.castling
    kept = rights & record.rights_kept[origin_of(move)] & record.rights_kept[target_of(move)]
    change = record.turn_key
    if record.en_passant != NO_SQUARE:
        change ^= record.en_passant_keys[record.en_passant]
        record.en_passant = NO_SQUARE
    if kept != rights:
        change ^= record.castling_keys[rights] ^ record.castling_keys[kept]
        record.castling = kept
    record.clock = EMPTY if move & (PAWN_MOVE | CAPTURE) else record.clock + ONE
    record.turn ^= EITHER_FLAG
    return change


@inline(uint64(mailbox_type, uint64, uint64))
def _set_en_passant(record, origin, target):
    """After a double push, set the en-passant square if an enemy pawn stands beside the target."""
    pawn, here = record.turn | A_PAWN, MARGIN + target
    if record.board[here - ONE] == pawn or record.board[here + ONE] == pawn:
        record.en_passant = (origin + target) >> ONE
    return record.en_passant_keys[record.en_passant]


@internal(uint64(mailbox_type, uint64, uint64))
def _make_special(record, move, side):
    """Castling, en passant and promotion. Returns the change of the key."""
    origin, target, enemy = origin_of(move), target_of(move), side ^ EITHER_FLAG
    if move & CASTLING:
        return castle(record, side, origin, target)
    if move & EN_PASSANT:
        change = remove_piece(record, enemy | A_PAWN, target - forward(side))
        return change ^ move_piece(record, side | A_PAWN, origin, target)
    change = remove_piece(record, enemy | captured_of(move), target) if move & CAPTURE else EMPTY
    return change ^ promote(record, side, promotion_of(move), origin, target)


@internal(uint64(mailbox_type, uint64, uint64))
def _unmake_special(record, move, side):
    """The reverse of `_make_special`."""
    origin, target, enemy = origin_of(move), target_of(move), side ^ EITHER_FLAG
    if move & CASTLING:
        return uncastle(record, side, origin, target)
    if move & EN_PASSANT:
        move_piece(record, side | A_PAWN, target, origin)
        return restore_piece(record, enemy | A_PAWN, target - forward(side))
    demote(record, side, promotion_of(move), origin, target)
    return restore_piece(record, enemy | captured_of(move), target) if move & CAPTURE else target


@internal(boolean(mailbox_type, uint64, uint64, uint64))
def _was_way_safe(record, origin, target, enemy):
    """True if the enemy attacks no square between the king's old and new squares."""
    for square in range(min(origin, target) + ONE, max(origin, target)):
        if is_attacked(record, U64(square), enemy):
            return False
    return True
