"""The network's evaluation: the same number by every way, on every processor, and from the file alone."""

import json
import os
import platform
import struct
import subprocess
import sys
from itertools import chain

import chess
import pytest

from bluekrait.search.evaluation.network.network_file import RESIDUAL
from bluekrait.search.evaluation.network.network_memory import NetworkMemory
from bluekrait.search.evaluation.network.network_score import LARGEST
from bluekrait.search.evaluation.network.worths import piece_worths
from bluekrait.search.limits import Limits
from bluekrait.search.thinking.evaluator import Evaluator
from helpers.network import network_walk
from helpers.network.accumulators import accumulators_of, count_wrong
from helpers.network.networks import Oracle, random_network
from helpers.oracles import position_of, random_boards
from helpers.support import cases, engine, lines_of

PATIENCE = 280  # seconds, for compiling
POSITIONS, TREE_NODES = 10_000, 100_000
SEARCH_NODES, ACCUMULATORS = 1000, 100_000


def judge_by(network):
    """The compiled evaluation by one network, for boards of python-chess."""
    evaluator = Evaluator(engine()._entries, NetworkMemory(network))
    return lambda board: evaluator.score_of(position_of(board).board)


def has_lone_king(board):
    """True if a side has nothing but its king."""
    return any(board.occupied_co[colour].bit_count() == 1 for colour in chess.COLORS)


@pytest.fixture(scope="module")
def boards():
    """Ten thousand positions of every kind, without lone kings."""
    found = [case.board for case in cases() if not has_lone_king(case.board)]
    games = (random_boards(seed=seed, games=16, chess960=seed % 2 == 0) for seed in range(21, 60))
    for board in chain.from_iterable(games):
        if len(found) >= POSITIONS:
            break
        if not has_lone_king(board):
            found.append(board.copy(stack=False))
    return found


@pytest.mark.parametrize(
    ("width", "buckets", "regions", "threats", "kinds"),
    [
        (32, 1, 1, 1, 6),
        (160, 8, 1, 2, 6),
        (64, 8, 4, 1, 6),
        (96, 8, 4, 2, 6),
        (32, 8, 1, 1, 7),
        (96, 8, 4, 2, 7),
        (256, 8, 4, 2, 7),  # the shape of the network that ships
    ],
)
def test_the_evaluation_is_what_the_file_says(boards, width, buckets, regions, threats, kinds):
    network = random_network(width, buckets, regions=regions, threats=threats, kinds=kinds)
    judge, oracle = judge_by(network), Oracle(network)
    assert len(boards) >= POSITIONS
    wrong = [board.fen() for board in boards if judge(board) != oracle.score(board)]
    assert not wrong


def test_a_residual_adds_the_classical_score():
    parts = {"buckets": 8, "factor": (400, 173)}
    bare, residual = (judge_by(random_network(32, kind=kind, **parts)) for kind in ("bare", RESIDUAL))
    classical = Evaluator(engine()._entries, None)
    for case in cases()[::50]:
        if has_lone_king(case.board):
            continue
        score = classical.score_of(case.position.board)
        assert residual(case.board) == bare(case.board) + score * 400 // 173


def test_lone_kings_are_judged_classically():
    judge, classical = judge_by(random_network(32)), Evaluator(engine()._entries, None)
    lone = [case for case in cases() if has_lone_king(case.board)]
    assert len(lone) >= 10
    for case in lone:
        assert judge(case.board) == classical.score_of(case.position.board)


def test_colours_are_equal(boards):
    judge = judge_by(random_network(64, buckets=8, regions=4, threats=2, kinds=7))
    assert all(judge(board) == judge(board.mirror()) for board in boards[::5])


def test_left_and_right_are_equal(boards):
    judge = judge_by(random_network(64, buckets=8, regions=4, threats=2, kinds=7))
    for board in boards[::5]:
        board = board.copy(stack=False)
        board.castling_rights = chess.BB_EMPTY
        board.ep_square = None
        assert judge(board) == judge(board.transform(chess.flip_horizontal))


