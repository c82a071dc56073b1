"""The server of `bluekrait play`, without a browser: who is let in, what is answered, and what is bounded."""

import asyncio
import http.client
import io
import json
import random
import re
import signal
import socket
import subprocess
import sys
from contextlib import closing
from html.parser import HTMLParser
from threading import Event
from time import sleep

import chess.pgn
import pytest

pytest.importorskip("starlette", reason="the extra [play] is not installed")
pytest.importorskip("websockets", reason="the extra [play] is not installed")

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from bluekrait import Engine, Evaluation, Position, Term
from bluekrait.tools.board import play_command, server, visitors
from bluekrait.tools.board.engines import Engines
from bluekrait.tools.board.game import clocks, game_tree, pgn
from bluekrait.tools.board.game.game_tree import GameTree
from bluekrait.tools.board.gate import Gate
from bluekrait.tools.board.serving import LONGEST_MESSAGE
from bluekrait.tools.board.views import evaluation_view, game_view
from bluekrait.tools.board.visitor import LONGEST_PGN, Visitor
from bluekrait.uci import cli
from bluekrait.uci.exits import FAILED, INTERRUPTED, WRONG_ARGUMENTS
from helpers.board import PATIENCE, Page, origin_of, serving
from helpers.machines import CLOSED_TERMINAL

QUICK = {"human": "white", "elo": 800, "seconds": 0.01}
TWO_PLAYERS = {"human": "both", "elo": None}


@pytest.fixture(scope="module")
def board(warm_cache):
    with serving() as gate:
        yield gate


@pytest.fixture
def page(board):
    with closing(Page(board)) as page:
        yield page


def get(gate, path, **headers):
    """The status of a file, its headers and its content."""
    with closing(http.client.HTTPConnection("127.0.0.1", gate.port, timeout=PATIENCE)) as connection:
        connection.request(
            "GET", path, headers={name.replace("_", "-"): text for name, text in headers.items()}
        )
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()


# --- who is let in ------------------------------------------------------------------------------------


def test_page_is_served_with_its_token_only(board):
    status, headers, text = get(board, f"/{board.token}/")
    assert status == 200 and "<title>BlueKrait</title>" in text
    assert "script-src 'self'" in headers["Content-Security-Policy"]
    assert headers["Referrer-Policy"] == "no-referrer"  # the token is part of the address
    other = board.token[:-1] + ("A" if board.token[-1] != "A" else "B")
    for path in ("/", "/index.html", f"/{other}/", f"/{other}/main.js", f"/{board.token[:-1]}/", "//", "/x"):
        assert get(board, path)[0] == 403, path


def test_everything_that_the_page_names_is_there(board):
    names = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attributes: names.extend(
        value for name, value in attributes if name in ("src", "href")
    )
    parser.feed(get(board, f"/{board.token}/")[2])
    assert "main.js" in names and len(names) > 10
    for name in names:
        status, headers, text = get(board, f"/{board.token}/{name}")
        assert status == 200, name
        for imported in re.findall(r'^import .* from "\./(.*)";', text, re.MULTILINE):
            assert imported in names, f"{name} imports {imported}, which is not loaded early"


def test_no_other_file_is_served(board):
    for name in ("none.js", "../server.py", "..%2fserver.py", "%2e%2e/server.py", "chessground", "talk/x"):
        assert get(board, f"/{board.token}/{name}")[0] in (403, 404), name


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "chess.example"},
        {"Host": "127.0.0.1"},
        {"Origin": "http://chess.example"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},  # another port of this machine
    ],
)
def test_files_are_not_given_to_other_pages(board, headers):
    assert get(board, f"/{board.token}/", **headers)[0] == 403


@pytest.mark.parametrize(
    "origin", [None, "null", "http://chess.example", "https://127.0.0.1:{}", "http://127.0.0.1"]
)
def test_other_pages_cannot_connect(board, origin):
    origin = origin and origin.format(board.port)
    with pytest.raises(InvalidStatus, match="403"):
        connect(f"{board.address.replace('http', 'ws')}talk", origin=origin).__enter__()


