"""Find the magic numbers of `core.tables.magic_numbers`, and print them.

A number is magic for a square if no two occupancies with different attacks land on one index. Nobody
knows how to construct one, but sparse random numbers are magic often enough. The search is seeded, so
every machine finds the same.
"""

import numpy as np

from bluekrait.core.compiler.jit import int64, kernel, uint64
from bluekrait.core.rules.bits import FULL, U64, popcount
from bluekrait.core.tables import geometry

SEED = U64(0x9E3779B97F4A7C15)
_S13, _S7, _S17, _S56 = U64(13), U64(7), U64(17), U64(56)
_TOP_BITS_WANTED = U64(6)  # a multiplier that leaves the top byte of mask * magic emptier rarely works


def main() -> None:
    """Print the numbers by square."""
    for steps in (geometry.ROOK_STEPS, geometry.BISHOP_STEPS):
        for square in range(64):
            mask = geometry.relevant_occupancy(square, steps)
            attacks = [geometry.slides(square, steps, subset) for subset in geometry.subsets(mask)]
            print(f"0x{find(mask, attacks):016X}")


def find(mask: int, attacks_by_subset: list[int]) -> int:
    """The magic number of a mask."""
    occupancies = np.array(list(geometry.subsets(mask)), dtype=np.uint64)
    attacks = np.array(attacks_by_subset, dtype=np.uint64)
    table = np.zeros(len(attacks), dtype=np.uint64)
    seen = np.zeros(len(attacks), dtype=np.int64)
    with np.errstate(over="ignore"):
        number = _search(U64(mask), occupancies, attacks, table, seen)
    return int(number)


@kernel(uint64(uint64, uint64[::1], uint64[::1], uint64[::1], int64[::1]))
def _search(mask, occupancies, attacks, table, seen):
    """Try sparse random numbers until one is magic, noting in the table what lands where."""
    shift = U64(64) - popcount(mask)
    state, attempt = SEED ^ mask, 0
    while True:
        number = FULL
        for _ in range(3):  # three random numbers anded: about eight bits set
            state ^= state << _S13
            state ^= state >> _S7
            state ^= state << _S17
            number &= state
        if popcount((mask * number) >> _S56) < _TOP_BITS_WANTED:
            continue
        attempt += 1
        for i in range(len(occupancies)):
            index = (occupancies[i] * number) >> shift
            if seen[index] != attempt:
                seen[index], table[index] = attempt, attacks[i]
            elif table[index] != attacks[i]:
                break
        else:
            return number


if __name__ == "__main__":
    main()
