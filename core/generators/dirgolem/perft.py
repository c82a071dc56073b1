"""DirGolem's own perft: leaves are never visited, the sixteen sets of their parents are counted.

The parents of the leaves lie side by side in memory, and the two phases are two sweeps over them. So each
sweep is short enough for the processor to work on several boards at once.
"""

import numpy as np

from bluekrait.core.board import all_pieces
from bluekrait.core.compiler.jit import board_type, int64, internal, kernel, position_type, uint64
from bluekrait.core.compiler.memory import load_word, store_word
from bluekrait.core.generators.dirgolem.children import CHILD_BYTES, read_board, sow
from bluekrait.core.generators.dirgolem.directions import CAPTURE, PUSH
from bluekrait.core.generators.dirgolem.machine import VECTOR_BYTES
from bluekrait.core.generators.dirgolem.sight import (
    Army,
    Sight,
    army_type,
    look,
    roads_over,
    sight_type,
    step,
)
from bluekrait.core.generators.dirgolem.targets import aim
from bluekrait.core.generators.dirgolem.vectors import (
    load_vector,
    populations,
    spread,
    store_vector,
    total,
    vector,
    vector_kernel,
    vector_type,
)
from bluekrait.core.records import MAX_MOVES
from bluekrait.core.rules.bits import EMPTY, ONE, RANK_7, U64

# What a child holds, vector by vector. The words of the board itself come first.
_OURS, _THEIRS, _PINNED = (U64(part * VECTOR_BYTES) for part in (1, 2, 3))
_ATTACKED, _TARGETS, _BETWEEN, _OCCUPIED = (U64(4 * VECTOR_BYTES + 8 * word) for word in range(4))
_KING, _OWN = U64(8 * 4), U64(8 * 5)  # within a board


def perft(position, depth):
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
    look_around(address, end)
    return int64(walk(address, depth, end) if depth else ONE)


@internal(uint64(uint64, int64, uint64))
def walk(parent, depth, address):
    """Count the leaves below a board that has been looked at, in the memory from an address on."""
    end = sow(read_board(parent), noted(parent), address)
    if depth == 1:
        return (end - address) // CHILD_BYTES
    look_around(address, end)
    if depth == 2:
        return count_moves(address, end)
    nodes = EMPTY
    for child in range(address, end, CHILD_BYTES):
        nodes += walk(child, depth - 1, end)
    return nodes


@internal(int64(uint64, uint64))
def look_around(address, end):
    """Phase one for all boards between two addresses."""
    for child in range(address, end, CHILD_BYTES):
        part(child)
    for child in range(address, end, CHILD_BYTES):
        board = read_board(child)
        king = load_word(child + _OURS + _KING)
        note(child, look(all_pieces(board), board.own, king, read_army(child + _THEIRS)))
    return 0


@internal(uint64(uint64, uint64))
def count_moves(address, end):
    """Phase two for all boards between two addresses: how many legal moves they have together."""
    counts = spread(EMPTY)
    for child in range(address, end, CHILD_BYTES):
        ours = read_army(child + _OURS)
        counts = counts + numbers_of_moves(read_board(child), ours, noted(child))
    return total(counts)


@vector_kernel(uint64(uint64))
def part(child):
    """Separate the two armies of a board. Read from memory, a word is spread over all lanes for nothing."""
    words, own = load_vector(child), load_word(child + _OWN)
    store_vector(child + _OURS, words & own)
    store_vector(child + _THEIRS, words & ~own)
    return child


@vector_kernel(army_type(uint64))
def read_army(address):
    """The army at an address."""
    board = read_board(address)
    return Army(board.pawns, board.knights, board.diagonals, board.orthogonals, board.kings)


@vector_kernel(uint64(uint64, sight_type))
def note(child, sight):
    """Write down beside a board what phase one found out."""
    store_vector(child + _PINNED, sight.pinned)
    store_word(child + _ATTACKED, sight.attacked)
    store_word(child + _TARGETS, sight.targets)
    store_word(child + _BETWEEN, sight.between)
    store_word(child + _OCCUPIED, sight.occupied)
    return child


@vector_kernel(sight_type(uint64))
def noted(child):
    """What phase one found out, as far as phase two wants to know it."""
    occupied = load_word(child + _OCCUPIED)
    return Sight(
        roads_over(~occupied),
        occupied,
        load_word(child + _ATTACKED),
        load_word(child + _TARGETS),
        load_word(child + _BETWEEN),
        load_vector(child + _PINNED),
        EMPTY,
    )


@vector_kernel(vector_type(board_type, army_type, sight_type))
def numbers_of_moves(board, ours, sight):
    """The number of legal moves in each direction, rays and leaps together."""
    moves = aim(board, ours, sight)
    numbers = populations(moves.rays) + populations(moves.leaps)
    promoting = board.pawns & board.own & RANK_7
    if promoting:  # each in four ways
        promotions = populations((PUSH | CAPTURE) & moves.rays & step(spread(promoting)))
        numbers = numbers + promotions + promotions + promotions
    return numbers
