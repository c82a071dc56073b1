"""How games end: python-chess says the same of every position, and of every repetition."""

import random
from collections import Counter
from ctypes import addressof

import chess
import pytest

from bluekrait.core import (
    CHECKMATE,
    FIFTY_MOVES,
    INSUFFICIENT_MATERIAL,
    ONGOING,
    STALEMATE,
    parse_fen,
    status,
)
from bluekrait.core.records import HISTORY_CAPACITY, History
from helpers.kernels import too_slow_interpreted
from helpers.oracles import position_of
from helpers.support import cases, engine, pop_from, push_on, repetitions_in

SHUFFLERS = "r3k2r/1p1b4/8/p6p/P6P/8/1P1B4/R3K2R w KQkq - 0 1"
BARE_KINGS = position_of(chess.Board("4k3/8/8/8/8/8/8/4K3 w - - 0 1"))


def naive_status(board):
    """What python-chess makes of a position, mate and stalemate first."""
    if board.is_checkmate():
        return CHECKMATE
    if board.is_stalemate():
        return STALEMATE
    if board.is_insufficient_material():
        return INSUFFICIENT_MATERIAL
    return FIFTY_MOVES if board.is_fifty_moves() else ONGOING


# --- one position ---------------------------------------------------------------------------------


def test_status_of_thousands():
    for board, position, _ in cases():
        assert status(position) == naive_status(board), board.fen()


@pytest.mark.parametrize(
    "fen, expected",
    [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", CHECKMATE),
        ("6rk/5Npp/8/8/8/8/8/K7 b - - 0 1", CHECKMATE),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 100 90", CHECKMATE),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", STALEMATE),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 100 90", STALEMATE),
        ("8/8/8/8/8/5k2/5p2/5K2 w - - 0 1", STALEMATE),
        ("k7/8/K7/8/1pP5/8/8/8 b - c3 0 1", ONGOING),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 99 90", ONGOING),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 100 90", FIFTY_MOVES),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 150 90", FIFTY_MOVES),
        ("4k3/8/8/8/8/8/8/4K3 w - - 100 90", INSUFFICIENT_MATERIAL),
        ("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", INSUFFICIENT_MATERIAL),
        ("b1b1k3/1b6/8/8/8/8/7B/4K1B1 w - - 0 1", ONGOING),
        ("b3k3/1b6/8/8/8/8/6B1/4K2B w - - 0 1", INSUFFICIENT_MATERIAL),
        ("4k2n/8/8/8/8/8/8/N3K3 w - - 0 1", ONGOING),
        ("4k3/8/8/8/8/8/8/NN2K3 w - - 0 1", ONGOING),
        ("4k3/8/8/8/8/8/8/NB2K3 w - - 0 1", ONGOING),
        ("4k3/p7/8/8/8/8/8/4K3 w - - 0 1", ONGOING),
        ("4k3/q7/8/8/8/8/8/4K3 w - - 0 1", ONGOING),
    ],
)
def test_status(fen, expected):
    assert status(parse_fen(fen)) == naive_status(chess.Board(fen)) == expected


def test_little_material():
    rng = random.Random(51)
    seen = set()
    for _ in range(2000):
        board = chess.Board(None)
        squares = rng.sample(chess.SQUARES, rng.randrange(2, 6))
        for square, kind in zip(squares, ["K", "k", *rng.choices("BbBbNnP", k=3)]):
            board.set_piece_at(square, chess.Piece.from_symbol(kind))
        if board.is_valid():
            seen.add(naive_status(board))
            assert status(position_of(board)) == naive_status(board), board.fen()
    assert {ONGOING, INSUFFICIENT_MATERIAL} <= seen


# --- what came before -----------------------------------------------------------------------------


def naive_repetitions(board):
    """How often python-chess saw the position before."""
    times = 1
    while board.is_repetition(times + 1):
        times += 1
    return times - 1


