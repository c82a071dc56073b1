"""Modulo 67: the 64 powers of two leave 64 different remainders, so a division finds the lowest bit.

    2^0  2^1  2^2 ... 2^6  2^7   2^8  ...
     1    2    4  ... 64   61    55   ...  of 67; the remainders 0, 17 and 34 do not occur

67 is the smallest number of which this is true: two is a primitive root of it. Zero has remainder 0, so the
empty word can have its own number, 64.
"""

from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.rules.bits import EMPTY, U64
from bluekrait.core.sliders import loads
from bluekrait.core.sliders.about import About

ABOUT = About(
    name="modulo-67",
    inventor="Stefan Plenkner, Joël Rivat",
    year=1996,
    reference="bitboard 2^i mod 67 is unique, rec.games.chess.computer, August 1996",
    table_bytes=67,
    depends_on="division by a constant, which compilers turn into multiplications",
)

_67 = U64(67)
NONE = 64  # what an empty word has


def _tables() -> bytes:
    table = bytearray([NONE] * 67)
    for square in range(64):
        table[(1 << square) % 67] = square
    return bytes(table)


_byte = loads.byte_reader(ABOUT.name, _tables)


@inline(uint64(uint64))
def lowest_square(word):
    """Number of the lowest set bit; 64 if there is none."""
    return _byte((word & (EMPTY - word)) % _67)
