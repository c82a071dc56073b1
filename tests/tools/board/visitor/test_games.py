"""Games against the engine and between two players, as a page without a browser plays them."""

import asyncio
import io
import random
from datetime import date

import chess.pgn
import pytest

pytest.importorskip("starlette", reason="the extra [play] is not installed")
pytest.importorskip("websockets", reason="the extra [play] is not installed")

from bluekrait import Engine, Position
from bluekrait.tools.board.visitor.engines import Engines
from bluekrait.tools.board.visitor.game_session import GameSession
from bluekrait.tools.board.visitor.page import Page
from helpers.board import QUICK, TWO_PLAYERS


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


def test_a_game_is_written_with_the_date_of_its_first_move(page):
    def written():
        return chess.pgn.read_game(io.StringIO(page.asked("write", "written")["pgn"])).headers

    page.asked("new", **TWO_PLAYERS)
    assert written()["Date"] == "????.??.??"
    before = date.today()
    page.move("e4")
    assert written()["Date"] in {f"{day:%Y.%m.%d}" for day in (before, date.today())}
    page.asked("read", pgn='[Date "1851.06.21"]\n\n1. e4 e5 *')
    page.asked("play on", **TWO_PLAYERS)
    assert written()["Date"] == "????.??.??"  # it is another game


def test_moves_are_understood_as_they_are_typed(page):
    page.asked("new", **TWO_PLAYERS)
    for move in ("E4", "e7-e5", "nf3"):
        page.move(move)
    page.asked("study")
    page.move("NC6")
    assert [move["san"] for move in page.game["moves"]] == ["e4", "e5", "Nf3", "Nc6"]


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


def test_an_analysis_that_is_asked_for_while_the_engine_thinks_is_noted_at_once(page):
    page.asked("new", human="black", seconds=60)
    page.ask("analyse", lines=2)
    page.ask("move now")
    game = page.hear("game")
    assert game["analysis"]["lines"] == 2 and game["match"]["thinking"]


def test_move_that_comes_too_late_is_not_made(page):
    page.asked("new", human="black", seconds=60)
    page.ask("move", at=0, move="e4")
    assert page.hear("game")["moves"] == []  # it is the engine's turn
    page.ask("take back")
    page.ask("study")
    assert page.hear_until(lambda game: not game["match"])["moves"] == []


def test_what_does_not_fit_to_a_game_or_to_a_study_is_not_done(page):
    page.asked("new", **TWO_PLAYERS)
    assert "only its next move can be made" in page.line("e2e4 e7e5", "notice")["text"]
    assert page.hear("game")["moves"] == []
    page.asked("study")
    assert page.asked("resign", "notice")["text"] == "no game is being played"
    assert page.hear("game")["outcome"] is None


def test_an_engine_that_has_failed_can_be_asked_again(page, monkeypatch):
    def fail(engine, position, **limits):
        raise RuntimeError

    with monkeypatch.context() as patched:
        patched.setattr(Engine, "play", fail)
        page.asked("new", **QUICK | {"human": "black"})
        assert page.hear("notice")["text"] == "the engine has failed: RuntimeError"
    assert page.asked("go", node=0)["moves"] == []
    page.ask("move now")
    assert len(page.hear_until(lambda game: game["moves"])["moves"]) == 1


def test_who_played_is_written_after_the_game_has_become_a_study(page):
    page.asked("new", **QUICK)
    page.move("e4")
    page.asked("study")
    written = chess.pgn.read_game(io.StringIO(page.asked("write", "written")["pgn"]))
    assert "800 Elo" in written.headers["Black"]


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


def test_the_engine_does_not_move_while_nobody_is_there():
    """The page may go when the move has been chosen, and is not played yet."""
    session = GameSession("", Engines(1, 1, 1), Page())
    tip = session.match.tip
    asyncio.run(session._reply(tip, Position().move("e4")))
    assert session.match.tip is tip
