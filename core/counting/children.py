"""The boards after the moves of a board, and what the other side may then do: several at a time.

They are written as that other side sees them. So what makes a board ready to be expanded, checks and pins and
attacked squares, is computed in vector registers for all children of a board, and not for each of them.
"""

from bluekrait.core.board import Board
from bluekrait.core.compiler.jit import board_type, inline, int64, internal, record_reader, uint64
from bluekrait.core.compiler.memory import align_stack
from bluekrait.core.counting.expand import Freedom, freedom_type
from bluekrait.core.counting.threats import find_threats, sides_of
from bluekrait.core.counting.vectors import LANES, byte_swapped, columns_type, filled, load, store
from bluekrait.core.records import ChildColumns
from bluekrait.core.rules.bits import (
    NOT_FILE_A,
    NOT_FILE_H,
    RANK_6,
    RANK_8,
    S7,
    S8,
    S9,
)

_, children_type = record_reader(ChildColumns)


@internal(int64(children_type, columns_type, int64, board_type, freedom_type, uint64))
def find_children(children, columns, count, board, freedom, special):
    """Write the boards after the first `count` moves in the columns, which are those of a board."""
    align_stack()
    sides = sides_of(
        board.pawns,
        board.knights,
        board.diagonals,
        board.orthogonals,
        board.kings,
        freedom.enemy,
        freedom.occupied,
        special,
    )
    for start in range(0, count, LANES):
        gone, to = load(columns.gone, start), load(columns.to, start)
        if special:
            diagonal_to, orthogonal_to = load(columns.diagonal_to, start), load(columns.orthogonal_to, start)
        else:
            diagonal_to = to & filled(gone & (board.diagonals & board.own))
            orthogonal_to = to & filled(gone & (board.orthogonals & board.own))
        threats = find_threats(columns, start, sides)
        kept, empty = threats.kept, ~threats.occupied

        # 1. The board.
        by_pawn, by_king = filled(gone & (board.pawns & board.own)), filled(gone & (board.kings & board.own))
        pawn_to = to & by_pawn & ~RANK_8
        promoted_to = to & by_pawn & RANK_8 & ~(diagonal_to | orthogonal_to)
        knight_to = (to & filled(gone & (board.knights & board.own))) | promoted_to
        king_to = to & by_king & ~orthogonal_to
        pawns = (kept & board.pawns) | pawn_to
        passed = (pawn_to >> S8) & (gone << S8)  # by a double step
        neighbours = ((passed << S7) & NOT_FILE_H) | ((passed << S9) & NOT_FILE_A)
        en_passant = passed & filled(neighbours & freedom.enemy & board.pawns)
        store(children.pawns, start, byte_swapped(pawns))
        store(children.knights, start, byte_swapped((kept & board.knights) | knight_to))
        store(children.diagonals, start, byte_swapped((kept & board.diagonals) | diagonal_to))
        store(children.orthogonals, start, byte_swapped((kept & board.orthogonals) | orthogonal_to))
        store(children.kings, start, byte_swapped((kept & board.kings) | king_to))
        store(children.own, start, byte_swapped(threats.own))
        store(children.castling, start, byte_swapped(kept & board.castling & ~(by_king & board.own)))
        store(children.en_passant, start, byte_swapped(en_passant))

        # 2. What its side to move may do.
        pawns, targets, between = threats.own & pawns, threats.targets, threats.between
        victims = threats.occupied & targets
        west = ((pawns & ~(between ^ threats.between_on_rising)) >> S9) & NOT_FILE_H & victims
        east = ((pawns & ~(between ^ threats.between_on_falling)) >> S7) & NOT_FILE_A & victims
        steps = ((pawns & ~(between ^ threats.between_on_file)) >> S8) & empty
        double_steps = ((steps & RANK_6) >> S8) & empty & targets
        store(children.occupied, start, byte_swapped(threats.occupied))
        store(children.attacked, start, byte_swapped(threats.attacked))
        store(children.targets, start, byte_swapped(targets))
        pinned = threats.between_on_falling | threats.between_on_rising
        store(children.pinned_on_diagonals, start, byte_swapped(pinned))
        pinned = threats.between_on_rank | threats.between_on_file
        store(children.pinned_on_orthogonals, start, byte_swapped(pinned))
        store(children.steps, start, byte_swapped(steps & targets))
        store(children.double_steps, start, byte_swapped(double_steps))
        store(children.west, start, byte_swapped(west))
        store(children.east, start, byte_swapped(east))
    return count


@inline(board_type(children_type, int64))
def child_board(children, i):
    """One of the boards."""
    return Board(
        children.pawns[i],
        children.knights[i],
        children.diagonals[i],
        children.orthogonals[i],
        children.kings[i],
        children.own[i],
        children.castling[i],
        children.en_passant[i],
    )


@inline(freedom_type(children_type, int64))
def child_freedom(children, i):
    """What its side to move may do."""
    return Freedom(
        children.occupied[i],
        children.occupied[i] & ~children.own[i],
        children.attacked[i],
        children.targets[i],
        children.pinned_on_diagonals[i],
        children.pinned_on_orthogonals[i],
        children.steps[i],
        children.double_steps[i],
        children.west[i],
        children.east[i],
    )
