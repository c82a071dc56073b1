"""Where the pieces of the side that replies may go after each of some moves: attacks, checks and pins.

Each lane of a vector is another move of the same board. So whatever no move of that board changes is a
constant: the replying king with the lines through it. What the board does not have, diagonal sliders say, is
skipped. The board stays as the side that moves sees it.
"""

from typing import NamedTuple

from numba import types

from bluekrait.core.compiler.jit import inline, int64, uint64
from bluekrait.core.counting.lines import (
    KingLines,
    king_lines,
    king_lines_type,
    king_rays,
    king_rays_on_rank,
    pair_type,
    six_words_type,
)
from bluekrait.core.counting.vectors import (
    Words,
    broadcast,
    columns_type,
    filled,
    load,
    vector_kernel,
    words_type,
)
from bluekrait.core.rules.attacks import king_attacks
from bluekrait.core.rules.bits import (
    EMPTY,
    FULL,
    NOT_FILE_A,
    NOT_FILE_H,
    ONE,
    RANK_7,
    S1,
    S7,
    S8,
    S9,
    lowest_square,
)
from bluekrait.core.rules.fills import open_line, slide, slide_on_rank


class Sides(NamedTuple):
    """A board, seen by its side to move: what both sides have. *They* reply."""

    occupied: int
    enemy: int
    our_diagonals: int
    our_orthogonals: int
    promoting: int  # pawns that may become sliders
    special: int  # not zero if there may be castlings or promotions
    their_diagonals: int
    their_orthogonals: int
    their_pawns: int
    their_knights: int
    their_king_steps: int
    lines: KingLines  # of their king


class Threats(NamedTuple):
    """The board after each move, and what their pieces must heed."""

    kept: Words  # squares that the move does not touch
    occupied: Words
    own: Words  # their pieces
    attacked: Words
    targets: Words  # where a piece other than the king may go
    between: Words  # what stands between an attacker and their king: a pinned piece, or the way of a check
    between_on_rank: Words
    between_on_file: Words
    between_on_falling: Words
    between_on_rising: Words
    rank: tuple[Words, ...]  # the propagators of each line
    file: tuple[Words, ...]
    falling: tuple[Words, ...]
    rising: tuple[Words, ...]


sides_type = types.NamedTuple((*[uint64] * 11, king_lines_type), Sides)
threats_type = types.NamedTuple((*[words_type] * 10, *[six_words_type] * 4), Threats)


@inline(sides_type(uint64, uint64, uint64, uint64, uint64, uint64, uint64, uint64))
def sides_of(pawns, knights, diagonals, orthogonals, kings, enemy, occupied, special):
    """The constants of a board."""
    king = kings & enemy
    return Sides(
        occupied,
        enemy,
        diagonals & ~enemy,
        orthogonals & ~enemy,
        pawns & ~enemy & RANK_7,
        special,
        diagonals & enemy,
        orthogonals & enemy,
        pawns & enemy,
        knights & enemy,
        king_attacks(lowest_square(king)),
        king_lines(king),
    )


@vector_kernel(threats_type(columns_type, int64, sides_type))
def find_threats(columns, start, sides):
    """The threats after the moves from `start` on."""
    gone, to = load(columns.gone, start), load(columns.to, start)
    kept = ~(gone | to)
    occupied = (sides.occupied & ~gone) | to
    own, empty = kept & sides.enemy, ~occupied
    lines, nothing = sides.lines, broadcast(EMPTY)
    attacked = load(columns.attacked, start)
    checkers = to & filled(attacked & lines.king)  # only the piece that moves can give check in this way
    rank = file = falling = rising = (nothing, nothing, nothing, nothing, nothing, nothing)
    between_1 = between_2 = between_3 = between_4 = nothing
    if sides.our_orthogonals | sides.their_orthogonals | sides.promoting:
        rank = open_line(empty, S1, NOT_FILE_A, NOT_FILE_H)
        file = open_line(empty, S8, FULL, FULL)
    if sides.our_orthogonals | sides.promoting:
        if sides.special:
            arrived = load(columns.orthogonal_to, start)
        else:
            arrived = to & filled(gone & sides.our_orthogonals)
        sliders = (sides.our_orthogonals & ~gone) | arrived
        on_rank, on_file = slide_on_rank(sliders, rank, empty), slide(sliders, file, S8, FULL, FULL)
        seen, seen_too = king_rays_on_rank(lines, rank, occupied), king_rays(lines, lines.file, occupied)
        between_1, between_2 = between(on_rank, seen, lines), between(on_file, seen_too, lines)
        attacked = attacked | on_rank[0] | on_rank[1] | on_file[0] | on_file[1]
        attacked = attacked | behind(on_rank, lines, S1, NOT_FILE_A, NOT_FILE_H)
        attacked = attacked | behind(on_file, lines, S8, FULL, FULL)
        checkers = checkers | ((seen | seen_too) & sliders)
    if sides.our_diagonals | sides.their_diagonals | sides.promoting:
        falling = open_line(empty, S7, NOT_FILE_H, NOT_FILE_A)
        rising = open_line(empty, S9, NOT_FILE_A, NOT_FILE_H)
    if sides.our_diagonals | sides.promoting:
        if sides.special:
            arrived = load(columns.diagonal_to, start)
        else:
            arrived = to & filled(gone & sides.our_diagonals)
        sliders = (sides.our_diagonals & ~gone) | arrived
        on_falling = slide(sliders, falling, S7, NOT_FILE_H, NOT_FILE_A)
        on_rising = slide(sliders, rising, S9, NOT_FILE_A, NOT_FILE_H)
        seen, seen_too = king_rays(lines, lines.falling, occupied), king_rays(lines, lines.rising, occupied)
        between_3, between_4 = between(on_falling, seen, lines), between(on_rising, seen_too, lines)
        attacked = attacked | on_falling[0] | on_falling[1] | on_rising[0] | on_rising[1]
        attacked = attacked | behind(on_falling, lines, S7, NOT_FILE_H, NOT_FILE_A)
        attacked = attacked | behind(on_rising, lines, S9, NOT_FILE_A, NOT_FILE_H)
        checkers = checkers | ((seen | seen_too) & sliders)
    between_all = between_1 | between_2 | between_3 | between_4
    in_check, in_double_check = filled(checkers), filled(checkers & (checkers - ONE))
    targets = (checkers | (between_all & empty) | ~in_check) & ~(own | in_double_check)
    return Threats(
        kept,
        occupied,
        own,
        attacked,
        targets,
        between_all,
        between_1,
        between_2,
        between_3,
        between_4,
        rank,
        file,
        falling,
        rising,
    )


@vector_kernel(words_type(pair_type, words_type, king_lines_type))
def between(rays, seen, lines):
    """What stands between sliders and the king on a line, of which the king sees some squares.

    Where the rays of both overlap, the squares are between the two: all of them empty in check, one piece if
    that piece is pinned.
    """
    up, down = rays
    return seen & ((down & lines.above) | (up & ~lines.above))


@vector_kernel(words_type(pair_type, king_lines_type, uint64, uint64, uint64))
def behind(rays, lines, step, mask_up, mask_down):
    """The squares behind a king in check, on which it would still be attacked."""
    up, down = rays
    king_below = ((lines.king << step) & mask_up) >> step  # the king, if there is a square above it
    king_above = ((lines.king >> step) & mask_down) << step
    return ((up & king_below) << step) | ((down & king_above) >> step)
