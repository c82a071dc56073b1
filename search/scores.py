"""Scores: whole numbers, from the view of the side to move.

A mate is counted from the root: the sooner it comes, the further its score is from zero. In the transposition
table it is counted from the stored position instead, because that can be reached by ways of different length.
The same goes for a win that a tablebase knows of: its score says how soon the table is reached.
"""

MAX_PLY = 128  # half-moves below the root; no line is searched further

DRAW = 0
MATE = 32_000
INFINITE = MATE + 1  # beyond every score
UNKNOWN = MATE + 2  # of an evaluation: there is none
TABLEBASE_WIN = MATE - MAX_PLY - 1  # of a position that a tablebase knows to be won
DECIDED_BOUND = TABLEBASE_WIN - MAX_PLY  # from it on, scores are proven: found mates, tablebase wins

# What a score tells of the true one.
NO_BOUND, UPPER, LOWER, EXACT = 0, 1, 2, 3  # bit 0: it is not higher; bit 1: it is not lower

# In the search the network's score counts (110 + pieces on the board) / 128 times.
MATERIAL_SCALE_BASE, MATERIAL_SCALE_UNIT = 110, 128


def mate_in(ply: int) -> int:
    """The score of giving mate that many half-moves from the root."""
    return MATE - ply


def mated_in(ply: int) -> int:
    """The score of being mated that many half-moves from the root."""
    return ply - MATE


def won_by_tablebase(ply: int) -> int:
    """The score of reaching a win that a tablebase knows of, that many half-moves from the root."""
    return TABLEBASE_WIN - ply


def is_decided(score: int) -> bool:
    """True if one of the sides wins for certain."""
    return score >= DECIDED_BOUND or score <= -DECIDED_BOUND


def bound_of(score: int, alpha: int, beta: int) -> int:
    """What a score is, after a search with this window."""
    if score >= beta:
        return LOWER
    return EXACT if score > alpha else UPPER


def is_win(score: int) -> bool:
    """True if the side to move wins for certain."""
    return score >= DECIDED_BOUND


def is_loss(score: int) -> bool:
    """True if the side to move loses for certain."""
    return score <= -DECIDED_BOUND


def moderated(score: int, beta: int) -> int:
    """A score above beta, halfway back to it, unless it is proven: few are as good as they look."""
    return score if is_decided(score) or is_decided(beta) else (score + beta) // 2


def is_mate(score: int) -> bool:
    """True if a mate was found, so that its length is known."""
    return abs(score) > TABLEBASE_WIN


def from_node(score: int, ply: int) -> int:
    """A score counted from the root, as it is counted from the node at that ply."""
    if is_win(score):
        return score + ply
    return score - ply if is_loss(score) else score


def from_root(score: int, ply: int) -> int:
    """The inverse: a score counted from a node at that ply, as it is counted from the root."""
    if is_win(score):
        return score - ply
    return score + ply if is_loss(score) else score


def moves_to_mate(score: int) -> int:
    """A mate score in moves: positive to give mate, negative to be mated."""
    half_moves = MATE - abs(score)
    return (half_moves + 1) // 2 if score > 0 else -(half_moves // 2)
