"""The number of a position in its table: first the symmetries of the board are used up, then it is counted.

White here is the side that the table's name has first; the board is seen from White's side.
"""

from typing import NamedTuple

from numba import types

from bluekrait.core.board import BISHOP, KING, KNIGHT, PAWN, ROOK, Board
from bluekrait.core.compiler.jit import board_type, inline, int64, internal, record_reader, uint64
from bluekrait.core.rules.bits import EMPTY, ONE, U64, bit_of, lowest_square, popcount, signed, turned
from bluekrait.search.syzygy.table_records import SECOND_SIDE, TableRecord, TableSet, View

table_set_at, table_set_type = record_reader(TableSet)
table_at, table_type = record_reader(TableRecord)
_, view_type = record_reader(View)

_PAWN, _KNIGHT, _KING, _BISHOP, _ROOK = (U64(code) for code in (PAWN, KNIGHT, KING, BISHOP, ROOK))
_SECOND_SIDE, _CODE = U64(SECOND_SIDE), U64(7)
_FILE, _RANK_SHIFT, _ROW, _LAST_IN_CORNER = U64(7), U64(3), U64(64), U64(3)
_FILE_D = U64(3)
_EIGHT = U64(8)  # squares of the first rank, where no pawn stands

# Bits that change places when a board is mirrored or transposed, and how far they go.
_ODD_FILES, _FILES_ABEF, _FILES_AD = U64(0x5555555555555555), U64(0x3333333333333333), U64(0x0F0F0F0F0F0F0F0F)
_S1, _S2, _S4, _S7, _S14, _S28 = U64(1), U64(2), U64(4), U64(7), U64(14), U64(28)
_NEAR, _FAR, _FARTHEST = U64(0x00AA00AA00AA00AA), U64(0x0000CCCC0000CCCC), U64(0x00000000F0F0F0F0)

# How many positions there are with the first leaders on or off the diagonal.
_OFF, _LATER_OFF, _ON_OFF = U64(6 * 63 * 62), U64(4 * 28 * 62), U64(4 * 7 * 28)
_N6, _N7, _N28, _N62, _N63 = U64(6), U64(7), U64(28), U64(62), U64(63)


@internal(uint64(table_set_type, view_type, board_type, int64))
def number_with_pieces(table_set, view, board, leaders):
    """The number of a position without pawns, whose first two or three pieces are numbered together."""
    board = in_corner(view, board, leaders)
    first = square_of(board, view.leaders[0])
    second = square_of(board, view.leaders[1])
    taken = bit_of(first) | bit_of(second)
    if leaders == 2:
        number = table_set.king_pairs[table_set.triangle[first] * _ROW + second]
    else:
        third = square_of(board, view.leaders[2])
        number = number_of_three(table_set, first, second, third)
        taken |= bit_of(third)
    return number * view.leaders_weight + number_of_rest(table_set, view, board, taken)


@internal(uint64(table_set_type, view_type, board_type, uint64))
def number_with_pawns(table_set, view, board, first):
    """The number of a position with pawns, the first of which stands on that square of the files a to d."""
    pawns = pieces_of(board, view.leaders[0])
    number = table_set.leading_pawns[popcount(pawns) * _ROW + first]
    others, count = order_of_pawns(table_set, pawns ^ bit_of(first)), ONE
    while others:
        place = lowest_square(others)
        number += table_set.choices[count * _ROW + place]
        others ^= bit_of(place)
        count += ONE
    return number * view.leaders_weight + number_of_rest(table_set, view, board, pawns)


@inline(uint64(table_set_type, uint64, uint64, uint64))
def number_of_three(table_set, first, second, third):
    """The number of three different pieces in the order of their places; the first is in the triangle."""
    second_less = ONE if second > first else EMPTY
    third_less = (ONE if third > first else EMPTY) + (ONE if third > second else EMPTY)
    rank = first >> _RANK_SHIFT
    if above_diagonal(first) != 0:
        return (table_set.triangle[first] * _N63 + second - second_less) * _N62 + third - third_less
    if above_diagonal(second) != 0:
        return _OFF + (rank * _N28 + table_set.below_diagonal[second]) * _N62 + third - third_less
    second_rank = (second >> _RANK_SHIFT) - second_less
    if above_diagonal(third) != 0:
        return _OFF + _LATER_OFF + (rank * _N7 + second_rank) * _N28 + table_set.below_diagonal[third]
    third_rank = (third >> _RANK_SHIFT) - third_less
    return _OFF + _LATER_OFF + _ON_OFF + (rank * _N7 + second_rank) * _N6 + third_rank


@inline(uint64(table_set_type, view_type, board_type, uint64))
def number_of_rest(table_set, view, board, taken):
    """What the groups of like pieces after the leaders add, each choosing among the squares that are left."""
    number = EMPTY
    for group in range(view.groups):
        code = view.codes[group]
        pieces = pieces_of(board, code)
        offset = _EIGHT if code & _CODE == _PAWN else EMPTY
        chosen, count, rest = EMPTY, ONE, pieces
        while rest:
            square = lowest_square(rest)
            before = popcount(taken & (bit_of(square) - ONE)) + offset
            chosen += table_set.choices[count * _ROW + square - before]
            rest ^= bit_of(square)
            count += ONE
        number += chosen * view.weights[group]
        taken |= pieces
    return number


# Where pieces are.


