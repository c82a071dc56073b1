"""Games on the board that outlive the program."""

import json
import re
import subprocess
import sys
from contextlib import closing, contextmanager

import pytest

pytest.importorskip("starlette", reason="the extra [play] is not installed")
pytest.importorskip("websockets", reason="the extra [play] is not installed")

from bluekrait.tools.board.game.game_tree import GameTree
from bluekrait.tools.board.game.snapshot import snapshot
from bluekrait.tools.board.messages.new_games import position_of
from bluekrait.tools.board.server.gate import Gate
from bluekrait.tools.board.visitor import kept_games
from bluekrait.tools.board.visitor.kept_games import KeptGames
from helpers.board import TWO_PLAYERS, Page, serving


def sans(page):
    return [move["san"] for move in page.game["moves"]]


# --- files --------------------------------------------------------------------------------------------


def release(kept):
    """The program has ended."""
    kept._lock.close()


def take(kept, known, visitor):
    return kept.take(known, visitor, dict)


def test_the_latest_game_comes_first_and_none_comes_twice(tmp_path, monkeypatch):
    folder = tmp_path / "deep" / "board"
    first = KeptGames(folder)
    assert take(first, "", "a") is None and not folder.exists()
    for number, name in enumerate("xyz"):
        first.keep(name, json.dumps({"game": number}))
        monkeypatch.setattr(kept_games.Path, "stat", _dated(kept_games.Path.stat))
    release(first)
    second = KeptGames(folder)
    assert take(second, "y", "b") == {"game": 1}  # a page that is known gets its own
    assert [take(second, "../y", "c"), take(second, "", "d"), take(second, "", "e")] == [
        {"game": 2},
        {"game": 0},
        None,
    ]
    assert {path.stem for path in folder.glob("*.json")} == {"b", "c", "d"}


def _dated(stat):
    """Files by their names, so that two in the same moment have an order."""

    def dated(path, **options):
        found = stat(path, **options)
        if path.suffix != ".json":
            return found
        values = list(found)
        values[8] = ord(path.stem[0])
        return type(found)(values)

    return dated


@pytest.mark.parametrize(
    "system, place",
    [
        ("linux", ("home", ".local", "share")),
        ("darwin", ("home", "Library", "Application Support")),
        ("win32", ("local",)),
    ],
)
def test_every_system_has_its_own_place_for_games(monkeypatch, tmp_path, system, place):
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    monkeypatch.setattr("sys.platform", system)
    assert kept_games.usual_folder() == tmp_path.joinpath(*place, "bluekrait", "board")


def test_games_are_kept_where_the_system_keeps_what_is_the_users(monkeypatch, tmp_path):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert kept_games.usual_folder() == tmp_path / "bluekrait" / "board"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setattr("os.path.expanduser", lambda _: "~")
    assert kept_games.usual_folder().is_absolute()


def test_a_program_leaves_the_games_of_one_that_runs_alone(tmp_path):
    running = KeptGames(tmp_path / "board")
    running.keep("x", "{}")
    beside = KeptGames(tmp_path / "board")
    assert take(beside, "", "a") is None
    beside.keep("y", "{}")
    release(running)
    assert take(KeptGames(tmp_path / "board"), "", "b") == {}


