"""Scores of games that look ahead: each is mixed with those of the moves after it, and with the result.

A search of a hundred nodes sees some moves ahead. The moves that were played then show what it missed. The
expected result of a position becomes a share of its own score's, the rest that of the position after it,
which was mixed before in the same way; behind the last position stands the result of the game. (In the
literature on learning: TD(λ), with the share of what follows as λ.) Scores of both sides are mixed,
which also removes the error of shallow searches in favour of the side to move.
"""

import math

import numpy as np
from numba import types

from bluekrait.core.compiler.jit import int64, kernel
from bluekrait.search.self_play.game_records import WON, GameHead
from bluekrait.tools.data.formats.game_file import HEAD_BYTES, PLY_BYTES
from bluekrait.tools.data.formats.sample_array import Array

# Centipawns by which the odds of a result grow e-fold: about as many as in games of 1 000 nodes a move. The
# smaller the number is, the more a network learns from positions that are nearly level.
RESULT_SCALE = 100
CLEAR = 2000  # scores from here on stay as they are: a mate, or nearly one
HALVES = HEAD_BYTES // 2  # words of 16 bits before the plies
PLIES, FIRST_PLY = GameHead.plies.offset // 2, GameHead.first_ply.offset // 2  # words in a head
RESULT = GameHead.result.offset  # a byte


def looking_ahead(body: bytes, count: int, share: float) -> bytes:
    """The body of a block with so many games; `share` is what the moves that follow count."""
    if not share:
        return body
    games = np.frombuffer(bytearray(body), np.uint8)
    mix_scores(games, games.view(np.int16), count, share)
    return games.tobytes()


@kernel(types.void(types.uint8[::1], types.int16[::1], int64, types.float64))
def mix_scores(games: Array, words: Array, count: int, share: float) -> None:
    """Change the scores of all games in place."""
    start = 0
    for _ in range(count):
        plies, first_ply = int64(words[start + PLIES]), int64(words[start + FIRST_PLY])
        expected = games[2 * start + RESULT] / WON  # for White
        for place in range(plies - 1, -1, -1):
            at = start + HALVES + 2 * place + 1
            sign = -1 if (first_ply + place) & 1 else 1
            score = int64(words[at])
            own = 1 / (1 + math.exp(-sign * score / RESULT_SCALE))
            expected = (1 - share) * own + share * expected
            if abs(score) < CLEAR:
                mixed = RESULT_SCALE * math.log(expected / (1 - expected))
                words[at] = sign * round(max(-CLEAR, min(CLEAR, mixed)))
        start += HALVES + plies * (PLY_BYTES // 2)
