"""The number of legal replies to each move of a board: several moves at a time, without branches or tables.

After DirGolem: every direction is a Kogge-Stone fill, and the number of moves is the population count of sets
of targets. Each lane of a vector register is another move of the same board (see `vectors`). So whatever no
move of that board changes is a constant, computed once: the replying king with the lines through it, where its
knights go, its castling. And what the board does not have, diagonal sliders or pawns say, is skipped.

The board stays as the side that moves sees it: the replying pawns come down. En-passant captures are not
counted here; they are so rare that `expand` counts them board by board.
"""

from typing import NamedTuple

from numba import types

from bluekrait.core.compiler.jit import inline, internal, record_reader, uint64
from bluekrait.core.compiler.memory import align_stack
from bluekrait.core.counting.vectors import (
    LANES,
    broadcast,
    byte_swapped,
    columns_type,
    filled,
    load,
    populations,
    total,
    vector_kernel,
    words_type,
)
from bluekrait.core.records import ParentRecord
from bluekrait.core.rules.attacks import bishop_attacks, king_attacks, knight_attacks
from bluekrait.core.rules.bits import (
    EMPTY,
    FULL,
    NOT_FILE_A,
    NOT_FILE_H,
    ONE,
    RANK_1,
    RANK_7,
    S1,
    S7,
    S8,
    S9,
    U64,
    lowest_bit,
    lowest_square,
    turned,
)
from bluekrait.core.rules.legality import SQUARE_C1, SQUARE_D1, SQUARE_F1, SQUARE_G1, span

_, parent_type = record_reader(ParentRecord)

_FILE_A, _ROW, _COLUMN = U64(0x0101010101010101), U64(0x38), U64(0x07)
_RANK_2, _RANK_6 = U64(0xFF << 8), U64(0xFF << 40)
_TO_LAST_RANK = U64(56)
_C8, _D8, _F8, _G8 = (square << _TO_LAST_RANK for square in (SQUARE_C1, SQUARE_D1, SQUARE_F1, SQUARE_G1))


class KingLines(NamedTuple):
    """A king, and the squares in line with it."""

    king: int
    above: int  # every square with a higher number
    rank: int
    file: int
    falling: int
    rising: int
    doubled: int  # twice the king's bit, as a number
    turned_doubled: int  # the same on a board that is turned round


king_lines_type = types.NamedUniTuple(uint64, 8, KingLines)
_six_words = types.UniTuple(words_type, 6)
_pair, _four_words = types.UniTuple(words_type, 2), types.UniTuple(words_type, 4)


