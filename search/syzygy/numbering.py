"""How Syzygy's tables number squares: maps from a square to its index, symmetric squares counted once.

The board's symmetries bring the leading piece into a corner: without pawns it stands in the triangle
a1-d1-d4, with pawns on the files a to d. What follows from that is counted here, once.
"""

from math import comb

from bluekrait.core.tables import geometry

SQUARES = range(64)
CORNER = [square for square in SQUARES if square & 7 < 4 and square >> 3 < 4]
PAWN_RANKS = range(1, 7)
MOST_LEADING_PAWNS = 5
MOST_ALIKE = 6  # pieces of one kind and side, and how many can be chosen from 64 squares


def above_diagonal(square: int) -> int:
    """Ranks from the diagonal a1-h8: zero on it, negative below."""
    return (square >> 3) - (square & 7)


def choices() -> list[int]:
    """By k and n, in how many ways k of n squares can be chosen."""
    return [comb(n, k) for k in range(MOST_ALIKE + 1) for n in SQUARES]


def triangle() -> list[int]:
    """The ten squares of the triangle: the six below the diagonal first."""
    below = [square for square in CORNER if above_diagonal(square) < 0]
    return _places(below + [square for square in CORNER if above_diagonal(square) == 0])


def below_diagonal() -> list[int]:
    """The 28 squares below the diagonal."""
    return _places([square for square in SQUARES if above_diagonal(square) < 0])


def king_pairs() -> list[int]:
    """By the first king's place in the triangle and the second's square: the 462 ways to put two kings."""
    places, numbers = triangle(), [0] * (10 * 64)
    pairs: list[int] = []
    on_diagonal: list[int] = []
    for first in sorted(set(CORNER), key=lambda square: places[square]):
        if above_diagonal(first) > 0:
            continue
        near = geometry.leaps(first, geometry.KING_STEPS) | geometry.bit(first)
        for second in SQUARES:
            if near & geometry.bit(second) or (not above_diagonal(first) and above_diagonal(second) > 0):
                continue
            both = not above_diagonal(first) and not above_diagonal(second)
            (on_diagonal if both else pairs).append(places[first] * 64 + second)
    for number, place in enumerate(pairs + on_diagonal):
        numbers[place] = number
    return numbers


def pawn_order() -> list[int]:
    """By square: pawns on the files at the edge, far from promotion, count highest."""
    order, number = [0] * 64, 47
    for file in range(4):
        for rank in PAWN_RANKS:
            order[rank * 8 + file], order[rank * 8 + 7 - file] = number, number - 1
            number -= 2
    return order


def leading_pawns() -> list[int]:
    """By their number and the square of the first: the ways to put the pawns before that square's."""
    return [number for count in range(MOST_LEADING_PAWNS + 1) for number in _ways(count)]


def ways_on_file(count: int, file: int) -> int:
    """The ways to put so many leading pawns, the first of them on a file."""
    order = pawn_order()
    return sum(comb(order[rank * 8 + file], count - 1) for rank in PAWN_RANKS)


def _ways(count: int) -> list[int]:
    order, ways = pawn_order(), [0] * 64
    for file in range(4):
        number = 0
        for rank in PAWN_RANKS:
            ways[rank * 8 + file] = number
            number += comb(order[rank * 8 + file], count - 1) if count else 0
    return ways


def _places(squares: list[int]) -> list[int]:
    places = [0] * 64
    for number, square in enumerate(squares):
        places[square] = number
    return places
