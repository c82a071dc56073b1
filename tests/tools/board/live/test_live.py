"""`bluekrait play --live`: what the page is told of work that is still running, from the files it writes."""

import asyncio
import io
import json
from contextlib import closing
from dataclasses import asdict
from functools import partial
from itertools import count

import chess.pgn
import pytest

pytest.importorskip("starlette", reason="the extra [play] is not installed")
pytest.importorskip("websockets", reason="the extra [play] is not installed")

from bluekrait.search.self_play.players.player import Player
from bluekrait.tools.board import play_command
from bluekrait.tools.board.live import contests, self_play, watch
from bluekrait.tools.board.live import work as live_work
from bluekrait.tools.board.live.contests import ContestView
from bluekrait.tools.board.live.files import work_at
from bluekrait.tools.board.live.self_play import SelfPlayView
from bluekrait.tools.board.live.work import LiveView
from bluekrait.tools.data.formats import game_file
from bluekrait.tools.match.results.finished_games import FinishedGame
from bluekrait.tools.match.results.game_journal import GameJournal
from bluekrait.tools.report.match_facts import read_match
from bluekrait.tools.statistics.pentanomial import elo
from bluekrait.tools.statistics.sequential import Bounds, llr
from bluekrait.tools.tuning.evaluation.error_log import ErrorLog
from bluekrait.uci.exits import WRONG_ARGUMENTS
from helpers.board import Page, serving
from helpers.match.finished import PGN, RESULTS, TEST, finished_games


@pytest.fixture
def journal(tmp_path):
    with closing(GameJournal(tmp_path / "match.pgn", {"engines": []}, test=TEST)) as journal:
        yield journal


def tiles(view):
    return {tile.name: tile.value for tile in view.tiles}


def test_match_is_followed(journal, tmp_path):
    work = work_at(str(tmp_path / "match.pgn"))
    assert isinstance(work, ContestView) and work.read()
    assert "no game" in work.view().about and not work.read()
    for game in finished_games(RESULTS[:3]):
        journal.add(game)
    assert work.read() and not work.read()
    assert tiles(work.view())["score"] == "66.67 %"
    for game in list(finished_games())[3:]:
        journal.add(game)
    assert work.read()
    view = work.view()
    assert view.title == "new against old" and "8 games" in view.about
    match = read_match(tmp_path / "match.pgn")  # what the report says of the same games
    assert tiles(view)["Elo"].startswith(f"{elo(match.pairs)[0]:+.1f}")
    assert "LLR" in tiles(view) and len(view.plots) == 2 and all("<svg" in plot for plot in view.plots)
    assert view.games[0].title.startswith("8. old – new 1/2-1/2")
    assert "1. e4 e5" in view.games[0].pgn()


def test_the_test_is_that_of_the_last_run(journal, tmp_path):
    for game in finished_games():
        journal.add(game)
    journal.close()
    bounds = Bounds(0, 200)
    GameJournal(tmp_path / "match.pgn", {"engines": []}, test=asdict(bounds)).close()
    work = work_at(str(tmp_path / "match.pgn"))
    assert work.read()
    pairs = read_match(tmp_path / "match.pgn").pairs
    assert tiles(work.view())["LLR"] == f"{llr(pairs, bounds):.2f}" != f"{llr(pairs, Bounds(**TEST)):.2f}"


def test_line_that_is_being_written_is_left_for_later(journal, tmp_path):
    work = work_at(str(tmp_path / "match.pgn.journal"))
    first, second = list(finished_games())[:2]
    journal.add(first)
    with open(journal.path, "a") as file:
        file.write(json.dumps(second._asdict())[:40])
        file.flush()
        assert work.read() and not work.read()
        assert "1 game in" in work.view().about
        file.write(json.dumps(second._asdict())[40:] + "\n")
        file.flush()
        assert work.read() and "2 games" in work.view().about


def test_contest_that_begins_anew(journal, tmp_path):
    work = work_at(str(tmp_path / "match.pgn"))
    for game in finished_games():
        journal.add(game)
    work.read()
    journal.close()
    with closing(GameJournal(tmp_path / "match.pgn", {"engines": []}, overwrite=True)) as again:
        again.add(next(finished_games()))
        assert work.read() and "1 game in" in work.view().about and len(work.view().plots) == 1


