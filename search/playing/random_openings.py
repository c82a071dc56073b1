"""Balanced openings for games between engines: some random moves after which neither side is far ahead.

The same seed gives the same openings everywhere. They serve `genfens` and `bluekrait openings`. The games of
self-play begin otherwise: `search.self_play.game_openings` chooses random moves that lose no piece, inside
compiled code.
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
MOST_ATTEMPTS = 5000  # in a row that find nothing: then there are probably no more openings


def balanced_openings(
    engine: Engine,
    seed: int | str,
    beginnings: Sequence[str | None] = (None,),
    plies: Sequence[int] = PLIES,
    nodes: int = NODES,
    bound: int = BOUND,
) -> Iterator[str]:
    """FENs, each reached from a beginning: a FEN, or None for the starting position.

    ValueError if there seem to be no more.
    """
    rng = random.Random(seed)
    seen, in_vain = set(), 0
    while in_vain < MOST_ATTEMPTS:
        in_vain += 1
        fen = random_position(engine, rng, rng.choice(beginnings), rng.choice(plies))
        if fen and fen not in seen and is_balanced(score_of_position(engine, nodes), bound):
            seen.add(fen)
            in_vain = 0
            yield fen
    raise ValueError(f"{MOST_ATTEMPTS} attempts found no balanced opening beside the {len(seen)} so far")


def random_position(engine: Engine, rng: random.Random, fen: str | None, plies: int) -> str | None:
    """Play random moves on the engine, from a FEN or the start; the new FEN, None if the game is over."""
    moves: list[str] = []
    engine.set_position(fen, moves)
    for _ in range(plies):
        choices = engine.legal_moves()
        if not choices:
            return None
        moves.append(move_to_uci(rng.choice(choices), engine.turn, engine.chess960))
        engine.set_position(fen, moves)
    return engine.describe().fen if engine.legal_moves() else None


def score_of_position(engine: Engine, nodes: int) -> int | None:
    """The score of the engine's position by a search of so many nodes, whatever it searched before.

    In centipawns, for the side to move. None for a mate, and if the nodes did not suffice for one iteration.
    """
    engine.new_game()
    lines = engine.go(Limits(nodes=nodes)).lines
    return lines[0].score.centipawns if lines else None


def is_balanced(score: int | None, bound: int) -> bool:
    """True if a score favours neither side by more than a bound."""
    return score is not None and abs(score) <= bound
