"""A board as the network sees it: what decides which rows of feature weights its pieces have.

A row belongs to a piece on a square, and to the place of a king. What kind of piece that is are five bits,
each kept as a board. So the difference of two views, as boards, tells on which squares rows differ.

A view is from the side that moves at even plies, side 0. The other side, side 1, has other rows for the same
pieces: it sees the board upside down, and what is its own is the other's enemy.
"""

from typing import NamedTuple

from numba import types

from bluekrait.core.board import all_pieces
from bluekrait.core.compiler.jit import board_type, inline, int64, record_reader, uint64
from bluekrait.core.rules.bits import EMPTY, ONE, U64, turned
from bluekrait.core.rules.legality import attacked_pieces
from bluekrait.search.evaluation.network.network_records import NetworkRecord, ViewRecord
from bluekrait.search.evaluation.network.vectors import bits_at
from bluekrait.search.evaluation.passed_pawns import all_passed_pawns

network_at, network_type = record_reader(NetworkRecord)
view_at, view_record_type = record_reader(ViewRecord)

EAST_HALF, MIRROR = U64(0xF0F0F0F0F0F0F0F0), U64(7)
CASTLED, BACK_RANK, TWO_RANKS = U64(0xC3), U64(0xFF), U64(0xFFFF)  # the outer limits of king regions


class View(NamedTuple):
    """The words of a view."""

    low: int  # the code of a kind of piece, bit by bit, as `core.board.piece_on` has it
    middle: int
    high: int
    own: int
    attacked: int  # pieces that the other side attacks, if the network asks for them
    occupied: int
    rows: int  # which rows side 0 uses, see `rows_for`
    other_rows: int  # the same for side 1


view_type = types.NamedUniTuple(uint64, 8, View)


@inline(view_type(network_type, board_type, uint64, uint64))
def view_of(network, board, attacked, side):
    """The view of a board with this side to move; the enemy attacks these squares.

    No piece counts as attacked or passed where the network does not ask for it.
    """
    threatened = attacked_pieces(board, attacked) if network.has_threats else EMPTY
    own_pawns, enemy_pawns = board.pawns & board.own, board.pawns & ~board.own
    passed = all_passed_pawns(own_pawns, enemy_pawns) if network.has_passed_pawns else EMPTY
    low, middle = board.pawns | board.diagonals, board.knights | passed | board.orthogonals
    high, occupied = board.diagonals | board.orthogonals | board.kings, all_pieces(board)
    rows = rows_for(network, board.kings & board.own)
    enemy_rows = rows_for(network, turned(board.kings & ~board.own))
    if side == EMPTY:
        return View(low, middle, high, board.own, threatened, occupied, rows, enemy_rows)
    return View(
        turned(low),
        turned(middle),
        turned(high),
        turned(occupied & ~board.own),
        turned(threatened),
        turned(occupied),
        enemy_rows,
        rows,
    )


@inline(uint64(network_type, uint64))
def rows_for(network, king):
    """Which rows a side uses whose king stands there: where those of its region begin, plus its mirror."""
    outside = (EMPTY if king & CASTLED else ONE) + (EMPTY if king & BACK_RANK else ONE)
    region = outside + (EMPTY if king & TWO_RANKS else ONE)  # see `network_file.region_of`
    return region * network.region_bytes + (MIRROR if king & EAST_HALF else EMPTY)


@inline(uint64(uint64))
def mirror_of(rows):
    """What the numbers of squares are exclusive-ored with for a side that uses these rows."""
    return rows & MIRROR


@inline(uint64(view_record_type, view_type))
def changed_squares(seen, view):
    """Where a view that is kept and another one differ."""
    kinds = (seen.low ^ view.low) | (seen.middle ^ view.middle) | (seen.high ^ view.high)
    return kinds | (seen.own ^ view.own) | (seen.attacked ^ view.attacked)


@inline(uint64(view_type, uint64))
def bits_of(view, square_bit):
    """What a view tells of a square: the code of its piece, whether it is own, attacked, and there at all."""
    return bits_at(view.low, view.middle, view.high, view.own, view.attacked, view.occupied, square_bit)


@inline(view_type(view_record_type))
def read_view(record):
    """The view that a record holds."""
    return View(
        record.low,
        record.middle,
        record.high,
        record.own,
        record.attacked,
        record.occupied,
        record.rows,
        record.other_rows,
    )


@inline(int64(view_record_type, view_type))
def write_view(record, view):
    """Write a view into a record."""
    record.low, record.middle, record.high = view.low, view.middle, view.high
    record.own, record.attacked, record.occupied = view.own, view.attacked, view.occupied
    record.rows, record.other_rows = view.rows, view.other_rows
    return 0
