"""Pieces: what they are worth, where they stand well, how far they move, and what they attack."""

from typing import NamedTuple

from numba import types

from bluekrait.core.board import BISHOP, KNIGHT, QUEEN, ROOK
from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.rules.attacks import (
    bishop_attacks,
    king_attacks,
    knight_attacks,
    queen_attacks,
    rook_attacks,
)
from bluekrait.core.rules.bits import (
    EMPTY,
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
from bluekrait.search.evaluation.classical.generic import generic
from bluekrait.search.evaluation.classical.side import Reach, camp_type
from bluekrait.search.evaluation.classical.sinks import note, slot
from bluekrait.search.evaluation.classical.square_sets import beside, filled_down, filled_up

LIGHT_SQUARES, DARK_SQUARES = U64(0x55AA55AA55AA55AA), U64(0xAA55AA55AA55AA55)
OUTPOST_RANKS = U64(0x0000FFFFFF000000)  # the fourth to the sixth
CENTRAL_HOME = U64(0x000000003C3C3C00)  # the files c to f, on the second to the fourth rank
HOME_RANKS = U64(0x0000000000FFFF00)  # where pawns that have not gone far are in the way

KING_PLACE, MAY_CASTLE = slot("king", "place"), slot("king", "may castle")
OWN_PAWNS_NEAR, ENEMY_PAWNS_NEAR = slot("king", "own pawns near"), slot("king", "enemy pawns near")
BISHOP_PAIR, BISHOP_PAWNS = slot("bishop", "pair"), slot("bishop", "pawns on its colour")
ROOK_OPEN, ROOK_SEMI_OPEN = slot("rook", "open file"), slot("rook", "semi-open file")
ROOK_SEVENTH = slot("rook", "seventh rank")
KNIGHT_OUTPOST, BISHOP_OUTPOST = slot("knight", "outpost"), slot("bishop", "outpost")
KNIGHT_NEAR_OUTPOST = slot("knight", "outpost in reach")
SPACE = slot("space", "safe squares behind pawns")  # a time for each piece that may want them
MINOR_BEHIND_PAWN = slot("minor", "behind a pawn")


class Ground(NamedTuple):
    """What the pieces of one side meet on the board."""

    occupied: int
    diagonal_blockers: int  # bishops look through queens, their own and others
    orthogonal_blockers: int  # rooks look through queens and each other
    free: int  # where it is good to be able to go
    ring: int  # around the enemy's king


ground_type = types.NamedUniTuple(uint64, 5, Ground)


@inline(ground_type(camp_type, camp_type))
def ground_of(camp, enemy):
    """Survey the board for the pieces of a side."""
    occupied = camp.pieces | enemy.pieces
    queens = camp.queens | enemy.queens
    stuck = camp.pawns & ((occupied >> S8) | HOME_RANKS)
    return Ground(
        occupied,
        occupied ^ queens,
        occupied ^ queens ^ camp.rooks,
        ~(stuck | camp.king | enemy_pawn_captures(enemy.pawns)),
        king_ring(enemy.king),
    )


@inline(uint64(uint64))
def king_ring(enemy_king):
    """The squares around the enemy's king, and those one step nearer to us."""
    near = king_attacks(lowest_square(enemy_king)) | enemy_king
    return near | (near >> S8)


@generic
def note_pieces(sink, danger, camp, enemy):
    """Note each piece by itself; the sinks, and where all attack."""
    ground = ground_of(camp, enemy)
    king_square = lowest_square(camp.king)
    pawns, king = pawn_captures(camp.pawns), king_attacks(king_square)
    sink = note(sink, KING_PLACE + king_square, 1)
    sink = note(sink, MAY_CASTLE, popcount(camp.castling))
    surroundings = king | (king << S8) | (king >> S8)
    surroundings |= beside(surroundings)
    sink = note(sink, OWN_PAWNS_NEAR, popcount(surroundings & camp.pawns))
    sink = note(sink, ENEMY_PAWNS_NEAR, popcount(surroundings & enemy.pawns))
    reach = pawns | king, pawns & king
    sink, danger, knights, reach = note_kind(sink, danger, KNIGHT, KNIGHT_SLOTS, camp.knights, ground, reach)
    sink, danger, bishops, reach = note_kind(sink, danger, BISHOP, BISHOP_SLOTS, camp.bishops, ground, reach)
    sink, danger, rooks, reach = note_kind(sink, danger, ROOK, ROOK_SLOTS, camp.rooks, ground, reach)
    sink, danger, queens, reach = note_kind(sink, danger, QUEEN, QUEEN_SLOTS, camp.queens, ground, reach)
    return sink, danger, Reach(pawns, knights, bishops, rooks, queens, king, reach[0], reach[1])


def _slots(kind):
    """Where the weights stand that all kinds of pieces have: value, place, mobility, part in an attack."""
    return (
        slot(kind, "value"),
        slot(kind, "place"),
        slot(kind, "mobility"),
        slot("king danger", f"{kind} takes part"),
    )


KNIGHT_SLOTS, BISHOP_SLOTS, ROOK_SLOTS, QUEEN_SLOTS = map(_slots, ("knight", "bishop", "rook", "queen"))


@generic
def note_kind(sink, danger, kind, slots, pieces, ground, reach):
    """Note all pieces of a kind; the sinks, where they attack, and that added to where others do."""
    value, place, mobility, takes_part = slots
    attacked, twice = reach
    attacked_by_kind = EMPTY
    while pieces:
        square = lowest_square(pieces)
        pieces = without_lowest(pieces)
        attacks = attacks_of(kind, square, ground)
        twice |= attacked & attacks
        attacked |= attacks
        attacked_by_kind |= attacks
        sink = note(sink, value, 1)
        sink = note(sink, place + square, 1)
        sink = note(sink, mobility + popcount(attacks & ground.free), 1)
        danger = note(danger, takes_part, attacks & ground.ring != EMPTY)
    return sink, danger, attacked_by_kind, (attacked, twice)


@generic
def attacks_of(kind, square, ground):
    """Where a piece attacks."""
    if kind == KNIGHT:
        return knight_attacks(square)
    if kind == BISHOP:
        return bishop_attacks(square, ground.diagonal_blockers)
    if kind == ROOK:
        return rook_attacks(square, ground.orthogonal_blockers)
    return queen_attacks(square, ground.occupied)


@generic
def note_teamwork(sink, camp, enemy, reach):
    """Note how pieces and pawns go together."""
    sink = note_bishops(sink, camp)
    sink = note_rooks(sink, camp, enemy)
    sink = note_outposts(sink, camp, enemy, reach)
    behind = CENTRAL_HOME & filled_down(camp.pawns) & ~camp.pawns & ~enemy_pawn_captures(enemy.pawns)
    sink = note(sink, SPACE, popcount(behind) * popcount(camp.pieces))
    minors = camp.knights | camp.bishops
    return note(sink, MINOR_BEHIND_PAWN, popcount((minors << S8) & (camp.pawns | enemy.pawns)))


@generic
def note_bishops(sink, camp):
    """Two of them are worth more, and one behind its own pawns less."""
    light, dark = popcount(camp.bishops & LIGHT_SQUARES), popcount(camp.bishops & DARK_SQUARES)
    sink = note(sink, BISHOP_PAIR, (light != EMPTY) & (dark != EMPTY))
    on_colour = light * popcount(camp.pawns & LIGHT_SQUARES) + dark * popcount(camp.pawns & DARK_SQUARES)
    return note(sink, BISHOP_PAWNS, on_colour)


@generic
def note_rooks(sink, camp, enemy):
    """They want files without pawns, and the seventh rank where there is something to win."""
    own_files = filled_down(filled_up(camp.pawns))
    semi_open = camp.rooks & ~own_files
    enemy_files = filled_down(filled_up(enemy.pawns))
    sink = note(sink, ROOK_SEMI_OPEN, popcount(semi_open & enemy_files))
    sink = note(sink, ROOK_OPEN, popcount(semi_open & ~enemy_files))
    worthwhile = (enemy.pawns & RANK_7) | (enemy.king & RANK_8)
    return note(sink, ROOK_SEVENTH, popcount(camp.rooks & RANK_7) if worthwhile else EMPTY)


@generic
def note_outposts(sink, camp, enemy, reach):
    """Where a pawn protects and none can attack, minor pieces stand well."""
    can_be_attacked = filled_down(enemy_pawn_captures(enemy.pawns))
    outposts = OUTPOST_RANKS & reach.pawns & ~can_be_attacked
    sink = note(sink, KNIGHT_OUTPOST, popcount(camp.knights & outposts))
    sink = note(sink, BISHOP_OUTPOST, popcount(camp.bishops & outposts))
    return note(sink, KNIGHT_NEAR_OUTPOST, popcount(reach.knights & outposts & ~camp.pieces))
