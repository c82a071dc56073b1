"""Pieces: what they are worth, where they stand well, how far they move, and what they attack."""

from typing import NamedTuple

import numpy as np
from numba import types

from bluekrait.core.board import BISHOP, KNIGHT, QUEEN, ROOK
from bluekrait.core.compiler.jit import generic, inline, uint64
from bluekrait.core.rules.attacks import (
    bishop_attacks,
    king_attacks,
    knight_attacks,
    queen_attacks,
    rook_attacks,
)
from bluekrait.core.rules.bits import (
    DARK_SQUARES,
    EMPTY,
    LIGHT_SQUARES,
    RANK_7,
    RANK_8,
    S8,
    U64,
    enemy_pawn_captures,
    lowest_square,
    pawn_captures,
    popcount,
    without_lowest,
)
from bluekrait.search.evaluation.classical.add_term import add_term, slot
from bluekrait.search.evaluation.classical.side_pieces import Attacks, side_type
from bluekrait.search.evaluation.square_sets import beside, filled_down, filled_up

OUTPOST_RANKS = U64(0x0000FFFFFF000000)  # the fourth to the sixth
HOME_RANKS = U64(0x0000000000FFFF00)  # where pawns that have not gone far are in the way

KING_PLACE, MAY_CASTLE = slot("king", "place"), slot("king", "may castle")
OWN_PAWNS_NEAR, ENEMY_PAWNS_NEAR = slot("king", "own pawns near"), slot("king", "enemy pawns near")
BISHOP_PAIR, BISHOP_PAWNS = slot("bishop", "pair"), slot("bishop", "pawns on its colour")
ROOK_OPEN, ROOK_SEMI_OPEN = slot("rook", "open file"), slot("rook", "semi-open file")
ROOK_SEVENTH = slot("rook", "seventh rank")
KNIGHT_OUTPOST, BISHOP_OUTPOST = slot("knight", "outpost"), slot("bishop", "outpost")
KNIGHT_NEAR_OUTPOST = slot("knight", "outpost in reach")
MINOR_BEHIND_PAWN = slot("minor", "behind a pawn")


class PieceContext(NamedTuple):
    """What all pieces of one side have in common: blockers, mobility area, king ring."""

    occupied: int
    diagonal_blockers: int  # bishops look through queens, their own and others
    orthogonal_blockers: int  # rooks look through queens and each other
    mobility_area: int  # squares that count for mobility
    ring: int  # around the enemy's king


context_type = types.NamedUniTuple(uint64, 5, PieceContext)


@inline(context_type(side_type, side_type))
def piece_context(side, enemy):
    """Work out the context for the pieces of a side."""
    occupied = side.pieces | enemy.pieces
    queens = side.queens | enemy.queens
    stuck = side.pawns & ((occupied >> S8) | HOME_RANKS)
    return PieceContext(
        occupied,
        occupied ^ queens,
        occupied ^ queens ^ side.rooks,
        ~(stuck | side.king | enemy_pawn_captures(enemy.pawns)),
        king_ring(enemy.king),
    )


@inline(uint64(uint64))
def king_ring(enemy_king):
    """The squares around the enemy's king, and those one step nearer to us."""
    near = king_attacks(lowest_square(enemy_king)) | enemy_king
    return near | (near >> S8)


@generic
def add_piece_terms(total, danger, side, enemy):
    """Add each piece by itself; the totals, and where all attack."""
    context = piece_context(side, enemy)
    king_square = lowest_square(side.king)
    pawns, king = pawn_captures(side.pawns), king_attacks(king_square)
    total = add_term(total, KING_PLACE + king_square, 1)
    total = add_term(total, MAY_CASTLE, popcount(side.castling))
    surroundings = king | (king << S8) | (king >> S8)
    surroundings |= beside(surroundings)
    total = add_term(total, OWN_PAWNS_NEAR, popcount(surroundings & side.pawns))
    total = add_term(total, ENEMY_PAWNS_NEAR, popcount(surroundings & enemy.pawns))
    attacked = pawns | king, pawns & king
    total, danger, knights, attacked = add_kind(
        total, danger, KNIGHT, KNIGHT_SLOTS, side.knights, context, attacked
    )
    total, danger, bishops, attacked = add_kind(
        total, danger, BISHOP, BISHOP_SLOTS, side.bishops, context, attacked
    )
    total, danger, rooks, attacked = add_kind(total, danger, ROOK, ROOK_SLOTS, side.rooks, context, attacked)
    total, danger, queens, attacked = add_kind(
        total, danger, QUEEN, QUEEN_SLOTS, side.queens, context, attacked
    )
    return total, danger, Attacks(pawns, knights, bishops, rooks, queens, king, attacked[0], attacked[1])