def test_connection_needs_the_token_and_our_name(board):
    with pytest.raises(InvalidStatus, match="403"):
        connect(f"ws://127.0.0.1:{board.port}/guess/talk", origin=origin_of(board)).__enter__()
    address = f"ws://chess.example:{board.port}/{board.token}/talk"
    with (
        socket.create_connection(("127.0.0.1", board.port)) as direct,
        pytest.raises(InvalidStatus, match="403"),
    ):
        connect(address, sock=direct, origin=f"http://chess.example:{board.port}").__enter__()


def test_browsers_leave_out_the_usual_port():
    gate = Gate(80)
    assert gate.admits_connection(gate.token, {"host": "localhost", "origin": "http://localhost"})
    assert gate.admits_request(gate.token, {"host": "127.0.0.1:80"})
    assert not gate.admits_request(gate.token, {"host": "chess.example"})


def test_server_listens_on_this_machine_only():
    with play_command._listening(0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"


# --- games --------------------------------------------------------------------------------------------


def test_whole_game_against_the_engine(page):
    chance = random.Random(14)
    page.asked("new", **QUICK)
    while not page.hear_until(lambda game: game["outcome"] or game["destinations"])["outcome"]:
        start = chance.choice(list(page.game["destinations"]))
        end = chance.choice(page.game["destinations"][start])
        page.move(start + end + ("q" if start + end in page.game["promotions"] else ""))
    game = chess.pgn.read_game(io.StringIO(page.asked("write", "written")["pgn"]))
    board = game.end().board()
    assert not game.errors
    assert [move["san"] for move in page.game["moves"]] == [node.san() for node in game.mainline()]
    outcome = board.outcome(claim_draw=True)
    assert page.game["outcome"]["result"] == game.headers["Result"] == outcome.result()
    assert chess.Board(page.game["fen"]).board_fen() == board.board_fen()
    assert "800 Elo" in game.headers["Black"]


def test_mate_between_two_players_and_taking_it_back(page):
    page.asked("new", **TWO_PLAYERS)
    for move in ("f3", "e5", "g4", "Qh4"):
        page.move(move)
    assert page.game["outcome"] == {"result": "0-1", "reason": "checkmate"}
    assert page.game["check"] and page.game["destinations"] == {}
    page.asked("take back")
    assert page.game["outcome"] is None and len(page.game["moves"]) == 3
    assert page.move("d8h4")["moves"][-1]["san"] == "Qh4#"


def test_take_back_undoes_the_reply_too(page):
    page.asked("new", **QUICK)
    page.move("e4")
    page.hear_until(lambda game: len(game["moves"]) == 2)
    page.asked("take back")
    assert page.game["moves"] == [] and page.game["turn"] == "white"


def test_take_back_does_not_undo_a_first_move_of_the_engine(page):
    page.asked("new", **QUICK | {"human": "black"})
    page.hear_until(lambda game: game["moves"])
    first = page.game["moves"]
    assert page.asked("take back")["moves"] == first and not page.game["match"]["can_take_back"]
    page.move(f"{next(iter(page.game['destinations']))}{next(iter(page.game['destinations'].values()))[0]}")
    page.hear_until(lambda game: len(game["moves"]) == 3)
    assert page.asked("go", node=0)["match"]["can_take_back"]  # wherever one looks
    assert page.asked("take back")["moves"] == first


def test_engine_plays_white_and_moves_at_once(page):
    page.asked("new", human="black", seconds=60)
    assert page.game["match"]["thinking"]
    page.ask("move now")
    assert page.hear_until(lambda game: game["moves"])["turn"] == "black"


def test_move_that_comes_too_late_is_not_made(page):
    page.asked("new", human="black", seconds=60)
    page.ask("move", at=0, move="e4")
    assert page.hear("game")["moves"] == []  # it is the engine's turn
    page.ask("take back")
    page.ask("study")
    assert page.hear_until(lambda game: not game["match"])["moves"] == []


def test_resigning(page):
    page.asked("new", **QUICK)
    assert page.asked("resign")["outcome"] == {"result": "0-1", "reason": "resignation"}
    assert page.move("e4")["moves"] == []


def test_castling_in_chess960(page):
    fen = "4k3/8/8/8/8/8/8/1R2K1R1 w BG - 0 1"
    page.asked("new", **TWO_PLAYERS, fen=fen)
    assert page.game["chess960"] and {"b1", "g1"} <= set(page.game["destinations"]["e1"])
    page.move("e1g1")
    assert page.game["moves"][-1]["san"] == "O-O" and page.game["fen"].startswith("4k3/8/8/8/8/8/8/1R3RK1")
    page.asked("new", **TWO_PLAYERS, chess960=0)
    assert page.game["fen"].startswith("bbqnnrkr/")
    page.asked("new", **TWO_PLAYERS, chess960=-1)
    assert sorted(page.game["fen"].split("/")[0]) == sorted("rnbqkbnr")


def test_castling_in_chess_by_king_or_rook_square(page):
    page.asked("new", **TWO_PLAYERS, fen="r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert {"g1", "h1", "c1", "a1"} <= set(page.game["destinations"]["e1"])
    assert page.move("e1h1")["moves"][-1]["san"] == "O-O"
    assert page.move("e8c8")["moves"][-1]["san"] == "O-O-O"


def test_promotions_are_told(page):
    page.asked("new", **TWO_PLAYERS, fen="7k/P7/8/8/8/8/8/K7 w - - 0 1")
    assert page.game["promotions"] == ["a7a8"]
    assert page.move("a7a8n")["moves"][-1]["san"] == "a8=N"


def test_time_runs_out(page):
    page.asked("new", **TWO_PLAYERS, minutes=0.01, increment=0)
    page.move("e4")
    assert page.game["match"]["clocks"]["running"] == "black"
    assert page.hear("game")["outcome"] == {"result": "1-0", "reason": "time"}
    page.asked("new", **TWO_PLAYERS, minutes=0.01, increment=0, fen="7k/7p/8/8/8/8/8/K7 w - - 0 1")
    page.move("Ka2")
    assert page.hear("game")["outcome"]["result"] == "1/2-1/2"  # a bare king cannot mate


def test_clocks_are_set_back_with_a_move(page):
    page.asked("new", **TWO_PLAYERS, minutes=1, increment=5)
    page.move("e4")
    assert page.game["match"]["clocks"]["white"] == 60  # the first move costs nothing and gains nothing
    page.move("e5")
    page.move("Nf3")
    page.asked("take back")
    clocks = page.game["match"]["clocks"]
    assert clocks["running"] == "white" and clocks["white"] <= 60 < clocks["black"]
    page.asked("take back")
    page.asked("take back")
    assert page.game["match"]["clocks"] == {"white": 60, "black": 60, "running": None}


# --- studying -----------------------------------------------------------------------------------------


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


def test_a_move_that_was_tried_stays_if_others_follow_it():
    tree = GameTree(Position())
    tree.keep_moves()
    first = tree.add(tree.root, "e2e4")
    tree.add(first, "e7e5")
    tree.cursor = first
    tree.take_back()
    assert tree.cursor is tree.root and tree.root.children == [first]


def test_the_board_leaves_positions_that_are_removed():
    tree = GameTree(Position())
    first = tree.add(tree.root, "e2e4")
    tree.cursor = tree.add_line(first, ["e7e5", "g1f3"])
    tree.remove(first)
    assert tree.cursor is tree.root and tree.nodes() == [tree.root]


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


def test_a_variation_may_begin_with_the_move_that_was_played():
    text = "1. e4 $1 { [%clk 0:05:00] best } ( { Or } 1. e4 { again } 1... e5 2. Nf3 ) 1... c5 2. c3 *"
    tree = pgn.open_game(pgn.list_games(text)[0].source)
    assert [node.san for node in tree.line()] == ["e4", "c5", "c3"]
    written = pgn.write_game(tree, "*").partition("\n\n")[2]
    assert written == "1. e4 $1 { [%clk 0:05:00] best Or again } 1... c5 ( 1... e5 2. Nf3 ) 2. c3 *\n"


@pytest.mark.parametrize(
    "text", ["8/8/8/8/8/4k3/7q/4K3 b - - 0 1", "hello, this is no game", "<html>404</html>"]
)
def test_what_is_no_game_replaces_none(page, text):
    page.asked("set up", fen="")
    page.line("e2e4 e7e5")
    assert "no game in it" in page.asked("read", "notice", pgn=text)["text"]
    assert "1. e4 e5" in page.asked("write", "written")["pgn"]


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


# --- messages that are wrong --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        "[]",
        "{}",
        '{"do": 1}',
        '{"do": "fly"}',
        '{"do": "move"}',
        '{"do": "move", "at": 0, "move": "e5"}',
        '{"do": "move", "at": 99, "move": "e4"}',
        '{"do": "move", "at": NaN, "move": "e4"}',
        '{"do": "go", "node": -1}',
        '{"do": "go", "node": 1.5}',
        '{"do": "open", "number": 1}',
        '{"do": "set up", "fen": "8/8/8/8/8/8/8/8 w - - 0 1"}',
        '{"do": "set up", "fen": "rubbish"}',
        '{"do": "set up", "fen": "' + "k" * 300 + '"}',
        '{"do": "new", "human": "nobody"}',
        '{"do": "new", "human": "white", "elo": 100}',
        '{"do": "new", "human": "white", "minutes": 1e9}',
        '{"do": "new", "human": "white", "chess960": 960}',
        '{"do": "read", "pgn": ""}',
        '{"do": "read", "pgn": "1. e4 e4 *"}',
        '{"do": "read", "pgn": "[Variant \\"Atomic\\"]\\n\\n1. e4 *"}',
        '{"do": "read", "pgn": 5}',
        '{"do": "analyse", "lines": 1000}',
        '{"do": "analyse", "lines": true}',
        '{"do": "terms", "on": 1}',
        '{"do": "moves", "moves": "e7e5"}',
        '{"do": "moves", "at": 99, "moves": "e2e4"}',
        '{"do": "moves", "at": 0, "moves": "d2d4 d7d5 c2c5"}',
        "[" * 100_000,
    ],
)
def test_wrong_messages_cost_a_line_and_nothing_else(page, text):
    page.asked("set up", fen="")
    before = page.move("e4")
    page.socket.send(text)
    notice = page.hear("notice")["text"]
    assert notice and "\n" not in notice and len(notice) <= 200
    assert page.hear("game") == before
    assert len(page.move("e5")["moves"]) == 2