@pytest.mark.parametrize("seed", range(6))
def test_repetitions_in_undecided_games(seed):
    rng = random.Random(seed)
    board = chess.Board(SHUFFLERS)
    moves, repeated = [], 0
    while len(moves) < 120 and any(board.legal_moves):
        move = rng.choice(list(board.legal_moves))
        if len(moves) > 1 and rng.random() < 0.75:
            move = there_and_back(board) or move
        moves.append(board.uci(move))
        board.push(move)
        assert repetitions_after(SHUFFLERS, moves) == naive_repetitions(board), moves
        repeated += board.is_repetition(2)
    assert repeated > 10


def there_and_back(board):
    """The own last move taken back, if the rules allow it."""
    last = board.move_stack[-2]
    back = chess.Move(last.to_square, last.from_square)
    return back if back in board.legal_moves else None


@pytest.mark.parametrize(
    "fen, there, and_back, repetitions",
    [
        ("r3k3/8/8/8/8/8/8/4K2R w - - 0 1", "", "h1g1 a8b8 g1h1 b8a8", 1),
        ("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1", "", "h1g1 a8b8 g1h1 b8a8", 0),
        ("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1", "", "h1g1 a8b8 g1h1 b8a8 h1g1 a8b8 g1h1 b8a8", 1),
        ("4k1n1/8/8/8/3p4/8/4P3/4K1N1 w - - 0 1", "e2e4", "g8f6 g1f3 f6g8 f3g1", 0),
        ("4k1n1/8/8/8/2p5/8/4P3/4K1N1 w - - 0 1", "e2e4", "g8f6 g1f3 f6g8 f3g1", 1),
        ("4k1n1/8/8/8/3p4/8/4P3/4K1N1 w - - 9 1", "", "g1f3 g8f6 f3g1 f6g8", 1),
    ],
)
def test_rights_make_a_difference(fen, there, and_back, repetitions):
    assert repetitions_after(fen, [*there.split(), *and_back.split()]) == repetitions


@too_slow_interpreted
def test_games_longer_than_the_history():
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"]
    rounds = HISTORY_CAPACITY // len(shuffle)
    assert repetitions_after(None, rounds * shuffle) == rounds
    assert repetitions_after(None, 2 * rounds * shuffle) >= 2
    assert repetitions_after(None, [*(2 * rounds * shuffle), "e2e4"]) == 0
    shuffle_back = ["g8f6", "g1f3", "f6g8", "f3g1"]
    assert repetitions_after(None, [*(2 * rounds * shuffle), "e2e4", *shuffle_back]) == 1
    assert engine().position.ply == 2 * HISTORY_CAPACITY + 5


def repetitions_after(fen, moves):
    """How often the engine saw the position before that these moves lead to."""
    engine().set_position(fen, moves)
    return engine().describe().repetitions


def test_the_history_against_a_plain_list():
    """Of a position, the history knows key and clock only; so a few made-up keys make the hardest game."""
    rng = random.Random(52)
    history, line, times = History(), [BARE_KINGS], Counter([BARE_KINGS.key])
    repeated = 0
    for _ in range(5 * HISTORY_CAPACITY):
        if len(line) > 1 and rng.random() < 0.2:
            times[line.pop().key] -= 1
            pop_from(addressof(history))
        else:
            push_on(addressof(history), line[-1])
            line.append(made_up_successor(line, rng))
            times[line[-1].key] += 1
        found = repetitions_in(addressof(history), line[-1])
        assert found == times[line[-1].key] - 1
        repeated += found > 0
    assert len(line) > 2 * HISTORY_CAPACITY
    assert repeated > HISTORY_CAPACITY


def made_up_successor(line, rng):
    """A next position: any of a few keys, but not that of two half-moves ago; now and then new keys."""
    last, ply = line[-1], len(line)
    fresh = last.clock > 900 or rng.random() < 0.003
    origin = ply << 4 if fresh else int(last.key) & ~15
    keys = {origin | ply % 2 << 3 | number for number in range(8)} - {before.key for before in line[-2:]}
    return last._replace(key=rng.choice(sorted(keys)), clock=0 if fresh else last.clock + 1)