def test_what_killed_programs_have_left_is_removed(tmp_path):
    left = tmp_path / "x.json.0123abcd.draft"
    running = KeptGames(tmp_path)
    running.keep("x", "{}")
    left.touch()
    KeptGames(tmp_path)
    assert left.exists()  # the other program may be writing it
    release(running)
    KeptGames(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lock", "x.json"]


def test_kept_games_are_bounded_and_damaged_ones_left_out(tmp_path, monkeypatch):
    monkeypatch.setattr(kept_games, "MOST_KEPT", 3)
    monkeypatch.setattr(kept_games.Path, "stat", _dated(kept_games.Path.stat))
    kept = KeptGames(tmp_path)
    for name in "abcdef":
        kept.keep(name, "{")
    assert {path.stem for path in tmp_path.glob("*.json")} == set("def")  # the latest
    release(kept)
    assert take(KeptGames(tmp_path), "", "g") is None


def test_games_that_cannot_be_read_take_the_place_of_no_other(tmp_path, monkeypatch):
    monkeypatch.setattr(kept_games, "MOST_KEPT", 2)
    monkeypatch.setattr(kept_games.Path, "stat", _dated(kept_games.Path.stat))
    for name, text in (("a", "{}"), ("y", "["), ("z", "{")):  # the latest are damaged
        (tmp_path / f"{name}.json").write_text(text)
    kept = KeptGames(tmp_path)
    assert take(kept, "", "b") == {}
    assert [path.name for path in kept.unread()] == ["z.unread", "y.unread"]
    kept.keep("c", "{}")
    assert {path.stem for path in tmp_path.glob("*.json")} == set("bc")


def test_games_that_were_set_aside_are_tried_again_after_all_others(tmp_path):
    (tmp_path / "x.unread").write_text("{")
    (tmp_path / "y.unread").write_text('{"game": 1}')
    (tmp_path / "z.json").write_text('{"game": 2}')
    kept = KeptGames(tmp_path)
    assert [take(kept, "", name) for name in "abc"] == [{"game": 2}, {"game": 1}, None]
    assert kept.unread() == []  # it was told before
    assert (tmp_path / "x.unread").read_text() == "{"


def test_games_of_another_version_stay_and_are_told(warm_cache, tmp_path):
    game = snapshot(GameTree(position_of("")), None)
    later = json.dumps({**game, "format": 2})
    (tmp_path / "later.json").write_text(later)
    with serving(kept=KeptGames(tmp_path)) as gate:
        with closing(Page(gate, "later")) as page:
            notice = page.hear("notice")["text"]
            assert "cannot be read" in notice and "later.unread" in notice
            page.asked("new", **TWO_PLAYERS)
            page.move("e4")
            page.asked("write", "written")  # after the move is kept
        assert (tmp_path / "later.unread").read_text() == later
        assert len(list(tmp_path.glob("*.json"))) == 1


# --- the program --------------------------------------------------------------------------------------


@contextmanager
def program(folder):
    """`bluekrait play`, killed in the end; its gate."""
    command = [sys.executable, "-m", "bluekrait", "play", "--no-browser", "--games", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            port, token = re.search(r":(\d+)/([\w-]+)/", process.stdout.readline()).groups()
            gate = Gate(int(port))
            gate.token = token
            yield gate
        finally:
            process.kill()


def test_a_game_goes_on_after_the_program_was_killed(warm_cache, tmp_path):
    with program(tmp_path / "board") as gate, closing(Page(gate)) as page:
        page.asked("new", **TWO_PLAYERS, minutes=5)
        page.move("e4")
        page.move("c5")
        page.ask("analyse", lines=0)  # answered when the move is kept
        page.hear("game")
    with program(tmp_path / "board") as gate:
        with closing(Page(gate)) as page:
            assert sans(page) == ["e4", "c5"] and page.game["match"]["clocks"]["running"] == "white"
            assert page.move("Nf3")["moves"][2]["san"] == "Nf3"
        with closing(Page(gate)) as another:
            assert sans(another) == []


def test_time_that_was_used_is_kept_when_the_program_ends(warm_cache, tmp_path):
    def left():
        (path,) = tmp_path.glob("*.json")
        return json.loads(path.read_text())["match"]["left"][1]

    with serving(kept=KeptGames(tmp_path)) as gate:
        page = Page(gate)
        page.asked("new", **TWO_PLAYERS, minutes=5)
        page.move("e4")
        page.asked("write", "written")  # after the move is kept
        before = left()
    page.close()
    assert left() < before


def test_games_that_cannot_be_kept_are_told_once(warm_cache, tmp_path):
    (tmp_path / "file").touch()
    with serving(kept=KeptGames(tmp_path / "file" / "board")) as gate, closing(Page(gate)) as page:
        page.asked("new", **TWO_PLAYERS)
        page.move("e4")
        assert "not kept" in page.hear("notice")["text"]
        assert sans(page) == ["e4"] and page.move("e5")["moves"]
