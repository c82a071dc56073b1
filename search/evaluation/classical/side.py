"""The pieces of one side by kind, and where they attack: always as one of the two sides sees the board.

Every term is written once, for a side that plays up the board; it is told its own camp and the enemy's.
For the other side both are turned round.
"""

from typing import NamedTuple

from numba import types

from bluekrait.core.compiler.jit import board_type, inline, uint64
from bluekrait.core.rules.bits import turned


class Camp(NamedTuple):
    """The pieces of one side."""

    pawns: int
    knights: int
    bishops: int
    rooks: int
    queens: int
    king: int
    pieces: int  # all of them
    castling: int  # the rooks that may castle


class Reach(NamedTuple):
    """Where the pieces of one side attack."""

    pawns: int
    knights: int
    bishops: int
    rooks: int
    queens: int
    king: int
    any: int
    twice: int  # from two places at least


camp_type = types.NamedUniTuple(uint64, 8, Camp)
reach_type = types.NamedUniTuple(uint64, 8, Reach)


@inline(camp_type(board_type, uint64))
def camp_of(board, side):
    """The pieces of a board that belong to a side."""
    return Camp(
        board.pawns & side,
        board.knights & side,
        board.diagonals & ~board.orthogonals & side,
        board.orthogonals & ~board.diagonals & side,
        board.diagonals & board.orthogonals & side,
        board.kings & side,
        side,
        board.castling & side,
    )


@inline(camp_type(camp_type))
def turned_camp(camp):
    """The same pieces seen from the other side."""
    return Camp(
        turned(camp.pawns),
        turned(camp.knights),
        turned(camp.bishops),
        turned(camp.rooks),
        turned(camp.queens),
        turned(camp.king),
        turned(camp.pieces),
        turned(camp.castling),
    )


@inline(reach_type(reach_type))
def turned_reach(reach):
    """The same attacks seen from the other side."""
    return Reach(
        turned(reach.pawns),
        turned(reach.knights),
        turned(reach.bishops),
        turned(reach.rooks),
        turned(reach.queens),
        turned(reach.king),
        turned(reach.any),
        turned(reach.twice),
    )
