"""The inputs of the network: for each side, which pieces of its own and of the other side stand where.

A feature is (enemy · 6 + kind) · 64 + square. Each perspective sees the board from its own side, and with
left and right exchanged if its king stands on the files e to h. One more feature is always there: its weights
are the biases.
"""

import numba
import numpy as np
from numba import types

from bluekrait.core.compiler.jit import inline, int64, uint64
from bluekrait.core.rules.bits import U64, lowest_bit, lowest_square
from bluekrait.tools.data.sample_array import LAYOUT

INPUTS = 768
BIAS = INPUTS  # the feature that is always there
ROWS = INPUTS + 1  # of the table of weights
MOST = 33  # features of one perspective: 32 pieces and the bias

OTHER_SIDE = 56  # exclusive-or of a square: the board turned
MIRRORED = 7  # exclusive-or of a square: the board reflected left to right

samples_type = numba.from_dtype(LAYOUT)[::1]
numbers_type = types.uint16[::1]

_FOUR, _KING, _ENEMY = U64(4), U64(4), U64(8)
_NIBBLE, _CODE = U64(15), U64(7)
# Kinds by the codes of `tools.data.samples`: pawn 0, knight 1, bishop 2, rook 3, queen 4, king 5.
KIND_OF_CODE = np.array([0, 0, 1, 3, 5, 2, 3, 4], np.int64)


@inline(uint64(uint64, uint64, int64))
def nibble_at(first_pieces, last_pieces, place):
    """The nibble of the piece on the occupied square of that number."""
    word = first_pieces if place < 16 else last_pieces
    return (word >> (_FOUR * uint64(place & 15))) & _NIBBLE


@inline(int64(uint64))
def mirror_of(king_square):
    """What reflects the squares of a perspective, if its king's place asks for it."""
    return int64(MIRRORED) if king_square & _FOUR else int64(0)


@inline(int64(uint64, uint64, uint64, numbers_type, int64, int64))
def put_features(occupied, first_pieces, last_pieces, features, own_start, other_start):
    """Write the features of both perspectives from two places on, the bias last; how many for each."""
    own_mirror = other_mirror = int64(0)
    place, rest = int64(0), occupied
    while rest:
        nibble = nibble_at(first_pieces, last_pieces, place)
        if nibble & _CODE == _KING:
            if nibble & _ENEMY:
                other_mirror = mirror_of(lowest_square(rest))
            else:
                own_mirror = mirror_of(lowest_square(rest))
        rest ^= lowest_bit(rest)
        place += 1
    count, rest = int64(0), occupied
    while rest:
        nibble = nibble_at(first_pieces, last_pieces, count)
        kind, square = KIND_OF_CODE[int64(nibble & _CODE)] * 64, int64(lowest_square(rest))
        own, other = (384, 0) if nibble & _ENEMY else (0, 384)
        features[own_start + count] = own + kind + (square ^ own_mirror)
        features[other_start + count] = other + kind + (square ^ OTHER_SIDE ^ other_mirror)
        rest ^= lowest_bit(rest)
        count += 1
    features[own_start + count] = features[other_start + count] = BIAS
    return count + 1
