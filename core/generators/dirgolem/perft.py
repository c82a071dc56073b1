"""DirGolem's own perft: leaves are never visited, the sixteen sets of their parents are counted.

The parents of the leaves lie one after another in memory, and the two phases are two loops over them. So each
loop is short enough for the processor to work on several boards at once.
"""

import numpy as np

from bluekrait.core.board import Position, all_pieces
from bluekrait.core.compiler.jit import board_type, int64, internal, kernel, position_type, uint64
from bluekrait.core.compiler.memory import load_word, store_word
from bluekrait.core.generators.dirgolem.children import CHILD_BYTES, expand, read_board
from bluekrait.core.generators.dirgolem.directions import CAPTURE, PUSH
from bluekrait.core.generators.dirgolem.machine import VECTOR_BYTES
from bluekrait.core.generators.dirgolem.targets import find_targets
from bluekrait.core.generators.dirgolem.threats import (
    SidePieces,
    Threats,
    find_threats,
    propagators_over,
    side_pieces_type,
    step,
    threats_type,
)
from bluekrait.core.generators.dirgolem.vectors import (
    broadcast,
    load_vector,
    populations,
    store_vector,
    total,
    vector,
    vector_kernel,
    vector_type,
)
from bluekrait.core.records import MAX_MOVES
from bluekrait.core.rules.bits import EMPTY, ONE, RANK_7, U64

# The vectors after a board in memory. The words of the board come first.
_OURS, _THEIRS, _PINNED = (U64(split_sides * VECTOR_BYTES) for split_sides in (1, 2, 3))
_ATTACKED, _TARGETS, _BETWEEN, _OCCUPIED = (U64(4 * VECTOR_BYTES + 8 * word) for word in range(4))
_KING, _OWN = U64(8 * 4), U64(8 * 5)  # within a board


def perft(position: Position, depth: int) -> int:
    """The number of sequences of legal moves of a length."""
    children = 1 + depth * MAX_MOVES
    room = np.empty((children * int(CHILD_BYTES) + VECTOR_BYTES) // 8, np.uint64)
    start = -(-room.ctypes.data // VECTOR_BYTES) * VECTOR_BYTES
    return int(count(position, depth, U64(start)))


@kernel(int64(position_type, int64, uint64))
def count(position, depth, address):
    """The same, in memory that has room for a board and for MAX_MOVES more at each depth."""
    store_vector(address, vector(*position.board))
    end = address + CHILD_BYTES
    find_all_threats(address, end)
    return int64(walk(address, depth, end) if depth else ONE)


@internal(uint64(uint64, int64, uint64))
def walk(parent, depth, address):
    """Count the leaves below a board whose threats are known; memory from `address` on is free."""
    end = expand(read_board(parent), read_threats(parent), address)
    if depth == 1:
        return (end - address) // CHILD_BYTES
    find_all_threats(address, end)
    if depth == 2:
        return count_moves(address, end)
    nodes = EMPTY
    for child in range(address, end, CHILD_BYTES):
        nodes += walk(child, depth - 1, end)
    return nodes


@internal(int64(uint64, uint64))
def find_all_threats(address, end):
    """Phase one for all boards between two addresses."""
    for child in range(address, end, CHILD_BYTES):
        split_sides(child)
    for child in range(address, end, CHILD_BYTES):
        board = read_board(child)
        king = load_word(child + _OURS + _KING)
        write_threats(
            child, find_threats(all_pieces(board), board.own, king, read_side_pieces(child + _THEIRS))
        )
    return 0


@internal(uint64(uint64, uint64))
def count_moves(address, end):
    """Phase two for all boards between two addresses: how many legal moves they have together."""
    counts = broadcast(EMPTY)
    for child in range(address, end, CHILD_BYTES):
        ours = read_side_pieces(child + _OURS)
        counts = counts + numbers_of_moves(read_board(child), ours, read_threats(child))
    return total(counts)


@vector_kernel(uint64(uint64))
def split_sides(child):
    """Store the pieces of each side of a board. A word from memory is broadcast to all lanes for free."""
    words, own = load_vector(child), load_word(child + _OWN)
    store_vector(child + _OURS, words & own)
    store_vector(child + _THEIRS, words & ~own)
    return child


@vector_kernel(side_pieces_type(uint64))
def read_side_pieces(address):
    """The pieces of one side, at an address."""
    board = read_board(address)
    return SidePieces(board.pawns, board.knights, board.diagonals, board.orthogonals, board.kings)


@vector_kernel(uint64(uint64, threats_type))
def write_threats(child, threats):
    """Write what phase one has found after a board."""
    store_vector(child + _PINNED, threats.pinned)
    store_word(child + _ATTACKED, threats.attacked)
    store_word(child + _TARGETS, threats.targets)
    store_word(child + _BETWEEN, threats.between)
    store_word(child + _OCCUPIED, threats.occupied)
    return child


@vector_kernel(threats_type(uint64))
def read_threats(child):
    """What phase one has found, as far as phase two needs it."""
    occupied = load_word(child + _OCCUPIED)
    return Threats(
        propagators_over(~occupied),
        occupied,
        load_word(child + _ATTACKED),
        load_word(child + _TARGETS),
        load_word(child + _BETWEEN),
        load_vector(child + _PINNED),
    )


@vector_kernel(vector_type(board_type, side_pieces_type, threats_type))
def numbers_of_moves(board, ours, threats):
    """The number of legal moves in each direction, rays and leaps together."""
    moves = find_targets(board, ours, threats)
    numbers = populations(moves.rays) + populations(moves.leaps)
    promoting = board.pawns & board.own & RANK_7
    if promoting:  # each in four ways
        promotions = populations((PUSH | CAPTURE) & moves.rays & step(broadcast(promoting)))
        numbers = numbers + promotions + promotions + promotions
    return numbers
