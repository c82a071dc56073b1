"""Probing Syzygy's tables of distances (DTZ): half-moves to the next capture or pawn move with best play.

A table holds one side to move only: for the other side, all moves are looked at. So are captures and pawn
moves in a won position, because a table may hold any value where one of them wins, to be smaller.
"""

from bluekrait.core.board import NONE, PAWN
from bluekrait.core.compiler.jit import board_type, boolean, inline, int64, internal, record_reader, uint32
from bluekrait.core.compiler.memory import load_anywhere
from bluekrait.core.move import captured_of, piece_of
from bluekrait.core.rules.bits import EMPTY, ONE, U64, signed
from bluekrait.core.rules.legality import legality
from bluekrait.core.rules.make import after_move
from bluekrait.core.rules.movegen import add_legal_moves
from bluekrait.search.syzygy.decompression import decompressed
from bluekrait.search.syzygy.position_number import (
    numbered_board,
    position_number,
    table_at,
    table_set_at,
)
from bluekrait.search.syzygy.table_records import OUTCOMES, SIDE_BITS, DistanceRecord
from bluekrait.search.syzygy.wdl import DRAW, LOSS, WIN
from bluekrait.search.tree.state import ply_of, thread_type
from bluekrait.search.tree.tablebase_probe import NOT_KNOWN, as_white, material_of, probe_wdl, table_for

NO_TABLE, OTHER_SIDE = -1, -2  # beside distances
SOONEST, SOONEST_SPOILT = 1, 101  # distances if the next move captures; the fifty-move rule spoils the latter

distances_at, _ = record_reader(DistanceRecord)

_SIDE_BITS = U64(SIDE_BITS)
_BYTE, _HALF = U64(0xFF), U64(0xFFFF)


@internal(int64(thread_type, board_type))
def outcome_and_distance(thread, board):
    """Both in one number, `(distance + 1) * OUTCOMES + outcome - LOSS`; NO_TABLE if no outcome is known."""
    outcome = probe_wdl(thread, board, 0, LOSS, WIN)
    if outcome == NOT_KNOWN:
        return NO_TABLE
    return (distance(thread, board, 0, outcome) - NO_TABLE) * OUTCOMES + outcome - LOSS


@internal(int64(thread_type, board_type, int64, int64))
def distance(thread, board, ply, outcome):
    """Half-moves to the next capture or pawn move, or to mate, with this outcome; NO_TABLE if not known.

    Zero for draws, and for a side that is mated.
    """
    best = distance_without_search(thread, board, ply, outcome)
    if best != OTHER_SIDE:
        return best
    # The positions after the moves are in the table. A win by a capture or a pawn move was found already.
    best, moves = 0, ply_of(thread, ply).list
    for place in range(moves.count):
        if is_zeroing(moves.moves[place]):
            continue
        child = after_move(board, moves.moves[place])
        if probe_wdl(thread, child, ply + 1, LOSS, WIN) == -outcome:
            after = distance_without_search(thread, child, ply + 1, -outcome)
            if after < 0:
                return NO_TABLE
            if best == 0 or (after + 1 < best) == (outcome > DRAW):
                best = after + 1
    return best if best else soonest(outcome)


@internal(int64(thread_type, board_type, int64, int64))
def distance_without_search(thread, board, ply, outcome):
    """The same if the table has the moves of this side, or need not be asked; else OTHER_SIDE.

    The legal moves are written into the list of this ply, and others into those after it.
    """
    if outcome == DRAW:
        return 0
    moves = ply_of(thread, ply).list
    moves.count = add_legal_moves(board, legality(board), moves, 0)
    if moves.count == 0:
        return 0
    zeroing = 0
    for place in range(moves.count):
        if is_zeroing(moves.moves[place]):
            zeroing += 1
            child = after_move(board, moves.moves[place])
            if outcome > DRAW and probe_wdl(thread, child, ply + 1, LOSS, WIN) == -outcome:
                return soonest(outcome)
    if zeroing == moves.count:
        return soonest(outcome)
    stored = stored_distance(thread, board, outcome)
    return soonest(outcome) + stored if stored >= 0 else stored


@internal(int64(thread_type, board_type, int64))
def stored_distance(thread, board, outcome):
    """What the table has beyond the soonest distance; NO_TABLE, or OTHER_SIDE if it has the other's moves."""
    table_set = table_set_at(thread.tablebases)
    signature = material_of(board, board.own) | material_of(board, ~board.own) << _SIDE_BITS
    address = table_for(table_set, signature)
    if address == EMPTY:
        return NO_TABLE
    table, side = table_at(address & ~ONE), 0
    if table.distances == EMPTY:
        return NO_TABLE
    if address & ONE:
        board, side = as_white(board), 1
    numbered = numbered_board(table_set, table, board)
    kept = distances_at(table.distances).views[numbered.file]
    if kept.side != side:
        return OTHER_SIDE
    number = position_number(table_set, table, kept.layout, numbered)
    value, row = decompressed(kept.layout.compression, number), outcome - LOSS
    if kept.lists[row]:
        listed = load_anywhere(kept.lists[row] + U64(value) * kept.bytes)
        value = signed(listed & (_BYTE if kept.bytes == ONE else _HALF))
    return value * kept.half_moves[row]


@inline(boolean(uint32))
def is_zeroing(move):
    """True if a move captures or moves a pawn: the clock of the fifty-move rule begins anew."""
    return captured_of(move) != NONE or piece_of(move) == PAWN


@inline(int64(int64))
def soonest(outcome):
    """The distance if the next move captures or moves a pawn."""
    return SOONEST if abs(outcome) == WIN else SOONEST_SPOILT
