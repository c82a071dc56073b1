"""The evaluation: one description, both for the number and for the reasons; the same for both sides."""

import os
import random
import subprocess
import sys
from itertools import islice, product

import chess
import chess.syzygy
import numpy as np
import pytest

from bluekrait.core.notation.mirror import for_opponent
from bluekrait.search.evaluation.classical.explain import rows_of, traced_score
from bluekrait.search.evaluation.classical.pawn_cache import PawnCache, PawnEntry
from bluekrait.search.evaluation.classical.weight_layout import GROUPS, SLOTS, first_slot
from bluekrait.search.evaluation.classical.weights import WEIGHTS
from helpers.oracles import position_of
from helpers.paths import DATA
from helpers.search.judgements import evaluation, score_of, trace_of
from helpers.support import cases

TEMPO, INITIATIVE = first_slot("tempo", "to move"), first_slot("king danger", "to move")


# --- what holds everywhere ------------------------------------------------------------------------


def test_the_reasons_add_up_to_the_number():
    for case in cases():
        assert traced_score(trace_of(case.position.board)) == evaluation(case.position.board), case.board


def test_colours_make_no_difference():
    for case in cases()[::5]:
        mirrored = position_of(case.board.mirror()).board
        assert evaluation(mirrored) == evaluation(case.position.board), case.board


def is_king_and_pawn(board):
    """True if only a pawn is left: who wins depends on whose move it is."""
    return len(board.piece_map()) == 3 and board.pawns


def test_each_side_is_judged_alike_but_for_the_right_to_move():
    for case in (case for case in cases()[::5] if not is_king_and_pawn(case.board)):
        here, there = trace_of(case.position.board), trace_of(for_opponent(case.position.board))
        for one, other in ((here.own, there.enemy), (here.enemy, there.own)):
            differing = [slot for slot in range(SLOTS) if one.counts[slot] != other.counts[slot]]
            assert differing == [TEMPO, INITIATIVE], case.board
        assert (here.own_scale, here.enemy_scale) == (there.enemy_scale, there.own_scale)


def test_what_is_remembered_of_pawns_changes_nothing():
    pawn_cache = PawnCache()
    for _ in range(2):
        for case in cases():
            assert evaluation(case.position.board, pawn_cache) == evaluation(case.position.board), case.board


def test_every_term_has_a_weight():
    rows = {(group, term): np.array(rows) for group, terms in WEIGHTS.items() for term, rows in terms.items()}
    assert not [name for name, weights in rows.items() if not weights.any()], "they count nothing"


def test_a_pawn_entry_fills_a_cache_line():
    assert PawnEntry.own.offset == 0
    assert PawnEntry.unused.offset + PawnEntry.unused.size == 64


def test_scores_leave_room_for_mates():
    assert max(abs(evaluation(case.position.board)) for case in cases()) < 20_000


# --- known facts ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        # A passed pawn further on, and one that wins alone.
        ("4k3/7p/3P4/8/8/8/7P/4K3 w - - 0 1", "4k3/7p/8/3P4/8/8/7P/4K3 w - - 0 1"),
        ("7k/3KP3/8/8/8/8/8/8 w - - 0 1", "7k/3K4/4P3/8/8/8/8/8 w - - 0 1"),
        ("8/8/4k3/8/8/8/3K4/7R w - - 0 1", "7k/3KP3/8/8/8/8/8/8 w - - 0 1"),
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "6k1/5ppp/8/8/8/8/5PPP/N5K1 w - - 0 1"),
        ("4k3/8/8/8/8/2P5/1P6/4K3 w - - 0 1", "4k3/8/8/8/8/2P5/2P5/4K3 w - - 0 1"),  # doubled pawns
        # Where pieces win, the last pawn is still worth something.
        ("8/8/8/3k4/8/8/P7/KBN5 w - - 0 1", "8/8/8/3k4/8/8/8/KBN5 w - - 0 1"),
        ("8/8/8/3k4/8/8/4P3/K1R5 w - - 0 1", "8/8/8/3k4/8/8/8/K1R5 w - - 0 1"),
        ("8/5p2/8/3k4/8/8/4P3/K1R5 w - - 0 1", "8/5p2/8/3k4/8/8/8/K1R5 w - - 0 1"),
    ],
)
def test_one_is_better_than_the_other(better, worse):
    assert score_of(better) > score_of(worse) > 0


def test_a_queen_more_is_worth_much():
    without = chess.STARTING_FEN.replace("rnbqkbnr", "rnb1kbnr")
    assert score_of(without) > 700
    assert score_of(without.replace(" w ", " b ")) < -700


def test_the_starting_position_is_nearly_even():
    assert 0 < score_of(chess.STARTING_FEN) < 60


@pytest.mark.parametrize("pieces", ["N", "B", "NN", ""])
def test_what_can_not_win_counts_nothing(pieces):
    squares = pieces + str(8 - len(pieces)) if pieces else "8"
    assert abs(score_of(f"4k3/8/8/8/{squares}/8/8/4K3 w - - 0 1")) <= 1


@pytest.mark.parametrize("pieces", ["Q", "R", "BN", "BB"])
def test_what_can_win_counts_much(pieces):
    assert score_of(f"4k3/8/8/8/{pieces}{8 - len(pieces)}/8/8/4K3 w - - 0 1") > 300


@pytest.mark.parametrize(("own", "enemy"), [("R", "b"), ("R", "n"), ("BN", "b"), ("NN", "p"), ("Q", "bb")])
def test_what_hardly_ever_wins_counts_little(own, enemy):
    fen = f"4k3/8/{enemy}{8 - len(enemy)}/8/{own}{8 - len(own)}/8/8/4K3 w - - 0 1"
    assert abs(score_of(fen)) < 100


