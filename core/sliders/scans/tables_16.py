"""Tables for 16 bits, as in Gk: look at a quarter of the word at a time.

    | 63 ... 48 | 47 ... 32 | 31 ... 16 | 15 ... 0 |     the first quarter that is not empty has the bit

Up to three branches, which the processor predicts right or wrong, and a table of 64 kilobytes each. Counting
needs no branch, but four lookups.
"""

from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.rules.bits import EMPTY, U64
from bluekrait.core.sliders import loads
from bluekrait.core.sliders.about import About

ABOUT = About(
    name="tables-16",
    inventor="Tijs van Dam and others",
    year=2003,
    reference="gk-0.90, bitboard.h",
    table_bytes=3 * 65536,
    depends_on="memory, branch prediction",
)

_QUARTERS = 65536
_HIGHEST, _COUNT = U64(_QUARTERS), U64(2 * _QUARTERS)
_QUARTER = U64(_QUARTERS - 1)
_S16, _S32, _S48 = U64(16), U64(32), U64(48)


def _tables() -> bytes:
    lowest = bytes(max(0, (word & -word).bit_length() - 1) for word in range(_QUARTERS))
    highest = bytes(max(0, word.bit_length() - 1) for word in range(_QUARTERS))
    return lowest + highest + bytes(word.bit_count() for word in range(_QUARTERS))


_byte = loads.byte_reader(ABOUT.name, _tables)


@inline(uint64(uint64))
def lowest_square(word):
    """Number of the lowest set bit."""
    if word & _QUARTER != EMPTY:
        return _byte(word & _QUARTER)
    if (word >> _S16) & _QUARTER != EMPTY:
        return _byte((word >> _S16) & _QUARTER) + _S16
    if (word >> _S32) & _QUARTER != EMPTY:
        return _byte((word >> _S32) & _QUARTER) + _S32
    return _byte(word >> _S48) + _S48


@inline(uint64(uint64))
def highest_square(word):
    """Number of the highest set bit."""
    if word >> _S48 != EMPTY:
        return _byte(_HIGHEST + (word >> _S48)) + _S48
    if word >> _S32 != EMPTY:
        return _byte(_HIGHEST + (word >> _S32)) + _S32
    if word >> _S16 != EMPTY:
        return _byte(_HIGHEST + (word >> _S16)) + _S16
    return _byte(_HIGHEST + word)


@inline(uint64(uint64))
def popcount(word):
    """How many bits are set."""
    low = _byte(_COUNT + (word & _QUARTER)) + _byte(_COUNT + ((word >> _S16) & _QUARTER))
    return low + _byte(_COUNT + ((word >> _S32) & _QUARTER)) + _byte(_COUNT + (word >> _S48))
