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
    lengths = [NOT_MEASURED] * len(pairs)
    for symbol in range(len(pairs)):
        _measure(symbol, pairs, lengths)
    if max(lengths, default=0) >= MOST_VALUES:
        raise ValueError("its symbols are too long")
    return lengths


def largest_value(pairs: Sequence[int]) -> int:
    """The largest of the values that symbols stand for."""
    return max((pair & LEAF for pair in pairs if pair >> RIGHT_SHIFT == LEAF), default=0)


def _measure(symbol: int, pairs: Sequence[int], lengths: list[int]) -> None:
    """Work out a symbol's length, and before it those that it is made of."""
    waiting = [symbol]
    while waiting:
        last = waiting[-1]
        left, right = pairs[last] & LEAF, pairs[last] >> RIGHT_SHIFT
        parts = () if right == LEAF else (left, right)
        if max(parts, default=0) >= len(pairs):
            raise ValueError("its symbols are made of others that are missing")
        missing = [part for part in parts if lengths[part] == NOT_MEASURED]
        if len(waiting) > 2 * len(pairs):
            raise ValueError("its symbols are made of themselves")
        if not missing:
            lengths[waiting.pop()] = sum(lengths[part] for part in parts) + len(parts) // 2
        waiting += missing
