"""The inputs of the network: for each side, which pieces of its own and of the other side stand where.

A feature is (((region · threats + threat) · 2 + enemy) · kinds + kind) · 64 + square. Each perspective sees
the board from its own side, and with left and right exchanged if its king stands on the files e to h; the
region is that of its king. The threat is 1 for a piece that is attacked, if the network knows of that; a
passed pawn is of the seventh kind, if there are seven. One more feature is always there, the last one: its
weights are the biases.
"""

import numba
import numpy as np

from bluekrait.core.compiler.jit import inline, int64, share, uint64
from bluekrait.core.rules.bits import EMPTY, U64, lowest_bit, lowest_square
from bluekrait.core.rules.legality import attacked_by_enemy, attacked_pieces
from bluekrait.search.evaluation.network.network_file import SIDES, SQUARES, region_of
from bluekrait.search.evaluation.passed_pawns import all_passed_pawns
from bluekrait.search.self_play.packing import board_of
from bluekrait.tools.data.formats.sample_array import LAYOUT
from bluekrait.tools.network.kernels.sums import numbers_type

MOST = 33  # features of one perspective: 32 pieces and the bias

OTHER_SIDE = 56  # exclusive-or of a square: the board turned
MIRRORED = 7  # exclusive-or of a square: the board reflected left to right

samples_type = numba.from_dtype(LAYOUT)[::1]

_FOUR, _KING, _ENEMY = U64(4), U64(4), U64(8)
_NIBBLE, _CODE = U64(15), U64(7)
# Kinds by the codes of `tools.data.formats.samples`: pawn 0, knight 1, bishop 2, rook 3, queen 4, king 5.
KIND_OF_CODE = np.array([0, 0, 1, 3, 5, 2, 3, 4], np.int64)
PASSED_PAWN = 6

share(region_of)


def rows_of(regions: int, threats: int = 1, kinds: int = 6) -> int:
    """The rows of the table of weights, with that of the biases."""
    return regions * threats * SIDES * kinds * SQUARES + 1


@inline(uint64(uint64, uint64, int64))
def nibble_at(first_pieces, last_pieces, place):
    """The nibble of the piece on the occupied square of that number."""
    word = first_pieces if place < 16 else last_pieces
    return (word >> (_FOUR * uint64(place & 15))) & _NIBBLE


@inline(int64(uint64))
def mirror_of(king_square):
    """What reflects the squares of a perspective, if its king's place asks for it."""
    return int64(MIRRORED) if king_square & _FOUR else int64(0)


@inline(int64(uint64, uint64, uint64, int64, int64, int64, numbers_type, int64, int64))
def put_features(
    occupied, first_pieces, last_pieces, regions, threats, kinds, features, own_start, other_start
):  # fmt: skip
    """Write the features of both perspectives from two places on, the bias last; how many for each."""
    own_mirror = other_mirror = own_first = other_first = int64(0)
    attacked = passed = EMPTY
    if threats > 1 or kinds > PASSED_PAWN:
        board = board_of(occupied, first_pieces, last_pieces)
        if threats > 1:
            attacked = attacked_pieces(board, attacked_by_enemy(board))
        if kinds > PASSED_PAWN:
            passed = all_passed_pawns(board.pawns & board.own, board.pawns & ~board.own)
    per_side = kinds * SQUARES
    per_region = threats * SIDES * per_side
    place, rest = int64(0), occupied
    while rest:
        nibble = nibble_at(first_pieces, last_pieces, place)
        if nibble & _CODE == _KING:
            king = lowest_square(rest)
            if nibble & _ENEMY:
                other_mirror = mirror_of(king)
                other_first = region_of(int64(king) ^ OTHER_SIDE, regions) * per_region
            else:
                own_mirror = mirror_of(king)
                own_first = region_of(int64(king), regions) * per_region
        rest ^= lowest_bit(rest)
        place += 1
    count, rest = int64(0), occupied
    while rest:
        nibble = nibble_at(first_pieces, last_pieces, count)
        kind = int64(PASSED_PAWN) if passed & lowest_bit(rest) else KIND_OF_CODE[int64(nibble & _CODE)]
        square, first = int64(lowest_square(rest)), kind * SQUARES
        own, other = (per_side, int64(0)) if nibble & _ENEMY else (int64(0), per_side)
        if attacked & lowest_bit(rest):
            first += SIDES * per_side
        features[own_start + count] = own_first + own + first + (square ^ own_mirror)
        features[other_start + count] = other_first + other + first + (square ^ OTHER_SIDE ^ other_mirror)
        rest ^= lowest_bit(rest)
        count += 1
    features[own_start + count] = features[other_start + count] = regions * per_region
    return count + 1
