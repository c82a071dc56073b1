"""The lookup tables of the record: attacks by the difference of two squares, and the keys by square.

The keys are those of `core.tables.zobrist`. Half of the room for piece keys stays empty, as half of the
squares do not exist; so a square is the index of its key.
"""

from bluekrait.core.compiler.jit import inline, internal, uint64
from bluekrait.core.generators.cerulean.attacks import BY_KING, BY_KNIGHT, DIAGONALLY, MIDDLE, STRAIGHT
from bluekrait.core.generators.cerulean.mailbox import RIGHTS, mailbox_type
from bluekrait.core.generators.cerulean.squares import (
    BISHOP_STEPS,
    BLACK_FLAG,
    FILE,
    KINDS,
    KNIGHT_STEPS,
    ROOK_STEPS,
    WHITE_FLAG,
    to_0x88,
)
from bluekrait.core.rules.attacks import table_word
from bluekrait.core.rules.bits import U64
from bluekrait.core.tables import table_block

_PIECE_KEYS, _CASTLING_KEYS = U64(table_block.PIECE_KEYS), U64(table_block.CASTLING_KEYS)
_EN_PASSANT_KEYS, _TURN_KEY = U64(table_block.EN_PASSANT_KEYS), U64(table_block.TURN_KEY)
_CODES, _SQUARES = U64(8), U64(64)  # of the live tables
_RANK_3, _RANK_7 = U64(16), U64(48)  # the first squares there, and with them the bounds of en passant
_SIDES = (WHITE_FLAG, BLACK_FLAG)


@internal(uint64(mailbox_type))
def fill_tables(record):
    """Fill in all tables."""
    for step in KNIGHT_STEPS:
        record.reach[MIDDLE + step] = BY_KNIGHT
    for step in BISHOP_STEPS:
        _fill_line(record, step, DIAGONALLY)
    for step in ROOK_STEPS:
        _fill_line(record, step, STRAIGHT)
    for number in range(_SQUARES):
        _copy_keys_of_square(record, U64(number))
    for rights in range(1 << RIGHTS):
        for right in range(RIGHTS):
            if rights >> right & 1:
                record.castling_keys[rights] ^= table_word(_CASTLING_KEYS + U64(right))
    record.turn_key = table_word(_TURN_KEY)
    return record.turn_key


@inline(uint64(mailbox_type, uint64, uint64))
def _fill_line(record, step, line):
    """Fill in the differences along one direction."""
    difference = MIDDLE + step
    record.reach[difference] = BY_KING
    for _ in range(7):
        record.reach[difference] |= line
        record.steps[difference] = step
        difference += step
    return difference


@inline(uint64(mailbox_type, uint64))
def _copy_keys_of_square(record, number):
    """Fill in the keys of a square."""
    square = to_0x88(number)
    for colour in range(len(_SIDES)):
        for kind in KINDS:
            row = _PIECE_KEYS + (U64(colour) * _CODES + kind) * _SQUARES
            record.piece_keys[_SIDES[colour] | kind, square] = table_word(row + number)
    if _RANK_3 <= number < _RANK_7:
        record.en_passant_keys[square] = table_word(_EN_PASSANT_KEYS + (number & FILE))
    return square