def test_match_is_that_of_the_engine_with_white_in_the_first_game(journal, tmp_path):
    first, second = list(finished_games(("1-0", "1/2-1/2")))
    for game in second, first:  # games end in any order
        journal.add(game)
    work = work_at(str(tmp_path / "match.pgn"))
    work.read()
    assert work.view().title == "new against old" and tiles(work.view())["score"] == "75.00 %"


def test_only_the_latest_games_are_offered(journal, tmp_path, monkeypatch):
    monkeypatch.setattr(contests, "MOST_GAMES", 3)
    for game in finished_games():
        journal.add(game)
    work = work_at(str(tmp_path / "match.pgn"))
    work.read()
    assert [shown.title.partition(".")[0] for shown in work.view().games] == ["8", "7", "6"]


def test_crosstable_of_several_engines(journal, tmp_path):
    for number, (white, black, result) in enumerate(
        (("a", "b", "1-0"), ("b", "a", "1/2-1/2"), ("b", "c", "1-0"), ("c", "b", "0-1"), ("a", "c", "1-0"))
    ):
        text = PGN.format(white, black, result, f"{number}.1", result)
        journal.add(FinishedGame(number + 1, 1, white, black, result, "normal", "", 2, 0.1, text))
    work = work_at(str(tmp_path / "match.pgn"))
    work.read()
    view = work.view()
    assert view.title == "a against 2 opponents"
    assert [row[0] for row in view.rows] == ["", "1. a", "2. b", "3. c"]


def test_tuning_of_the_search_is_followed(tmp_path):
    path = tmp_path / "tuning.jsonl"
    head = {"journal": "bluekrait tune search", "iterations": 10, "rows": [["margin", 100, 0, 200, 10]]}
    with open(path, "w", buffering=1) as file:
        file.write(json.dumps(head) + "\n")
        work = work_at(str(path))
        assert work.read() and not work.view().tiles
        file.write(json.dumps({"iteration": 1, "games": [1, 2, 1], "values": {"margin": 105.0}}) + "\n")
        file.write(json.dumps({"iteration": 2, "games": [0, 4, 0], "values": {"margin": 115.0}}) + "\n")
        assert work.read() and not work.read()
    view = work.view()
    assert tiles(view) == {"iterations": "2", "games": "8"} and len(view.plots) == 1
    assert view.rows[1] == ["margin", "100", "115.0", "+1.50"]
    assert view.tiles[1].note == "75% drawn"
    path.write_text(json.dumps(head) + "\n")  # another run
    assert work.read() and not work.view().tiles


def test_tuning_of_the_evaluation_is_followed(tmp_path):
    path = tmp_path / "run.log"
    log = ErrorLog(str(path), {"epochs": 8, "positions": 1000, "result": 0.3})
    work = work_at(str(path))
    assert work.read() and not work.view().tiles
    log.add(1, 0.08, 0.081, 2.0)
    log.add(2, 0.07, 0.079, 4.0)
    assert work.read() and not work.read()
    view = work.view()
    assert tiles(view) == {"passes": "2", "error": "0.070000", "held out": "0.079000"}
    assert view.tiles[0].note == "of 8, 0:12 left" and len(view.plots) == 1
    ErrorLog(str(path), {"epochs": 3, "positions": 10, "result": 0})  # another run
    assert work.read() and not work.view().tiles


def test_training_of_a_network_is_followed(tmp_path):
    with pytest.raises(ValueError, match="is no folder of bluekrait tune network"):
        work_at(str(tmp_path))
    (tmp_path / "settings.json").write_text('{"width": 64}')
    work = work_at(str(tmp_path))
    assert not work.read()
    report = {"step": 1, "positions": 1000, "epoch": 0.5, "rate": 0.1, "loss": 0.08, "speed": 7}
    with open(tmp_path / "losses.jsonl", "w") as file:
        for count, loss in enumerate((0.09, 0.07, 0.08), 1):
            entry = {**report, "positions": 1000 * count, "held_out": {"target": loss}}
            file.write(json.dumps(entry) + "\n")
    assert work.read()
    view = work.view()
    assert tiles(view)["best"] == "0.070000" and tiles(view)["held-out loss"] == "0.080000"
    assert "width 64" in view.about and len(view.plots) == 1
    (tmp_path / "losses.jsonl").write_text(json.dumps(entry | {"positions": 9}) + "\n")  # another run
    assert work.read() and tiles(work.view())["best"] == "0.080000"


