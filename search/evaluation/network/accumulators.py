"""The hidden numbers of both sides, brought up to date by what changed on the board.

An accumulator is the hidden numbers of one side, together with the board, seen by that side, that they
belong to. So every accumulator is right at any time, whatever the search does: from each of them, the
difference of the two boards leads to the position at hand. The shortest way is taken. Mostly it starts one
ply before, or at the same ply, where a sibling of this position was evaluated. The longest starts at the
empty board.

A board as a side sees it, a *view*, has the pieces that are attacked in place of the rooks that may castle,
and passed pawns among the knights as well as the pawns, if the network asks for them.
"""

from typing import NamedTuple

from numba import types

from bluekrait.core.board import Board, all_pieces
from bluekrait.core.compiler.jit import board_type, inline, int64, internal, record_reader, uint64
from bluekrait.core.compiler.memory import store_word
from bluekrait.core.records import BoardRecord
from bluekrait.core.rules.bits import (
    EMPTY,
    ONE,
    S2,
    S4,
    S6,
    S8,
    THREE,
    U64,
    lowest_square,
    popcount,
    without_lowest,
)
from bluekrait.core.rules.legality import attacked_pieces
from bluekrait.core.rules.position_records import board_record_type, read_board
from bluekrait.search.evaluation.network.network_records import (
    CHANGES_BYTES,
    HEADER_BYTES,
    LOOK_BACK,
    SIDES,
    Changes,
    NetworkRecord,
)
from bluekrait.search.evaluation.network.vectors import change
from bluekrait.search.evaluation.passed_pawns import all_passed_pawns

network_at, network_type = record_reader(NetworkRecord)
board_at, _ = record_reader(BoardRecord)

FAR = U64(64)  # squares of the board
CLOSE = U64(2)  # squares that a quiet move or a capture changes: no way is shorter
EAST_HALF, MIRROR = U64(0xF0F0F0F0F0F0F0F0), U64(7)
CASTLED, BACK_RANK, TWO_RANKS = U64(0xC3), U64(0xFF), U64(0xFFFF)  # the outer limits of king regions
HEADER, FIRST, PER_PLY = U64(HEADER_BYTES), U64(CHANGES_BYTES), U64(SIDES)
REMOVED = U64(Changes.removed.offset)
BYTE = U64(0xFF)


class Planes(NamedTuple):
    """What a row depends on beside its square, as boards; see `block_of`."""

    occupied: int
    low: int  # the code of a kind of piece, bit by bit
    middle: int
    high: int
    enemy: int
    attacked: int


planes_type = types.NamedUniTuple(uint64, 6, Planes)


@inline(uint64(network_type))
def accumulator_size(network):
    """Bytes of an accumulator."""
    return HEADER + (network.width << ONE)


@inline(uint64(network_type, uint64, int64, int64))
def accumulator_of(network, accumulators, ply, side):
    """The address of the accumulator of a ply and a side."""
    return accumulators + FIRST + U64((ply + LOOK_BACK) * SIDES + side) * accumulator_size(network)


@internal(uint64(network_type, uint64, int64, int64, board_type))
def up_to_date(network, accumulators, ply, side, view):
    """The address of a side's hidden numbers for a board as that side sees it, once they are computed."""
    place = accumulator_of(network, accumulators, ply, side)
    base = nearest(network, place, view)
    seen = board_at(base)
    if changed_squares(seen, view) != EMPTY:
        counts = list_changes(network, accumulators, seen, view)
        added, removed = counts & BYTE, counts >> S8
        target, source = place + HEADER, base + HEADER
        change(target, source, accumulators, added, accumulators + REMOVED, removed, network.width)
        keep_view(board_at(place), view)
        return target
    return base + HEADER


@inline(uint64(network_type, uint64, board_type))
def nearest(network, place, view):
    """The address of the accumulator from which the fewest changes lead to a board."""
    size = accumulator_size(network)
    before = place - PER_PLY * size
    best, fewest = before, count_changes(network, before, view)
    if fewest > CLOSE:
        here = count_changes(network, place, view)
        if here < fewest:
            best, fewest = place, here
        if fewest > CLOSE:
            earlier = before - PER_PLY * size
            long_before = count_changes(network, earlier, view)
            if long_before < fewest:
                best, fewest = earlier, long_before
            if popcount(all_pieces(view)) < fewest:
                best = network.blank
    return best


