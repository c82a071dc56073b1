"""The hash table of perft: how many leaves lie below a position, shared by threads without locks."""

from bluekrait.core.compiler.jit import inline, int64, uint64
from bluekrait.core.compiler.memory import load_word, store_word
from bluekrait.core.counting.expand import perft_job_type
from bluekrait.core.records import BUCKET_BYTES
from bluekrait.core.rules.bits import EMPTY, U64

_DEPTH_SALT = U64(0x9E3779B97F4A7C15)
_WORD_BYTES, _ENTRY_BYTES, _BUCKET_BYTES = U64(8), U64(16), U64(BUCKET_BYTES)


@inline(uint64(uint64, int64))
def signature_of(key, depth):
    """What identifies a subtree in the hash table: its position and its depth."""
    return key ^ (U64(depth) * _DEPTH_SALT)


@inline(uint64(perft_job_type, uint64))
def bucket_of(job, signature):
    """Address of the bucket, a cache line of four entries, that may hold a subtree."""
    return job.table + (signature & job.table_mask) * _BUCKET_BYTES


@inline(uint64(uint64, uint64))
def probe(bucket, signature):
    """The count of a subtree, or 0 if it is not known.

    An entry is the count, and the count xored with the signature. So an entry that two threads have written
    at once, half each, does not match any signature.
    """
    for address in range(bucket, bucket + _BUCKET_BYTES, _ENTRY_BYTES):
        count = load_word(address)
        if load_word(address + _WORD_BYTES) ^ count == signature:
            return count
    return EMPTY


@inline(int64(uint64, uint64, uint64))
def store(bucket, signature, nodes):
    """Store the count of a subtree in its bucket, in place of the smallest count."""
    place = bucket
    for address in range(bucket + _ENTRY_BYTES, bucket + _BUCKET_BYTES, _ENTRY_BYTES):
        if load_word(address) < load_word(place):
            place = address
    store_word(place, nodes)
    store_word(place + _WORD_BYTES, nodes ^ signature)
    return 0
