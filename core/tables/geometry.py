"""The board's geometry, walked step by step: slow, but simple; every table is built from it and tested by it.

Plain integers, no dependencies. Bitboards here are non-negative Python ints.
"""

from collections.abc import Iterator, Sequence

Step = tuple[int, int]  # files and ranks

ROOK_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
BISHOP_STEPS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
KING_STEPS = ROOK_STEPS + BISHOP_STEPS
KNIGHT_STEPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
PAWN_CAPTURE_STEPS = ((-1, 1), (1, 1))


def bit(square: int) -> int:
    """The bitboard of one square."""
    return 1 << square


def squares(bitboard: int) -> Iterator[int]:
    """The squares of a bitboard, lowest first."""
    bitboard = int(bitboard)  # where nothing is compiled, rules and search have NumPy's words
    while bitboard:
        lowest = bitboard & -bitboard
        yield lowest.bit_length() - 1
        bitboard ^= lowest


def neighbour(square: int, step: Step) -> int | None:
    """The square one step (files, ranks) away, or None beyond the edge."""
    file, rank = (square & 7) + step[0], (square >> 3) + step[1]
    return rank * 8 + file if 0 <= file < 8 and 0 <= rank < 8 else None


def leaps(square: int, steps: Sequence[Step]) -> int:
    """Where a knight, king or pawn attacks: one step in each direction."""
    targets = (neighbour(square, step) for step in steps)
    return sum(bit(target) for target in targets if target is not None)


def slides(square: int, steps: Sequence[Step], occupied: int = 0) -> int:
    """Where a slider attacks: all squares in each direction, up to and including the first piece."""
    attacked = 0
    for step in steps:
        target = neighbour(square, step)
        while target is not None:
            attacked |= bit(target)
            if occupied & bit(target):
                break
            target = neighbour(target, step)
    return attacked


def between(start: int, end: int) -> int:
    """The squares strictly between two squares of one line; none if no line joins them."""
    for step in KING_STEPS:
        path, square = 0, neighbour(start, step)
        while square is not None:
            if square == end:
                return path
            path |= bit(square)
            square = neighbour(square, step)
    return 0


def relevant_occupancy(square: int, steps: Sequence[Step]) -> int:
    """The squares whose occupancy matters to a slider: its empty-board attacks less each ray's last."""
    edges = (neighbour(target, step) is None for target, step in _ray_squares(square, steps))
    return sum(bit(target) for (target, _), edge in zip(_ray_squares(square, steps), edges) if not edge)


def _ray_squares(square: int, steps: Sequence[Step]) -> Iterator[tuple[int, Step]]:
    for step in steps:
        target = neighbour(square, step)
        while target is not None:
            yield target, step
            target = neighbour(target, step)


def subsets(mask: int) -> Iterator[int]:
    """Every subset of a mask, in the order that extracting the mask's bits numbers them."""
    subset = 0
    while True:
        yield subset
        subset = (subset - mask) & mask
        if not subset:
            return
