"""One instruction each: count trailing zeros, count leading zeros, count ones.

    0 0 0 1 0 1 1 0 0 1 0 0 0
    -----             -------     three leading zeros, three trailing zeros, four ones

The number of the lowest bit is that of the zeros behind it; of the highest, 63 less those before it.
"""

from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.rules.bits import lowest_square as trailing_zeros
from bluekrait.core.rules.bits import popcount as ones
from bluekrait.core.sliders.about import About
from bluekrait.core.sliders.instructions import highest_square as leading_one

ABOUT = About(
    name="hardware",
    inventor="the makers of processors",
    year=1985,
    reference="bsf and bsr of the 80386; tzcnt, lzcnt and popcnt of later ones",
    table_bytes=0,
    depends_on="the instructions themselves",
)


@inline(uint64(uint64))
def lowest_square(word):
    """Number of the lowest set bit."""
    return trailing_zeros(word)


@inline(uint64(uint64))
def highest_square(word):
    """Number of the highest set bit."""
    return leading_one(word)


@inline(uint64(uint64))
def popcount(word):
    """How many bits are set."""
    return ones(word)
