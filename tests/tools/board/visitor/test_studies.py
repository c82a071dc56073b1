"""Studies: variations, analysis, and games in PGN, as a page without a browser asks for them."""

import io
import re
from contextlib import closing, suppress

import chess.pgn
import pytest

pytest.importorskip("starlette", reason="the extra [play] is not installed")
pytest.importorskip("websockets", reason="the extra [play] is not installed")

from bluekrait import Engine
from bluekrait.tools.board.game import game_tree, pgn
from helpers.board import QUICK, TWO_PLAYERS, Page


def test_lines_and_evaluation(page):
    page.asked("set up", fen="r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1")
    lines = page.asked("analyse", "lines", lines=3)
    assert [line["moves"][0]["san"] for line in lines["lines"]][0] == "Qxf7#"
    assert lines["lines"][0]["score"] == "#1" and lines["lines"][0]["bar"] == 1
    assert len(lines["lines"]) == 3
    evaluation = page.asked("terms", "evaluation", on=True)
    terms = {term["name"]: term for term in evaluation["terms"]}
    assert terms["queen"]["white"] != [0, 0] and evaluation["worths"]["d8"] < 0 < evaluation["worths"]["f3"]
    page.asked("analyse", lines=0)


def test_the_evaluation_is_told_without_lines_too(page):
    page.asked("set up", fen="")
    assert page.asked("terms", "evaluation", on=True)["terms"] and page.game["analysis"]["lines"] == 0


def test_scores_are_those_of_white(page):
    page.asked("set up", fen="4k3/8/8/8/8/8/8/Q3K3 b - - 0 1")
    line = page.asked("analyse", "lines", lines=1)["lines"][0]
    assert line["bar"] > 0.9 and not line["score"].startswith("-")
    assert page.asked("terms", "evaluation", on=True)["score"] > 500


