"""A trained network is for the engine what it was for the trainer: the same evaluation of every position."""

from itertools import chain, islice

import numpy as np
import pytest

from bluekrait.core.board import all_pieces
from bluekrait.search.evaluation.network.network_file import SCALE, read_network
from bluekrait.search.evaluation.network.network_memory import NetworkMemory
from bluekrait.search.thinking.evaluator import Evaluator
from bluekrait.tools.data.formats.samples import DRAWN, Sample
from bluekrait.tools.network.classical import classical_scores
from bluekrait.tools.network.folder import NETWORK
from bluekrait.tools.network.numba_device import NumbaDevice
from bluekrait.tools.network.weights import read_weights
from helpers.labelled import as_array
from helpers.network.network_runs import Watcher, train, write_positions
from helpers.oracles import position_of, random_boards
from helpers.support import cases, engine

POSITIONS = 10_000
LARGEST_SHAPE = {"buckets": 8, "regions": 4, "threats": 2, "kinds": 7}
ROUNDED = 0.5  # centipawns, by rounding to whole ones
FLOAT_ERROR = 0.05  # centipawns, of the trainer's 32-bit floats


@pytest.fixture(scope="module")
def boards():
    """Ten thousand positions of every kind, without lone kings, which are judged classically."""
    games = (random_boards(seed=seed, games=8, chess960=seed % 2 == 0) for seed in range(100, 140))
    met = (position_of(board).board for board in chain.from_iterable(games))
    every = chain((case.position.board for case in cases()), met)
    found = list(islice(filter(has_no_lone_king, every), POSITIONS))
    assert len(found) == POSITIONS
    return found


def has_no_lone_king(board):
    """True if both sides have more than a king."""
    return board.own.bit_count() > 1 < (all_pieces(board) & ~board.own).bit_count()


# A residual rounds twice.
@pytest.mark.parametrize(("residual", "most"), [(False, ROUNDED), (True, ROUNDED + 1)])
def test_trainer_and_engine_agree(boards, tmp_path, residual, most):
    file = write_positions(tmp_path / "material.bks")
    assert train(str(tmp_path / "run"), [file], Watcher(), residual=residual, **LARGEST_SHAPE, epochs=4)
    path = tmp_path / "run" / NETWORK
    weights, head = read_weights(path)
    samples = as_array([Sample(board, 0, 0, 0, 0, DRAWN) for board in boards])
    outputs = NumbaDevice(weights, 2, 0.0).outputs(samples, np.zeros(len(samples), np.float32))
    numerator, denominator = head.factor
    expected = SCALE * outputs.astype(float)
    if residual:
        expected += classical_scores(samples) * numerator / denominator
    evaluator = Evaluator(engine()._entries, NetworkMemory(read_network(path)))
    found = np.array([evaluator.score_of(board) for board in boards])
    assert np.abs(found - expected).max() <= most + FLOAT_ERROR
    assert found.std() > 30  # it has learnt something
