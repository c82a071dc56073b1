"""The server of `bluekrait play`, without a browser: who is let in, connections, and what is bounded."""

import http.client
import re
import socket
import sys
from contextlib import closing, suppress
from html.parser import HTMLParser
from threading import Event

import pytest

pytest.importorskip("starlette", reason="the extra [play] is not installed")
pytest.importorskip("websockets", reason="the extra [play] is not installed")

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from bluekrait.tools.board import play_command
from bluekrait.tools.board.game import clocks
from bluekrait.tools.board.server import visitors
from bluekrait.tools.board.server.connection import ELSEWHERE, FULL
from bluekrait.tools.board.server.gate import Gate
from bluekrait.tools.board.visitor.visitor import Visitor
from helpers.board import QUICK, TWO_PLAYERS, Page, origin_of, serving
from helpers.waiting import PATIENCE, wait_until


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
    for name in ("none.js", "../browser.py", "..%2fbrowser.py", "%2e%2e/browser.py", "chessground", "talk/x"):
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


def test_server_needs_no_standard_output(monkeypatch, warm_cache):
    monkeypatch.setattr(sys, "stdout", None)  # it was closed at the start
    with serving() as gate:
        assert get(gate, f"/{gate.token}/")[0] == 200


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


def test_second_page_of_a_visitor_takes_over(board):
    with closing(Page(board)) as first, closing(Page(board, first.visitor)) as second:
        first.hear("elsewhere")
        assert first.code_at_end() == ELSEWHERE
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
            assert refusal.value.rcvd.code == FULL
        with closing(patiently(lambda: Page(gate))) as second:  # the first has gone: its game is given up
            assert second.visitor != first.visitor


def patiently(connect_again):
    """Connect as soon as the server has seen that another page has gone."""

    def connected():
        with suppress(ConnectionClosed):
            return connect_again()

    return wait_until(connected)
