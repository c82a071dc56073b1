"""What each thread of a graphics card does: it expands one board, or counts the moves of some.

Boards lie in columns: a two-dimensional array with a row for each word of a `Board`. So neighbouring threads
read neighbouring words.
"""

from typing import Any

import numpy as np
from numba import cuda

from bluekrait.core.board import Board
from bluekrait.core.counting.gpu.device_functions import card_kernel
from bluekrait.core.records import MAX_MOVES
from bluekrait.core.rules.bits import EMPTY, U64, popcount
from bluekrait.core.rules.count_moves import count_moves
from bluekrait.core.rules.legality import legal_en_passants, legality
from bluekrait.core.rules.make import after_move
from bluekrait.core.rules.movegen import add_legal_moves


def read_board(columns: Any, place: int) -> Board:
    """A board out of the columns."""
    return Board(
        columns[0, place],
        columns[1, place],
        columns[2, place],
        columns[3, place],
        columns[4, place],
        columns[5, place],
        columns[6, place],
        columns[7, place],
    )


def write_board(columns: Any, place: int, board: Board) -> int:
    """Write a board into the columns."""
    columns[0, place] = board.pawns
    columns[1, place] = board.knights
    columns[2, place] = board.diagonals
    columns[3, place] = board.orthogonals
    columns[4, place] = board.kings
    columns[5, place] = board.own
    columns[6, place] = board.castling
    columns[7, place] = board.en_passant
    return place


@card_kernel
def expand(boards, first, count, children, number):
    """Write the boards after all moves of `count` boards; their number is too large if there is no room."""
    i = cuda.grid(1)
    if i < count:
        board = read_board(boards, first + i)
        moves = cuda.local.array(MAX_MOVES, np.uint32)
        found = add_legal_moves(board, legality(board), moves, 0)
        place = np.int64(cuda.atomic.add(number, 0, U64(found)))
        if place + found <= children.shape[1]:
            for j in range(found):
                write_board(children, place + j, after_move(board, moves[j]))


@card_kernel
def count(boards, number, nodes):
    """Add up the numbers of legal moves of the first boards."""
    counted = EMPTY
    for i in range(cuda.grid(1), number, cuda.gridsize(1)):
        board = read_board(boards, i)
        counted += count_moves(board)
        if board.en_passant:
            counted += popcount(legal_en_passants(board))
    cuda.atomic.add(nodes, 0, counted)
