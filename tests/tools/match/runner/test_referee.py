"""The referee: the rules of chess, scores and tablebases end games."""

import chess
import chess.engine
import pytest

from bluekrait.tools.match.runner.pair_play import play_pair
from bluekrait.tools.match.runner.referee import Referee
from bluekrait.tools.match.setup.contest import Rules
from bluekrait.tools.match.setup.opening_files import Opening
from bluekrait.tools.match.setup.tablebases import open_tables, tablebase_outcome
from helpers.match.matches import contest_of, fake
from helpers.paths import DATA


@pytest.mark.parametrize(
    ("fen", "moves", "result", "reason"),
    [
        ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "f7g7", "1-0", "White mates"),
        ("k7/8/1Q6/8/8/8/8/7K b - - 0 1", "", "1/2-1/2", "Draw by stalemate"),
        ("k7/8/8/8/8/8/8/6NK w - - 0 1", "", "1/2-1/2", "Draw by insufficient mating material"),
        ("k7/8/8/8/8/8/8/6RK w - - 99 80", "g1g2", "1/2-1/2", "Draw by fifty moves rule"),
        ("k7/8/8/8/8/8/8/6RK w - - 0 1", "g1g2 a8b8 g2g1 b8a8 g1g2 a8b8 g2g1 b8a8", "1/2-1/2", "3-fold"),
        ("k7/8/8/8/8/8/8/6RK w - - 0 1", "g1g2 a8b8 g2g1 b8a8", None, None),  # it occurs twice
        ("7k/5Q2/6K1/8/8/8/8/8 w - - 99 99", "f7g7", "1-0", "White mates"),
        ("k7/8/8/8/8/8/8/6RK w - - 0 1", "g1g2", None, None),
    ],
)
def test_the_rules_of_chess_end_games(fen, moves, result, reason):
    board = Opening(fen, tuple(moves.split())).board()
    verdict = Referee(Rules()).by_rules(board)
    assert (verdict and verdict.result) == result
    assert verdict is None or reason in verdict.reason


def verdicts(rules, scores, moves=("g1f3", "g8f6", "f3g1", "f6g8")):
    """What the referee says after each of some scores of the side that moved."""
    referee, board = Referee(rules), chess.Board()
    for ply, score in enumerate(scores):
        mover = board.turn
        board.push_uci(moves[ply % len(moves)])
        spoken = None if score is None else chess.engine.PovScore(chess.engine.Cp(score), mover)
        yield referee.by_scores(board, spoken)


def first_verdict(rules, scores, **settings):
    """The first verdict, and after how many half-moves."""
    said = enumerate(verdicts(rules, scores, **settings), 1)
    return next(((ply, verdict.result) for ply, verdict in said if verdict), None)


def test_resignation():
    rules = Rules(resign_moves=2, resign_score=500)
    assert first_verdict(rules, [0, -500, 0, -900]) == (4, "1-0")
    assert first_verdict(rules, [-500, 0, -501, 0]) == (3, "0-1")
    assert first_verdict(rules, [-500, 0, -499, 0, -500, 0]) is None
    assert first_verdict(rules, [-500, 0, None, 0, -500, 0]) is None
    assert first_verdict(Rules(resign_score=500), [-900, 900] * 5) is None


def test_resignation_on_both_sides_word():
    rules = Rules(resign_moves=2, resign_score=500, resign_twosided=True)
    assert first_verdict(rules, [-900, 400] * 4) is None
    assert first_verdict(rules, [-900, 900] * 4) == (4, "0-1")
    assert first_verdict(rules, [900, -900] * 4) == (4, "1-0")


def test_draws_by_score():
    rules = Rules(draw_moves=2, draw_score=10, draw_from=3)
    assert first_verdict(rules, [10, -10] * 10) == (6, "1/2-1/2")
    assert first_verdict(rules, [10, 11] * 10) is None
    pawn_moves = ("g1f3", "g8f6", "f3g1", "a7a6", "g1f3", "f6g8", "f3g1", "g8f6")
    assert first_verdict(rules, [0] * 8, moves=pawn_moves) == (8, "1/2-1/2")


def test_long_games_are_drawn():
    assert first_verdict(Rules(max_moves=3), [500, None] * 10) == (6, "1/2-1/2")


TABLES = str(DATA / "syzygy")


@pytest.mark.parametrize(
    ("fen", "result"),
    [
        ("8/8/8/4k3/8/8/8/KQ6 b - - 0 9", "1-0"),
        ("8/8/8/4k3/8/8/8/KQ6 w - - 0 9", "1-0"),
        ("8/8/8/4K3/8/8/8/kq6 w - - 0 9", "0-1"),
        ("8/8/8/4k3/8/8/8/Kq6 w - - 0 9", "1/2-1/2"),  # it can be taken
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 9", "1-0"),
        ("4k3/8/8/4P3/4K3/8/8/8 b - - 0 9", "1/2-1/2"),
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 1 9", None),  # the fifty-move rule is under way
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 9", None),
        ("4k3/8/8/8/8/8/8/RR2K3 w - - 0 9", None),  # there is no such table
    ],
)
def test_tablebases_end_games(fen, result):
    verdict = Referee(Rules(tables=TABLES)).by_tablebases(chess.Board(fen))
    assert (verdict and verdict.result) == result
    assert verdict is None or verdict.reason.endswith("by adjudication: SyzygyTB")
    assert Referee(Rules()).by_tablebases(chess.Board(fen)) is None
    assert Referee(Rules(tables=TABLES, tablebase_pieces=2)).by_tablebases(chess.Board(fen)) is None


@pytest.mark.parametrize(
    ("outcome", "word_for_word", "fifty_ignored"),
    [(2, 1, 1), (1, 0, 1), (0, 0, 0), (-1, 0, -1), (-2, -1, -1)],
)
def test_wins_that_the_fifty_move_rule_spoils(outcome, word_for_word, fifty_ignored, monkeypatch):
    monkeypatch.setattr(open_tables(TABLES), "probe_wdl", lambda board: outcome)
    board, rules = chess.Board("8/8/8/4k3/8/8/8/KQ6 w - - 0 9"), Rules(tables=TABLES)
    assert tablebase_outcome(board, rules) == word_for_word
    assert tablebase_outcome(board, rules._replace(tables_ignore_fifty=True)) == fifty_ignored


def test_a_game_ended_by_tablebases():
    opening = Opening("7k/8/8/8/8/8/4P3/4K3 w - - 7 9")
    contest = contest_of(fake("A"), fake("B"), openings=(opening,), rules=Rules(tables=TABLES))
    for game in play_pair(contest, 1):
        assert game.termination == "adjudication"
        assert game.reason.endswith("by adjudication: SyzygyTB")
