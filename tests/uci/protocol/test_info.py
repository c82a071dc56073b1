"""How UCI's `info` and `bestmove` lines are written."""

import pytest

from bluekrait.core.move import NO_MOVE
from bluekrait.core.notation.san_and_uci import move_from_uci
from bluekrait.search.reports import EXACT, LOWER_BOUND, UPPER_BOUND, CurrentMove, Line, Score
from bluekrait.uci.protocol.info import Wording
from helpers.support import engine

WHITE, BLACK = 0, 1
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def packed(fen, *texts):
    """The packed moves of a game, each from the view of its side."""
    found = []
    for count, text in enumerate(texts):
        engine().set_position(fen, texts[:count])
        found.append(move_from_uci(text, engine().legal_moves(), engine().turn))
    return found


def line(**changes):
    """A line; the arguments replace some of its fields."""
    plain = Line(
        depth=7,
        selective_depth=12,
        rank=2,
        score=Score(-31, None),
        bound=EXACT,
        win_draw_loss=(100, 650, 250),
        nodes=123456,
        seconds=0.25,
        hash_permille=17,
        tablebase_hits=3,
        moves=packed(None, "e2e4", "e7e5", "g1f3"),
    )
    return plain._replace(**changes)


def test_fields_of_an_info_line():
    assert Wording(WHITE).line(line()) == (
        "info depth 7 seldepth 12 multipv 2 score cp -31"
        " nodes 123456 nps 493824 hashfull 17 tbhits 3 time 250 pv e2e4 e7e5 g1f3"
    )


@pytest.mark.parametrize("bound", [LOWER_BOUND, UPPER_BOUND])
def test_bound_and_chances_stand_between_score_and_nodes(bound):
    text = Wording(WHITE, shows_chances=True).line(line(bound=bound))
    assert f" score cp -31 {bound} wdl 100 650 250 nodes " in text


@pytest.mark.parametrize("moves", [3, -3, 0])
def test_mates_are_counted_in_moves(moves):
    assert f" score mate {moves} nodes" in Wording(WHITE).line(line(score=Score(None, moves)))


def test_speed_of_a_search_that_took_no_time():
    text = Wording(WHITE).line(line(nodes=20, seconds=0.0))
    assert " nps 20000 " in text
    assert " time 0 " in text


def test_a_line_without_moves_has_no_pv():
    assert Wording(WHITE).line(line(moves=[])).endswith(" time 250")


def test_lines_of_black():
    fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    moves = packed(fen, "d7d5", "e4d5", "d8d5")
    assert Wording(BLACK).line(line(moves=moves)).endswith(" pv d7d5 e4d5 d8d5")


def test_castling_in_both_notations_for_both_sides():
    moves = packed(CASTLING, "e1g1", "e8c8")
    assert Wording(WHITE).best_move(*moves) == "bestmove e1g1 ponder e8c8"
    assert Wording(WHITE, chess960=True).best_move(*moves) == "bestmove e1h1 ponder e8a8"


def test_best_moves_with_and_without_a_reply():
    first, reply = packed(None, "e2e4", "e7e5")
    assert Wording(WHITE).best_move(first) == "bestmove e2e4"
    assert Wording(WHITE).best_move(first, reply) == "bestmove e2e4 ponder e7e5"
    assert Wording(WHITE).best_move(NO_MOVE) == "bestmove (none)"


def test_current_moves():
    (move,) = packed(None, "b1c3")
    assert (
        Wording(WHITE).current_move(CurrentMove(9, move, 4)) == "info depth 9 currmove b1c3 currmovenumber 4"
    )
