"""Random numbers inside a game: SplitMix64, seeded with the seed and the number of the opening."""

from bluekrait.core.compiler.jit import inline, int64, internal, uint64
from bluekrait.core.rules.bits import U64, signed
from bluekrait.search.self_play.job import job_type

_STEP = U64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = U64(0xBF58476D1CE4E5B9), U64(0x94D049BB133111EB)
_30, _27, _31, _32 = U64(30), U64(27), U64(31), U64(32)


@inline(uint64(uint64))
def mixed(word):
    """A hash of a word: every bit of the input changes half of the output."""
    word = (word ^ word >> _30) * _FIRST
    word = (word ^ word >> _27) * _SECOND
    return word ^ word >> _31


@inline(uint64(job_type))
def seed_random(job):
    """Seed the random numbers of a game."""
    job.random_state = mixed(mixed(job.seed + _STEP) ^ job.opening)
    return job.random_state


@internal(int64(job_type, int64))
def random_below(job, sides):
    """A number from 0 to one less than the sides."""
    job.random_state += _STEP
    return signed((mixed(job.random_state) >> _32) * U64(sides) >> _32)
