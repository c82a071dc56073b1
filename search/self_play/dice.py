"""Random numbers inside a game: SplitMix64, begun with what names the game."""

from bluekrait.core.compiler.jit import inline, int64, internal, uint64
from bluekrait.core.rules.bits import U64, signed
from bluekrait.search.self_play.job import job_type

_STEP = U64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = U64(0xBF58476D1CE4E5B9), U64(0x94D049BB133111EB)
_30, _27, _31, _32 = U64(30), U64(27), U64(31), U64(32)


@inline(uint64(uint64))
def mixed(word):
    """Another word, in which every bit of this one counts everywhere."""
    word = (word ^ word >> _30) * _FIRST
    word = (word ^ word >> _27) * _SECOND
    return word ^ word >> _31


@inline(uint64(job_type))
def take_up(job):
    """Begin the random numbers of a game."""
    job.dice = mixed(mixed(job.seed + _STEP) ^ job.number)
    return job.dice


@internal(int64(job_type, int64))
def roll(job, sides):
    """A number from 0 to one less than the sides."""
    job.dice += _STEP
    return signed((mixed(job.dice) >> _32) * U64(sides) >> _32)
