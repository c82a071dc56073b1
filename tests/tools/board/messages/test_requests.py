"""Messages from the page that are wrong: each costs a line, and nothing else."""

import json
from contextlib import closing

import pytest

pytest.importorskip("starlette", reason="the extra [play] is not installed")
pytest.importorskip("websockets", reason="the extra [play] is not installed")

from websockets.exceptions import ConnectionClosed

from bluekrait.tools.board.server.connection import ELSEWHERE
from bluekrait.tools.board.server.serving import LONGEST_MESSAGE
from bluekrait.tools.board.visitor.file_handlers import LONGEST_PGN
from helpers.board import Page


@pytest.mark.parametrize(
    ("fen", "problem"),
    [
        ("e4 e5", "this FEN is wrong: fields: 2 instead of 4 to 6, namely pieces, side to move, "),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "this FEN is wrong: placement: White has no king"),
        ("4k3/8/8/8/8/8/8 w - - 0 1", "this FEN is wrong: placement: 7 ranks instead of 8"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "this FEN is wrong: side to move: 'x' is neither w nor b"),
    ],
)
def test_what_is_wrong_with_a_fen_is_told(page, fen, problem):
    for request in ({"what": "set up"}, {"what": "new", "human": "white"}):
        text = page.asked(**request, kind="notice", fen=fen)["text"]
        assert text.startswith(problem) and not text.endswith("...")


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
    assert page.code_at_end() == ELSEWHERE


def test_message_that_is_too_long_ends_the_connection(board, page):
    with pytest.raises(ConnectionClosed):
        page.socket.send(json.dumps({"do": "read", "pgn": " " * LONGEST_MESSAGE}))
        page.hear("games")
    with closing(Page(board, page.visitor)) as again:
        assert again.visitor == page.visitor
