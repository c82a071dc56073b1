"""Sets of squares that grow along files and ranks."""

from bluekrait.core.bits import NOT_FILE_A, NOT_FILE_H, S1, S8, S16, U64
from bluekrait.core.jit import inline, uint64

S32 = U64(32)


@inline(uint64(uint64))
def filled_up(word):
    """All squares of a set, and those in front of them on their files."""
    word |= word << S8
    word |= word << S16
    return word | (word << S32)


@inline(uint64(uint64))
def filled_down(word):
    """All squares of a set, and those behind them on their files."""
    word |= word >> S8
    word |= word >> S16
    return word | (word >> S32)


@inline(uint64(uint64))
def beside(word):
    """The squares next to a set on its ranks."""
    return ((word << S1) & NOT_FILE_A) | ((word >> S1) & NOT_FILE_H)