@pytest.mark.parametrize(
    ("fen", "moves", "result"),
    [
        ("", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", None),  # a game may have gone on after that
        ("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "a1a2", None),
        ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7", "1/2-1/2"),
        ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f8", "1-0"),
    ],
)
def test_all_but_final_positions_are_analysed(page, fen, moves, result):
    page.asked("set up", fen=fen)
    page.line(moves)
    assert page.game["outcome"] and page.game["final"] == result
    if not result:
        assert page.asked("analyse", "lines", lines=1)["fen"] == page.game["fen"]
    page.asked("analyse", lines=0)


def test_moves_make_variations(page):
    page.asked("set up", fen="")
    page.line("e2e4 e7e5 g1f3")
    second = page.game["moves"][1]["node"]
    page.asked("go", node=second)
    page.move("d4")
    assert [move["san"] for move in page.game["moves"]] == ["e4", "e5", "d4"]
    assert [other["san"] for other in page.game["moves"][2]["others"]] == ["Nf3"]
    page.asked("go", node=page.game["moves"][2]["others"][0]["node"])
    assert page.game["moves"][2]["san"] == "Nf3"
    assert "( 2. d4 )" in page.asked("write", "written")["pgn"]
    page.asked("take back")
    assert [move["san"] for move in page.game["moves"]] == ["e4", "e5", "d4"]  # a last move is removed


def test_only_moves_that_were_tried_are_taken_back(page):
    page.asked("read", pgn="1. e4 e5 2. Nf3 *")
    loaded = [move["node"] for move in page.game["moves"]]
    page.asked("go", node=loaded[-1])
    page.move("Nc6")
    for place in (loaded[2], loaded[1]):
        page.asked("take back")
        assert [move["node"] for move in page.game["moves"]] == loaded and page.game["node"] == place


def test_a_game_that_was_played_stays_in_a_study(page):
    page.asked("new", **TWO_PLAYERS)
    page.move("e4")
    page.asked("study")
    page.asked("take back")
    assert page.game["last"] == [] and [move["san"] for move in page.game["moves"]] == ["e4"]


def test_an_analysis_goes_on_after_moves_that_cannot_be_made(page, monkeypatch):
    page.asked("set up", fen="")
    page.asked("analyse", "lines", lines=1)
    page.line("e2e4 e7e5 e4e5", "notice")
    assert page.hear("lines")["ply"] == 0 and page.game["moves"] == []
    monkeypatch.setattr(game_tree, "MOST_NODES", 1)
    page.asked("move", "notice", at=page.game["node"], move="e4")
    page.hear("lines")
    page.asked("analyse", lines=0)


def test_pgn_is_read_and_written(page):
    pgn = (
        '[White "Anna"]\n[Black "Bert"]\n[Result "1-0"]\n\n'
        "{ [%evp 1,2] [%clk 0:01:00] a game } "
        "1. e4 { [%eval 0.25] [%clk 0:01:00] the best move } "
        "1... e5 { [%clk 0:05:00] [%clk 0:04:00] } $10 2. Qh5?! $14 "
        "( { or } 2. Nf3 Nc6 { [%eval 0.1,12] } (2... d6)) 2... Ke7?? $6 3. Qxe5# { [%clk 5:00] } 1-0\n"
    )
    page.asked("read", pgn=pgn)
    assert page.game["headers"]["White"] == "Anna" and page.game["match"] is None
    moves = page.game["moves"]
    assert [move["san"] + move["mark"] for move in moves] == ["e4", "e5", "Qh5?!", "Ke7??", "Qxe5#"]
    assert page.asked("go", node=moves[0]["node"])["comment"] == "the best move"
    ours, theirs = (
        chess.pgn.read_game(io.StringIO(text)) for text in (page.asked("write", "written")["pgn"], pgn)
    )
    assert shape(ours) == shape(theirs)
    assert {key: ours.headers[key] for key in ("White", "Black", "Result")} == dict(
        White="Anna", Black="Bert", Result="1-0"
    )


def test_a_command_in_a_comment_may_go_on_in_the_next_line(page):
    page.asked("read", pgn="1. e4 { [%emt\n0:00:05] [%eval\n0.25] the best\nmove } *")
    assert page.asked("go", node=page.game["moves"][0]["node"])["comment"] == "the best\nmove"
    written = page.asked("write", "written")["pgn"]
    assert "{ [%emt 0:00:05] [%eval 0.25] the best move }" in " ".join(written.split())


def test_a_variation_may_begin_with_the_move_that_was_played():
    text = "1. e4 $1 { [%clk 0:05:00] best } ( { Or } 1. e4 { again } 1... e5 2. Nf3 ) 1... c5 2. c3 *"
    tree = pgn.open_game(pgn.list_games(text)[0].source)
    assert [node.san for node in tree.line()] == ["e4", "c5", "c3"]
    written = pgn.write_game(tree, "*").partition("\n\n")[2]
    assert written == "1. e4 $1 { [%clk 0:05:00] best Or again } 1... c5 ( 1... e5 2. Nf3 ) 2. c3 *\n"


@pytest.mark.parametrize(
    ("played", "again", "joined"),
    [("", " $1 $14", " $1 $14"), (" $2", " $1 $14", " $2 $14"), (" $1 $14", " $1 $14", " $1 $14")],
)
def test_marks_of_a_move_that_a_variation_repeats_are_kept(played, again, joined):
    tree = pgn.open_game(pgn.list_games(f"1. e4{played} ( 1. e4{again} e5 ) 1... c5 *")[0].source)
    written = pgn.write_game(tree, "*").partition("\n\n")[2]
    assert written == f"1. e4{joined} c5 ( 1... e5 ) *\n"


@pytest.mark.parametrize(
    "text", ["8/8/8/8/8/4k3/7q/4K3 b - - 0 1", "hello, this is no game", "<html>404</html>"]
)
def test_what_is_no_game_replaces_none(page, text):
    page.asked("set up", fen="")
    page.line("e2e4 e7e5")
    assert "no game in it" in page.asked("read", "notice", pgn=text)["text"]
    assert "1. e4 e5" in page.asked("write", "written")["pgn"]


def test_a_game_with_a_wrong_move_and_parenthesis_is_refused(page):
    assert "'Ke3'" in page.asked("read", "notice", pgn="1. e4 e5 2. Ke3) 2. Nf3 Nc6 *")["text"]


@pytest.mark.parametrize(
    "text",
    ["{" * 1_000_000, "no game" + "\n" * 1_000_000 + "in it", "1. e4 { " + "[%clk " * 200_000 + "} *"],
    ids=["comments", "empty lines", "commands"],
)
def test_what_is_begun_very_often_and_never_ended_does_not_hold_up_the_board(text):
    """Each beginning is looked at once, and not the whole rest for each of them: that takes many minutes."""
    with suppress(ValueError):  # no game, or none that can be shown
        pgn.open_game(pgn.list_games(text)[0].source)


@pytest.mark.parametrize("digits", [400, 5000])
def test_a_clock_of_hundreds_of_digits_is_none(page, digits):
    clock = f"[%clk {'9' * digits}:00:00]"
    page.asked("read", pgn=f"1. e4 {{ {clock} so }} e5 *")
    assert page.asked("go", node=page.game["moves"][0]["node"])["comment"] == "so"
    assert clock in page.asked("write", "written")["pgn"].replace("\n", " ")


def test_null_moves_in_variations_are_left_out(page):
    page.asked("read", pgn="1. e4 e5 2. Nf3 ( 2. -- d5 ) ( 2. d4 ) 2... Nc6 1-0")
    assert [move["san"] for move in page.game["moves"]] == ["e4", "e5", "Nf3", "Nc6"]
    assert "( 2. d4 )" in page.asked("write", "written")["pgn"]


def test_a_study_that_ends_in_mate_has_a_result(page):
    page.asked("set up", fen="")
    page.line("f2f3 e7e5 g2g4 d8h4")
    assert '[Result "0-1"]' in page.asked("write", "written")["pgn"]


def shape(node):
    """All that a PGN tells of a game with its variations; commands in comments may have another order."""
    about = (node.starting_comment, sorted(re.findall(r"\[%.*?\]|\w+", node.comment)), node.nags)
    return [about, *((child.move, shape(child)) for child in node.variations)]


def test_several_games(board, page):
    games = '[White "A"]\n[Black "B"]\n\n1. e4 *\n\n[White "C"]\n[Black "D"]\n\n1. d4 Nf6 *\n\n1. c4 c4 *\n'
    page.ask("read", pgn=games)
    assert page.hear("games")["titles"] == ["A – B", "C – D", "? – ?"]
    assert page.hear("game")["listed"] == 1
    assert [move["san"] for move in page.asked("open", number=2)["moves"]] == ["d4", "Nf6"]
    assert "game 3" in page.asked("open", "notice", number=3)["text"]
    assert page.hear("game")["headers"]["White"] == "C"  # the game on the board stays
    with closing(Page(board, page.visitor)) as again:
        assert again.game["listed"] == 2
        assert again.asked("read", pgn="1. e4 *")["listed"] is None


def test_titles_of_games_whose_tags_have_blanks_and_quotes():
    games = ' [White "A"]\n\t[ Black  "B" ]\n\n1. e4 *\n\n[White "C \\"D\\" E"]\n[Result "*"]\n\n1. d4 *\n'
    assert [game.title for game in pgn.list_games(games)] == ["A – B", 'C \\"D\\" E – ? *']


def test_games_behind_one_that_is_wrong_can_be_opened(page):
    page.asked("read", "games", pgn="1. c4 *\n\n1. e4 *\n")
    page.asked("read", "games", pgn="% a remark\n1. e4 e4 *\n\n; another\n1. d4 *\n")
    assert "game 1" in page.hear("notice")["text"]
    assert page.hear("game")["listed"] is None  # that of the other file
    assert page.asked("open", number=2)["moves"][0]["san"] == "d4"


def test_game_of_chess960_in_pgn(page):
    fen = "4k3/8/8/8/8/8/8/1R2K1R1 w BG - 0 1"
    page.asked("read", pgn=f'[Variant "Chess960"]\n[SetUp "1"]\n[FEN "{fen}"]\n\n1. O-O-O Kf8 *\n')
    assert page.game["chess960"] and [move["san"] for move in page.game["moves"]] == ["O-O-O", "Kf8"]
    again = chess.pgn.read_game(io.StringIO(page.asked("write", "written")["pgn"]))
    assert [node.san() for node in again.mainline()] == ["O-O-O", "Kf8"] and not again.errors


def test_game_from_the_position_on_the_board(page):
    page.asked("set up", fen="")
    page.line("e2e4 e7e5")
    page.asked("play on", **TWO_PLAYERS)
    assert page.game["moves"] == [] and page.game["match"] and "pppp1ppp" in page.game["fen"]
    page.move("Nf3")
    written = chess.pgn.read_game(io.StringIO(page.asked("write", "written")["pgn"]))
    assert not written.errors and [node.san() for node in written.mainline()] == ["Nf3"]
    assert "4p3/4P3" in written.headers["FEN"]


def test_game_of_chess960_goes_on_as_one(page):
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"  # which does not tell that it is one
    page.asked("read", pgn=f'[Variant "Chess960"]\n[SetUp "1"]\n[FEN "{fen}"]\n\n*\n')
    assert page.game["chess960"]
    assert page.asked("play on", **TWO_PLAYERS)["chess960"]


def test_games_are_bounded(page, monkeypatch):
    monkeypatch.setattr(game_tree, "MOST_NODES", 4)
    monkeypatch.setattr(pgn, "MOST_GAMES", 1)
    page.asked("set up", fen="")
    assert "positions" in page.line("e2e4 e7e5 g1f3 b8c6", "notice")["text"]
    page.hear("game")
    assert page.game["moves"] == [] and page.line("e2e4 e7e5 g1f3")["moves"]
    assert "positions" in page.asked("read", "notice", pgn="1. e4 e5 2. Nf3 Nc6 *")["text"]
    assert "games" in page.asked("read", "notice", pgn="1. e4 *\n\n1. d4 *\n")["text"]


def test_variations_nested_deeply_are_read(page):
    page.asked("set up", fen="")
    page.ask("read", pgn="1. e4 " + "(1. d4 " * 1500 + ")" * 1500 + " *")
    answer = page.hear("notice", "game")
    assert answer["say"] == "game" and [move["san"] for move in answer["moves"]] == ["e4"]
    page.asked("set up", fen="")
    assert page.move("e4")["moves"]


def test_weak_engine_does_not_use_what_the_analysis_has_found(page, monkeypatch):
    forgotten = []
    monkeypatch.setattr(Engine, "new_game", lambda engine: forgotten.append(engine.options.elo))
    page.asked("new", **QUICK)
    page.asked("analyse", "lines", lines=1)
    page.move("e4")
    page.hear_until(lambda game: len(game["moves"]) == 2)
    assert forgotten == [800]
    page.asked("analyse", lines=0)