def test_file_that_is_too_long_is_told(page):
    assert "4000000" in page.asked("read", "notice", pgn=" " * (LONGEST_PGN + 1))["text"]


def test_bytes_end_the_connection(page):
    page.socket.send(b"\0\1")
    assert page.code_at_end() == server.ELSEWHERE


def test_message_that_is_too_long_ends_the_connection(board, page):
    with pytest.raises(ConnectionClosed):
        page.socket.send(json.dumps({"do": "read", "pgn": " " * LONGEST_MESSAGE}))
        page.hear("games")
    with closing(Page(board, page.visitor)) as again:
        assert again.visitor == page.visitor


# --- connections --------------------------------------------------------------------------------------


def test_game_outlives_its_connection(board):
    with closing(Page(board)) as first:
        first.asked("new", **TWO_PLAYERS)
        first.move("e4")
    with closing(Page(board, first.visitor)) as again:
        assert again.visitor == first.visitor
        assert [move["san"] for move in again.game["moves"]] == ["e4"]
    with closing(Page(board, "another")) as other:
        assert other.visitor not in (first.visitor, "another") and other.game["moves"] == []


def test_engine_goes_on_after_a_lost_connection(board):
    with closing(Page(board)) as first:
        first.asked("new", human="black", seconds=60)
    with closing(Page(board, first.visitor)) as again:
        assert again.game["match"]["thinking"]
        again.ask("move now")
        assert len(again.hear_until(lambda game: game["moves"])["moves"]) == 1


