"""The symbols of a compressed view: their Huffman codes, and how many values each stands for.

A ValueError if the file contradicts itself, because its values would then lie outside it.
"""

from collections.abc import Sequence
from itertools import pairwise

from bluekrait.search.syzygy.table_records import LEAF, RIGHT_SHIFT

NOT_MEASURED = -1  # length of a symbol that is still to be worked out
MOST_VALUES = 256  # that a symbol stands for


def first_codes(first_symbols: Sequence[int], shortest: int, symbols: int) -> list[int]:
    """The first code of each length, from the shortest on, by the first symbols; longer codes are smaller."""
    codes = [0]
    for longer, first in pairwise(reversed(first_symbols)):
        codes.append((codes[-1] + first - longer) // 2)
    codes.reverse()
    end = 1 << shortest  # codes of this length are less: others begin with a shorter code
    for code, first in zip(codes, first_symbols, strict=True):
        if not 0 <= code <= end or first + end - code > symbols:
            raise ValueError("it has codes without a symbol")
        end = 2 * code
    return codes


def symbol_lengths(pairs: Sequence[int]) -> list[int]:
    """How many values each symbol stands for, less one: as many as the two symbols that it is made of."""
    lengths = [0 if pair >> RIGHT_SHIFT == LEAF else NOT_MEASURED for pair in pairs]
    waiting = [symbol for symbol, length in enumerate(lengths) if length == NOT_MEASURED]
    if any(max(pairs[symbol] & LEAF, pairs[symbol] >> RIGHT_SHIFT) >= len(pairs) for symbol in waiting):
        raise ValueError("its symbols are made of others that are missing")
    while waiting:
        too_early = []
        for symbol in waiting:
            left, right = lengths[pairs[symbol] & LEAF], lengths[pairs[symbol] >> RIGHT_SHIFT]
            if left == NOT_MEASURED or right == NOT_MEASURED:
                too_early.append(symbol)
            else:
                lengths[symbol] = left + right + 1
        if len(too_early) == len(waiting):
            raise ValueError("its symbols are made of themselves")
        if max(lengths) >= MOST_VALUES:
            raise ValueError("its symbols are too long")
        waiting = too_early
    return lengths


def largest_value(pairs: Sequence[int]) -> int:
    """The largest of the values that symbols stand for."""
    return max((pair & LEAF for pair in pairs if pair >> RIGHT_SHIFT == LEAF), default=0)
