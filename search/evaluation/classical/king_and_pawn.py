"""King and pawn against king (KPK): who wins is looked up in a *bitbase*, found by retrograde analysis.

The pawn plays up the board, on one of the files a to d; the others are mirrored. For each square of the
pawn, each of its king, and each side to move, a word tells where the weak king is lost. Such sets grow from
the end: a pawn on the seventh rank may promote, one on the sixth may come to the seventh, and the kings move
until no square is added to any set.
"""

import numpy as np

from bluekrait.core.compiler.jit import boolean, inline, internal
from bluekrait.core.rules.bits import EMPTY, ONE, S4, S7, U64, bit_of, lowest_square, without_lowest
from bluekrait.core.tables.geometry import KING_STEPS, PAWN_CAPTURE_STEPS, bit, leaps, squares
from bluekrait.search.evaluation.classical.side_pieces import side_type
from bluekrait.search.evaluation.square_sets import file_of, rank_of

SQUARES, FILES, RANK = 64, 4, 8
FOURTH, EIGHTH = 3 * RANK, 7 * RANK  # the first squares of these ranks
PAWNS = [rank + file for rank in range(RANK, EIGHTH, RANK) for file in range(FILES)]
ALL_SQUARES = (1 << SQUARES) - 1
REACH = [leaps(square, KING_STEPS) for square in range(SQUARES)]

Sets = list[int]  # squares of the weak king, by the square of the strong one


def bitbase() -> list[int]:
    """All words: first with the weak king to move, then with the strong side, by pawn and strong king."""
    lost = {square: promoted(square) for square in range(EIGHTH, EIGHTH + FILES)}
    won = {pawn: solve(pawn, lost) for pawn in reversed(PAWNS)}
    return [word for sets in (lost, won) for pawn in PAWNS for word in sets[pawn]]


def promoted(square: int) -> Sets:
    """Where the weak king is lost to a pawn that has just promoted: where it cannot take it."""
    return [
        allowed(square, king) & (ALL_SQUARES if REACH[king] & bit(square) else ~REACH[square])
        for king in range(SQUARES)
    ]


def solve(pawn: int, lost: dict[int, Sets]) -> Sets:
    """Where the weak king is lost if the other side is to move; in `lost` goes where it is lost to move."""
    check = leaps(pawn, PAWN_CAPTURE_STEPS)
    won, lost[pawn], before = [0] * SQUARES, [0] * SQUARES, None
    while lost[pawn] != before:
        before = lost[pawn].copy()
        for king in range(SQUARES):
            if king != pawn:
                reached = after_push(pawn, king, lost) | after_king_move(pawn, king, lost)
                won[king] = reached & allowed(pawn, king) & ~check
                lost[pawn][king] = without_answer(pawn, king, won[king])
    return won


def after_push(pawn: int, king: int, lost: dict[int, Sets]) -> int:
    """Where the weak king is lost after a move of the pawn."""
    one, two = pawn + RANK, pawn + 2 * RANK
    if one == king:
        return 0
    reached = lost[one][king]
    if FOURTH <= two < FOURTH + RANK and two != king:
        reached |= lost[two][king]
    return reached & ~bit(one)


def after_king_move(pawn: int, king: int, lost: dict[int, Sets]) -> int:
    """Where the weak king is lost after a move of the strong one."""
    reached = 0
    for target in squares(REACH[king] & ~bit(pawn)):
        reached |= lost[pawn][target]
    return reached


def without_answer(pawn: int, king: int, won: int) -> int:
    """Where the weak king is lost though it is to move: no move helps, and it is not stalemated."""
    check = leaps(pawn, PAWN_CAPTURE_STEPS)
    safe = ALL_SQUARES & ~(REACH[king] | bit(king) | check)  # the pawn's, too, where it may be taken
    return allowed(pawn, king) & ~next_to(safe & ~won) & (next_to(safe) | check)


def allowed(pawn: int, king: int) -> int:
    """Where the weak king may stand when it is to move."""
    return ALL_SQUARES & ~(REACH[king] | bit(king) | bit(pawn))


def next_to(places: int) -> int:
    """The squares from which a king can go to one of these."""
    found = 0
    for square in squares(places):
        found |= REACH[square]
    return found


WORDS = np.array(bitbase(), np.uint64)
_FILE, _RANK, _SIDE = U64(SQUARES), U64(SQUARES * FILES), U64(SQUARES * len(PAWNS))


@inline(boolean(side_type, side_type))
def is_king_and_pawn(side, enemy):
    """True if a side has its king and one pawn, and the enemy only a king."""
    if enemy.pieces != enemy.king or side.pieces != side.king | side.pawns:
        return False
    return side.pawns != EMPTY and without_lowest(side.pawns) == EMPTY


@internal(boolean(side_type, side_type, boolean))
def wins_with_pawn(side, enemy, is_to_move):
    """True if king and pawn win against the enemy's king; whether their side is to move."""
    pawn, king, weak_king = lowest_square(side.pawns), lowest_square(side.king), lowest_square(enemy.king)
    mirror = S7 if file_of(pawn) >= S4 else EMPTY
    place = (rank_of(pawn) - ONE) * _RANK + file_of(pawn ^ mirror) * _FILE + (king ^ mirror)
    word = WORDS[place + _SIDE if is_to_move else place]
    return word & bit_of(weak_king ^ mirror) != EMPTY
