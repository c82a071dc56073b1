"""Parts of the tables of several techniques: the four lines through a square, and attacks along a line.

Plain integers, computed by `core.tables.geometry`.
"""

from functools import cache

from bluekrait.core.tables import geometry

Line = tuple[geometry.Step, ...]  # the steps along a line, both ways

RANK, FILE = ((1, 0), (-1, 0)), ((0, 1), (0, -1))
DIAGONAL, ANTIDIAGONAL = ((1, 1), (-1, -1)), ((1, -1), (-1, 1))  # a1-h8 rises, a8-h1 falls

INNER_OCCUPANCIES = 64  # of the six squares between the ends of a line: pieces on the ends block nothing


def masks(steps: Line) -> list[int]:
    """By square: the line through it, less the square itself."""
    return [geometry.slides(square, steps) for square in range(64)]


def inner_masks(steps: Line) -> list[int]:
    """By square: the squares of the line whose occupancy matters."""
    return [geometry.relevant_occupancy(square, steps) for square in range(64)]


@cache
def first_rank_attacks() -> bytes:
    """Attacks on the first rank, one byte each, by occupancy of its six inner squares and by file."""
    return bytes(
        geometry.slides(file, RANK, inner << 1) & 0xFF
        for inner in range(INNER_OCCUPANCIES)
        for file in range(8)
    )


@cache
def by_subset(steps: Line) -> list[tuple[int, list[int]]]:
    """By square: the relevant squares, and the attacks for every subset of them in the order of `subsets`."""
    tables = []
    for square in range(64):
        mask = geometry.relevant_occupancy(square, steps)
        tables.append((mask, [geometry.slides(square, steps, subset) for subset in geometry.subsets(mask)]))
    return tables
