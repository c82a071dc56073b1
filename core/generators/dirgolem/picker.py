"""Taking the moves of a board out of the sixteen sets, one by one and the best first: a state machine.

    HASH_MOVE     a move that is expected to be good, if it is legal here
    CAPTURES      the most valuable victims first, and each by the least valuable piece first
    PROMOTIONS    that capture nothing
    QUIETS        all others

A stage asks for what one kind of piece may do to some squares. For captures those squares are all victims
of a kind at once, so that nothing is ever sorted.
"""

import ctypes

from numba import types

from bluekrait.core.board import BISHOP, KNIGHT, NONE, PAWN, QUEEN, ROOK
from bluekrait.core.compiler.jit import (
    board_type,
    boolean,
    inline,
    int64,
    internal,
    record_reader,
    uint32,
    uint64,
)
from bluekrait.core.generators.dirgolem.moves_by_piece import KINDS, moves_by_piece, origin_of_bit, packed
from bluekrait.core.generators.dirgolem.targets import targets_of
from bluekrait.core.generators.dirgolem.threats import threats_of
from bluekrait.core.generators.dirgolem.vectors import LANES, vector_kernel, vector_type
from bluekrait.core.move import IDENTITY_MASK, NO_MOVE, origin_of, piece_of, promotion_of, target_of
from bluekrait.core.rules.bits import EMPTY, FULL, RANK_8, U64, bit_of, lowest_bit

VICTIMS = (QUEEN, ROOK, BISHOP, KNIGHT, PAWN)
PROMOTED = (QUEEN, KNIGHT, ROOK, BISHOP)

# The stages. CAPTURES and QUIETS are one for each kind of mover, CAPTURES for each kind of victim too.
HASH_MOVE = 0
CAPTURES = 1
PROMOTIONS = CAPTURES + len(VICTIMS) * len(KINDS)
QUIETS = PROMOTIONS + 1
FINISHED = QUIETS + len(KINDS)


class Picker(ctypes.Structure):
    """What is left of the sixteen sets of a board, and the current stage."""

    _fields_ = [
        ("stage", ctypes.c_int64),
        ("promotion", ctypes.c_int64),  # how many of the moves of one bit were taken
        ("hash_move", ctypes.c_uint32),  # NO_MOVE if there is none that is legal
        ("occupied", ctypes.c_uint64),
        ("moves", ctypes.c_uint64 * (len(KINDS) * LANES)),  # by kind of mover, and by direction
    ]


_, picker_type = record_reader(Picker)
stage_targets_type = types.Tuple((int64, uint64))


@internal(int64(picker_type, board_type, uint32))
def begin(picker, board, hash_move):
    """Fill the sets and start at the first stage. The hash move may be any move."""
    threats = threats_of(board)
    by_piece = moves_by_piece(board, threats, targets_of(board, threats))
    picker.occupied = threats.occupied
    put_moves(picker, 0, by_piece.pawns)
    put_moves(picker, 1, by_piece.knights)
    put_moves(picker, 2, by_piece.bishops)
    put_moves(picker, 3, by_piece.rooks)
    put_moves(picker, 4, by_piece.queens)
    put_moves(picker, 5, by_piece.king)
    hash_move = uint32(hash_move & IDENTITY_MASK)
    picker.hash_move = hash_move if is_among(picker, board, hash_move) else uint32(NO_MOVE)
    picker.promotion = 0
    picker.stage = HASH_MOVE
    return HASH_MOVE


@internal(uint32(picker_type, board_type))
def next_move(picker, board):
    """The next move, NO_MOVE when all have been taken."""
    if picker.stage == HASH_MOVE:
        picker.stage = CAPTURES
        if picker.hash_move != NO_MOVE:
            return uint32(picker.hash_move)
    while picker.stage < FINISHED:
        move = take_move(picker, board, *stage_targets(picker.stage, board))
        if move == NO_MOVE:
            picker.stage += 1
        elif move != picker.hash_move:
            return move
    return uint32(NO_MOVE)


@inline(stage_targets_type(int64, board_type))
def stage_targets(stage, board):
    """The kind of piece whose moves a stage picks, and the squares it may move to."""
    if stage >= QUIETS:
        return stage - QUIETS, FULL
    if stage == PROMOTIONS:
        return 0, RANK_8
    victim, kind = VICTIMS[(stage - CAPTURES) // len(KINDS)], (stage - CAPTURES) % len(KINDS)
    squares = pieces_of(board, victim) & ~board.own
    if victim == PAWN and KINDS[kind] == PAWN:
        squares |= board.en_passant
    return kind, squares


@inline(uint32(picker_type, board_type, int64, uint64))
def take_move(picker, board, kind, squares):
    """Take a move of one kind of piece to one of the squares out of the sets, NO_MOVE if there is none."""
    for direction in range(LANES):
        place = kind * LANES + direction
        target = lowest_bit(picker.moves[place] & squares)
        if target:
            promotion = NONE
            if KINDS[kind] == PAWN and target & RANK_8:
                promotion = PROMOTED[picker.promotion]
                picker.promotion = (picker.promotion + 1) % len(PROMOTED)
            if picker.promotion == 0:
                picker.moves[place] ^= target
            origin = origin_of_bit(picker.occupied, KINDS[kind], direction, target)
            return packed(board, KINDS[kind], origin, target, promotion)
    return uint32(NO_MOVE)


@inline(boolean(picker_type, board_type, uint32))
def is_among(picker, board, move):
    """True if exactly this move is in the sets."""
    origin, target, piece = bit_of(U64(origin_of(move))), bit_of(U64(target_of(move))), piece_of(move)
    for place in range(len(KINDS) * LANES):
        kind, direction = KINDS[place // LANES], place % LANES
        if kind == piece and picker.moves[place] & target != EMPTY:
            if origin_of_bit(picker.occupied, kind, direction, target) == origin:
                promotes = kind == PAWN and target & RANK_8 != EMPTY
                same = packed(board, kind, origin, target, promotion_of(move)) == move
                return same and is_promotion(promotion_of(move)) == promotes
    return False


@inline(boolean(int64))
def is_promotion(code):
    """True for what a pawn may become."""
    return code == QUEEN or code == KNIGHT or code == ROOK or code == BISHOP


@vector_kernel(int64(picker_type, int64, vector_type))
def put_moves(picker, kind, moves):
    """Store the sets of one kind of piece."""
    for direction in range(LANES):
        picker.moves[kind * LANES + direction] = moves[direction]
    return kind


@inline(uint64(board_type, int64))
def pieces_of(board, code):
    """All pieces of a kind, of both sides."""
    if code == PAWN:
        return board.pawns
    if code == KNIGHT:
        return board.knights
    if code == BISHOP:
        return board.diagonals & ~board.orthogonals
    if code == ROOK:
        return board.orthogonals & ~board.diagonals
    return board.diagonals & board.orthogonals
