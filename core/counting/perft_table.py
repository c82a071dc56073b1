"""The hash table of perft: how many leaves lie below a position, shared by threads without locks.

A position is known by 128 bits (`signatures`): one half chooses a cache line, the *bucket*, the other half,
the *tag*, is compared. There are two tables in the same memory. Most positions are two plies above the
leaves, and what is below them is a small number: there, an entry is one word, 48 bits of the tag and 16 of
the count. Of deeper subtrees an entry is two words: the count, and the count xored with the tag. So an
entry that two threads have written at once, half each, does not match any tag.
"""

from bluekrait.core.compiler.jit import inline, int64, uint64
from bluekrait.core.compiler.memory import load_word, store_word
from bluekrait.core.records import BUCKET_BYTES
from bluekrait.core.rules.bits import EMPTY, U64

_DEPTH_SALT = U64(0x9E3779B97F4A7C15)
_WORD_BYTES, _ENTRY_BYTES, _BUCKET_BYTES = U64(8), U64(16), U64(BUCKET_BYTES)
_HALF = U64(32)
_SMALL_COUNT = U64(0xFFFF)


@inline(uint64(uint64, uint64, uint64))
def bucket_at(table, buckets, place):
    """Address of the bucket that a hash chooses out of so many from an address on."""
    return table + ((place >> _HALF) * buckets >> _HALF) * _BUCKET_BYTES


@inline(uint64(uint64, int64))
def tag_at_depth(tag, depth):
    """The tag of a subtree: of its position and its depth."""
    return tag ^ (U64(depth) * _DEPTH_SALT)


@inline(uint64(uint64, uint64))
def probe(bucket, tag):
    """The count of a subtree, or 0 if it is not known."""
    for address in range(bucket, bucket + _BUCKET_BYTES, _ENTRY_BYTES):
        count = load_word(address)
        if load_word(address + _WORD_BYTES) ^ count == tag:
            return count
    return EMPTY


@inline(int64(uint64, uint64, uint64))
def store(bucket, tag, nodes):
    """Store the count of a subtree in its bucket, in place of the smallest count."""
    place = bucket
    for address in range(bucket + _ENTRY_BYTES, bucket + _BUCKET_BYTES, _ENTRY_BYTES):
        if load_word(address) < load_word(place):
            place = address
    store_word(place, nodes)
    store_word(place + _WORD_BYTES, nodes ^ tag)
    return 0


@inline(uint64(uint64, uint64))
def probe_small(bucket, tag):
    """The count of a subtree of two plies, or 0 if it is not known."""
    tag &= ~_SMALL_COUNT
    for address in range(bucket, bucket + _BUCKET_BYTES, _WORD_BYTES):
        difference = load_word(address) ^ tag
        if difference <= _SMALL_COUNT:
            return difference
    return EMPTY


@inline(int64(uint64, uint64, uint64))
def store_small(bucket, tag, nodes):
    """Store the count of a subtree of two plies in its bucket, in place of the smallest count."""
    if nodes > _SMALL_COUNT:  # not in games, only in positions made for it
        return 0
    place, smallest = bucket, load_word(bucket) & _SMALL_COUNT
    for address in range(bucket + _WORD_BYTES, bucket + _BUCKET_BYTES, _WORD_BYTES):
        count = load_word(address) & _SMALL_COUNT
        if count < smallest:
            place, smallest = address, count
    store_word(place, (tag & ~_SMALL_COUNT) | nodes)
    return 0
