"""Checks, pins and attacked squares of a position, computed once per node: all legality tests use them.

A move is legal if the king does not go where the enemy attacks, if every other move answers a check
(captures the checker or steps between), and if no piece leaves the line on which it is pinned.
"""

from typing import NamedTuple

from numba import types

from bluekrait.core.board import all_pieces
from bluekrait.core.compiler.jit import board_type, inline, internal, uint64
from bluekrait.core.rules.attacks import bishop_attacks, king_attacks, knight_attacks, path, rook_attacks
from bluekrait.core.rules.bits import (
    EMPTY,
    S8,
    TWO,
    U64,
    enemy_pawn_captures,
    knight_attacks_of,
    lowest_bit,
    lowest_square,
    pawn_captures,
    without_lowest,
)

SQUARE_C1, SQUARE_D1, SQUARE_F1, SQUARE_G1 = U64(1 << 2), U64(1 << 3), U64(1 << 5), U64(1 << 6)


class Legality(NamedTuple):
    """The state of the king to move."""

    occupied: int
    enemy: int
    king_square: int
    attacked: int  # by the enemy, looking through our king
    checkers: int
    targets: int  # where a piece other than the king may go: not on its own, and answering any check
    pins_diagonal: int  # lines from the king up to and including a pinning bishop or queen
    pins_orthogonal: int  # the same for rooks and queens


legality_type = types.NamedUniTuple(uint64, 8, Legality)


@inline(legality_type(board_type))
def legality(board):
    """Compute the attacked squares, the checkers and the pins of a board."""
    occupied = all_pieces(board)
    enemy = occupied & ~board.own
    king = board.kings & board.own
    king_square = lowest_square(king)
    attacked = attacked_by(board, enemy, occupied ^ king)

    along_diagonals = bishop_attacks(king_square, occupied)
    along_lines = rook_attacks(king_square, occupied)
    enemy_diagonals, enemy_orthogonals = board.diagonals & enemy, board.orthogonals & enemy
    checkers = (
        (pawn_captures(king) & board.pawns & enemy)
        | (knight_attacks(king_square) & board.knights & enemy)
        | (along_diagonals & enemy_diagonals)
        | (along_lines & enemy_orthogonals)
    )
    targets = ~board.own
    if checkers:
        targets &= path(king_square, lowest_square(checkers)) | checkers
        if without_lowest(checkers):
            targets = EMPTY

    # Pins: enemy sliders behind the first own piece on each line through the king.
    behind = bishop_attacks(king_square, occupied ^ (along_diagonals & board.own)) ^ along_diagonals
    pins_diagonal = lines_to(king_square, behind & enemy_diagonals)
    behind = rook_attacks(king_square, occupied ^ (along_lines & board.own)) ^ along_lines
    pins_orthogonal = lines_to(king_square, behind & enemy_orthogonals)
    return Legality(occupied, enemy, king_square, attacked, checkers, targets, pins_diagonal, pins_orthogonal)


@inline(uint64(board_type, uint64, uint64))
def attacked_by(board, enemy, occupied):
    """Every square the enemy attacks, given what is in the way of sliders."""
    return enemy_pawn_captures(board.pawns & enemy) | attacked_by_pieces(board, enemy, occupied)


@inline(uint64(board_type, uint64, uint64))
def attacked_by_pieces(board, side, occupied):
    """Every square that a side attacks with other pieces than pawns."""
    attacked = knight_attacks_of(board.knights & side) | king_attacks(lowest_square(board.kings & side))
    sliders = board.diagonals & side
    while sliders:
        attacked |= bishop_attacks(lowest_square(sliders), occupied)
        sliders = without_lowest(sliders)
    sliders = board.orthogonals & side
    while sliders:
        attacked |= rook_attacks(lowest_square(sliders), occupied)
        sliders = without_lowest(sliders)
    return attacked


@inline(uint64(board_type))
def attacked_by_enemy(board):
    """Every square the enemy attacks."""
    occupied = all_pieces(board)
    return attacked_by(board, occupied & ~board.own, occupied)


