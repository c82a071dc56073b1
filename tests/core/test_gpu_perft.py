"""Perft on a graphics card, here one that Numba simulates: a thread of Python for each of the card's."""

import json
import os
import subprocess
import sys

import chess
import pytest
from numba import cuda

from bluekrait.uci.exits import FAILED, SUCCESS, WRONG_ARGUMENTS
from helpers.perft_suite import POSITION_3, POSITION_4, STANDARD, naive_perft

# A count in a process that simulates a card. Its arguments are FEN, depth, and the capacity of the columns.
PROGRAM = """
import json, sys, warnings
from bluekrait.core.counting.gpu import gpu_perft
from bluekrait.core.notation.fen import parse_fen

warnings.simplefilter("ignore", RuntimeWarning)  # NumPy warns of overflows, which are meant
gpu_perft.THREADS = 4
for fen, depth, capacity in json.loads(sys.argv[1]):
    shares = []
    perft = gpu_perft.GpuPerft(capacity)
    result = perft.run(parse_fen(fen), depth, lambda nodes, share: shares.append(share))
    assert result.complete and (not depth or abs(shares[-1] - 1) < 1e-9)
    print(result.nodes)
"""
SIMULATED = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
EN_PASSANT = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"
PINNED_EN_PASSANT = "8/4p3/8/r2P3K/8/8/8/k7 b - - 0 1"  # after e7e5 there is no legal capture
MANY_MOVES = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"  # 218

COUNTS = {
    **{(fen, depth): STANDARD[fen][depth - 1] for fen in STANDARD for depth in (1, 2)},
    (POSITION_3, 3): STANDARD[POSITION_3][2],
    (POSITION_4, 3): STANDARD[POSITION_4][2],
    (EN_PASSANT, 0): 1,
    (MANY_MOVES, 1): 218,
    **{(fen, 2): naive_perft(chess.Board(fen), 2) for fen in (EN_PASSANT, PINNED_EN_PASSANT)},
}


needs_simulated_card = pytest.mark.skipif(
    not getattr(sys, "_is_gil_enabled", lambda: True)(),
    reason="Numba simulates no card without interpreter lock",
)


def count_on_simulated_card(units):
    """The counts of several units: FEN, depth and capacity of the columns."""
    words = [sys.executable, "-c", PROGRAM, json.dumps(units)]
    run = subprocess.run(words, env=SIMULATED, capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
    return [int(line) for line in run.stdout.split()]


def run_command(*words, environment=SIMULATED):
    """`bluekrait perft`, and what it prints."""
    command = [sys.executable, "-m", "bluekrait", "perft", *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


@needs_simulated_card
def test_counts():
    units = [(fen, depth, 1000) for fen, depth in COUNTS]
    assert count_on_simulated_card(units) == list(COUNTS.values())


@needs_simulated_card
def test_columns_that_are_too_short_for_a_whole_ply():
    units = [(fen, 3, 256) for fen in (POSITION_3, POSITION_4)]
    assert count_on_simulated_card(units) == [STANDARD[POSITION_3][2], STANDARD[POSITION_4][2]]


@needs_simulated_card
def test_the_command():
    run = run_command("2", "--device", "gpu", "--fen", POSITION_3)
    assert run.returncode == SUCCESS
    assert run.stdout.startswith("perft 2: 191 nodes in ")


@pytest.mark.skipif(cuda.is_available(), reason="there is a card here")
def test_without_a_card_there_is_one_clear_line():
    run = run_command("2", "--device", "gpu", environment=os.environ)
    assert (run.returncode, run.stdout) == (FAILED, "")
    assert run.stderr.startswith("bluekrait perft: there is no graphics card") and run.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "words", [("--threads", "2"), ("--hash", "8"), ("--generator", "dirgolem"), ("--divide",)], ids=str
)
def test_what_a_card_cannot_do_is_refused(words):
    run = run_command("2", "--device", "gpu", *words)
    assert (run.returncode, run.stdout) == (WRONG_ARGUMENTS, "")
    assert "--device gpu works without" in run.stderr
