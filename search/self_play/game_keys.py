"""The key of a position that was not reached by moves: the exclusive or of all its features."""

from bluekrait.core.board import TURN_ROUND, all_pieces, piece_on
from bluekrait.core.compiler.jit import board_type, int64, internal, uint64
from bluekrait.core.rules.attacks import table_word
from bluekrait.core.rules.bits import EMPTY, ONE, U64, lowest_bit, lowest_square
from bluekrait.core.rules.make import castling_keys, piece_key
from bluekrait.core.tables import table_block

_TURN_KEY, _EN_PASSANT_KEYS = U64(table_block.TURN_KEY), U64(table_block.EN_PASSANT_KEYS)
_FILE, _TURN_ROUND = U64(7), U64(TURN_ROUND)


@internal(uint64(board_type, int64))
def position_key(board, ply):
    """The key of a board as the side to move sees it, at a ply."""
    colour = U64(ply & 1)
    other, flip = colour ^ ONE, colour * _TURN_ROUND
    key = EMPTY if colour else table_word(_TURN_KEY)
    occupied = all_pieces(board)
    while occupied:
        bit = lowest_bit(occupied)
        occupied ^= bit
        owner = colour if bit & board.own else other
        key ^= piece_key(owner, U64(piece_on(board, bit)), lowest_square(bit) ^ flip)
    key ^= castling_keys(board, board.castling & board.own, board.own, colour)
    key ^= castling_keys(board, board.castling & ~board.own, ~board.own, other)
    if board.en_passant:
        key ^= table_word(_EN_PASSANT_KEYS + (lowest_square(board.en_passant) & _FILE))
    return key