def test_clocks_stand_while_nobody_is_there(board, monkeypatch):
    is_gone, leave = Event(), Visitor.leave

    async def leaves(visitor, page):
        await leave(visitor, page)
        is_gone.set()

    with closing(Page(board)) as first:
        first.asked("new", **TWO_PLAYERS, minutes=5)
        first.move("e4")
        monkeypatch.setattr(Visitor, "leave", leaves)
    assert is_gone.wait(PATIENCE)
    later = clocks.monotonic() + 3600  # longer than the clock would have run
    monkeypatch.setattr(clocks, "monotonic", lambda: later)
    with closing(Page(board, first.visitor)) as again:
        assert again.game["outcome"] is None and again.game["match"]["clocks"]["running"] == "black"


def test_the_engine_does_not_move_while_nobody_is_there():
    """The page may go when the move has been chosen, and is not played yet."""
    visitor = Visitor("", Engines(1, 1, 1))
    tip = visitor._match.tip
    asyncio.run(visitor._reply(tip, Position().move("e4")))
    assert visitor._match.tip is tip


def test_second_page_of_a_visitor_takes_over(board):
    with closing(Page(board)) as first, closing(Page(board, first.visitor)) as second:
        first.hear("elsewhere")
        assert first.code_at_end() == server.ELSEWHERE
        second.asked("new", **TWO_PLAYERS)
        assert second.move("e4")["moves"]


