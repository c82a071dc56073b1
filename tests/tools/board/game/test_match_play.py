"""The rules of a game that is played on the board."""

import pytest

from bluekrait import Position
from bluekrait.tools.board.game.clocks import TimeControl
from bluekrait.tools.board.game.game_tree import GameTree
from bluekrait.tools.board.game.match_play import BOTH, GameSettings, MatchPlay

FEN = "7k/7p/8/8/8/8/8/K7 w - - 0 1"


def match_after(*moves):
    """A game of two people with clocks: a bare king against a pawn."""
    match = MatchPlay(GameTree(Position(FEN)), GameSettings(BOTH, None, 1.0, TimeControl(60, 0)))
    for move in moves:
        match.play(move)
    assert match.clocks.running
    return match


def test_clocks_stop_when_a_player_resigns():
    match = match_after("Ka2")
    match.resign()
    assert match.ending and match.clocks.running is None


def test_a_game_is_signed_with_its_result_and_its_time():
    match = match_after("Ka2")
    match.sign()
    assert (match.tree.headers["Result"], match.tree.headers["TimeControl"]) == ("*", "60+0")
    match.resign()  # it is Black's turn
    match.sign()
    assert match.tree.headers["Result"] == "1-0"


@pytest.mark.parametrize(
    ("moves", "result"),
    [
        (("Ka2",), "1/2-1/2"),  # Black has no time left, and a bare king cannot mate
        (("Ka2", "h6"), "0-1"),
    ],
)
def test_clocks_stop_when_the_time_of_a_player_is_over(moves, result):
    match = match_after(*moves)
    match.clocks.set(0, 0)
    match.run_clock()
    assert match.check_flag()
    assert match.ending.result == result and match.clocks.running is None