@inline(uint64(network_type, uint64, board_type))
def count_changes(network, address, view):
    """How many squares differ between an accumulator's board and another; FAR if all rows are others."""
    seen = board_at(address)
    if rows_for(network, seen.kings & seen.own) != rows_for(network, view.kings & view.own):
        return FAR
    return popcount(changed_squares(seen, view))


@inline(uint64(network_type, uint64))
def rows_for(network, king):
    """Which rows a side uses whose king stands there: where those of its region begin, plus its mirror."""
    outside = (EMPTY if king & CASTLED else ONE) + (EMPTY if king & BACK_RANK else ONE)
    region = outside + (EMPTY if king & TWO_RANKS else ONE)  # see `network_file.region_of`
    return region * network.region_bytes + mirror_of(king)


@inline(uint64(uint64))
def mirror_of(king):
    """What the numbers of squares are exclusive-ored with for a side whose king stands there."""
    return MIRROR if king & EAST_HALF else EMPTY


@inline(uint64(board_record_type, board_type))
def changed_squares(seen, view):
    """Where two boards differ."""
    kinds = (seen.pawns ^ view.pawns) | (seen.knights ^ view.knights) | (seen.kings ^ view.kings)
    sliders = (seen.diagonals ^ view.diagonals) | (seen.orthogonals ^ view.orthogonals)
    return kinds | sliders | (seen.own ^ view.own) | (seen.castling ^ view.castling)


@inline(uint64(network_type, uint64, board_record_type, board_type))
def list_changes(network, lists, seen, view):
    """List the rows that lead from one board to another; their numbers: added + 256 * removed."""
    squares, king = changed_squares(seen, view), view.kings & view.own
    mirror, row_bytes = mirror_of(king), network.width  # weights are bytes
    rows = network.feature_weights + (rows_for(network, king) ^ mirror)
    new, old = planes_of(view), planes_of(read_board(seen))
    added, removed = lists, lists + REMOVED
    while squares:
        square = lowest_square(squares)
        squares = without_lowest(squares)
        seat = square ^ mirror
        store_word(added, rows + (block_of(new, square) << S6 | seat) * row_bytes)
        added += bit_at(new.occupied, square) << THREE
        store_word(removed, rows + (block_of(old, square) << S6 | seat) * row_bytes)
        removed += bit_at(old.occupied, square) << THREE
    return ((added - lists) >> THREE) | (((removed - lists - REMOVED) >> THREE) << S8)


@inline(planes_type(board_type))
def planes_of(view):
    """What the rows of a view depend on. Low, middle and high are the bits of `core.board.piece_on`."""
    low, middle = view.pawns | view.diagonals, view.knights | view.orthogonals
    high = view.diagonals | view.orthogonals | view.kings
    return Planes(low | middle | high, low, middle, high, ~view.own, view.castling)


@inline(uint64(planes_type, uint64))
def block_of(planes, square):
    """Which block of rows a piece uses, as `network_memory` lays them out: attacked or not, side, code."""
    code = bit_at(planes.low, square) | bit_at(planes.middle, square) << ONE
    code |= bit_at(planes.high, square) << S2
    return code | bit_at(planes.enemy, square) << THREE | bit_at(planes.attacked, square) << S4


@inline(uint64(uint64, uint64))
def bit_at(squares, square):
    """1 if a square is among others, else 0."""
    return squares >> square & ONE


@inline(int64(board_record_type, board_type))
def keep_view(record, view):
    """Note the board that an accumulator belongs to."""
    record.pawns, record.knights = view.pawns, view.knights
    record.diagonals, record.orthogonals = view.diagonals, view.orthogonals
    record.kings, record.own, record.castling = view.kings, view.own, view.castling
    return 0


@inline(board_type(network_type, board_type, uint64))
def view_of(network, board, attacked):
    """The view of the side to move, by the squares that the enemy attacks.

    No piece counts as attacked or passed where the network does not ask for it.
    """
    threatened = attacked_pieces(board, attacked) if network.has_threats else EMPTY
    own_pawns, enemy_pawns = board.pawns & board.own, board.pawns & ~board.own
    passed = all_passed_pawns(own_pawns, enemy_pawns) if network.has_passed_pawns else EMPTY
    return Board(
        board.pawns,
        board.knights | passed,
        board.diagonals,
        board.orthogonals,
        board.kings,
        board.own,
        threatened,
        EMPTY,
    )
