"""What identifies a position in the hash table of perft, computed for several boards at a time.

A Zobrist key is kept up to date move by move. For boards that are made in vector registers it is quicker to
hash their words: as in NH (Black and others, "UMAC: Fast and Secure Message Authentication", 1999), a random
number is added to each word, and its halves are multiplied. Two such sums, with numbers of their own, are put
together. Boards are as their side to move sees them: if only the colours differ, the signatures are equal.
"""

from bluekrait.core.compiler.jit import inline, int64, internal, uint64
from bluekrait.core.counting.children import children_type
from bluekrait.core.counting.vectors import LANES, load, store, vector_kernel, words_type
from bluekrait.core.rules.bits import U64

_LOW_HALF, _HALF = U64(0xFFFFFFFF), U64(32)
_EN_PASSANT = U64(0x9FB21C651E98DF25)
_WORDS = 7  # of a board but for the en-passant square


def _random_words(count: int, seed: int) -> tuple[U64, ...]:
    """Numbers without a pattern: SplitMix64."""
    numbers, mask = [], (1 << 64) - 1
    for _ in range(count):
        seed = (seed + 0x9E3779B97F4A7C15) & mask
        number = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & mask
        number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & mask
        numbers.append(U64(number ^ (number >> 31)))
    return tuple(numbers)


_FIRST, _SECOND = _random_words(_WORDS, seed=1), _random_words(_WORDS, seed=2)


@internal(int64(children_type, int64))
def find_signatures(children, count):
    """Write the signatures of the first boards, without their en-passant squares."""
    for start in range(0, count, LANES):
        pawns, knights = load(children.pawns, start), load(children.knights, start)
        diagonals, orthogonals = load(children.diagonals, start), load(children.orthogonals, start)
        kings, own = load(children.kings, start), load(children.own, start)
        castling = load(children.castling, start)
        first = (
            mixed(pawns + _FIRST[0])
            + mixed(knights + _FIRST[1])
            + mixed(diagonals + _FIRST[2])
            + mixed(orthogonals + _FIRST[3])
            + mixed(kings + _FIRST[4])
            + mixed(own + _FIRST[5])
            + mixed(castling + _FIRST[6])
        )
        second = (
            mixed(pawns + _SECOND[0])
            + mixed(knights + _SECOND[1])
            + mixed(diagonals + _SECOND[2])
            + mixed(orthogonals + _SECOND[3])
            + mixed(kings + _SECOND[4])
            + mixed(own + _SECOND[5])
            + mixed(castling + _SECOND[6])
        )
        store(children.signatures, start, first ^ ((second << _HALF) | (second >> _HALF)))
    return count


@vector_kernel(words_type(words_type))
def mixed(words):
    """The halves of each word multiplied."""
    return (words & _LOW_HALF) * (words >> _HALF)


@inline(uint64(uint64, uint64))
def with_en_passant(signature, square):
    """The signature of the same board with an en-passant square."""
    return signature ^ (square * _EN_PASSANT)
