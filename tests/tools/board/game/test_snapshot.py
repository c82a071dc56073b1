"""A game on the board as an object for JSON, and back."""

import json

import pytest

from bluekrait.tools.board.game.clocks import TimeControl
from bluekrait.tools.board.game.game_tree import GameTree
from bluekrait.tools.board.game.match_play import BLACK, BOTH, WHITE, GameSettings, MatchPlay
from bluekrait.tools.board.game.pgn import list_games, open_game, write_game
from bluekrait.tools.board.game.snapshot import restored, snapshot
from bluekrait.tools.board.messages.new_games import position_of

STUDY = """[White "A"]
[Black "B"]

{Before.} 1. e4 {[%clk 0:01:00] [%eval 0.3]} ({Or:} 1. d4 d5 $2 (1... Nf6 2. c4) 2. c4 {Good.})
1... e5 $1 2. Nf3 $14 *
"""


def as_read_back(tree, match):
    return restored(json.loads(json.dumps(snapshot(tree, match))))


def test_a_studied_game_is_the_same_again():
    tree = open_game(list_games(STUDY)[0].source)
    tree.cursor = tree.root.children[1].children[0]
    again, match = as_read_back(tree, None)
    assert match is None and write_game(again, "*") == write_game(tree, "*")
    assert again.cursor.san == tree.cursor.san == "d5" and again.line()[0].clock is None
    assert again.root.children[0].clock == 60
    again.cursor = again.line()[-1]
    again.take_back()
    assert write_game(again, "*") == write_game(tree, "*")
    assert all(text in write_game(again, "*") for text in ("[%eval 0.3]", "( { Or: } 1. d4", "Nf3 $14"))


def test_games_that_earlier_versions_kept_are_opened():
    fields = json.loads(json.dumps(snapshot(open_game(list_games(STUDY)[0].source), None)))
    del fields["unshown"], fields["kept"]
    fields["moves"] = [move[:5] for move in fields["moves"]]
    again, _ = restored(fields)
    assert "( 1. d4 d5 $2" in write_game(again, "*")
    again.cursor = again.line()[-1]
    again.take_back()
    assert again.cursor.children


def test_moves_that_were_tried_are_removed_when_they_are_taken_back():
    tree = open_game(list_games(STUDY)[0].source)
    before = write_game(tree, "*")
    tree.cursor = tree.add_line(tree.line()[-1], ["b8c6", "f1b5"])
    again, _ = as_read_back(tree, None)
    for _ in range(3):
        again.take_back()
    assert again.cursor.san == "e5" and write_game(again, "*") == before


@pytest.mark.parametrize("fen", ["4k3/8/8/8/8/8/8/1R2K1R1 w BG - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 3 9"])
def test_castling_survives(fen):
    tree = GameTree(position_of(fen))
    again, _ = as_read_back(tree, None)
    assert again.root.position == tree.root.position
    assert again.root.position.chess960 == tree.root.position.chess960
    assert list(map(str, again.root.position.legal_moves)) == list(map(str, tree.root.position.legal_moves))


def test_a_game_that_is_played_goes_on_with_its_rules_and_clocks():
    tree = GameTree(position_of(""))
    match = MatchPlay(tree, GameSettings(BLACK, 1500, 1.0, TimeControl(60, 2)))
    match.play("e4")
    match.play("e5")
    match.clocks.set(41.5, 59)
    again, played = as_read_back(tree, match)
    assert played.rules == match.rules and played.tip.san == "e5" and played.tree is again
    assert (played.clocks.left("white"), played.clocks.left("black")) == (41.5, 59)
    assert played.clocks.running is None and played.is_engines_turn and played.ending is None


def test_the_engine_thinks_by_its_own_clock_and_is_named():
    tree = GameTree(position_of(""))
    match = MatchPlay(tree, GameSettings(BLACK, 1500, 1.0, TimeControl(60, 2)))
    match.clocks.set(41.5, 59)
    assert match.engine_limit() == (None, 41.5, 2)
    match.sign()
    assert "1500 Elo" in tree.headers["White"] and tree.headers["Black"] == "Player"


def test_who_resigns_while_the_engine_thinks_has_lost():
    match = MatchPlay(GameTree(position_of("")), GameSettings(WHITE, None, 1.0))
    match.play("e4")
    match.resign()
    assert match.ending == ("0-1", "resignation")
    match.take_back()
    assert match.ending is None and match.tip is match.tree.root


def test_a_game_that_was_given_up_stays_so():
    tree = GameTree(position_of(""))
    match = MatchPlay(tree, GameSettings(BOTH, None, 1.0))
    match.resign()
    assert as_read_back(tree, match)[1].ending == match.ending == ("0-1", "resignation")


@pytest.mark.parametrize(
    "damage",
    [
        {"format": 2},
        {"fen": "x"},
        {"moves": [[0, "e2e5", None, "", ""]]},
        {"cursor": 9},
        {"match": {"rules": [1]}},
    ],
)
def test_what_is_no_game_is_refused(damage):
    fields = snapshot(GameTree(position_of("")), None)
    with pytest.raises(ValueError, match=r"."):
        restored({**fields, **damage})
