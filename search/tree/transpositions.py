"""The transposition table (TT): results of earlier searches, shared by threads without locks.

A cluster is a cache line of four entries of two words:

    data   move 24 bits | score 16 | evaluation 16 | depth 8
    check  (key, its lowest byte replaced by bound 2 bits | PV 1 | generation 5)  xor  seal of data

The lowest byte of the key gives way to bound, PV and generation: the other 56 bits are enough. Whatever
two threads do to an entry at once, a torn one matches no key: the seal is a product in which every bit of the
data changes many others, so that a torn entry cannot look like one with another bound or generation.
"""

from typing import NamedTuple

from numba import types

from bluekrait.core.compiler.jit import boolean, inline, int64, internal, position_type, uint32, uint64
from bluekrait.core.compiler.memory import load_word, prefetch, store_word
from bluekrait.core.move import NO_MOVE
from bluekrait.core.rules.bits import U64, signed
from bluekrait.core.rules.make import likely_key_after
from bluekrait.core.rules.outcome import FIFTY_MOVES_CLOCK
from bluekrait.search.scores import (
    EXACT,
    MATE,
    MAX_PLY,
    NO_BOUND,
    TABLEBASE_WIN,
    UNKNOWN,
    from_node,
    from_root,
    is_decided,
    is_mate,
)
from bluekrait.search.transposition_layout import (
    CLUSTER_BYTES,
    ENTRY_BYTES,
    GENERATION_SHIFT,
    GENERATIONS,
    LABEL_MASK,
    SEAL,
)
from bluekrait.search.tree.state import thread_type

GENERATION_WEIGHT = 4  # plies of depth that an entry loses with each search that it is old
KEPT_ABOVE = 4  # plies: an entry of the same position that is so much deeper stays
PV_BONUS = 2  # plies by which a new one counts as deeper if it was in the PV

_CLUSTER, _ENTRY, _WORD = U64(CLUSTER_BYTES), U64(ENTRY_BYTES), U64(8)
_LOW_HALF, _HALF = U64(0xFFFFFFFF), U64(32)
_SCORE_SHIFT, _EVAL_SHIFT, _DEPTH_SHIFT = U64(24), U64(40), U64(56)
_MOVE_MASK, _SCORE_MASK, _LABEL_MASK = U64(0xFFFFFF), U64(0xFFFF), U64(LABEL_MASK)
_OFFSET = 1 << 15  # makes scores positive
_SEAL = U64(SEAL)
_BOUND_MASK, _PV_SHIFT, _GENERATION_SHIFT = 3, 2, U64(GENERATION_SHIFT)


class TTEntry(NamedTuple):
    """What the table stores of a position; without a bound, nothing but perhaps the evaluation and a move."""

    move: int
    score: int
    evaluation: int  # UNKNOWN if there is none
    depth: int
    bound: int
    was_pv: int


tt_entry_type = types.NamedUniTuple(int64, 6, TTEntry)


@inline(uint64(thread_type, uint64))
def cluster_of(thread, key):
    """Address of the cluster for a key: the low half of the key, scaled to the size of the table."""
    return thread.table + (((key & _LOW_HALF) * thread.clusters) >> _HALF) * _CLUSTER


@inline(int64(thread_type, uint64))
def prefetch_cluster(thread, key):
    """Load the cluster of a position that will be probed soon into the processor's cache."""
    prefetch(cluster_of(thread, key))
    return 0


@inline(int64(thread_type, position_type, uint32))
def prefetch_child(thread, position, move):
    """The same for the position after a move that will probably be made, long before it is."""
    return prefetch_cluster(thread, likely_key_after(position, move))


@inline(uint64(uint64))
def sealed(data):
    """The word that is exclusive-ored into the check of an entry."""
    return data * _SEAL


@inline(tt_entry_type())
def no_entry():
    """What is known of a position that is not in the table."""
    return TTEntry(NO_MOVE, 0, UNKNOWN, 0, NO_BOUND, 0)