# --- bounds -------------------------------------------------------------------------------------------


def test_engines_are_bounded_in_number(warm_cache):
    with serving(engines=1) as gate, closing(Page(gate)) as first, closing(Page(gate)) as second:
        first.asked("analyse", "lines", lines=1)
        second.asked("analyse", lines=1)
        second.hear_until(lambda game: game["waiting"])
        assert not second.asked("analyse", lines=0)["waiting"]  # it is not wanted any more
        second.asked("analyse", lines=2)
        second.hear_until(lambda game: game["waiting"])
        first.asked("analyse", lines=0)
        assert len(second.hear("lines")["lines"]) and not second.game["waiting"]


def test_a_clock_stands_while_no_engine_is_free(warm_cache):
    with serving(engines=1) as gate, closing(Page(gate)) as first, closing(Page(gate)) as second:
        first.asked("analyse", "lines", lines=1)
        second.asked("new", **QUICK, minutes=1)
        second.move("e4")
        waiting = second.hear_until(lambda game: game["waiting"])["match"]
        assert waiting["thinking"] and waiting["clocks"]["running"] is None
        with closing(Page(gate)) as third:
            third.asked("analyse", lines=1)
            third.hear_until(lambda game: game["waiting"])
            first.asked("analyse", lines=0)
            match = second.hear_until(lambda game: not game["waiting"])["match"]
            assert match["thinking"] and match["clocks"]["running"] == "black"
            second.hear_until(lambda game: len(game["moves"]) == 2)
            third.hear("lines")


def test_engine_of_a_silent_page_is_released(warm_cache, monkeypatch):
    closed = []
    release = visitors.Engines.release
    monkeypatch.setattr(
        visitors.Engines, "release", lambda self, name: (release(self, name), closed.append(name))
    )
    with serving(idle_seconds=3) as gate, closing(Page(gate)) as page:
        page.asked("analyse", "lines", lines=1)
        assert page.hear("game")["analysis"]["lines"] == 0
        assert "rests" in page.hear("notice")["text"]
        assert page.visitor in closed
        page.asked("analyse", "lines", lines=2)  # and made again when it is needed


