"""Draws by the rules are seen: a winning side does not stalemate, and a losing side repeats if it can."""

import chess
import pytest

from bluekrait.search.limits import Limits
from helpers.search.searching import game, mirrored, mirrored_move, played, searcher, spelled, think

NODES = 300_000
NODES_A_MOVE = 30_000
LONGEST_MATE = 40  # half-moves

DRAWN = (0, None)  # the score

# The only move that does not lose: it gives away the last piece that can move.
STALEMATE_TRICKS = {
    "4K3/7P/R4q1p/1Q5R/3P4/8/p7/k7 b - - 0 1": "f6e7",
    "8/8/8/8/4q3/4QR2/7k/5K2 b - - 0 1": "e4f3",
    "8/4P3/8/8/8/8/3rPQ1p/K6k b - - 0 1": "d2a2",
    "r6k/1K3Q2/B7/8/8/8/8/8 b - - 0 1": "a8a7",
    "8/8/6B1/8/r3Q3/1K6/8/k7 b - - 0 1": "a4e4",
    "8/8/8/8/8/7R/4bk1K/5q2 w - - 0 1": "h3f3",
    "8/3k1q2/1p6/1PpP4/2K5/4r3/8/Q7 w - - 0 1": "a1a7",
}

# The only move that does not lose: the beginning of a perpetual check.
PERPETUAL_CHECKS = {
    "R1R5/3kP3/5p2/8/2PpK3/8/3q4/Q7 b - - 0 1": "d2e3",
    "7k/3K4/6Q1/5r2/8/5P1p/4P2p/2r1q3 w - - 0 1": "g6h6",
    "8/1pP1p1R1/1RRp4/7P/1K1k3q/8/4P3/8 b - - 0 1": "h4e1",
    "4Q3/2k5/Kp4P1/7q/3P4/8/1r1r2p1/8 w - - 0 1": "e8e7",
    "4K3/P7/1p2P3/k2p4/1R6/1R5p/1R2q1P1/8 b - - 0 1": "e2e6",
    "8/8/P2Rp3/2k1P2R/p5Q1/3q4/K7/8 b - - 0 1": "d3c2",
    "7Q/5p2/8/4R3/5Pk1/R2p2q1/P7/5K2 b - - 0 1": "g3f4",
    "8/4k3/1P6/4pKp1/8/1Q1r4/8/3q4 w - - 0 1": "b3e6",
}

INSUFFICIENT = [
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/4KN2 w - - 0 1",
    "4k3/8/8/8/8/8/8/4KN2 b - - 0 1",
    "4kb2/8/8/8/8/8/8/4K3 w - - 0 1",
    "4kb2/8/8/8/8/8/8/2B1K3 b - - 0 1",
    "4k3/8/8/8/7p/6K1/8/8 w - - 0 1",  # the king takes the pawn
]


def both_ways(tricks):
    """A position and its move, and the same with the colours changed."""
    for fen, move in tricks.items():
        yield fen, move
        yield mirrored(fen), mirrored_move(move)


# --- stalemate --------------------------------------------------------------------------------------


@pytest.mark.parametrize("fen, move", list(both_ways(STALEMATE_TRICKS)))
def test_whoever_loses_finds_the_stalemate(fen, move):
    answer = think(fen, nodes=NODES)
    assert (answer.move, answer.score) == (move, DRAWN)


@pytest.mark.parametrize(
    "fen",
    [
        "7k/8/5K2/6Q1/8/8/8/8 b - - 0 1",
        "8/8/8/8/8/1q6/3k4/K7 b - - 0 1",
        "k7/8/1K6/8/8/8/8/7R w - - 0 1",
        "8/5P1k/5K2/8/8/8/8/8 w - - 0 1",
        "8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1",  # only a rook wins
        "8/k1P5/2K5/8/8/8/8/8 w - - 0 1",
    ],
)
def test_whoever_wins_mates_and_does_not_stalemate(fen):
    board = chess.Board(fen)
    for _ in range(LONGEST_MATE):
        if board.is_game_over():
            break
        board = played(board, [think(board.fen(), nodes=NODES_A_MOVE).choice.move])
    assert board.is_checkmate()


# --- repetition -------------------------------------------------------------------------------------


@pytest.mark.parametrize("fen, move", list(both_ways(PERPETUAL_CHECKS)))
def test_whoever_loses_finds_the_perpetual_check(fen, move):
    answer = think(fen, nodes=NODES)
    assert (answer.move, answer.score) == (move, DRAWN)