@inline(uint64(board_type))
def attacked_by_own(board):
    """Every square that the side to move attacks."""
    return pawn_captures(board.pawns & board.own) | attacked_by_pieces(board, board.own, all_pieces(board))


@inline(uint64(board_type, uint64))
def attacked_pieces(board, attacked):
    """The pieces of both sides that the other side attacks; the enemy attacks these squares."""
    return (attacked & board.own) | (attacked_by_own(board) & all_pieces(board) & ~board.own)


@inline(uint64(uint64, uint64))
def lines_to(king_square, pinners):
    """The lines from the king to each of the pinning pieces."""
    lines = EMPTY
    while pinners:
        lines |= path(king_square, lowest_square(pinners))
        pinners = without_lowest(pinners)
    return lines


@inline(uint64(legality_type, uint64))
def diagonal_targets(state, slider):
    """Where a bishop, or a queen like one, may go that is not pinned on a file or rank."""
    targets = bishop_attacks(lowest_square(slider), state.occupied) & state.targets
    return targets & state.pins_diagonal if slider & state.pins_diagonal else targets


@inline(uint64(legality_type, uint64))
def orthogonal_targets(state, slider):
    """Where a rook, or a queen like one, may go that is not pinned on a diagonal."""
    targets = rook_attacks(lowest_square(slider), state.occupied) & state.targets
    return targets & state.pins_orthogonal if slider & state.pins_orthogonal else targets


@inline(uint64(board_type, legality_type))
def castling_rooks(board, state):
    """The rooks with which the king may castle now.

    All squares that king and rook cross or reach must be empty but for the two, no square that the king
    crosses may be attacked, and the rook may not be pinned along the rank (Chess960).
    """
    allowed = EMPTY
    king = board.kings & board.own
    rooks = board.castling & board.own
    while rooks:
        rook = lowest_bit(rooks)
        rooks ^= rook
        if rook > king:
            crossed, king_path = span(min(king, SQUARE_F1), max(rook, SQUARE_G1)), span(king, SQUARE_G1)
        else:
            crossed = span(min(rook, SQUARE_C1), max(king, SQUARE_D1))
            king_path = span(min(king, SQUARE_C1), max(king, SQUARE_C1))
        blocking = crossed & state.occupied & ~(king | rook)
        if blocking | (king_path & state.attacked) | (rook & state.pins_orthogonal) == EMPTY:
            allowed |= rook
    return allowed


@inline(types.UniTuple(uint64, 2)(uint64, uint64))
def castling_targets(king, rook):
    """Where king and rook go when they castle."""
    return (SQUARE_G1, SQUARE_F1) if rook > king else (SQUARE_C1, SQUARE_D1)


@inline(uint64(uint64, uint64))
def span(first, last):
    """The squares of the first rank from one to another, both included, given as single bits in order."""
    return TWO * last - first


@inline(uint64(board_type, legality_type))
def en_passant_pawns(board, state):
    """The pawns that may capture en passant now.

    Two pawns leave the fifth rank at once, so pin lines do not tell whether sliders then give check: this is
    tested with both pawns gone. No pawn or knight can give check then: an en-passant square is only set if
    some capture on it is legal, and the captured pawn is the only one that can have given check.
    """
    legal = EMPTY
    pawns = enemy_pawn_captures(board.en_passant) & board.pawns & board.own
    captured = board.en_passant >> S8
    while pawns:
        pawn = lowest_bit(pawns)
        pawns ^= pawn
        occupied = (state.occupied ^ pawn ^ captured) | board.en_passant
        sliders_checking = (
            rook_attacks(state.king_square, occupied) & board.orthogonals
            | bishop_attacks(state.king_square, occupied) & board.diagonals
        ) & state.enemy
        if sliders_checking == EMPTY:
            legal |= pawn
    return legal


@internal(uint64(board_type))
def legal_en_passants(board):
    """The same without a known `Legality`; it is rarely needed, so it is not inlined."""
    return en_passant_pawns(board, legality(board))
