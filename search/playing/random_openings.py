"""Balanced openings for games between engines: some random moves after which neither side is far ahead.

The same seed gives the same openings everywhere.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bluekrait.core.notation.san_and_uci import move_to_uci
from bluekrait.search.limits import Limits

if TYPE_CHECKING:
    from bluekrait.search.engine import Engine

PLIES = (8, 9)  # one or the other, so that either side may be to move
NODES = 5000  # of the search that decides whether an opening is balanced
BOUND = 80  # hundredths of a pawn that one side may be ahead


def balanced_openings(
    engine: Engine,
    seed: int,
    beginnings: Sequence[str | None] = (None,),
    plies: Sequence[int] = PLIES,
    nodes: int = NODES,
    bound: int = BOUND,
) -> Iterator[str]:
    """FENs without end. Each opening starts from a beginning: a FEN, or None for the starting position."""
    dice = random.Random(seed)
    seen = set()
    while True:
        fen = _random_position(engine, dice, dice.choice(beginnings), dice.choice(plies))
        if fen and fen not in seen and _is_balanced(engine, nodes, bound):
            seen.add(fen)
            yield fen


def _random_position(engine: Engine, dice: random.Random, fen: str | None, plies: int) -> str | None:
    """Play random moves on the engine; the FEN, None if the game has ended by then."""
    moves: list[str] = []
    engine.set_position(fen, moves)
    for _ in range(plies):
        choices = engine.legal_moves()
        if not choices:
            return None
        moves.append(move_to_uci(dice.choice(choices), engine.turn, engine.chess960))
        engine.set_position(fen, moves)
    return engine.describe().fen if engine.legal_moves() else None


def _is_balanced(engine: Engine, nodes: int, bound: int) -> bool:
    engine.new_game()
    lines = engine.go(Limits(nodes=nodes)).lines
    if not lines:  # a position so complicated that the nodes did not suffice for one iteration
        return False
    score = lines[0].score
    return score.centipawns is not None and abs(score.centipawns) <= bound
