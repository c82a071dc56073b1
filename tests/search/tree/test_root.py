"""The root: what the score of its moves is worth, and what the table may keep of it."""

import pytest

from bluekrait.search.limits import Limits
from bluekrait.search.reports import EXACT, LOWER_BOUND, UPPER_BOUND
from bluekrait.search.thinking.worker import bound_of
from helpers.search.searching import game, searcher, spelled

# Queen takes h7, the king takes back, and the pawn gives mate on g6.
MATE_IN_TWO = "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1"
SACRIFICE = ["h6h7", "h8h7"]


@pytest.mark.parametrize(
    "alpha, beta, bound",
    [(-300, -200, LOWER_BOUND), (200, 300, UPPER_BOUND), (-100, 100, EXACT)],
)
def test_the_score_of_the_best_move_may_be_a_bound(alpha, beta, bound):
    engine = searcher()
    engine.set_position(None, [])
    engine.go(Limits(nodes=1000, depth=3))
    worker = engine._workers[0]
    worker.record.alpha, worker.record.beta, worker.record.depth = alpha, beta, 3
    worker._iterations.last_depth = 0  # one window
    is_outside = worker._search(worker._iterations)
    assert bound_of(worker.root(0)) == bound and bool(is_outside) == (bound != EXACT)


def test_a_search_of_some_moves_leaves_no_score_of_the_position():
    engine = searcher()
    engine.new_game()
    engine.set_position(MATE_IN_TWO, SACRIFICE)
    board = game(MATE_IN_TWO, SACRIFICE)
    missed = tuple(move for move in engine.legal_moves() if spelled(move, board) == "h5h6")
    assert engine.go(Limits(depth=9, search_moves=missed)).lines[0].score.mate is None
    engine.set_position(MATE_IN_TWO, [])
    assert engine.go(Limits(depth=6)).lines[0].score.mate == 2
