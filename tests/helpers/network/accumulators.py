"""The accumulators that searches leave behind, and what they should hold: worked out for many boards at once.

Squares of many boards are an array of words. Each board is seen by the side whose numbers are looked at, so
its pawns move up. What the engine notes of attacked pieces, of passed pawns and of rows is not read, but
found again from the pieces.
"""

from itertools import product
from typing import NamedTuple

import numpy as np

from bluekrait.search.evaluation.network.network_records import (
    CHANGES_BYTES,
    HEADER_BYTES,
    PLIES,
    SIDES,
    accumulator_bytes,
)

STRAIGHT, DIAGONAL = ((1, 0), (-1, 0), (0, 1), (0, -1)), ((1, 1), (1, -1), (-1, 1), (-1, -1))
JUMPS = [(ranks, files) for ranks, files in product((-2, -1, 1, 2), repeat=2) if abs(ranks) != abs(files)]
REGIONS = np.array([0, 0, 1, 1, 1, 1, 0, 0] + 8 * [2] + 48 * [3])  # of a king on each square
KINDS, THREATS = 7, 2  # of a network that tells all that a network can tell


class Men(NamedTuple):
    """Where the men of one side are, in the order of the network's file."""

    pawns: np.ndarray
    knights: np.ndarray
    bishops: np.ndarray
    rooks: np.ndarray
    queens: np.ndarray
    kings: np.ndarray


def accumulators_of(worker, width):
    """The accumulators of a worker, as bytes: the view, then the numbers. Those of no board are left out."""
    memory, size = worker._evaluation.accumulators, accumulator_bytes(width)
    content = memory.first_bytes(memory.size)[CHANGES_BYTES:]
    found = {bytes(content[place : place + size]) for place in range(0, PLIES * size, size)}
    return {accumulator for accumulator in found if any(accumulator[:HEADER_BYTES])}


def count_wrong(accumulators, oracle):
    """How many accumulators do not hold the numbers of their boards, by the weights of an `Oracle`."""
    layout = [("view", "<u8", HEADER_BYTES // 8), ("numbers", "<i2", (SIDES, oracle.width))]
    array = np.frombuffer(b"".join(accumulators), layout)
    expected = np.stack([hidden(*men_of(array["view"], side), oracle) for side in range(SIDES)], axis=1)
    return int((array["numbers"] != expected).any(axis=(1, 2)).sum())


def hidden(own, enemy, oracle):
    """The hidden numbers of boards: by the men of the side that sees them, and those of the other."""
    occupied = np.bitwise_or.reduce([*own, *enemy])
    attacked = numbered(attacks(enemy, -1, occupied)), numbered(attacks(own, 1, occupied))
    passed = passed_pawns(own.pawns, enemy.pawns, 1), passed_pawns(enemy.pawns, own.pawns, -1)
    king = numbered(own.kings).argmax(axis=1)
    mirror = np.where(king % 8 >= 4, 7, 0)
    numbers = np.tile(oracle.feature_biases, (len(king), 1))
    for side, men in enumerate((own, enemy)):
        for kind, squares in enumerate((men.pawns & ~passed[side], *men[1:], passed[side])):
            board, square = np.nonzero(numbered(squares))
            group = REGIONS[king[board]] * THREATS + attacked[side][board, square]
            rows = ((group * SIDES + side) * KINDS + kind) * 64 + (square ^ mirror[board])
            np.add.at(numbers, board, oracle.features[rows])
    return numbers


def men_of(views, side):
    """The men of a side, and those of the other, as that side sees them: side 1 turns the views round."""
    low, middle, high, first = (views[:, place].byteswap() if side else views[:, place] for place in range(4))
    small, rooks_and_queens = ~high, middle & high
    kinds = (
        low & small,  # passed pawns have the bit of knights, too
        middle & small & ~low,
        low & high & ~middle,
        rooks_and_queens & ~low,
        rooks_and_queens & low,
        high & ~low & ~middle,
    )
    own, enemy = (~first, first) if side else (first, ~first)
    return Men(*(kind & own for kind in kinds)), Men(*(kind & enemy for kind in kinds))


def attacks(men, forward, occupied):
    """What the men of a side attack, whose pawns move `forward` by ranks."""
    found = moved(men.pawns, forward, 1) | moved(men.pawns, forward, -1)
    for step in JUMPS:
        found |= moved(men.knights, *step)
    for step in STRAIGHT + DIAGONAL:
        found |= moved(men.kings, *step)
        reached = men.queens | (men.rooks if step in STRAIGHT else men.bishops)
        while reached.any():
            reached = moved(reached, *step)
            found |= reached
            reached = reached & ~occupied
    return found


def passed_pawns(pawns, enemy_pawns, forward):
    """The pawns with no enemy pawn before them, on their file or beside, and no own one on their file."""
    near = enemy_pawns | moved(enemy_pawns, 0, 1) | moved(enemy_pawns, 0, -1) | pawns
    passed = pawns
    while near.any():
        near = moved(near, -forward, 0)
        passed = passed & ~near
    return passed


def moved(squares, ranks, files):
    """Squares moved by some ranks and files; what leaves the board is gone."""
    staying = sum(1 << square for square in range(64) if 0 <= square % 8 + files < 8)
    kept, distance = squares & np.uint64(staying), 8 * ranks + files
    return kept << np.uint64(distance) if distance > 0 else kept >> np.uint64(-distance)


def numbered(squares):
    """For each board, one number for each square: 1 or 0."""
    return (squares[:, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)).astype(np.int64)
