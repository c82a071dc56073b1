"""The hidden numbers of both sides, brought up to date by what changed on the board.

An accumulator is the hidden numbers of both sides, together with the view of the board that they belong to.
So every accumulator is right at any time, whatever the search does: from each of them, the difference of the
two views leads to the position at hand. The shortest way is taken. Mostly it starts one ply before, or at the
same ply, where a sibling of this position was evaluated. The longest starts at the empty board. It is nearly
always the same for both sides: then the difference is looked at once.
"""

from bluekrait.core.board import TURN_ROUND
from bluekrait.core.compiler.jit import inline, int64, internal, uint64
from bluekrait.core.compiler.memory import CACHE_LINE, prefetch, store_word
from bluekrait.core.rules.bits import EMPTY, ONE, S6, S8, THREE, TWO, U64, lowest_bit, lowest_square, popcount
from bluekrait.search.evaluation.network.network_records import (
    CHANGES_BYTES,
    HEADER_BYTES,
    LOOK_BACK,
    OTHER_CHANGES,
    REMOVED_CHANGES,
)
from bluekrait.search.evaluation.network.vectors import change
from bluekrait.search.evaluation.network.views import (
    bits_of,
    changed_squares,
    mirror_of,
    network_type,
    read_view,
    view_at,
    view_record_type,
    view_type,
    write_view,
)

SIDE_0, SIDE_1 = U64(0), U64(1)
FAR = U64(64)  # squares of the board
CLOSE = U64(2)  # squares that a quiet move or a capture changes: no way is shorter
HEADER, FIRST = U64(HEADER_BYTES), U64(CHANGES_BYTES)
REMOVED, OTHER = U64(REMOVED_CHANGES), U64(OTHER_CHANGES)
BLOCK_BITS, OCCUPIED_SHIFT = U64(31), U64(5)  # in what `bits_of` tells
ENEMY = U64(8)  # bit of a block's number where `bits_of` has side 0's own pieces, which are side 1's enemies
UPSIDE_DOWN = U64(TURN_ROUND)
BYTE = U64(0xFF)
ROW_LINES = tuple(U64(CACHE_LINE * line) for line in range(4))  # of a row, all if it has 256 weights


@inline(uint64(network_type))
def accumulator_size(network):
    """Bytes of an accumulator."""
    return HEADER + (network.width << TWO)


@inline(uint64(network_type, uint64, int64))
def accumulator_of(network, accumulators, ply):
    """The address of the accumulator of a ply."""
    return accumulators + FIRST + U64(ply + LOOK_BACK) * accumulator_size(network)


@inline(uint64(network_type, uint64, uint64))
def numbers_of(network, accumulator, side):
    """The address of a side's hidden numbers."""
    return accumulator + HEADER + side * (network.width << ONE)


@internal(uint64(network_type, uint64, int64, view_type))
def up_to_date(network, accumulators, ply, view):
    """The address of an accumulator of a view, once its numbers are computed."""
    place = accumulator_of(network, accumulators, ply)
    base, other_base = nearest(network, place, view, SIDE_0), nearest(network, place, view, SIDE_1)
    if changed_squares(view_at(base), view) == EMPTY:
        return base
    counts = list_changes(network, accumulators, view_at(base), view)
    change_numbers(network, accumulators, place, base, SIDE_0, counts)
    if other_base != base:
        counts = list_changes(network, accumulators, view_at(other_base), view)
    change_numbers(network, accumulators + OTHER, place, other_base, SIDE_1, counts)
    write_view(view_at(place), view)
    return place


@inline(uint64(network_type, uint64, view_type, uint64))
def nearest(network, place, view, side):
    """The address of the accumulator from which the fewest changes lead to the numbers of a side."""
    size = accumulator_size(network)
    before = place - size
    best, fewest = before, count_changes(before, view, side)
    if fewest > CLOSE:
        here = count_changes(place, view, side)
        if here < fewest:
            best, fewest = place, here
        if fewest > CLOSE:
            earlier = before - size
            long_before = count_changes(earlier, view, side)
            if long_before < fewest:
                best, fewest = earlier, long_before
            if popcount(view.occupied) < fewest:
                best = network.blank
    return best


@inline(uint64(uint64, view_type, uint64))
def count_changes(accumulator, view, side):
    """How many squares differ between an accumulator's view and another; FAR if all rows are others."""
    seen = view_at(accumulator)
    if (seen.other_rows != view.other_rows) if side else (seen.rows != view.rows):
        return FAR
    return popcount(changed_squares(seen, view))


@inline(uint64(network_type, uint64, view_record_type, view_type))
def list_changes(network, lists, seen, view):
    """List the rows that lead from one view to another; how many a side adds, plus 256 * those it removes."""
    squares, row_bytes = changed_squares(seen, view), network.width  # weights are bytes
    mirror, other_mirror = mirror_of(view.rows), mirror_of(view.other_rows)
    rows = network.feature_weights + (view.rows ^ mirror)
    other_rows = network.feature_weights + (view.other_rows ^ other_mirror)
    other_mirror ^= UPSIDE_DOWN
    old, added, removed = read_view(seen), lists, lists + REMOVED
    while squares:
        bit, square = lowest_bit(squares), lowest_square(squares)
        squares ^= bit
        seat, other_seat = square ^ mirror, square ^ other_mirror
        bits = bits_of(view, bit)
        block = bits & BLOCK_BITS
        store_word(added, rows + ((block ^ ENEMY) << S6 | seat) * row_bytes)
        store_word(added + OTHER, prefetched_row(other_rows + (block << S6 | other_seat) * row_bytes))
        added += bits >> OCCUPIED_SHIFT << THREE
        bits = bits_of(old, bit)
        block = bits & BLOCK_BITS
        store_word(removed, rows + ((block ^ ENEMY) << S6 | seat) * row_bytes)
        store_word(removed + OTHER, prefetched_row(other_rows + (block << S6 | other_seat) * row_bytes))
        removed += bits >> OCCUPIED_SHIFT << THREE
    return ((added - lists) >> THREE) | (((removed - lists - REMOVED) >> THREE) << S8)


@inline(uint64(uint64))
def prefetched_row(row):
    """The address of a row of side 1, which will be wanted after those of side 0."""
    for line in ROW_LINES:
        prefetch(row + line)
    return row


@inline(uint64(network_type, uint64, uint64, uint64, uint64, uint64))
def change_numbers(network, lists, place, base, side, counts):
    """Let the numbers of a side be those of another accumulator, changed by the rows that are listed."""
    target, source = numbers_of(network, place, side), numbers_of(network, base, side)
    change(target, source, lists, counts & BYTE, lists + REMOVED, counts >> S8, network.width)
    return target
