"""The board of a sample, for kernels."""

from bluekrait.core.board import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, Board
from bluekrait.core.compiler.jit import board_type, inline, int64, uint64
from bluekrait.core.rules.bits import EMPTY, S4, S8, U64, lowest_bit
from bluekrait.tools.data.formats.samples import CASTLING_ROOK, EN_PASSANT_PAWN, ENEMY

NIBBLE = U64(15)


@inline(board_type(uint64, uint64, uint64))
def board_of(occupied, first_pieces, last_pieces):
    """The board of a sample, see `tools.data.formats.samples`."""
    pawns = knights = diagonals = orthogonals = kings = own = castling = en_passant = EMPTY
    nibbles, count = first_pieces, 0
    while occupied:
        bit = lowest_bit(occupied)
        occupied ^= bit
        nibble = int64(nibbles & NIBBLE)
        nibbles >>= S4
        count += 1
        if count == 16:
            nibbles = last_pieces
        code = nibble & ~ENEMY
        if nibble & ENEMY == 0:
            own |= bit
        if code == CASTLING_ROOK:
            castling |= bit
        if code == EN_PASSANT_PAWN:
            en_passant |= bit << S8
        if code == PAWN or code == EN_PASSANT_PAWN:
            pawns |= bit
        if code == KNIGHT:
            knights |= bit
        if code == KING:
            kings |= bit
        if code == BISHOP or code == QUEEN:
            diagonals |= bit
        if code == ROOK or code == CASTLING_ROOK or code == QUEEN:
            orthogonals |= bit
    return Board(pawns, knights, diagonals, orthogonals, kings, own, castling, en_passant)
