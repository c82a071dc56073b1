"""What the page is told of a position."""

import pytest

from bluekrait import Evaluation, Position, Term
from bluekrait.search.library.results import Line
from bluekrait.search.reports import EXACT, Score
from bluekrait.search.reports import Line as Report
from bluekrait.tools.board.game.game_tree import GameTree
from bluekrait.tools.board.messages.views import evaluation_view, game_view, lines_view


@pytest.mark.parametrize(("turn", "sign"), [("w", 1), ("b", -1)])
def test_an_evaluation_is_told_as_white_sees_it(turn, sign):
    own, enemy = (30, 40), (10, 20)
    evaluation = Evaluation(50, 60, {"rook": Term("rook", own, enemy)}, 70, {"a1": 500, "h8": -300})
    told = evaluation_view(evaluation, Position(f"4k2r/8/8/8/8/8/8/R3K3 {turn} - - 0 1"))
    assert (told["score"], told["classical"], told["network"]) == (50 * sign, 60 * sign, 70 * sign)
    assert told["worths"] == {"a1": 500 * sign, "h8": -300 * sign}
    white, black = (own, enemy)[::sign]
    assert told["terms"] == [{"name": "rook", "white": white, "black": black}]


@pytest.mark.parametrize(
    ("fen", "ends"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", {"g1", "h1"}),  # the king may be put upon the rook
        ("3k4/8/8/8/8/8/8/K3R3 w - - 0 1", {"g1", "h1"}),
        ("3k4/8/8/8/8/8/8/K3R2N w - - 0 1", {"g1"}),
    ],
)
def test_only_a_king_that_castles_may_be_put_upon_its_rook(fen, ends):
    view = game_view(GameTree(Position(fen)), None, 1, False)
    assert set(view["destinations"]["e1"]) & {"g1", "h1"} == ends


@pytest.mark.parametrize(("seconds", "speed"), [(0.5, 60_000), (0.0, 0)])
def test_the_speed_is_told_in_nodes_a_second(seconds, speed):
    report = Report(5, 7, 1, Score(20, None), EXACT, (100, 800, 100), 30_000, seconds, 0, 0, [])
    told = lines_view([Line(report, Position())], True)
    assert (told["depth"], told["nodes"], told["speed"], told["running"]) == (5, 30_000, speed, True)
