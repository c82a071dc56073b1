"""Scores: whole numbers, from the view of the side to move.

A mate is counted from the root: the sooner it comes, the further its score is from zero. In the transposition
table it is counted from the stored position instead, because that can be reached by ways of different length.
"""

MAX_PLY = 128  # half-moves below the root; no line is searched further

DRAW = 0
MATE = 32_000
INFINITE = MATE + 1  # beyond every score
UNKNOWN = MATE + 2  # of an evaluation: there is none
MATE_BOUND = MATE - 2 * MAX_PLY  # scores beyond it are mates


def mate_in(ply):
    """The score of giving mate that many half-moves from the root."""
    return MATE - ply


def mated_in(ply):
    """The score of being mated that many half-moves from the root."""
    return ply - MATE


def is_mate(score):
    """True if one of the sides is mated for certain."""
    return score >= MATE_BOUND or score <= -MATE_BOUND


def is_win(score):
    """True if the side to move gives mate."""
    return score >= MATE_BOUND


def is_loss(score):
    """True if the side to move is mated."""
    return score <= -MATE_BOUND


def from_node(score, ply):
    """A score counted from the root, as it is counted from the node at that ply."""
    if is_win(score):
        return score + ply
    return score - ply if is_loss(score) else score


def from_root(score, ply):
    """The inverse: a score counted from a node at that ply, as it is counted from the root."""
    if is_win(score):
        return score - ply
    return score + ply if is_loss(score) else score


def moves_to_mate(score):
    """A mate score in moves, as people count: positive to give mate, negative to be mated."""
    half_moves = MATE - abs(score)
    return (half_moves + 1) // 2 if score > 0 else -(half_moves // 2)