def test_to_come_back_once_is_enough_within_the_tree():
    fen = "R1R5/3kP3/5p2/8/2PpK3/8/3q4/Q7 b - - 0 1"
    after = think(fen, nodes=NODES).after()
    assert after.is_repetition(2) or any(repeats(after, move) for move in after.legal_moves)
    assert not after.is_repetition(3)


def repeats(board, move):
    """True if a move leads to a position that was there before: a line may end so near to the draw."""
    board = board.copy()
    board.push(move)
    return board.is_repetition(2)


# White is a queen up, and both sides have moved to and fro.
QUEEN_UP = "6k1/5pp1/7p/8/8/8/5PPP/3Q2K1 w - - 0 1"
ROUND_TRIP = ["d1d2", "g8f8", "d2d1", "f8g8"]


@pytest.mark.parametrize("depth", [1, 2, 5, 9])
def test_a_third_time_is_a_draw_whoever_was_there_before(depth):
    answer = think(QUEEN_UP, ROUND_TRIP + ROUND_TRIP[:3], depth=depth)
    assert (answer.move, answer.score) == ("f8g8", DRAWN)


def test_a_second_time_is_no_draw_if_the_first_was_before_the_root():
    assert think(QUEEN_UP, ROUND_TRIP[:3], depth=1).score.centipawns < 0


def test_whoever_wins_does_not_come_back_a_third_time():
    moves = ROUND_TRIP + ROUND_TRIP[:2]
    back = packed("d2d1", QUEEN_UP, moves)
    assert think(QUEEN_UP, moves, depth=6, search_moves=back).score == DRAWN
    answer = think(QUEEN_UP, moves, depth=6)
    assert answer.move != "d2d1"
    assert answer.score.mate or answer.score.centipawns > 0


def test_no_repetition_reaches_back_over_a_pawn_move():
    answer = think(QUEEN_UP, [*ROUND_TRIP, "h2h3", "h6h5", *ROUND_TRIP[:3]], depth=1)
    assert answer.score.centipawns < 0


def packed(text, fen, moves):
    """A move after others, as a search is asked for it."""
    searcher().set_position(fen, moves)
    board = game(fen, moves)
    return tuple(move for move in searcher().legal_moves() if spelled(move, board) == text)


# --- fifty moves ------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [6, 12])
@pytest.mark.parametrize(
    "fen, in_time, mate",
    [
        ("7k/8/6K1/8/8/8/8/R7 w - - {} 90", 99, 1),
        ("7K/8/2q5/5k2/8/8/8/8 b - - {} 90", 97, 2),
        ("2Q5/8/8/8/8/5K2/8/6k1 b - - {} 90", 96, -2),
    ],
)
def test_a_mate_with_the_hundredth_half_move_counts_and_a_later_one_does_not(fen, in_time, mate, depth):
    assert think(fen.format(in_time), depth=depth).score == (None, mate)
    if mate != 1:
        assert think(fen.format(in_time + 1), depth=depth).score == DRAWN


@pytest.mark.parametrize("depth", [1, 2, 6, 12])
def test_with_the_clock_at_99_only_a_pawn_saves_the_win(depth):
    answer = think("8/8/8/8/3k4/8/P7/K6R w - - 99 90", depth=depth)
    assert answer.move in ("a2a3", "a2a4")
    assert answer.score.mate or answer.score.centipawns > 0
    assert think("8/8/8/8/3k4/8/8/K6R w - - 99 90", depth=depth).score == DRAWN


def test_near_the_end_of_fifty_moves_no_stored_score_replaces_a_search():
    searched = []
    for clock in (60, 80):
        think(QUEEN_UP, depth=10)
        searcher().set_position(QUEEN_UP.replace(" 0 1", f" {clock} 90"), [])
        searcher().go(Limits(depth=6))
        searched.append(searcher()._workers[0].record.nodes)
    assert searched[1] > 2 * searched[0], searched


# --- material ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [1, 4, 9])
@pytest.mark.parametrize("fen", INSUFFICIENT)
def test_where_nobody_can_mate_it_is_a_draw(fen, depth):
    assert think(fen, depth=depth).score == DRAWN


def test_a_piece_is_given_for_the_last_pawn():
    answer = think("7k/8/8/8/7K/8/p7/2N5 w - - 0 1", depth=6)
    assert (answer.move, answer.score) == ("c1a2", DRAWN)
