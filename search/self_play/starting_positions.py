"""The starting positions of Chess960, by Scharnagl's numbers; 518 is that of chess."""

from bluekrait.core.board import Board, Position
from bluekrait.core.compiler.jit import inline, int64, kernel, position_type, uint64
from bluekrait.core.rules.bits import EMPTY, ONE, RANK_1, RANK_2, RANK_7, U64, bit_of, lowest_bit
from bluekrait.search.self_play.game_keys import position_key

STARTING_POSITIONS, CHESS = 960, 518
BISHOP_FILES, QUEEN_FILES = 4, 6
_BOTH_SIDES = ONE | ONE << U64(56)  # times a word of the first rank: the same on the last too


@kernel(position_type(int64))
def starting_position(number):
    """The starting position with a number, 0 to 959."""
    light, rest = number % BISHOP_FILES, number // BISHOP_FILES
    dark, rest = rest % BISHOP_FILES, rest // BISHOP_FILES
    bishops = bit_of(U64(2 * light + 1)) | bit_of(U64(2 * dark))
    free = RANK_1 ^ bishops
    queen = nth_square(free, rest % QUEEN_FILES)
    free ^= queen
    knights = knights_on(free, rest // QUEEN_FILES)
    free ^= knights
    king = nth_square(free, 1)
    rooks = free ^ king
    board = Board(
        RANK_2 | RANK_7,
        knights * _BOTH_SIDES,
        (bishops | queen) * _BOTH_SIDES,
        (rooks | queen) * _BOTH_SIDES,
        king * _BOTH_SIDES,
        RANK_1 | RANK_2,
        rooks * _BOTH_SIDES,
        EMPTY,
    )
    return Position(board, position_key(board, 0), 0, 0)


@inline(uint64(uint64, int64))
def nth_square(squares, place):
    """The square at a place, counted from 0."""
    for _ in range(place):
        squares &= squares - ONE
    return lowest_bit(squares)


@inline(uint64(uint64, int64))
def knights_on(squares, pair):
    """Two of five squares: one of the ten pairs."""
    first, others = 0, 4
    while pair >= others:
        pair -= others
        first, others = first + 1, others - 1
    return nth_square(squares, first) | nth_square(squares, first + 1 + pair)