@pytest.mark.parametrize(
    "fen",
    [
        "k7/8/8/P7/8/8/8/4K3 w - - 0 1",
        "1k6/8/8/P7/P7/4B3/8/4K3 w - - 0 1",
        "8/1k6/8/P7/8/4B3/5B2/4K3 b - - 0 1",
        "8/7k/8/7P/8/3B4/7P/4K3 w - - 0 1",
        "4k3/8/4b3/p7/8/8/1K6/8 w - - 0 1",
        "4k3/8/5b2/8/7p/8/8/6K1 b - - 0 1",
    ],
)
def test_a_lone_king_holds_the_corner_of_rook_pawns(fen):
    assert score_of(fen) == 0


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/k7/P7/8/4B3/8/4K3 w - - 0 1",  # not yet there
        "1k6/8/8/P7/8/3B4/8/4K3 w - - 0 1",  # a bishop that can attack the corner
        "1k6/8/8/P7/8/3BB3/8/4K3 w - - 0 1",
        "1k6/8/8/P7/8/4N3/8/4K3 w - - 0 1",
        "1k6/8/8/P7/1P6/4B3/8/4K3 w - - 0 1",  # another pawn
        "1k6/8/8/P7/7P/4B3/8/4K3 w - - 0 1",
        "7k/8/8/P7/8/4B3/8/4K3 w - - 0 1",  # another corner
        "1k6/p7/8/P7/8/4B3/8/4K3 w - - 0 1",  # not alone
    ],
)
def test_the_corner_of_rook_pawns_is_not_held(fen):
    assert score_of(fen) > 100


def test_whoever_holds_the_corner_is_never_driven_away():
    """From each such position there is a move to the corner or beside it, or a stalemate."""
    corner, dark = (chess.A8, chess.B8, chess.A7, chess.B7), chess.SquareSet(chess.BB_DARK_SQUARES)
    boards = product(corner, chess.SQUARES, chess.SquareSet(chess.BB_FILE_A), [None, *dark])
    for black, white, pawn, bishop in islice(boards, 0, None, 5):
        board = chess.Board(None)
        board.turn = chess.BLACK
        for square, symbol in ((bishop, "B"), (pawn, "P"), (white, "K"), (black, "k")):
            if square is not None:
                board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        if board.is_valid() and len(board.piece_map()) == (3 if bishop is None else 4):
            ways = {move.to_square for move in board.legal_moves}
            assert ways & set(corner) if ways else board.is_stalemate(), board.fen()


def test_king_and_pawn_win_where_the_tablebase_says_so():
    rng, known = random.Random(17), 0
    with chess.syzygy.open_tablebase(str(DATA / "syzygy")) as tablebase:
        while known < 6000:
            board = chess.Board(None)
            board.turn, pawn_colour = rng.random() < 0.5, rng.random() < 0.5
            pawn, king, weak_king = rng.randrange(8, 56), rng.randrange(64), rng.randrange(64)
            board.set_piece_at(king, chess.Piece(chess.KING, pawn_colour))
            board.set_piece_at(weak_king, chess.Piece(chess.KING, not pawn_colour))
            board.set_piece_at(pawn, chess.Piece(chess.PAWN, pawn_colour))
            if len(board.piece_map()) == 3 and board.is_valid():
                score, outcome = evaluation(position_of(board).board), tablebase.probe_wdl(board)
                assert (score > 400, score < -400) == (outcome > 0, outcome < 0), board.fen()
                assert outcome or score == 0, board.fen()
                known += 1


def test_opposite_bishops_make_a_win_hard():
    same = "4k3/1b3p2/8/8/8/1B3P2/5PP1/4K3 w - - 0 1"
    opposite = same.replace("/1b3p2/", "/2b2p2/")
    assert 0 < score_of(opposite) < score_of(same)


# --- the rest -------------------------------------------------------------------------------------


def test_the_table_names_every_group_once():
    rows = rows_of(trace_of(position_of(chess.Board()).board))
    assert [row[0] for row in rows] == list(dict.fromkeys(GROUPS))
    assert all(own == enemy for _, *points in rows[1:] for own, enemy in [(points[:2], points[2:])])


INTERPRETED = """
import ctypes, sys
from bluekrait.core.api import parse_fen
from bluekrait.core.records import write_board
from bluekrait.search.evaluation.classical.evaluation_entries import ENTRIES
from bluekrait.search.evaluation.classical.evaluation_records import EvaluationRequest
from bluekrait.search.evaluation.classical.explain import traced_score
from bluekrait.search.evaluation.classical.pawn_cache import PawnCache
from bluekrait.search.evaluation.classical.sum_terms import evaluate
from bluekrait.search.evaluation.classical.terms.pawns import pawn_cache_at
for fen in sys.argv[1:]:
    board, pawn_cache, request = parse_fen(fen).board, PawnCache(), EvaluationRequest()
    write_board(request.board, map(int, board))
    ENTRIES["trace"](ctypes.addressof(request))
    print(evaluate(pawn_cache_at(ctypes.addressof(pawn_cache)), board), traced_score(request.trace))
"""


def test_interpreted_it_says_the_same():
    fens = [case.board.fen() for case in cases()[:: len(cases()) // 6] if not case.board.castling_rights]
    fens += ["r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", INTERPRETED, *fens],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert run.stderr == ""
    expected = [score_of(fen) for fen in fens]
    assert [line.split() for line in run.stdout.splitlines()] == [[str(score)] * 2 for score in expected]
