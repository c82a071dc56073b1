"""The root: what the score of its moves is worth."""

import pytest

from bluekrait.search.limits import Limits
from bluekrait.search.reports import EXACT, LOWER_BOUND, UPPER_BOUND
from bluekrait.search.thinking.worker import bound_of
from helpers.searching import searcher


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
