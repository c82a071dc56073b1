"""Kernighan's count: clear the lowest bit until the word is zero.

    1 0 1 1 0 0 0        word & (word - 1)
    1 0 1 0 0 0 0        ... again, and the count is 2
    1 0 0 0 0 0 0        ... 3

As many rounds as there are bits: good for sparse sets, and no table.
"""

from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.rules.bits import EMPTY, ONE, TWO
from bluekrait.core.sliders.about import About

ABOUT = About(
    name="kernighan",
    inventor="Peter Wegner; Brian Kernighan",
    year=1960,
    reference="A technique for counting ones in a binary computer, Communications of the ACM, vol. 3",
    table_bytes=0,
    depends_on="branch prediction, sparse sets",
)


@inline(uint64(uint64))
def popcount(word):
    """How many bits are set."""
    twice = EMPTY  # LLVM knows the loop that counts by one, and would put the instruction in its place
    while word != EMPTY:
        word &= word - ONE
        twice += TWO
    return twice >> ONE