@pytest.mark.parametrize(("regions", "threats", "kinds"), [(1, 1, 6), (4, 1, 6), (4, 2, 6), (4, 2, 7)])
def test_what_is_brought_up_to_date_is_as_good_as_fresh(regions, threats, kinds):
    network = random_network(64, buckets=8, regions=regions, threats=threats, kinds=kinds)
    walker = network_walk.Walker(network)
    evaluated = 0
    for name, fen in network_walk.STARTS.items():
        wrong, count = walker.walk(fen, 3)
        assert wrong == 0, name
        evaluated += count
    for line in lines_of("openings.epd")[::25]:
        wrong, count = walker.walk(line, 2)
        assert wrong == 0, line
        evaluated += count
    assert evaluated >= TREE_NODES


def test_searches_leave_right_accumulators_behind(searching, boards):
    network = random_network(32, buckets=8, regions=4, threats=2, kinds=7)
    searching.set_network(network)
    left = set()
    for board in chain(boards[::2], boards[1::2]):
        if len(left) >= ACCUMULATORS:
            break
        searching.set_position(board.fen(), [])
        searching.go(Limits(nodes=SEARCH_NODES))
        left |= accumulators_of(searching._workers[0], network.head.width)
    assert len(left) >= ACCUMULATORS
    assert count_wrong(left, Oracle(network)) == 0


@pytest.fixture
def searching():
    """The engine, which goes back to its own evaluation in the end."""
    yield engine()
    engine().set_network(None)
    engine().set_position(None, [])


def test_a_search_is_the_same_each_time_and_another_for_another_network(searching):
    nodes = []
    for seed in (1, 2, 1):
        searching.set_network(random_network(32, seed=seed))
        searching.set_position(None, [])
        nodes.append(searching.go(Limits(depth=7)).lines[0].nodes)
    searching.use_classical(True)
    nodes.append(searching.go(Limits(depth=7)).lines[0].nodes)
    searching.set_network(None)
    searching.use_classical(False)
    nodes.append(searching.go(Limits(depth=7)).lines[0].nodes)
    assert nodes[0] == nodes[2] != nodes[1]
    assert nodes[3] == nodes[4] != nodes[0]


@pytest.mark.parametrize(("bias", "score"), [((1 << 31) - 1, LARGEST), (-1 << 31, -LARGEST)])
def test_no_network_announces_a_mate(bias, score):
    judge = judge_by(random_network(32)._replace(output_biases=struct.pack("<i", bias)))
    assert judge(chess.Board()) == score


def test_pieces_are_worth_what_their_absence_costs():
    network = random_network(64, buckets=8)
    board, oracle = chess.Board("2r3k1/5ppp/8/3q4/8/2N5/5PPP/3Q2K1 w - - 0 1"), Oracle(network)
    evaluator = Evaluator(engine()._entries, NetworkMemory(network))
    worths = piece_worths(evaluator.score_of, position_of(board).board)
    assert set(worths) == set(chess.SquareSet(board.occupied & ~board.kings))
    for square, worth in worths.items():
        without = board.copy()
        without.remove_piece_at(square)
        assert worth == oracle.score(board) - oracle.score(without)


def test_what_leaves_a_lone_king_has_no_worth():
    evaluator = Evaluator(engine()._entries, NetworkMemory(random_network(64, buckets=8)))
    board = chess.Board("4k3/8/2n5/8/8/8/1PP5/4K3 w - - 0 1")
    assert set(piece_worths(evaluator.score_of, position_of(board).board)) == {chess.B2, chess.C2}


# Other processors, and none at all


def answers_elsewhere(**settings):
    """What a process with other settings finds on a walk."""
    done = subprocess.run(
        [sys.executable, network_walk.__file__],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | settings,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def answers_here():
    """What this process finds on that walk."""
    return json.loads(json.dumps(network_walk.answers(1)))


def test_interpreted_code_agrees(answers_here):
    assert all(wrong == 0 for wrong, _ in answers_here["counts"])
    assert answers_elsewhere(NUMBA_DISABLE_JIT="1") == answers_here


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="about other processors")
@pytest.mark.parametrize(
    ("processor", "features"),
    [("x86-64", ""), ("x86-64", "+sse2"), ("haswell", "+sse2,+avx,+avx2,+popcnt")],
    ids=["plain", "SSE2", "AVX2"],
)
def test_other_processors_agree(answers_here, processor, features):
    assert answers_elsewhere(NUMBA_CPU_NAME=processor, NUMBA_CPU_FEATURES=features) == answers_here
