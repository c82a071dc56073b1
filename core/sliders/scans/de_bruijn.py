"""De Bruijn multiplication: a word in which every group of six neighbouring bits occurs once.

    0000001000011...    the sequence; times a single bit, it is shifted by the bit's number,
         ^^^^^^         and the six bits that arrive at the top are those of no other shift

The product's top six bits therefore name the bit, and a table of 64 bytes turns the name into the number.
The highest bit is found so too, once all bits below it are set. The sequence is made here by the oldest
rule there is: append a one whenever the six bits that arise are new, else a zero.
"""

from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.rules.bits import EMPTY, U64
from bluekrait.core.sliders import loads
from bluekrait.core.sliders.about import About

ABOUT = About(
    name="de-bruijn",
    inventor="Charles Leiserson, Harald Prokop, Keith Randall",
    year=1998,
    reference="Using de Bruijn Sequences to Index a 1 in a Computer Word",
    table_bytes=2 * 64,
    depends_on="64-bit multiplication",
)

_GROUP = 6


def _sequence() -> int:
    """The word, which begins with six zeros, so that shifting in zeros from below does no harm."""
    text, seen = "0" * _GROUP, {"0" * _GROUP}
    while len(seen) < 64:
        longer = text + "1"
        if longer[-_GROUP:] in seen:
            longer = text + "0"
        text = longer
        seen.add(text[-_GROUP:])
    return int(text[:64], 2)


SEQUENCE = _sequence()
_SEQUENCE, _S58, _HIGHEST = U64(SEQUENCE), U64(64 - _GROUP), U64(64)
_SMEARS = tuple(U64(distance) for distance in (1, 2, 4, 8, 16, 32))


def _tables() -> bytes:
    by_lowest, by_highest = bytearray(64), bytearray(64)
    for square in range(64):
        by_lowest[_name(1 << square)] = square
        by_highest[_name((2 << square) - 1)] = square
    return bytes(by_lowest + by_highest)


def _name(word: int) -> int:
    return (word * SEQUENCE % (1 << 64)) >> (64 - _GROUP)


_byte = loads.byte_reader(ABOUT.name, _tables)


@inline(uint64(uint64))
def lowest_square(word):
    """Number of the lowest set bit."""
    return _byte(((word & (EMPTY - word)) * _SEQUENCE) >> _S58)


@inline(uint64(uint64))
def highest_square(word):
    """Number of the highest set bit."""
    for distance in _SMEARS:
        word |= word >> distance
    return _byte(_HIGHEST + ((word * _SEQUENCE) >> _S58))
