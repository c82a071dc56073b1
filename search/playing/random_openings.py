"""Openings for games between engines: some random moves, from which neither side comes out much better.

The same seed gives the same openings, whoever asks.
"""

import random

from bluekrait.core.notation.san_and_uci import move_to_uci
from bluekrait.search.limits import Limits

PLIES = (8, 9)  # either number, so that either side is to move
JUDGE_NODES = 5000  # of the search that says whether an opening is fair
BALANCED = 80  # hundredths of a pawn that one side may be ahead


def balanced_openings(engine, seed, beginnings=(None,), plies=PLIES, nodes=JUDGE_NODES, bound=BALANCED):
    """FENs without end. Each opening starts from a beginning, a FEN or None for the starting position."""
    dice = random.Random(seed)
    seen = set()
    while True:
        fen = _random_position(engine, dice, dice.choice(beginnings), dice.choice(plies))
        if fen and fen not in seen and _is_fair(engine, nodes, bound):
            seen.add(fen)
            yield fen


def _random_position(engine, dice, fen, plies):
    """Play random moves on the engine; the FEN, None if the game is over by then."""
    moves = []
    engine.set_position(fen, moves)
    for _ in range(plies):
        choices = engine.legal_moves()
        if not choices:
            return None
        moves.append(move_to_uci(dice.choice(choices), engine.turn, engine.chess960))
        engine.set_position(fen, moves)
    return engine.describe().fen if engine.legal_moves() else None


def _is_fair(engine, nodes, bound):
    engine.new_game()
    lines = engine.go(Limits(nodes=nodes)).lines
    if not lines:  # so wild that the nodes do not suffice to judge it
        return False
    score = lines[0].score
    return score.centipawns is not None and abs(score.centipawns) <= bound
