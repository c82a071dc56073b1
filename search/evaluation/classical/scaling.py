"""How far the game has gone, and how much of an advantage can be won in the end."""

from bluekrait.core.compiler.jit import boolean, inline, int64, uint64
from bluekrait.core.rules.bits import EMPTY, ONE, popcount
from bluekrait.search.evaluation.classical.side import camp_type
from bluekrait.search.evaluation.classical.tapered import FULL_PHASE, FULL_SCALE
from bluekrait.search.evaluation.classical.terms.pieces import DARK_SQUARES, LIGHT_SQUARES

MINOR, ROOK, QUEEN = 3, 5, 9  # what they count for force

# Scales, in 64ths, by what the stronger side has left.
NEVER_WON, HARDLY_WON = 0, 6
FIRST_PAWN, EACH_PAWN = 44, 5
OPPOSITE_BISHOPS, OPPOSITE_BISHOPS_AND_PIECES = 26, 52


@inline(int64(uint64))
def number(word):
    """How many bits are set, for plain arithmetic."""
    return int64(popcount(word))


@inline(int64(camp_type, camp_type))
def phase_of(camp, enemy):
    """How much is left on the board but pawns, from 0 to FULL_PHASE."""
    minors = number(camp.knights | camp.bishops | enemy.knights | enemy.bishops)
    rooks, queens = number(camp.rooks | enemy.rooks), number(camp.queens | enemy.queens)
    return min(FULL_PHASE, minors + 2 * rooks + 4 * queens)


@inline(int64(camp_type, camp_type))
def scale_of(camp, enemy):
    """How much of its points a side can hope to turn into a win, if it is the one that is ahead."""
    if camp.pawns == EMPTY:
        return scale_without_pawns(camp, enemy)
    scale = min(FULL_SCALE, FIRST_PAWN + EACH_PAWN * (number(camp.pawns) - 1))
    if not have_opposite_bishops(camp, enemy):
        return scale
    others = camp.knights | camp.rooks | camp.queens | enemy.knights | enemy.rooks | enemy.queens
    return min(scale, OPPOSITE_BISHOPS_AND_PIECES if others else OPPOSITE_BISHOPS)


@inline(int64(camp_type, camp_type))
def scale_without_pawns(camp, enemy):
    """A minor piece more wins nothing, unless it comes with a rook's worth that nobody opposes."""
    own = force_of(camp)
    two_knights = own == 2 * MINOR and number(camp.knights) == 2
    if own <= MINOR or (two_knights and enemy.pawns == EMPTY):
        return NEVER_WON
    return HARDLY_WON if two_knights or own - force_of(enemy) <= MINOR else FULL_SCALE


@inline(int64(camp_type))
def force_of(camp):
    """The pieces of a side, roughly."""
    minors = number(camp.knights | camp.bishops)
    return MINOR * minors + ROOK * number(camp.rooks) + QUEEN * number(camp.queens)


@inline(boolean(camp_type, camp_type))
def have_opposite_bishops(camp, enemy):
    """True if each side has one bishop, and they never meet."""
    bishops = camp.bishops | enemy.bishops
    one_each = (popcount(camp.bishops) == ONE) & (popcount(enemy.bishops) == ONE)
    return one_each & (bishops & LIGHT_SQUARES != EMPTY) & (bishops & DARK_SQUARES != EMPTY)
