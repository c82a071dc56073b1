"""Upcoming repetitions: can the side to move come back to an earlier position of the line by one move?

If so it can have a draw, and the search knows that some plies before the repetition itself. A move of a piece
changes the key by a number that depends on the piece and its two squares alone. All these numbers lie in a
table by cuckoo hashing: each is in one of two slots, so two looks tell whether a single move leads from one
key to another.
"""

import numpy as np

from bluekrait.core.board import BISHOP, BLACK, KING, KNIGHT, QUEEN, ROOK, WHITE, all_pieces
from bluekrait.core.compiler.jit import boolean, inline, int64, internal, position_type, uint64
from bluekrait.core.rules.attacks import path
from bluekrait.core.rules.bits import EMPTY, U64, bit_of, turned
from bluekrait.core.tables import geometry, zobrist
from bluekrait.search.tree.state import thread_type

NEAREST = 3  # half-moves back: the nearest position that one move can lead to

SLOTS = 1 << 13
_SLOT_MASK, _SECOND_SHIFT = SLOTS - 1, 16
_TARGET_SHIFT, _SQUARE = U64(6), U64(63)


def slots_of(number: int) -> tuple[int, int]:
    """The two slots that a number may be in."""
    return number & _SLOT_MASK, number >> _SECOND_SHIFT & _SLOT_MASK


def moves_of_pieces() -> dict[int, int]:
    """All moves on an empty board, pawns aside: what each changes in the key, and its squares, packed."""
    reach = {
        KNIGHT: lambda square: geometry.leaps(square, geometry.KNIGHT_STEPS),
        KING: lambda square: geometry.leaps(square, geometry.KING_STEPS),
        BISHOP: lambda square: geometry.slides(square, geometry.BISHOP_STEPS),
        ROOK: lambda square: geometry.slides(square, geometry.ROOK_STEPS),
        QUEEN: lambda square: geometry.slides(square, geometry.KING_STEPS),
    }
    return {
        zobrist.KEYS[zobrist.piece_index(code, colour, origin)]
        ^ zobrist.KEYS[zobrist.piece_index(code, colour, target)]
        ^ zobrist.KEYS[zobrist.WHITE_TO_MOVE]: origin | target << 6
        for code, targets in reach.items()
        for colour in (WHITE, BLACK)
        for origin in range(64)
        for target in geometry.squares(targets(origin))
        if origin < target
    }


def cuckoo_table() -> tuple[list[int], list[int]]:
    """Numbers and moves by slot: a number that finds its slot taken drives the other one to its second."""
    numbers, moves = [0] * SLOTS, [0] * SLOTS
    for number, move in moves_of_pieces().items():
        slot = slots_of(number)[0]
        while number:
            numbers[slot], number = number, numbers[slot]
            moves[slot], move = move, moves[slot]
            first, second = slots_of(number)
            slot = second if slot == first else first
    return numbers, moves


_numbers, _moves = cuckoo_table()
NUMBERS, MOVES = np.array(_numbers, np.uint64), np.array(_moves, np.uint64)
_FIRST_MASK, _SHIFT = U64(_SLOT_MASK), U64(_SECOND_SHIFT)


@inline(boolean(thread_type, position_type, int64))
def is_repetition_near(thread, position, ply):
    """True if the side to move can repeat a position of the line after the root, by one move."""
    return position.clock >= NEAREST and can_repeat(thread, position, ply)


@internal(boolean(thread_type, position_type, int64))
def can_repeat(thread, position, ply):
    """True if one move leads back to a position after the root."""
    here = thread.game_length + ply
    oldest = max(thread.game_length + 1, thread.repeatable_from, here - position.clock)
    for place in range(here - NEAREST, oldest - 1, -2):
        if is_one_move_away(position, thread.keys[U64(place)]):
            return True
    return False


@inline(boolean(position_type, uint64))
def is_one_move_away(position, key):
    """True if a move of an own piece leads to a position with that key, as far as the keys tell."""
    number = position.key ^ key
    slot = number & _FIRST_MASK
    if NUMBERS[slot] != number:
        slot = number >> _SHIFT & _FIRST_MASK
        if NUMBERS[slot] != number:
            return False
    origin, target = MOVES[slot] & _SQUARE, MOVES[slot] >> _TARGET_SHIFT
    occupied, own = all_pieces(position.board), position.board.own
    if position.ply & 1:  # squares here are as White sees them
        occupied, own = turned(occupied), turned(own)
    ends = bit_of(origin) | bit_of(target)
    return own & ends != EMPTY and path(origin, target) & ~ends & occupied == EMPTY