def _slots(kind: str) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """The slots of the weights that every kind of piece has: value, square, mobility, king attack."""
    return (
        slot(kind, "value"),
        slot(kind, "place"),
        slot(kind, "mobility"),
        slot("king danger", f"{kind} takes part"),
    )


KNIGHT_SLOTS, BISHOP_SLOTS, ROOK_SLOTS, QUEEN_SLOTS = map(_slots, ("knight", "bishop", "rook", "queen"))


@generic
def add_kind(total, danger, kind, slots, pieces, context, attacked):
    """Add all pieces of a kind; the totals, where they attack, and that added to where others do."""
    value, place, mobility, takes_part = slots
    once, twice = attacked
    attacked_by_kind = EMPTY
    while pieces:
        square = lowest_square(pieces)
        pieces = without_lowest(pieces)
        piece_attacks = attacks_of(kind, square, context)
        twice |= once & piece_attacks
        once |= piece_attacks
        attacked_by_kind |= piece_attacks
        total = add_term(total, value, 1)
        total = add_term(total, place + square, 1)
        total = add_term(total, mobility + popcount(piece_attacks & context.mobility_area), 1)
        danger = add_term(danger, takes_part, piece_attacks & context.ring != EMPTY)
    return total, danger, attacked_by_kind, (once, twice)


@generic
def attacks_of(kind, square, context):
    """Where a piece attacks."""
    if kind == KNIGHT:
        return knight_attacks(square)
    if kind == BISHOP:
        return bishop_attacks(square, context.diagonal_blockers)
    if kind == ROOK:
        return rook_attacks(square, context.orthogonal_blockers)
    return queen_attacks(square, context.occupied)


@generic
def add_cooperation_terms(total, side, enemy, attacks):
    """Add how pieces and pawns work together."""
    total = add_bishop_terms(total, side)
    total = add_rook_terms(total, side, enemy)
    total = add_outpost_terms(total, side, enemy, attacks)
    minors = side.knights | side.bishops
    return add_term(total, MINOR_BEHIND_PAWN, popcount((minors << S8) & (side.pawns | enemy.pawns)))


@generic
def add_bishop_terms(total, side):
    """The bishop pair, and pawns on the colour of a bishop."""
    light, dark = popcount(side.bishops & LIGHT_SQUARES), popcount(side.bishops & DARK_SQUARES)
    total = add_term(total, BISHOP_PAIR, (light != EMPTY) & (dark != EMPTY))
    on_colour = light * popcount(side.pawns & LIGHT_SQUARES) + dark * popcount(side.pawns & DARK_SQUARES)
    return add_term(total, BISHOP_PAWNS, on_colour)


@generic
def add_rook_terms(total, side, enemy):
    """Rooks on files without pawns, and on the seventh rank if pawns are there or the king is behind it."""
    own_files = filled_down(filled_up(side.pawns))
    semi_open = side.rooks & ~own_files
    enemy_files = filled_down(filled_up(enemy.pawns))
    total = add_term(total, ROOK_SEMI_OPEN, popcount(semi_open & enemy_files))
    total = add_term(total, ROOK_OPEN, popcount(semi_open & ~enemy_files))
    worthwhile = (enemy.pawns & RANK_7) | (enemy.king & RANK_8)
    return add_term(total, ROOK_SEVENTH, popcount(side.rooks & RANK_7) if worthwhile else EMPTY)


@generic
def add_outpost_terms(total, side, enemy, attacks):
    """Minor pieces on squares that a pawn protects and no enemy pawn can attack."""
    can_be_attacked = filled_down(enemy_pawn_captures(enemy.pawns))
    outposts = OUTPOST_RANKS & attacks.pawns & ~can_be_attacked
    total = add_term(total, KNIGHT_OUTPOST, popcount(side.knights & outposts))
    total = add_term(total, BISHOP_OUTPOST, popcount(side.bishops & outposts))
    return add_term(total, KNIGHT_NEAR_OUTPOST, popcount(attacks.knights & outposts & ~side.pieces))
