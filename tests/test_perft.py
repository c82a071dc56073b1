"""Perft: known counts, and python-chess's for positions that nobody has counted before."""

import random
import threading

import chess
import pytest
from oracles import position_of, random_boards, turn_of
from support import (
    cases,
    castling_boards,
    double_chess960_boards,
    double_chess960_set_up,
    en_passant_boards,
    engine,
    lines_of,
    scattered_boards,
)

from bluekrait.core import legal_moves, make_move, perft
from bluekrait.core.fen import STARTING_FEN, FenError, parse_fen
from bluekrait.core.notation import move_to_uci
from bluekrait.core.records import MAX_DEPTH

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
POSITION_3 = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
POSITION_4 = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
POSITION_5 = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"
POSITION_6 = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"
ENDLESS = 12  # plies
LARGEST_COUNT = 50_000_000  # enough for each line of the suite to be counted to some depth

# As published at https://www.chessprogramming.org/Perft_Results.
STANDARD = {
    STARTING_FEN: [20, 400, 8902, 197281, 4865609, 119060324],
    KIWIPETE: [48, 2039, 97862, 4085603, 193690690],
    POSITION_3: [14, 191, 2812, 43238, 674624, 11030083],
    POSITION_4: [6, 264, 9467, 422333, 15833292],
    POSITION_5: [44, 1486, 62379, 2103487, 89941194],
    POSITION_6: [46, 2079, 89890, 3894594, 164075551],
}

# Nobody but the kings can move here, and each king only to and fro.
LOCKED = "4b2k/3pPp1p/3P1P1P/8/8/p1p1p3/P1PpP3/K2B4 w - - 0 1"


def count(fen, depth, **settings):
    """Perft of a FEN by the engine, carried to the end."""
    engine().set_position(fen, [])
    result = engine().perft(depth, **settings)
    assert result.complete
    return result.nodes


def naive_perft(board, depth):
    """Perft by python-chess."""
    if depth <= 1:
        return board.legal_moves.count() if depth else 1
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += naive_perft(board, depth - 1)
        board.pop()
    return nodes


# --- known counts ---------------------------------------------------------------------------------


@pytest.mark.parametrize("fen, counts", STANDARD.items())
def test_standard_positions(fen, counts):
    assert [count(fen, depth) for depth in range(len(counts) + 1)] == [1, *counts]


@pytest.mark.parametrize("fen, counts", STANDARD.items())
@pytest.mark.parametrize(
    "settings",
    [{"threads": 2}, {"threads": 5}, {"hash_mb": 64}, {"hash_mb": 64, "threads": 2}, {"hash_mb": 1}],
    ids=str,
)
def test_threads_and_hash_change_nothing(fen, counts, settings):
    assert [count(fen, depth, **settings) for depth in range(len(counts) + 1)] == [1, *counts]


def read_suite():
    """Each line of the suite: FEN, and counts by depth."""
    for line in lines_of("perftsuite.epd"):
        fen, *fields = line.split(";")
        yield fen.strip(), {int(depth[1:]): int(nodes) for depth, nodes in map(str.split, fields)}


SUITE = list(read_suite())
IN_CHECK = SUITE[129][0]  # line 130: Black is to move, and White stands in check


@pytest.mark.parametrize("fen, counts", [entry for entry in SUITE if entry[0] != IN_CHECK])
def test_the_suite(fen, counts):
    depth = max(depth for depth, nodes in counts.items() if nodes < LARGEST_COUNT)
    assert count(fen, depth) == counts[depth]


def test_the_impossible_position_of_the_suite_is_refused():
    assert not chess.Board(IN_CHECK).is_valid()
    with pytest.raises(FenError, match="in check"):
        parse_fen(IN_CHECK)


def test_the_deepest_count():
    assert count(LOCKED, MAX_DEPTH - 1) == count(LOCKED, MAX_DEPTH - 1, hash_mb=1) == 1


# --- python-chess's counts ------------------------------------------------------------------------


@pytest.mark.parametrize("chess960", [False, True])
def test_random_games(chess960):
    for board in copies(random_boards(seed=31, games=3, plies=60, chess960=chess960), every=6):
        assert count(board.fen(), 3) == naive_perft(board, 3), board.fen()


