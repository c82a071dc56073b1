"""CeruleanJS's move: 32 bits with all that make and unmake need.

    bits   0-6   7-13  14-16      17-19     20-25     26-31
           from  to    promotion  captured  metadata  order

The generator knows the metadata, so they are kept in the move. `order` has the highest bits, so that moves
sort as plain integers; perft sorts nothing. Castling is "king takes own rook", and captures nothing.
"""

from numba import types

from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.generators.cerulean.squares import KIND, RANK
from bluekrait.core.rules.bits import U64

TO_SHIFT, PROMOTION_SHIFT, CAPTURED_SHIFT, UNVERIFIED_SHIFT = U64(7), U64(14), U64(17), U64(24)
_SQUARE_MASK = U64(0x7F)

PAWN_MOVE = U64(1 << 20)
DOUBLE_PUSH = U64(1 << 21)
EN_PASSANT = U64(1 << 22)
CASTLING = U64(1 << 23)
UNVERIFIED = U64(1 << 24)  # legality must be tested after the move is made

CAPTURE = KIND << CAPTURED_SHIFT
PROMOTION = KIND << PROMOTION_SHIFT
SPECIAL = PROMOTION | EN_PASSANT | CASTLING

_C_FILE, _D_FILE, _F_FILE, _G_FILE = U64(2), U64(3), U64(5), U64(6)
pair_type = types.UniTuple(uint64, 2)


@inline(uint64(uint64))
def origin_of(move):
    """The square the piece leaves."""
    return move & _SQUARE_MASK


@inline(uint64(uint64))
def target_of(move):
    """The square the piece goes to; the own rook's square when castling."""
    return (move >> TO_SHIFT) & _SQUARE_MASK


@inline(uint64(uint64))
def promotion_of(move):
    """The kind of piece that a pawn becomes."""
    return (move >> PROMOTION_SHIFT) & KIND


@inline(uint64(uint64))
def captured_of(move):
    """The kind of the captured piece."""
    return (move >> CAPTURED_SHIFT) & KIND


@inline(pair_type(uint64, uint64))
def castling_targets(king, rook):
    """Where king and rook go when they castle."""
    offset = king & RANK
    return (offset | _G_FILE, offset | _F_FILE) if rook > king else (offset | _C_FILE, offset | _D_FILE)