@inline(boolean(int64, int64, int64))
def is_win_too_late(score, ply, clock):
    """True for a mate or tablebase win that is later than the deepest line, or than the fifty-move rule.

    One stored mate leads to the next, so that the way to the last may be longer than any line. If it counted,
    every move would be as good as another, and no progress would be made until the game is drawn.
    """
    soonest = MATE if is_mate(score) else TABLEBASE_WIN
    return is_decided(score) and soonest - abs(score) > min(MAX_PLY - ply, FIFTY_MOVES_CLOCK - clock)


@internal(tt_entry_type(thread_type, uint64, int64, int64))
def probe(thread, key, ply, clock):
    """The entry of a position, an empty one if there is none; mates are counted from the root again.

    It is without a bound if it is a win that comes too late.
    """
    start = cluster_of(thread, key)
    for address in range(start, start + _CLUSTER, _ENTRY):
        data = load_word(address)
        check = load_word(address + _WORD) ^ sealed(data)
        if (check ^ key) & ~_LABEL_MASK == 0 and data:
            label = signed(check & _LABEL_MASK)
            move, score = signed(data & _MOVE_MASK), signed((data >> _SCORE_SHIFT) & _SCORE_MASK) - _OFFSET
            evaluation = signed((data >> _EVAL_SHIFT) & _SCORE_MASK) - _OFFSET
            was_pv = label >> _PV_SHIFT & 1
            if is_win_too_late(score, ply, clock):
                return TTEntry(move, 0, evaluation, 0, NO_BOUND, was_pv)
            return TTEntry(
                move,
                from_root(score, ply),
                evaluation,
                signed(data >> _DEPTH_SHIFT),
                label & _BOUND_MASK,
                was_pv,
            )
    return no_entry()


@internal(int64(thread_type, uint64, int64, tt_entry_type))
def store(thread, key, ply, entry):
    """Store an entry over that of the same position, else over the shallowest and oldest of the cluster."""
    start = cluster_of(thread, key)
    place, lowest, old_move = start, 1 << 30, 0
    for address in range(start, start + _CLUSTER, _ENTRY):
        data = load_word(address)
        check = load_word(address + _WORD) ^ sealed(data)
        depth = signed(data >> _DEPTH_SHIFT)
        age = signed(thread.generation - ((check & _LABEL_MASK) >> _GENERATION_SHIFT)) & (GENERATIONS - 1)
        if (check ^ key) & ~_LABEL_MASK == 0:
            if is_old_entry_better(entry, depth, age):
                return 0
            place, old_move = address, signed(data & _MOVE_MASK)
            break
        value = depth - GENERATION_WEIGHT * age
        if value < lowest:
            place, lowest = address, value
    move = entry.move if entry.move else old_move
    data = (
        U64(move)
        | U64(from_node(entry.score, ply) + _OFFSET) << _SCORE_SHIFT
        | U64(entry.evaluation + _OFFSET) << _EVAL_SHIFT
        | U64(entry.depth) << _DEPTH_SHIFT
    )
    label = U64(entry.bound | entry.was_pv << _PV_SHIFT) | thread.generation << _GENERATION_SHIFT
    store_word(place, data)
    store_word(place + _WORD, ((key & ~_LABEL_MASK) | label) ^ sealed(data))
    return 1


@inline(int64(thread_type, uint64, int64))
def store_evaluation(thread, key, evaluation):
    """Store nothing but the evaluation of a position that is not in the table."""
    return store(thread, key, 0, TTEntry(NO_MOVE, 0, evaluation, 0, NO_BOUND, 0))


@inline(boolean(tt_entry_type, int64, int64))
def is_old_entry_better(entry, depth, age):
    """True if the stored entry of the same position, so deep and so old, is worth more than the new one."""
    return entry.bound != EXACT and age == 0 and entry.depth + KEPT_ABOVE + PV_BONUS * entry.was_pv <= depth
