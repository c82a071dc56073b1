"""The pieces of one side by kind, and where they attack: always as one of the two sides sees the board.

Every term is written once, for a side that plays up the board; it takes the pieces of that side and those
of the enemy. For the other side both are turned round.
"""

from typing import NamedTuple

from numba import types

from bluekrait.core.compiler.jit import board_type, inline, uint64
from bluekrait.core.rules.bits import turned


class SidePieces(NamedTuple):
    """The pieces of one side."""

    pawns: int
    knights: int
    bishops: int
    rooks: int
    queens: int
    king: int
    pieces: int  # all of them
    castling: int  # the rooks that may castle


class Attacks(NamedTuple):
    """Where the pieces of one side attack."""

    pawns: int
    knights: int
    bishops: int
    rooks: int
    queens: int
    king: int
    any: int
    twice: int  # from two places at least


side_type = types.NamedUniTuple(uint64, 8, SidePieces)
attacks_type = types.NamedUniTuple(uint64, 8, Attacks)


@inline(side_type(board_type, uint64))
def pieces_of_side(board, squares):
    """The pieces of the side that stands on these squares."""
    return SidePieces(
        board.pawns & squares,
        board.knights & squares,
        board.diagonals & ~board.orthogonals & squares,
        board.orthogonals & ~board.diagonals & squares,
        board.diagonals & board.orthogonals & squares,
        board.kings & squares,
        squares,
        board.castling & squares,
    )


@inline(side_type(side_type))
def turned_side(side):
    """The same pieces seen from the other side."""
    return SidePieces(
        turned(side.pawns),
        turned(side.knights),
        turned(side.bishops),
        turned(side.rooks),
        turned(side.queens),
        turned(side.king),
        turned(side.pieces),
        turned(side.castling),
    )


@inline(attacks_type(attacks_type))
def turned_attacks(attacks):
    """The same attacks seen from the other side."""
    return Attacks(
        turned(attacks.pawns),
        turned(attacks.knights),
        turned(attacks.bishops),
        turned(attacks.rooks),
        turned(attacks.queens),
        turned(attacks.king),
        turned(attacks.any),
        turned(attacks.twice),
    )
