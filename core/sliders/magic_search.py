"""Finding magic numbers: multipliers that send the relevant occupancies of a square to few indices.

The product of an occupancy and a sparse random number is a sum of shifted copies of the number, one for
each piece; its top bits are a good hash of the occupancy. A number is magic if no two occupancies with
different attacks have the same index. Random numbers are magic often enough to be found by trial, and the
trials are seeded, so that every machine finds the same.

Different occupancies may have the same index if their attacks are the same: a rook in the corner has 4096
relevant occupancies but only 49 sets of attacks, because pieces behind the first one change nothing. Such
constructive collisions leave slots of the table empty. With a shift for each square that is of little use.
But where all squares share one shift, most tables are longer than the square needs, and tables with empty
slots can overlap: the used slots of one lie in the empty slots of the others. So the search can go on after
its first success: it flips bits of the magic number, and keeps those that are still magic and need no longer
table.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bluekrait.core.compiler.jit import inline, int64, kernel, uint64
from bluekrait.core.rules.bits import EMPTY, FULL, ONE, TWO, U64, popcount

SEED = U64(0x2545F4914F6CDD1D)
NOT_MAGIC = -1

_S12, _S25, _S27 = U64(12), U64(25), U64(27)
_S46, _S52, _S56, _S58 = U64(46), U64(52), U64(56), U64(58)
_SIX_BITS = U64(63)
_TOP_BITS_WANTED = U64(6)  # in the top byte of mask * number; with fewer, a number is rarely magic


class Magic(NamedTuple):
    """A magic number, and the table that it leads to."""

    number: int
    slots: dict[int, int]  # attacks by index; the other slots are empty


def find(mask: int, keys: Sequence[int], attacks: Sequence[int], bits: int, refinements: int = 0) -> Magic:
    """A magic number for keys with these attacks and indices of so many bits, refined by so many trials."""
    key_words, attack_words = np.array(keys, dtype=np.uint64), np.array(attacks, dtype=np.uint64)
    shift, scratch = U64(64 - bits), (np.zeros(1 << bits, np.int64), np.zeros(1 << bits, np.uint64))
    number = U64(_search(U64(mask), key_words, attack_words, shift, refinements, *scratch))
    indices = (key_words * number) >> shift
    return Magic(int(number), {int(index): int(word) for index, word in zip(indices, attack_words)})


@kernel(uint64(uint64, uint64[::1], uint64[::1], uint64, int64, int64[::1], uint64[::1]))
def _search(mask, keys, attacks, shift, refinements, owner, table):
    """Try sparse random numbers until one is magic, then similar ones for a shorter table."""
    state, attempt, span = SEED ^ mask, 0, NOT_MAGIC
    while span == NOT_MAGIC:
        number = FULL
        for _ in range(3):  # three random numbers anded: about eight bits are left
            state = _next_random(state)
            number &= state
        if popcount((mask * number) >> _S56) >= _TOP_BITS_WANTED:
            attempt += 1
            span = _span(number, keys, attacks, shift, attempt, owner, table)
    for _ in range(refinements):
        state = _next_random(state)
        similar = number ^ (ONE << (state >> _S58))
        if state & ONE != EMPTY:
            similar ^= ONE << ((state >> _S52) & _SIX_BITS)
        if state & TWO != EMPTY:
            similar ^= ONE << ((state >> _S46) & _SIX_BITS)
        attempt += 1
        length = _span(similar, keys, attacks, shift, attempt, owner, table)
        if length != NOT_MAGIC and length <= span:
            number, span = similar, length
    return number


@inline(uint64(uint64))
def _next_random(state):
    state ^= state >> _S12
    state ^= state << _S25
    return state ^ (state >> _S27)


@kernel(int64(uint64, uint64[::1], uint64[::1], uint64, int64, int64[::1], uint64[::1]))
def _span(number, keys, attacks, shift, attempt, owner, table):
    """How long a table must be with that number; `NOT_MAGIC` if two different attacks meet in one slot.

    `owner` holds for each slot the last attempt that used it, so that nothing has to be cleared.
    """
    first, last = FULL, EMPTY
    for i in range(len(keys)):
        index = (keys[i] * number) >> shift
        if owner[index] != attempt:
            owner[index], table[index] = attempt, attacks[i]
            first, last = min(first, index), max(last, index)
        elif table[index] != attacks[i]:
            return NOT_MAGIC
    return int64(last - first) + 1


@kernel(int64(int64[::1], uint64[::1], uint64[::1], int64[::1]))
def overlap(indices, attacks, table, is_used):
    """Put a table with empty slots at the first place where it fits over those before; returns the place."""
    start = 0
    while True:
        for i in range(len(indices)):
            place = start + indices[i]
            if is_used[place] and table[place] != attacks[i]:
                break
        else:
            for i in range(len(indices)):
                place = start + indices[i]
                table[place], is_used[place] = attacks[i], 1
            return start
        start += 1