def test_self_play_is_followed(tmp_path, warm_cache):
    player = Player(seed=1, nodes=20, chess960=50)
    packed = [player.play(number) for number in range(6)]
    path = tmp_path / "games.bkg"
    path.write_bytes(game_file.pack_head({"seed": 1, "nodes": 20}) + game_file.pack_games(packed[:2]))
    work = work_at(str(path))
    assert isinstance(work, SelfPlayView) and work.read() and not work.read()
    assert tiles(work.view())["games"] == "2" and "seed 1" in work.view().about
    block = game_file.pack_games(packed[2:])
    with open(path, "ab") as file:
        file.write(block[:50])
        file.flush()
        assert not work.read()  # half a block
        file.write(block[50:])
    assert work.read()
    view = work.view()
    assert tiles(view)["positions"] == f"{game_file.plies_in(sum(map(len, packed)), len(packed)):,}"
    for game, content in zip(view.games, reversed(packed)):
        read = chess.pgn.read_game(io.StringIO(game.pgn()))
        assert not read.errors and len(list(read.mainline())) == game_file.plies_in(len(content), 1)
        assert read.board().chess960 == bool(next(game_file.games_in(content)).head.is_chess960)
        assert str(game.number) == read.headers["Round"]
        assert game.title.startswith(f"game {game.number}: {read.headers['Result']}, ")
    path.write_bytes(game_file.pack_head({"seed": 2}) + game_file.pack_games(packed[:1]))  # another run
    assert work.read() and tiles(work.view())["games"] == "1" and "seed 2" in work.view().about


def test_self_play_tells_how_the_games_went(tmp_path, warm_cache):
    player = Player(seed=1, nodes=20)
    packed = [player.play(number) for number in range(12)]
    path = tmp_path / "games.bkg"
    path.write_bytes(game_file.pack_head({"seed": 1}) + game_file.pack_games(packed))
    work = work_at(str(path))
    work.read()
    results = [shown.title.split(": ")[1].split(",")[0] for shown in work.view().games]
    read = [game.head.result for game in game_file.games_in(b"".join(packed))]
    assert results == [{0: "0-1", 1: "1/2-1/2", 2: "1-0"}[result] for result in reversed(read)]
    _, positions, white = work.view().tiles
    assert positions.note == "0.00 M an hour"  # what was there before is no speed
    assert (white.value, white.note) == (f"{read.count(2) / 12:.0%}", f"{read.count(1) / 12:.0%} drawn")
    assert read.count(2) != read.count(0)


def test_speed_of_self_play_is_that_of_new_games(tmp_path, warm_cache, monkeypatch):
    head, game = game_file.pack_head({"seed": 1}), game_file.pack_games([Player(seed=1, nodes=20).play(1)])
    monkeypatch.setattr(live_work, "MOST_BYTES", len(head + game))
    monkeypatch.setattr(self_play, "monotonic", partial(next, count()))
    path = tmp_path / "games.bkg"
    path.write_bytes(head + 2 * game)
    work = work_at(str(path))
    speeds = []

    def look():
        while work.read():
            speeds.append(work.view().tiles[1].note)

    look()
    assert speeds == ["0.00 M an hour"] * 2  # whatever one read takes
    with open(path, "ab") as file:
        file.write(game)
    look()
    assert not speeds.pop().startswith(("0.00", "-"))
    path.write_bytes(head + game)  # another run
    look()
    assert speeds.pop() == "0.00 M an hour"


@pytest.mark.parametrize(
    "content", [None, b"", b"no journal\n", b'{"journal": "bluekrait analyse"}\n', b"[1]\n"]
)
def test_other_files_are_refused_in_one_line(content, tmp_path, capsys):
    path = tmp_path / "file"
    if content is not None:
        path.write_bytes(content)
    assert play_command.main(["--no-browser", "--live", str(path)]) == WRONG_ARGUMENTS
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("bluekrait play: ") and str(path) in line