def test_different_set_ups_for_the_two_sides():
    dice = random.Random(32)
    for board in [double_chess960_set_up(dice) for _ in range(12)]:
        assert count(board.fen(), 3) == naive_perft(board, 3), board.fen()


@pytest.mark.parametrize(
    "boards", [double_chess960_boards, castling_boards, en_passant_boards, scattered_boards]
)
def test_made_up_positions(boards):
    for board in boards(seed=33, count=300):
        assert count(board.fen(shredder=True), 2) == naive_perft(board, 2), board.fen()


# --- counts that must agree -----------------------------------------------------------------------


def test_either_colour_counts_the_same():
    for board, position, _ in cases()[::100]:
        assert perft(position, 3) == perft(position_of(board.mirror()), 3), board.fen()


def test_the_board_in_a_mirror_counts_the_same():
    for board, position, _ in cases()[::100]:
        if not board.castling_rights:
            mirrored = board.transform(chess.flip_horizontal)
            assert perft(position, 3) == perft(position_of(mirrored), 3), board.fen()


@pytest.mark.parametrize("fen", [KIWIPETE, POSITION_3, POSITION_4, POSITION_5])
def test_walking_by_hand_counts_the_same(fen):
    def walk(position, depth):
        if depth == 0:
            return 1
        return sum(walk(make_move(position, move), depth - 1) for move in legal_moves(position))

    assert walk(parse_fen(fen), 2) == count(fen, 2) == perft(parse_fen(fen), 2)


@pytest.mark.parametrize("settings", [{}, {"threads": 2}, {"hash_mb": 8, "threads": 2}], ids=str)
@pytest.mark.parametrize("fen", [KIWIPETE, chess.Board(POSITION_4).mirror().fen()])
def test_divide(fen, settings):
    divided = []
    nodes = count(fen, 5, on_move=lambda *entry: divided.append(entry), **settings)
    moves = engine().legal_moves()
    assert [move for move, _ in divided] == moves
    assert sum(nodes for _, nodes in divided) == nodes
    for move, nodes in divided:
        engine().set_position(fen, [move_to_uci(move, turn_of(chess.Board(fen)))])
        assert engine().perft(4).nodes == nodes


# --- running it -----------------------------------------------------------------------------------


def test_a_side_without_moves():
    mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
    assert [count(mated, depth) for depth in range(4)] == [1, 0, 0, 0]
    assert count(mated, 5, threads=2, hash_mb=1) == 0


@pytest.mark.parametrize("settings", [{}, {"threads": 2}, {"hash_mb": 8}], ids=str)
def test_stopping_from_another_thread(settings):
    counting = threading.Event()

    def stop_soon():
        counting.wait()
        engine().stop()

    stopper = threading.Thread(target=stop_soon)
    stopper.start()
    engine().set_position(None, [])
    result = engine().perft(ENDLESS, on_progress=lambda nodes, fraction: counting.set(), **settings)
    stopper.join()
    assert not result.complete
    assert count(STARTING_FEN, 4, **settings) == 197281


def test_progress():
    reports = []

    def watch(nodes, fraction):
        reports.append((nodes, fraction))
        if len(reports) == 3:
            engine().stop()

    engine().set_position(KIWIPETE, [])
    result = engine().perft(ENDLESS, on_progress=watch)
    assert reports == sorted(reports)
    assert all(0 <= nodes <= result.nodes and 0 <= fraction < 1 for nodes, fraction in reports)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_watcher_that_fails_ends_the_count(threads):
    def watch(nodes, fraction):
        raise ConnectionResetError("nobody listens any more")

    engine().set_position(None, [])
    with pytest.raises(ConnectionResetError):
        engine().perft(ENDLESS, threads=threads, on_progress=watch)
    assert count(STARTING_FEN, 4, threads=threads) == 197281


@pytest.mark.parametrize("depth", [-1, MAX_DEPTH])
def test_depths_out_of_bounds(depth):
    with pytest.raises(ValueError, match="depth"):
        engine().perft(depth)


@pytest.mark.parametrize("megabytes", [-1, 1 << 40])
def test_hash_tables_of_impossible_size(megabytes):
    with pytest.raises(ValueError, match="memory"):
        engine().perft(1, hash_mb=megabytes)


def copies(boards, every):
    """Some of the boards that a generator plays on."""
    return [board.copy(stack=False) for number, board in enumerate(boards) if number % every == 0]
