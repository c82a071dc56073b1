"""Probing Syzygy's WDL tables inside the search: who wins with best play.

To be smaller, a table may hold any value where a capture is best. So captures are searched first; each leads
to a table with fewer pieces.
"""

from bluekrait.core.board import NONE, Board, all_pieces
from bluekrait.core.compiler.jit import board_type, boolean, inline, int64, internal, position_type, uint64
from bluekrait.core.compiler.memory import load_word
from bluekrait.core.move import captured_of
from bluekrait.core.rules.bits import EMPTY, ONE, U64, popcount
from bluekrait.core.rules.count_moves import count_moves
from bluekrait.core.rules.legality import legality
from bluekrait.core.rules.make import after_move
from bluekrait.core.rules.movegen import add_noisy_moves
from bluekrait.search.scores import MAX_PLY, UNKNOWN, is_loss, is_win, won_by_tablebase
from bluekrait.search.syzygy.decompression import decompressed
from bluekrait.search.syzygy.position_number import (
    numbered_board,
    position_number,
    table_at,
    table_set_at,
    table_set_type,
    upside_down,
)
from bluekrait.search.syzygy.table_records import (
    FILES,
    HASH_MULTIPLIER,
    HASH_SHIFT,
    MOST_PIECES,
    NIBBLE,
    SIDE_BITS,
)
from bluekrait.search.syzygy.wdl import DRAW, LOSS, WIN
from bluekrait.search.tree.state import ply_of, thread_type

NOT_KNOWN = 100  # beside the outcomes from LOSS to WIN

_NIBBLE, _SIDE_BITS = U64(NIBBLE), U64(SIDE_BITS)
_HASH_MULTIPLIER, _HASH_SHIFT, _SLOT, _WORD = U64(HASH_MULTIPLIER), U64(HASH_SHIFT), U64(16), U64(8)


@inline(boolean(thread_type, position_type, int64, int64))
def may_probe_tablebases(thread, position, ply, depth):
    """True if a position should be probed: tables know neither castling nor the fifty-move clock."""
    pieces = popcount(all_pieces(position.board))
    if pieces > thread.tablebase_pieces or position.clock or position.board.castling:
        return False
    is_deep = pieces < thread.tablebase_pieces or depth >= thread.tablebase_depth
    return is_deep and ply + MOST_PIECES < MAX_PLY


@internal(int64(thread_type, board_type, int64))
def tablebase_score(thread, board, ply):
    """The score of a position by the tables, UNKNOWN if a table is missing."""
    known = probe_wdl(thread, board, ply, LOSS, WIN)
    if known == NOT_KNOWN:
        return UNKNOWN
    thread.tablebase_hits += ONE
    if known == DRAW or (thread.fifty_moves and abs(known) != WIN):
        return known
    return won_by_tablebase(ply) if known > DRAW else -won_by_tablebase(ply)


@inline(boolean(int64, int64, int64))
def is_tablebase_cutoff(score, alpha, beta):
    """True if no search is needed: a draw is a draw, but a win may still be a mate that is soon enough."""
    if is_win(score):
        return score >= beta
    return score <= alpha if is_loss(score) else True


@internal(int64(thread_type, board_type, int64, int64, int64))
def probe_wdl(thread, board, ply, alpha, beta):
    """WIN to LOSS for the side to move, as far as it lies between alpha and beta; NOT_KNOWN without a table.

    Moves are written into the lists of this ply and those after it.
    """
    best = alpha
    moves = ply_of(thread, ply).list
    count = add_noisy_moves(board, legality(board), moves, 0)
    for place in range(count):
        move = moves.moves[place]
        if captured_of(move) != NONE:
            reply = probe_wdl(thread, after_move(board, move), ply + 1, -beta, -best)
            if reply == NOT_KNOWN:
                return NOT_KNOWN
            best = max(best, -reply)
            if best >= beta:
                return best
    if board.en_passant and count_moves(board) == EMPTY:
        return best  # tables do not know en passant, and there is no other move
    known = probe_table(thread, board)
    return NOT_KNOWN if known == NOT_KNOWN else max(best, known)


@internal(int64(thread_type, board_type))
def probe_table(thread, board):
    """The value in the table for these pieces; NOT_KNOWN if there is no such table."""
    signature = material_of(board, board.own) | material_of(board, ~board.own) << _SIDE_BITS
    if signature == EMPTY:
        return DRAW  # two kings
    table_set = table_set_at(thread.tablebases)
    address = table_for(table_set, signature)
    if address == EMPTY:
        return NOT_KNOWN
    table, side = table_at(address & ~ONE), 0
    if address & ONE:
        board, side = as_white(board), 1
    numbered = numbered_board(table_set, table, board)
    view = table.views[side * FILES + numbered.file]
    return decompressed(view.compression, position_number(table_set, table, view, numbered)) - WIN


@inline(board_type(board_type))
def as_white(board):
    """The board of a side to move that is Black, from White's side."""
    return upside_down(
        Board(
            board.pawns,
            board.knights,
            board.diagonals,
            board.orthogonals,
            board.kings,
            all_pieces(board) & ~board.own,
            EMPTY,
            EMPTY,
        )
    )


@inline(uint64(board_type, uint64))
def material_of(board, side):
    """Part of a material signature: the pieces of one side, king aside, counted in four bits each."""
    diagonals, orthogonals = board.diagonals & side, board.orthogonals & side
    count = popcount(diagonals & orthogonals)
    count = count << _NIBBLE | popcount(orthogonals & ~diagonals)
    count = count << _NIBBLE | popcount(diagonals & ~orthogonals)
    count = count << _NIBBLE | popcount(board.knights & side)
    return count << _NIBBLE | popcount(board.pawns & side)


@inline(uint64(table_set_type, uint64))
def table_for(table_set, signature):
    """The address of the table for some pieces, its lowest bit set if Black is to move; zero without one."""
    slot = (signature * _HASH_MULTIPLIER >> _HASH_SHIFT) & table_set.mask
    while True:
        found = load_word(table_set.slots + slot * _SLOT)
        if found == signature:
            return load_word(table_set.slots + slot * _SLOT + _WORD)
        if found == EMPTY:
            return EMPTY
        slot = (slot + ONE) & table_set.mask