@internal(uint64(columns_type, parent_type))
def count_replies(columns, parent):
    """The number of legal replies to all moves of a parent, en passant left out."""
    align_stack()
    enemy = parent.enemy
    lines = king_lines(parent.kings & enemy)
    our_diagonals, our_orthogonals = parent.diagonals & ~enemy, parent.orthogonals & ~enemy
    their_diagonals, their_orthogonals = parent.diagonals & enemy, parent.orthogonals & enemy
    their_pawns, their_knights = parent.pawns & enemy, parent.knights & enemy
    promoting = parent.pawns & ~enemy & RANK_7
    king_steps = king_attacks(lowest_square(lines.king))
    nothing = broadcast(EMPTY)
    counts = nothing
    for start in range(parent.start, parent.end, LANES):
        # 1. The board after the move.
        gone, to = load(columns.gone, start), load(columns.to, start)
        kept = ~(gone | to)
        occupied = (parent.occupied & ~gone) | to
        own, empty = kept & enemy, ~occupied
        attacked, checkers = load(columns.attacked, start), load(columns.checkers, start)

        # 2. The lines of sliders: what they attack, and what stands between them and the king.
        rank = file = falling = rising = (nothing, nothing, nothing, nothing, nothing, nothing)
        between_1 = between_2 = between_3 = between_4 = nothing
        if our_orthogonals | their_orthogonals | promoting:
            rank = open_line(empty, S1, NOT_FILE_A, NOT_FILE_H)
            file = open_line(empty, S8, FULL, FULL)
        if our_orthogonals | promoting:
            sliders = (our_orthogonals & ~gone) | load(columns.orthogonal_to, start)
            up, down = slide_on_rank(sliders, rank, empty)
            king_rays = king_rays_on_rank(lines, rank, occupied)
            between_1 = king_rays & ((down & lines.above) | (up & ~lines.above))
            attacked = attacked | up | down
            attacked = attacked | ((up & (lines.king & NOT_FILE_H)) << S1)
            attacked = attacked | ((down & (lines.king & NOT_FILE_A)) >> S1)
            checkers = checkers | (king_rays & sliders)
            up, down = slide(sliders, file, S8, FULL, FULL)
            king_rays = king_rays_on(lines, lines.file, occupied)
            between_2 = king_rays & ((down & lines.above) | (up & ~lines.above))
            attacked = attacked | up | down
            attacked = attacked | ((up & lines.king) << S8) | ((down & lines.king) >> S8)
            checkers = checkers | (king_rays & sliders)
        if our_diagonals | their_diagonals | promoting:
            falling = open_line(empty, S7, NOT_FILE_H, NOT_FILE_A)
            rising = open_line(empty, S9, NOT_FILE_A, NOT_FILE_H)
        if our_diagonals | promoting:
            sliders = (our_diagonals & ~gone) | load(columns.diagonal_to, start)
            up, down = slide(sliders, falling, S7, NOT_FILE_H, NOT_FILE_A)
            king_rays = king_rays_on(lines, lines.falling, occupied)
            between_3 = king_rays & ((down & lines.above) | (up & ~lines.above))
            attacked = attacked | up | down
            attacked = attacked | ((up & (lines.king & NOT_FILE_A)) << S7)
            attacked = attacked | ((down & (lines.king & NOT_FILE_H)) >> S7)
            checkers = checkers | (king_rays & sliders)
            up, down = slide(sliders, rising, S9, NOT_FILE_A, NOT_FILE_H)
            king_rays = king_rays_on(lines, lines.rising, occupied)
            between_4 = king_rays & ((down & lines.above) | (up & ~lines.above))
            attacked = attacked | up | down
            attacked = attacked | ((up & (lines.king & NOT_FILE_H)) << S9)
            attacked = attacked | ((down & (lines.king & NOT_FILE_A)) >> S9)
            checkers = checkers | (king_rays & sliders)

        # 3. Where pieces may go, depending on checks. The king.
        between = between_1 | between_2 | between_3 | between_4
        in_check, in_double_check = filled(checkers), filled(checkers & (checkers - ONE))
        targets = (checkers | (between & empty) | ~in_check) & ~(own | in_double_check)
        counts = counts + populations(king_steps & ~(own | attacked))

        # 4. Sliders: a pinned one keeps to its line.
        if their_orthogonals:
            sliders = kept & their_orthogonals
            up, down = slide_on_rank(sliders & ~(between ^ between_1), rank, empty)
            counts = counts + populations(up & targets) + populations(down & targets)
            up, down = slide(sliders & ~(between ^ between_2), file, S8, FULL, FULL)
            counts = counts + populations(up & targets) + populations(down & targets)
        if their_diagonals:
            sliders = kept & their_diagonals
            up, down = slide(sliders & ~(between ^ between_3), falling, S7, NOT_FILE_H, NOT_FILE_A)
            counts = counts + populations(up & targets) + populations(down & targets)
            up, down = slide(sliders & ~(between ^ between_4), rising, S9, NOT_FILE_A, NOT_FILE_H)
            counts = counts + populations(up & targets) + populations(down & targets)

        # 5. Knights, one by one.
        knights, free = their_knights, kept & ~between
        while knights:
            knight = lowest_bit(knights)
            knights ^= knight
            goals = targets & knight_attacks(lowest_square(knight))
            counts = counts + populations(goals & filled(free & knight))

        # 6. Pawns. Pushes and captures go to different squares; an arrival on the last rank is four moves.
        if their_pawns:
            pawns, victims = kept & their_pawns, occupied & targets
            west = ((pawns & ~(between ^ between_4)) >> S9) & NOT_FILE_H & victims
            east = ((pawns & ~(between ^ between_3)) >> S7) & NOT_FILE_A & victims
            steps = ((pawns & ~(between ^ between_2)) >> S8) & empty
            doubles = ((steps & _RANK_6) >> S8) & empty
            west = west | ((steps | doubles) & targets)
            counts = counts + populations(west) + populations(east)
            if their_pawns & _RANK_2:
                promotions = populations(west & RANK_1) + populations(east & RANK_1)
                counts = counts + promotions + promotions + promotions

        # 7. Castling.
        rooks = parent.castling & enemy
        while rooks:
            rook = lowest_bit(rooks)
            rooks ^= rook
            if rook > lines.king:
                crossed, king_path = span(min(lines.king, _F8), max(rook, _G8)), span(lines.king, _G8)
            else:
                crossed = span(min(rook, _C8), max(lines.king, _D8))
                king_path = span(min(lines.king, _C8), max(lines.king, _C8))
            blocked = occupied & (crossed & ~(lines.king | rook))
            blocked = blocked | (attacked & king_path) | ((between_1 | ~kept) & rook)
            counts = counts + (~filled(blocked) & ONE)
    return total(counts)