def test_visitors_are_bounded_in_number(warm_cache, monkeypatch):
    monkeypatch.setattr(visitors, "MOST_VISITORS", 1)
    with serving() as gate:
        with closing(Page(gate)) as first:
            address = f"{gate.address.replace('http', 'ws')}talk"
            with (
                connect(address, origin=origin_of(gate)) as refused,
                pytest.raises(ConnectionClosed) as refusal,
            ):
                refused.recv(PATIENCE)
            assert refusal.value.rcvd.code == server.FULL
        with closing(patiently(lambda: Page(gate))) as second:  # the first has gone: its game is given up
            assert second.visitor != first.visitor


def patiently(connect_again):
    """Connect as soon as the server has seen that another page has gone."""
    for _ in range(100):
        try:
            return connect_again()
        except ConnectionClosed:
            sleep(0.05)
    return connect_again()


# --- the command --------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, CLOSED_TERMINAL])
def test_command_prints_its_address_and_ends_by_an_interrupt(warm_cache, tmp_path, how):
    command = [sys.executable, "-m", "bluekrait", "play", "--no-browser", "--games", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            address = process.stdout.readline().strip()
            assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{24}/", address)
            with connect(
                f"{address.replace('http', 'ws')}talk", origin=address[: address.index("/", 8)]
            ) as socket:
                assert json.loads(socket.recv(PATIENCE))["say"] == "welcome"
                process.send_signal(how)
                assert process.wait(PATIENCE) == INTERRUPTED
        finally:
            process.kill()
        assert process.stderr.read() == ""


COMPILED_FOR_LONG = """
import sys, time
from bluekrait.tools.board import server
from bluekrait.uci import cli
server.entries = lambda: time.sleep(3600)
cli.main()
"""


def test_an_interrupt_does_not_wait_for_the_compiler(tmp_path):
    command = [sys.executable, "-c", COMPILED_FOR_LONG, "play", "--no-browser", "--games", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            address = process.stdout.readline().strip()
            with connect(
                f"{address.replace('http', 'ws')}talk", origin=address[: address.index("/", 8)]
            ) as socket:
                assert json.loads(socket.recv(PATIENCE))["say"] == "loading"
                process.send_signal(signal.SIGINT)
                assert process.wait(PATIENCE) == INTERRUPTED
        finally:
            process.kill()
        assert process.stderr.read() == ""


def test_port_in_use_is_told_in_one_line(capsys):
    with play_command._listening(0) as listener:
        port = listener.getsockname()[1]
        assert play_command.main(["--port", str(port), "--no-browser"]) == FAILED
    assert capsys.readouterr().err.startswith(f"bluekrait play: port {port} cannot be used: ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--port", "x"],
        ["--port", "65536"],
        ["--engines", "0"],
        ["--threads", "1025"],
        ["--hash", "1000000000"],
        ["--idle", "-1"],
        ["x"],
    ],
)
def test_wrong_arguments(arguments, capsys):
    with pytest.raises(SystemExit) as leaving:
        play_command.main(arguments)
    assert leaving.value.code == WRONG_ARGUMENTS
    assert len(capsys.readouterr().err.splitlines()) == 1


FIRST_PAGE = """
import sys
from bluekrait.tools.board import play_command, serving
from bluekrait.tools.board.visitor import Visitor
Visitor("", None)._game_view()
print(*{"chess", "numpy", "numba", "matplotlib"} & set(sys.modules))
"""


def test_nothing_slow_is_imported_before_the_first_page(warm_cache):
    answer = subprocess.run([sys.executable, "-c", FIRST_PAGE], capture_output=True, text=True, check=True)
    assert answer.stdout == "\n"


@pytest.mark.parametrize("package", ["uvicorn", "starlette", "chess"])
def test_missing_package_names_the_extra(package, monkeypatch, capsys):
    for name in [
        name for name in sys.modules if name.startswith(("bluekrait.tools.board", "bluekrait.tools.analyst"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    assert cli.run(["play", "--no-browser"]) == WRONG_ARGUMENTS
    assert 'pip install "bluekrait[play]"' in capsys.readouterr().err
