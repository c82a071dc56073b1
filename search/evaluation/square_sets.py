"""Squares and sets of squares: ranks, files, distances, and what fills them."""

from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.rules.bits import NOT_FILE_A, NOT_FILE_H, S1, S7, S8, S16, THREE, U64

S32 = U64(32)


@inline(uint64(uint64))
def rank_of(square):
    """The rank of a square, 0 for the side's own first."""
    return square >> THREE


@inline(uint64(uint64))
def file_of(square):
    """The file of a square, 0 for the a-file."""
    return square & S7


@inline(uint64(uint64, uint64))
def distance(start, end):
    """How many moves a king needs from one square to another."""
    ranks = max(rank_of(start), rank_of(end)) - min(rank_of(start), rank_of(end))
    files = max(file_of(start), file_of(end)) - min(file_of(start), file_of(end))
    return max(ranks, files)


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