@inline(uint64(board_type, uint64))
def pieces_of(board, code):
    """The pieces of one kind and side."""
    side = board.own if code < _SECOND_SIDE else ~board.own
    kind = code & _CODE
    if kind == _PAWN:
        return board.pawns & side
    if kind == _KNIGHT:
        return board.knights & side
    if kind == _KING:
        return board.kings & side
    if kind == _BISHOP:
        return board.diagonals & ~board.orthogonals & side
    if kind == _ROOK:
        return board.orthogonals & ~board.diagonals & side
    return board.orthogonals & board.diagonals & side


@inline(uint64(board_type, uint64))
def square_of(board, code):
    """The square of the only piece of a kind and side."""
    return lowest_square(pieces_of(board, code))


@inline(uint64(table_set_type, uint64))
def order_of_pawns(table_set, pawns):
    """Pawns as a set of their places in the order of leading pawns."""
    order = EMPTY
    while pawns:
        square = lowest_square(pawns)
        order |= bit_of(table_set.pawn_order[square])
        pawns ^= bit_of(square)
    return order


@inline(uint64(table_set_type, uint64))
def first_pawn(table_set, pawns):
    """The square of the pawn that leads: the last in that order."""
    first = lowest_square(pawns)
    while pawns:
        square = lowest_square(pawns)
        if table_set.pawn_order[square] > table_set.pawn_order[first]:
            first = square
        pawns ^= bit_of(square)
    return first


@inline(int64(uint64))
def above_diagonal(square):
    """Ranks from the diagonal a1-h8: zero on it, negative below."""
    return signed(square >> _RANK_SHIFT) - signed(square & _FILE)


# Symmetries.


@inline(board_type(view_type, board_type, int64))
def in_corner(view, board, leaders):
    """The board with the first leader in the corner of a1, and the first one off the diagonal below it."""
    first = square_of(board, view.leaders[0])
    if first & _FILE > _LAST_IN_CORNER:
        board = mirrored(board)
    if first >> _RANK_SHIFT > _LAST_IN_CORNER:
        board = upside_down(board)
    for place in range(leaders):
        above = above_diagonal(square_of(board, view.leaders[place]))
        if above != 0:
            return transposed(board) if above > 0 else board
    return board


@inline(board_type(board_type))
def upside_down(board):
    """The board with its first rank last."""
    return Board(
        turned(board.pawns),
        turned(board.knights),
        turned(board.diagonals),
        turned(board.orthogonals),
        turned(board.kings),
        turned(board.own),
        EMPTY,
        EMPTY,
    )


@internal(board_type(board_type))
def mirrored(board):
    """The board with its first file last."""
    return Board(
        mirrored_word(board.pawns),
        mirrored_word(board.knights),
        mirrored_word(board.diagonals),
        mirrored_word(board.orthogonals),
        mirrored_word(board.kings),
        mirrored_word(board.own),
        EMPTY,
        EMPTY,
    )


@internal(board_type(board_type))
def transposed(board):
    """The board with its ranks as files."""
    return Board(
        transposed_word(board.pawns),
        transposed_word(board.knights),
        transposed_word(board.diagonals),
        transposed_word(board.orthogonals),
        transposed_word(board.kings),
        transposed_word(board.own),
        EMPTY,
        EMPTY,
    )


@inline(uint64(uint64))
def mirrored_word(word):
    """The bits of every rank in the opposite order: neighbours change places, then pairs, then halves."""
    word = ((word >> _S1) & _ODD_FILES) | ((word & _ODD_FILES) << _S1)
    word = ((word >> _S2) & _FILES_ABEF) | ((word & _FILES_ABEF) << _S2)
    return ((word >> _S4) & _FILES_AD) | ((word & _FILES_AD) << _S4)


@inline(uint64(uint64))
def transposed_word(word):
    """The bits with ranks as files: within blocks of two by two squares, four by four, eight by eight."""
    word = exchanged(word, _NEAR, _S7)
    word = exchanged(word, _FAR, _S14)
    return exchanged(word, _FARTHEST, _S28)


@inline(uint64(uint64, uint64, uint64))
def exchanged(word, mask, distance):
    """The bits under a mask in the place of those so far above them, and those in theirs."""
    different = (word ^ (word >> distance)) & mask
    return word ^ different ^ (different << distance)


class NumberedBoard(NamedTuple):
    """A board as its table numbers it: mirrored, if its first pawn would stand on the files e to h."""

    board: Board
    first: int  # the square of that pawn, a1 in a table without pawns
    file: int  # its file: there are other views for each


numbered_board_type = types.NamedTuple((board_type, uint64, int64), NumberedBoard)


@inline(numbered_board_type(table_set_type, table_type, board_type))
def numbered_board(table_set, table, board):
    """Use up the symmetry of left and right, if the table has pawns."""
    if not table.has_pawns:
        return NumberedBoard(board, EMPTY, 0)
    first = first_pawn(table_set, pieces_of(board, table.views[0].leaders[0]))
    if first & _FILE > _FILE_D:
        board = mirrored(board)
        first ^= _FILE
    return NumberedBoard(board, first, signed(first & _FILE))


@inline(uint64(table_set_type, table_type, view_type, numbered_board_type))
def position_number(table_set, table, view, numbered):
    """The number of a board in a view of its table."""
    if table.has_pawns:
        return number_with_pawns(table_set, view, numbered.board, numbered.first)
    return number_with_pieces(table_set, view, numbered.board, table.leaders)