def test_page_is_told_and_opens_games(journal, tmp_path, warm_cache, monkeypatch):
    monkeypatch.setattr(watch, "REST", 0)
    for game in list(finished_games())[:2]:
        journal.add(game)
    with serving(work=work_at(str(tmp_path / "match.pgn"))) as gate, closing(Page(gate)) as page:
        while not (live := page.hear("live"))["tiles"]:
            pass
        assert live["games"][0]["number"] == 2 and live["games"][0]["title"].startswith("2. old – new")
        assert [move["san"] for move in page.asked("watch", number=1)["moves"]] == ["e4", "e5"]
        assert page.game["headers"]["White"] == "new" and page.game["turn"] == "white" and page.game["last"]
        assert "game 3 is not among" in page.asked("watch", "notice", number=3)["text"]
        for game in list(finished_games())[2:]:
            journal.add(game)
        while "8 games" not in page.hear("live")["about"]:
            pass
        assert page.asked("watch", number=2)["headers"]["White"] == "old"  # wherever it stands in the list
        with closing(Page(gate)) as second:  # who comes later is told at once
            assert second.hear("live")["games"][0]["number"] == 8


def test_a_game_that_ends_takes_the_place_of_none_of_the_visitors(journal, tmp_path, warm_cache):
    for game in list(finished_games())[:2]:
        journal.add(game)

    def follow():
        page.ask("watch", number=1, follow=True)
        page.asked("write", "written")  # is answered in any case
        return [move["san"] for move in page.game["moves"]]

    with serving(work=work_at(str(tmp_path / "match.pgn"))) as gate, closing(Page(gate)) as page:
        while not page.hear("live")["games"]:
            pass
        page.asked("new", human="both")
        assert follow() == ["e4", "e5"] == follow()  # of a game without moves, and of one that is watched
        page.move("Nf3")  # is tried
        assert follow() == ["e4", "e5", "Nf3"]
        page.asked("take back")
        assert follow() == ["e4", "e5"] and not page.game["match"]
        page.asked("new", human="both")
        page.move("d4")
        assert follow() == ["d4"] and page.game["match"]
        page.asked("study")
        assert follow() == ["d4"]
        assert [move["san"] for move in page.asked("watch", number=1)["moves"]] == ["e4", "e5"]


def test_damaged_file_is_told(journal, tmp_path, warm_cache):
    with open(journal.path, "a") as file:
        file.write("rubbish\n")
    with serving(work=work_at(str(tmp_path / "match.pgn"))) as gate, closing(Page(gate)) as page:
        assert page.hear("live")["title"] == "The work cannot be followed"


@pytest.mark.parametrize("line", ["rubbish", "[1]"])
def test_damaged_line_stays_an_error_until_the_file_begins_anew(tmp_path, line):
    path = tmp_path / "run.log"
    ErrorLog(str(path), {"epochs": 8, "positions": 1000, "result": 0.3}).add(1, 0.08, 0.081, 2.0)
    work = work_at(str(path))
    assert work.read()
    good = path.read_text()
    path.write_text(good + line + "\n" + good)
    for _ in range(2):
        with pytest.raises(ValueError, match=f"{path.name} has a line that is no"):
            work.read()
    path.write_text(line + "\n")
    with pytest.raises(ValueError, match=r"no"):
        work.read()
    path.write_text(good.splitlines()[0] + "\n")
    assert work.read() and not work.view().tiles


def test_page_recovers_after_a_view_that_fails(monkeypatch):
    monkeypatch.setattr(watch, "SECONDS_BETWEEN_LOOKS", 0.0)
    news, views, told = [True, False, True, False], [IndexError("no plot"), LiveView("a match", "1 game")], []

    class Work:
        def read(self):
            return news.pop(0) if news else False

        def view(self):
            view = views.pop(0)
            if isinstance(view, Exception):
                raise view
            return view

    async def tell(view):
        told.append(view)
        if len(told) == 2:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(watch.Watch(Work()).run(tell))
    assert [(view.title, view.about) for view in told] == [
        ("The work cannot be followed", "no plot"),
        ("a match", "1 game"),
    ]
