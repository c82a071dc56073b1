"""What scores mean: the chances of winning, drawing and losing.

The chance of winning is a logistic function of the score. Its middle and its width depend on how many pieces
are left; both are fitted to games of the engine against itself.
"""

import math

from bluekrait.search.reports import Score
from bluekrait.search.scores import TABLEBASE_WIN, is_decided, is_mate, moves_to_mate

MIDDLE = (180.5, -4.05)  # the score at which half of the games are won: with no piece left, and per piece
WIDTH = (35.3, 1.88)  # how slowly the chance changes around it
TABLEBASE_CENTIPAWNS = 20_000  # shown for a win that a tablebase knows of, less the plies to get there
PIECES_AT_LEAST, PIECES_AT_MOST = 4, 32


def middle_of(pieces: int) -> float:
    """The score with which half of the games are won."""
    return MIDDLE[0] + MIDDLE[1] * max(PIECES_AT_LEAST, min(PIECES_AT_MOST, pieces))


def width_of(pieces: int) -> float:
    """How slowly the chance changes with the score."""
    return WIDTH[0] + WIDTH[1] * max(PIECES_AT_LEAST, min(PIECES_AT_MOST, pieces))


def win_permille(score: int, pieces: int) -> int:
    """The chance of winning."""
    exponent = (middle_of(pieces) - score) / width_of(pieces)
    return round(1000 / (1 + math.exp(max(-50.0, min(50.0, exponent)))))


def win_draw_loss(score: int, pieces: int) -> tuple[int, int, int]:
    """The chances of the side to move, in a thousand."""
    win, loss = win_permille(score, pieces), win_permille(-score, pieces)
    return win, 1000 - win - loss, loss


def shown_score(score: int, pieces: int) -> Score:
    """The score as it is reported: a mate in moves, everything else in centipawns."""
    return Score(None, moves_to_mate(score)) if is_mate(score) else Score(centipawns(score, pieces), None)


def centipawns(score: int, pieces: int) -> int:
    """The score as it is shown: with 100, half of the games are won."""
    if is_decided(score):
        shown = TABLEBASE_CENTIPAWNS - (TABLEBASE_WIN - abs(score))
        return shown if score > 0 else -shown
    return round(100 * score / middle_of(pieces))