@inline(king_lines_type(uint64))
def king_lines(king):
    """The lines through a king."""
    square = lowest_square(king)
    above, column = EMPTY - (king << S1), square & _COLUMN
    east = ((FULL << S1) << column & U64(0xFF)) * _FILE_A
    diagonals = bishop_attacks(square, EMPTY)
    return KingLines(
        king,
        above,
        (RANK_1 << (square & _ROW)) ^ king,
        (_FILE_A << column) ^ king,
        diagonals & (east ^ above),
        diagonals & ~(east ^ above),
        king << S1,
        turned(king) << S1,
    )


@vector_kernel(words_type(king_lines_type, uint64, words_type))
def king_rays_on(lines, line, occupied):
    """What the king sees along a line that is no rank, both ways: hyperbola quintessence."""
    pieces = occupied & line
    down = byte_swapped(byte_swapped(pieces) - lines.turned_doubled)
    return ((pieces - lines.doubled) ^ down) & line


@vector_kernel(words_type(king_lines_type, _six_words, words_type))
def king_rays_on_rank(lines, rank, occupied):
    """The same along the rank."""
    east = lines.rank & lines.above
    pieces = occupied & east
    return (((pieces - lines.doubled) ^ pieces) & east) | slide_down(
        broadcast(lines.king), rank, S1, NOT_FILE_H
    )


@vector_kernel(_six_words(words_type, uint64, uint64, uint64))
def open_line(empty, step, mask_up, mask_down):
    """Propagators of a Kogge-Stone fill by one step, by two and by four, up and down a line.

    The masks keep a step from leaving the board at one edge and coming back at the other.
    """
    up, down = empty & mask_up, empty & mask_down
    up_two, down_two = up & (up << step), down & (down >> step)
    up_four, down_four = up_two & (up_two << (step + step)), down_two & (down_two >> (step + step))
    return up, up_two, up_four, down, down_two, down_four


@vector_kernel(_pair(words_type, _six_words, uint64, uint64, uint64))
def slide(sliders, line, step, mask_up, mask_down):
    """Kogge-Stone fill: all squares that sliders attack along a line, upwards and downwards."""
    return slide_up(sliders, line, step, mask_up), slide_down(sliders, line, step, mask_down)


@vector_kernel(words_type(words_type, _six_words, uint64, uint64))
def slide_up(sliders, line, step, mask):
    """The upward half of `slide`."""
    sliders = sliders | (line[0] & (sliders << step))
    sliders = sliders | (line[1] & (sliders << (step + step)))
    sliders = sliders | (line[2] & (sliders << (step + step + step + step)))
    return (sliders << step) & mask


@vector_kernel(words_type(words_type, _six_words, uint64, uint64))
def slide_down(sliders, line, step, mask):
    """The downward half of `slide`."""
    sliders = sliders | (line[3] & (sliders >> step))
    sliders = sliders | (line[4] & (sliders >> (step + step)))
    sliders = sliders | (line[5] & (sliders >> (step + step + step + step)))
    return (sliders >> step) & mask


@vector_kernel(_pair(words_type, _six_words, words_type))
def slide_on_rank(sliders, line, empty):
    """The same along ranks. Eastwards an addition finds the attacks: its carry crosses empty squares."""
    free, movable = empty & NOT_FILE_H, sliders & NOT_FILE_H
    east = (free + movable + movable) ^ free
    return east, slide_down(sliders, line, S1, NOT_FILE_H)
