"""`bench` and `speedtest`."""

import re
import subprocess
import sys

import chess
import pytest

from bluekrait.search.bench_positions import BENCH_POSITIONS, GAME
from bluekrait.search.limits import Limits
from bluekrait.uci.protocol.bench import measure
from helpers.searching import searcher

LAST_LINE = r"(\d+) nodes (\d+) nps"
FEN = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1"


def nodes_in(lines):
    """The count in the last line, which must have the format that OpenBench reads."""
    return int(re.fullmatch(LAST_LINE, lines[-1])[1])


def test_positions_are_different_and_playable():
    assert len(set(BENCH_POSITIONS)) == len(BENCH_POSITIONS) == 40
    for fen in BENCH_POSITIONS:
        board = chess.Board(fen, chess960=True)
        assert board.is_valid()
        assert not board.is_game_over()


def test_the_game_of_speedtest_is_legal():
    board = chess.Board()
    for move in GAME.split():
        board.push_uci(move)
    assert len(board.move_stack) > 100


def test_bench_count_is_reproducible(talk):
    first = talk().leave("bench 5")
    engine = talk()
    engine.ask(
        "setoption name Hash value 64", "setoption name MultiPV value 4", "position startpos moves e2e4"
    )
    engine.say("go depth 9")
    engine.hear("^bestmove")
    second = engine.ask("bench 5 1 16", "isready")
    engine.hear("readyok")
    third = engine.leave("bench 5")
    assert nodes_in(first) == nodes_in(second) == nodes_in(third) > 10_000
    assert sum("nodes" in line for line in first) == 1


def test_bench_prints_each_position(talk):
    heard = talk().leave("bench 2")
    rows = [line for line in heard if any(line.endswith(fen) for fen in BENCH_POSITIONS)]
    assert len(rows) == len(BENCH_POSITIONS)
    assert sum(int(row.split()[1]) for row in rows) == nodes_in(heard)


def test_deeper_bench_counts_more_nodes(talk):
    assert nodes_in(talk().leave("bench 6 1 1")) > nodes_in(talk().leave("bench 4"))


def test_bench_accepts_threads_and_does_not_change_the_options(talk):
    heard = talk().leave("setoption name Threads value 1", "bench 3 2 8", "bench 3")
    assert nodes_in(heard) > 0
    assert any(line.startswith("depth 3, 2 threads, 8 MB") for line in heard)


def test_bench_can_be_stopped(talk):
    engine = talk()
    engine.say("bench 60", "stop")
    nodes_in(engine.hear(LAST_LINE))


def test_bench_from_the_command_line(talk):
    command = [sys.executable, "-m", "bluekrait.uci", "bench", "4"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stderr) == (0, "")
    assert nodes_in(done.stdout.splitlines()) == nodes_in(talk().leave("bench 4"))


@pytest.mark.parametrize(
    "order",
    ["bench x", "bench 0", "bench 1000", "bench 3 0", "bench 3 1 0", "bench 3 1 16 7", "speedtest 1 16 0"],
)
def test_wrong_numbers_get_one_line(talk, order):
    (heard,) = talk().leave(order)
    assert heard.startswith("info string ")


def test_measure_without_a_finished_iteration():
    engine = searcher()
    engine.set_position(None, [])
    engine.new_game()
    measured = measure(engine, Limits(nodes=1))
    assert (measured.nodes, measured.depth) == (0, 0)
    assert measured.move in engine.legal_moves()


def test_speedtest_prints_a_table(talk):
    heard = talk().leave("speedtest 1 16 1")
    header, *rows, last = heard[1:]
    assert header.split() == ["ply", "depth", "hashfull", "nodes", "nps"]
    assert [int(row.split()[0]) for row in rows] == list(range(0, len(GAME.split()), 4))
    assert sum(int(row.split()[3]) for row in rows) == nodes_in([last])
