"""Which pieces attack a square: the piece lists, and a table by the difference of two squares."""

from bluekrait.core.compiler.jit import boolean, inline, internal, uint64
from bluekrait.core.generators.cerulean.mailbox import mailbox_type
from bluekrait.core.generators.cerulean.squares import (
    A_KING,
    A_KNIGHT,
    A_PAWN,
    MARGIN,
    SLIDERS,
    forward,
    from_0x88,
)
from bluekrait.core.rules.bits import EMPTY, FULL, ONE, U64

# The bits of `reach`. The first two are also the bits that the kinds of sliders are made of.
DIAGONALLY, STRAIGHT, BY_KING, BY_KNIGHT = U64(1), U64(2), U64(4), U64(8)
_ALONG_LINE = DIAGONALLY | STRAIGHT

MIDDLE = U64(128)  # of the tables by difference


@inline(boolean(mailbox_type, uint64, uint64))
def is_attacked(record, square, enemy):
    """True if a side attacks a square."""
    return blockers(record, square, enemy) == FULL


@internal(uint64(mailbox_type, uint64, uint64))
def blockers(record, square, enemy):
    """The pieces that stand alone between a square and a slider of a side, as a bitboard.

    FULL, all squares, if that side attacks the square already.
    """
    if _is_leapt_at(record, square, enemy):
        return FULL
    found, offset = EMPTY, MIDDLE - square
    for kind in SLIDERS:
        code = enemy | kind
        for i in range(U64(record.counts[code])):
            slider = U64(record.lists[code, i])
            if record.reach[offset + slider] & kind & _ALONG_LINE:
                step = record.steps[offset + slider]
                first = _first_met(record, square, step)
                if first == slider:
                    return FULL
                if _first_met(record, first, step) == slider:
                    found |= ONE << from_0x88(first)
    return found


@inline(boolean(mailbox_type, uint64, uint64))
def _is_leapt_at(record, square, enemy):
    """True if a pawn, a knight or the king of a side attacks a square."""
    pawn, behind = enemy | A_PAWN, MARGIN + square - forward(enemy)
    if record.board[behind - ONE] == pawn or record.board[behind + ONE] == pawn:
        return True
    offset, code = MIDDLE - square, enemy | A_KNIGHT
    if record.reach[offset + U64(record.lists[enemy | A_KING, EMPTY])] & BY_KING:
        return True
    for i in range(U64(record.counts[code])):
        if record.reach[offset + U64(record.lists[code, i])] & BY_KNIGHT:
            return True
    return False


@inline(uint64(mailbox_type, uint64, uint64))
def _first_met(record, square, step):
    """The first square that is not empty in a direction from a square; it may be off the board."""
    square += step
    while record.board[MARGIN + square] == EMPTY:
        square += step
    return square
