"""The number of legal replies to each move of a board: several moves at a time, without branches or tables.

After DirGolem: every direction is a Kogge-Stone fill, and the number of moves is the population count of sets
of targets. Each lane of a vector is another move of the same board, as in `threats`. The replying pawns come
down the board. En-passant captures are not counted here; they are so rare that `expand` does it one by one.
"""

from bluekrait.core.compiler.jit import internal, record_reader, uint64
from bluekrait.core.compiler.memory import align_stack
from bluekrait.core.counting.threats import find_threats, sides_of, sides_type, threats_type
from bluekrait.core.counting.vectors import (
    LANES,
    broadcast,
    columns_type,
    filled,
    populations,
    total,
    vector_kernel,
    words_type,
)
from bluekrait.core.records import ParentRecord
from bluekrait.core.rules.attacks import knight_attacks
from bluekrait.core.rules.bits import (
    EMPTY,
    FULL,
    NOT_FILE_A,
    NOT_FILE_H,
    ONE,
    RANK_1,
    RANK_2,
    RANK_6,
    S7,
    S8,
    S9,
    U64,
    knight_attacks_of,
    lowest_bit,
    lowest_square,
    without_lowest,
)
from bluekrait.core.rules.fills import slide, slide_on_rank
from bluekrait.core.rules.legality import SQUARE_C1, SQUARE_D1, SQUARE_F1, SQUARE_G1, span

_, parent_type = record_reader(ParentRecord)

_TO_LAST_RANK = U64(56)
_C8, _D8, _F8, _G8 = (square << _TO_LAST_RANK for square in (SQUARE_C1, SQUARE_D1, SQUARE_F1, SQUARE_G1))


@internal(uint64(columns_type, parent_type))
def count_replies(columns, parent):
    """The number of legal replies to all moves of a parent, en passant left out."""
    align_stack()
    sides = sides_of(
        parent.pawns,
        parent.knights,
        parent.diagonals,
        parent.orthogonals,
        parent.kings,
        parent.enemy,
        parent.occupied,
        parent.special,
    )
    rooks, king = parent.castling & parent.enemy, sides.lines.king
    east_rook, west_rook = rooks & sides.lines.above, rooks & (king - ONE)
    east_crossed, west_crossed = span(min(king, _F8), max(east_rook, _G8)), EMPTY
    if west_rook:
        west_crossed = span(min(west_rook, _C8), max(king, _D8))
    if east_crossed & parent.enemy & ~(king | east_rook):  # a piece there stays, or is replaced by its captor
        east_rook = EMPTY
    if west_crossed & parent.enemy & ~(king | west_rook):
        west_rook = EMPTY
    knight, other_knight = lowest_bit(sides.their_knights), lowest_bit(without_lowest(sides.their_knights))
    more_knights = sides.their_knights ^ knight ^ other_knight
    goals, other_goals = knight_attacks_of(knight), knight_attacks_of(other_knight)
    counts = broadcast(EMPTY)
    for start in range(parent.start, parent.end, LANES):
        threats = find_threats(columns, start, sides)
        counts = counts + populations(sides.their_king_steps & ~(threats.own | threats.attacked))
        if sides.their_orthogonals:
            counts = counts + orthogonal_moves(sides, threats)
        if sides.their_diagonals:
            counts = counts + diagonal_moves(sides, threats)
        if knight:
            free = threats.kept & ~threats.between
            counts = counts + populations(threats.targets & goals & filled(free & knight))
            counts = counts + populations(threats.targets & other_goals & filled(free & other_knight))
        if more_knights:
            counts = counts + knight_moves(more_knights, threats)
        if sides.their_pawns:
            counts = counts + pawn_moves(sides, threats)
        if east_rook:
            counts = counts + castlings(king, east_rook, east_crossed, span(king, _G8), threats)
        if west_rook:
            king_path = span(min(king, _C8), max(king, _C8))
            counts = counts + castlings(king, west_rook, west_crossed, king_path, threats)
    return total(counts)


@vector_kernel(words_type(sides_type, threats_type))
def orthogonal_moves(sides, threats):
    """The number of moves of rooks, and of queens like rooks. A pinned one keeps to its line."""
    sliders, targets, between = threats.kept & sides.their_orthogonals, threats.targets, threats.between
    free = sliders & ~(between ^ threats.between_on_rank)
    east, west = slide_on_rank(free, threats.rank, ~threats.occupied)
    free = sliders & ~(between ^ threats.between_on_file)
    up, down = slide(free, threats.file, S8, FULL, FULL)
    on_rank = populations(east & targets) + populations(west & targets)
    return on_rank + populations(up & targets) + populations(down & targets)


@vector_kernel(words_type(sides_type, threats_type))
def diagonal_moves(sides, threats):
    """The same for bishops, and for queens like bishops."""
    sliders, targets, between = threats.kept & sides.their_diagonals, threats.targets, threats.between
    free = sliders & ~(between ^ threats.between_on_falling)
    west, east = slide(free, threats.falling, S7, NOT_FILE_H, NOT_FILE_A)
    falling = populations(west & targets) + populations(east & targets)
    free = sliders & ~(between ^ threats.between_on_rising)
    east, west = slide(free, threats.rising, S9, NOT_FILE_A, NOT_FILE_H)
    return falling + populations(east & targets) + populations(west & targets)


@vector_kernel(words_type(uint64, threats_type))
def knight_moves(knights, threats):
    """The number of moves of knights, one by one; a pinned or captured one has none."""
    free, counts = threats.kept & ~threats.between, broadcast(EMPTY)
    while knights:
        knight = lowest_bit(knights)
        knights ^= knight
        goals = threats.targets & knight_attacks(lowest_square(knight))
        counts = counts + populations(goals & filled(free & knight))
    return counts


@vector_kernel(words_type(sides_type, threats_type))
def pawn_moves(sides, threats):
    """The number of pawn moves. Pushes and captures go to different squares. A promotion is four moves."""
    pawns, targets, between = threats.kept & sides.their_pawns, threats.targets, threats.between
    victims, empty = threats.occupied & targets, ~threats.occupied
    west = ((pawns & ~(between ^ threats.between_on_rising)) >> S9) & NOT_FILE_H & victims
    east = ((pawns & ~(between ^ threats.between_on_falling)) >> S7) & NOT_FILE_A & victims
    steps = ((pawns & ~(between ^ threats.between_on_file)) >> S8) & empty
    doubles = ((steps & RANK_6) >> S8) & empty
    west = west | ((steps | doubles) & targets)
    counts = populations(west) + populations(east)
    if sides.their_pawns & RANK_2:
        promotions = populations(west & RANK_1) + populations(east & RANK_1)
        counts = counts + promotions + promotions + promotions
    return counts


@vector_kernel(words_type(uint64, uint64, uint64, uint64, threats_type))
def castlings(king, rook, crossed, king_path, threats):
    """1 where the king may castle with a rook, else 0; see `castling_rooks`."""
    blocked = threats.occupied & (crossed & ~(king | rook))
    blocked = blocked | (threats.attacked & king_path)
    blocked = blocked | ((threats.between_on_rank | ~threats.kept) & rook)
    return ~filled(blocked) & ONE
