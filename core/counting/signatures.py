"""What identifies a position in the hash table of perft: 128 bits, computed for several boards at a time.

A Zobrist key is kept up to date move by move. For boards that are made in vector registers it is quicker to
hash their words: as in NH (Black and others, "UMAC: Fast and Secure Message Authentication", 1999), a
random number is added to each word, and its halves are multiplied. Two such sums, with numbers of their
own, are put together to a hash, and there are two hashes, the tag and the place in the table. Boards are as
their side to move sees them: if only the colours differ, the signatures are equal.
"""

from numba import types

from bluekrait.core.compiler.jit import board_type, inline, int64, internal, uint64
from bluekrait.core.counting.children import children_type
from bluekrait.core.counting.vectors import LANES, broadcast, load, store, vector_kernel, words_type
from bluekrait.core.records import BUCKET_BYTES
from bluekrait.core.rules.bits import EMPTY, U64

_LOW_HALF, _HALF, _BUCKET_BYTES = U64(0xFFFFFFFF), U64(32), U64(BUCKET_BYTES)
_EN_PASSANT = U64(0x9FB21C651E98DF25)
_WORDS = 7  # of a board but for the en-passant square

signature_type = types.UniTuple(uint64, 2)
_seven_words, _seven_vectors = types.UniTuple(uint64, _WORDS), types.UniTuple(words_type, _WORDS)
_keys_type = types.UniTuple(_seven_words, 2)


def _random_words(count: int, seed: int) -> tuple[U64, ...]:
    """Numbers without a pattern: SplitMix64."""
    numbers, mask = [], (1 << 64) - 1
    for _ in range(count):
        seed = (seed + 0x9E3779B97F4A7C15) & mask
        number = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & mask
        number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & mask
        numbers.append(U64(number ^ (number >> 31)))
    return tuple(numbers)


_TAG_KEYS = _random_words(_WORDS, seed=1), _random_words(_WORDS, seed=2)
_PLACE_KEYS = _random_words(_WORDS, seed=3), _random_words(_WORDS, seed=4)


@internal(int64(children_type, int64, uint64, uint64))
def find_signatures(children, count, table, buckets):
    """Write the tags of the first boards, and where they may be in a table; without en-passant squares."""
    for start in range(0, count, LANES):
        pawns, knights = load(children.pawns, start), load(children.knights, start)
        diagonals, orthogonals = load(children.diagonals, start), load(children.orthogonals, start)
        kings, own = load(children.kings, start), load(children.own, start)
        castling = load(children.castling, start)
        words = pawns, knights, diagonals, orthogonals, kings, own, castling
        place = hashed_words(words, _PLACE_KEYS)
        store(children.tags, start, hashed_words(words, _TAG_KEYS))
        store(children.buckets, start, table + (((place >> _HALF) * buckets >> _HALF) * _BUCKET_BYTES))
    return count


@inline(signature_type(board_type))
def signature_of(board):
    """The tag of a board, and the hash that tells its place in a table."""
    words = (
        board.pawns,
        board.knights,
        board.diagonals,
        board.orthogonals,
        board.kings,
        board.own,
        board.castling,
    )
    tag = with_en_passant(hashed(words, _TAG_KEYS), board.en_passant)
    return tag, hashed(words, _PLACE_KEYS)


@vector_kernel(words_type(_seven_vectors, _keys_type))
def hashed_words(words, keys):
    """The hash of each lane's board."""
    first, second = broadcast(EMPTY), broadcast(EMPTY)
    for i in range(_WORDS):
        one, other = words[i] + keys[0][i], words[i] + keys[1][i]
        first = first + (one & _LOW_HALF) * (one >> _HALF)
        second = second + (other & _LOW_HALF) * (other >> _HALF)
    return first ^ ((second << _HALF) | (second >> _HALF))


@inline(uint64(_seven_words, _keys_type))
def hashed(words, keys):
    """The same for one board."""
    first, second = EMPTY, EMPTY
    for i in range(_WORDS):
        one, other = words[i] + keys[0][i], words[i] + keys[1][i]
        first += (one & _LOW_HALF) * (one >> _HALF)
        second += (other & _LOW_HALF) * (other >> _HALF)
    return first ^ ((second << _HALF) | (second >> _HALF))


@inline(uint64(uint64, uint64))
def with_en_passant(tag, square):
    """The tag of the same board with an en-passant square."""
    return tag ^ (square * _EN_PASSANT)
