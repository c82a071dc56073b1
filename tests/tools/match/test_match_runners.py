"""Installed match runners: their two dialects, what they print and write, and games played by them."""

import os
import shutil
import sys
from pathlib import Path

import chess
import chess.pgn
import pytest

from bluekrait.tools.match import match_command, planning
from bluekrait.tools.match.external.external_runner import MOST_WARNINGS, play_with_runner
from bluekrait.tools.match.external.runner_command import (
    CUTECHESS,
    FASTCHESS,
    Runner,
    batches,
    command_line,
    engine_words,
    find_runner,
    rule_words,
    time_words,
    why_unable,
    write_openings,
)
from bluekrait.tools.match.external.runner_output import (
    PgnTail,
    RunnerScore,
    game_of,
    is_complete,
    reason_of,
    round_and_white,
    score,
    seconds_of,
    started_game,
    warning,
)
from bluekrait.tools.match.runner.pair_play import play_pair
from bluekrait.tools.match.setup.contest import Rules
from bluekrait.tools.match.setup.engine_spec import parse_engine
from bluekrait.tools.match.setup.opening_files import START, Opening
from bluekrait.tools.match.setup.time_control import TimeControl
from helpers.match.matches import END_GAME, MIDDLE_GAME, SHORT, contest_of, fake, words_of
from helpers.paths import HELPERS

BOTH = (FASTCHESS, CUTECHESS)


# --- what they are told ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("control", "fastchess", "cutechess"),
    [
        (TimeControl(8, 0.08), "tc=8+0.08", "tc=8+0.08"),
        (TimeControl(60, 0, 40, margin=0.02), "tc=40/60 timemargin=20", "tc=40/60 timemargin=20"),
        (TimeControl(move_time=0.25), "st=0.25", "st=0.25"),
        (TimeControl(nodes=5000), "nodes=5000", "tc=inf nodes=5000"),
        (TimeControl(5, depth=9), "tc=5 depth=9", "tc=5 depth=9"),
    ],
)
def test_time_in_both_dialects(control, fastchess, cutechess):
    assert " ".join(time_words(FASTCHESS, control)) == fastchess
    assert " ".join(time_words(CUTECHESS, control)) == cutechess


def test_engines_in_both_dialects(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    engine = fake("A", "good", "seed=1")._replace(
        options=(("Hash", "16"), ("Own Book", "false")), restart=True
    )
    common = [f"cmd={engine.command[0]}", "name=A", "proto=uci", f"dir={tmp_path}"]
    after = ["tc=20+0.1", "restart=on", "option.Hash=16", "option.Own Book=false"]
    script = engine.command[1]
    assert engine_words(FASTCHESS, engine) == [*common, f"args={script} good seed=1", *after]
    assert engine_words(CUTECHESS, engine) == [*common, f"arg={script}", "arg=good", "arg=seed=1", *after]
    assert f"dir={os.sep}" in engine_words(FASTCHESS, engine._replace(directory=os.sep))


def test_rules_in_both_dialects():
    assert rule_words(Rules()) == []
    assert " ".join(rule_words(Rules(600, 3, True, 20, 8, 34, 200))) == (
        "-resign movecount=3 score=600 twosided=true -draw movenumber=34 movecount=8 score=20 -maxmoves 200"
    )

    tables = Rules(tables="/a:/b", tablebase_pieces=5, tables_ignore_fifty=True)
    assert " ".join(rule_words(tables)) == "-tb /a:/b -tbpieces 5 -tbignore50"


def test_command_lines():
    contest = contest_of(fake("A"), fake("B"), rounds=3, rules=Rules(), event="the event")
    (batch,) = batches(contest.schedule())
    openings = ("o.epd", "epd")
    fastchess = command_line(Runner(FASTCHESS, "/bin/f"), batch, openings, "g.pgn", 2, {3, 1})
    after = fastchess[fastchess.index("-openings") :]
    assert fastchess[0] == "/bin/f"
    assert fastchess.count("-engine") == 2
    assert after == [
        *("-openings", "file=o.epd", "format=epd", "order=sequential", "-games", "2", "-rounds", "3"),
        *("-recover", "-concurrency", "2", "-event", "the event", "-force-concurrency"),
        *("-ratinginterval", "0", "-pgnout", "file=g.pgn", "-use-affinity", "1,3"),
    ]
    cutechess = command_line(Runner(CUTECHESS, "/bin/c"), batch, openings, "g.pgn", 2)
    assert cutechess[cutechess.index("-games") :] == [
        *("-games", "2", "-rounds", "3", "-recover", "-repeat", "2", "-concurrency", "2"),
        *("-event", "the event", "-pgnout", "g.pgn", "fi"),
    ]
    (batch,) = batches(contest._replace(chess960=True).schedule())
    for kind in BOTH:
        words = command_line(Runner(kind, "r"), batch, openings, "g.pgn", 2)
        assert words[words.index("-variant") + 1] == "fischerandom"


def test_only_the_missing_games_are_played():
    contest = contest_of(fake("A"), fake("B"), fake("C"), rounds=3)  # pairs 1, 3, 5 are against B
    done = {(1, 1), (3, 2), (4, 1), (4, 2)}
    calls = {
        (batch.first.name, batch.second.name, batch.games): batch for batch in batches(contest.schedule(done))
    }
    keys = {kind: [scheduled.key for scheduled in batch.scheduled] for kind, batch in calls.items()}
    assert keys == {
        ("B", "A", 1): [(1, 2)],
        ("A", "B", 1): [(3, 1)],
        ("A", "B", 2): [(5, 1), (5, 2)],
        ("A", "C", 2): [(2, 1), (2, 2), (6, 1), (6, 2)],
    }
    one = command_line(Runner(FASTCHESS, "f"), calls["B", "A", 1], ("o", "epd"), "g", 1)
    assert "-noswap" in one
    assert one[one.index("-games") + 1] == "1"
    assert next(word for word in one if word.startswith("name=")) == "name=B"


def test_openings_are_handed_on_in_order(tmp_path):
    contest = contest_of(fake("A"), fake("B"), rounds=3, openings=(MIDDLE_GAME, END_GAME))
    path, kind = write_openings(batches(contest.schedule())[0], tmp_path)
    assert kind == "epd"
    assert Path(path).read_text().splitlines() == [MIDDLE_GAME.fen, END_GAME.fen, MIDDLE_GAME.fen]
    sicilian, walk = Opening(START, ("e2e4", "c7c5")), Opening(END_GAME.fen, ("f2e3",))
    for first, second in ((sicilian, walk), (MIDDLE_GAME, sicilian)):
        contest = contest._replace(openings=(first, second))
        path, kind = write_openings(batches(contest.schedule())[0], tmp_path)
        assert kind == "pgn"
        with open(path) as file:
            games = [chess.pgn.read_game(file) for _ in range(3)]
        assert [game.end().board().epd() for game in games] == [
            opening.board().epd() for opening in (first, second, first)
        ]


def test_chess960_openings_with_moves_are_handed_on(tmp_path):
    opening = Opening("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1", ("e1g1", "e8b8"))
    contest = contest_of(fake("A"), fake("B"), openings=(opening, Opening(START)), rounds=2, chess960=True)
    path, kind = write_openings(batches(contest.schedule())[0], tmp_path)
    assert kind == "pgn"
    with open(path) as file:
        castled, first = (chess.pgn.read_game(file) for _ in range(2))
    assert not castled.errors and castled.headers["Variant"] == "Chess960"
    assert castled.end().board().fen() == opening.board(chess960=True).fen()
    assert first.board().chess960 and first.board().fen() == START


def test_what_runners_cannot_do():
    plain = contest_of(fake("A"), fake("B"))
    xboard = contest_of(fake("A"), fake("B")._replace(protocol="xboard"))
    spaces = contest_of(fake("A"), fake("B", "with space"))
    fastchess, cutechess = (Runner(kind, kind) for kind in BOTH)
    assert why_unable(fastchess, plain, True) is None
    assert "UCI only" in why_unable(fastchess, xboard, False)
    assert why_unable(cutechess, xboard, False) is None
    assert "processors" in why_unable(cutechess, plain, True)
    assert all("spaces" in why_unable(runner, spaces, False) for runner in (fastchess, cutechess))


def test_whoever_is_installed_and_able_plays(tmp_path, monkeypatch):
    def chosen(contest, runner="auto"):
        options = type("Options", (), {"runner": runner, "affinity": None, "cluster": None})
        found = planning.runner_of(options, contest)
        return found and found.kind

    plain = contest_of(fake("A"), fake("B"))
    xboard = contest_of(fake("A"), fake("B")._replace(protocol="xboard"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert chosen(plain) is None
    for name in (CUTECHESS, FASTCHESS):
        program = tmp_path / name
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        assert chosen(plain) == name
    assert chosen(plain, "builtin") is None
    assert chosen(xboard) == CUTECHESS
    assert chosen(plain, str(tmp_path / CUTECHESS)) == CUTECHESS
    monkeypatch.chdir(tmp_path)  # a runner is started in another folder
    assert find_runner(f"./{FASTCHESS}").path == str(tmp_path / FASTCHESS)
    with pytest.raises(ValueError, match="UCI only"):
        chosen(xboard, FASTCHESS)


# --- what they say --------------------------------------------------------------------------------


def test_what_both_print():
    assert started_game("Started game 12 of 24 (A vs B (2))") == 12
    assert started_game("Finished game 2 (A vs B): 1-0 {White mates}") is None
    assert warning("Warning; Illegal PV move - move e2e4 from A") == "Illegal PV move - move e2e4 from A"
    assert (
        warning("Warning: A does not support the setboard command")
        == "A does not support the setboard command"
    )
    assert warning("Player: A") is None
    assert score("Games: 6, Wins: 3, Losses: 2, Draws: 1, Points: 3.5 (58.33 %)") == RunnerScore(3, 2, 1)
    assert score("Score of A vs B: 3 - 2 - 1  [0.583] 6") == RunnerScore(3, 2, 1)
    assert score("...      A playing White: 3 - 0 - 0  [1.000] 3") is None


GAME = """\
[Event "?"]
[Round "2"]
[White "A"]
[Black "B"]
[Result "0-1"]
[GameDuration "01:00:05"]
[PlyCount "2"]
[Termination "{termination}"]

1. f3 {{+0.01/5 0.042s}} e5 {{+0.78/1 0.000s, White makes an
illegal move}} 0-1

"""


def test_their_games():
    scheduled = list(contest_of(fake("A"), fake("B"), rounds=9).schedule())[14]
    game = game_of(GAME.format(termination="illegal move"), scheduled)
    assert game.key == (8, 1)
    assert (game.result, game.termination) == ("0-1", "rules infraction")
    assert (game.reason, game.plies, game.seconds) == ("White makes an illegal move", 2, 3605.0)
    assert '[Round "8.1"]' in game.pgn
    assert game_of(GAME.format(termination="time forfeit"), scheduled).termination == "time forfeit"
    assert game_of(GAME.replace("0-1", "*"), scheduled) is None
    assert round_and_white(GAME) == ("2", "A")
    assert reason_of("1. f3 0-1") == ""
    assert seconds_of("nonsense") == 0


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["linux", "windows"])
def test_a_pgn_is_read_while_it_is_written(line_end, tmp_path):
    path = tmp_path / "games.pgn"
    tail = PgnTail(path)
    assert tail.games() == []
    first, second = GAME.format(termination="normal"), GAME.replace("0-1", "1/2-1/2").replace('"A"', '"Ä"')
    found = []
    for index, character in enumerate(first + second):
        with open(path, "a", encoding="utf-8", newline=line_end) as file:
            file.write(character)
        new = tail.games()
        assert not new or index + 1 >= len(first) - 1
        found += new
    assert [game.strip() for game in found] == [first.strip(), second.strip()]
    assert tail.games() == []
    assert not is_complete(first[:-8])


# --- games ----------------------------------------------------------------------------------------


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """A runner that is none, and a way to tell it what to do."""
    program = tmp_path / "fastchess"
    script = HELPERS / "match" / "fake_runner.py"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{script}" "$@"\n')
    program.chmod(0o755)
    return Runner(FASTCHESS, str(program)), lambda mode: monkeypatch.setenv("FAKE_RUNNER", mode)


def test_games_of_a_runner(stand_in):
    runner, _ = stand_in
    contest = contest_of(fake("A"), fake("B"), fake("C"), rounds=3)
    begun, notes = [], []
    missing = contest.schedule({(1, 2), (3, 1), (3, 2)})
    games = list(play_with_runner(runner, missing, 2, on_start=begun.append, on_note=notes.append))
    assert sorted(game.key for game in games) == [scheduled.key for scheduled in contest.schedule()][:1] + [
        *((2, 1), (2, 2), (4, 1), (4, 2), (5, 1), (5, 2), (6, 1), (6, 2))
    ]
    names = {scheduled.key: (scheduled.white.name, scheduled.black.name) for scheduled in contest.schedule()}
    assert all((game.white, game.black) == names[game.key] for game in games)
    assert sorted(scheduled.key for scheduled in begun) == sorted(game.key for game in games)
    assert {game.reason for game in games} == {"Draw by adjudication"}
    assert notes == []


def test_options_are_checked_before_a_runner_plays(stand_in, tmp_path, capsys):
    runner, _ = stand_in
    words = [
        "--engine",
        *words_of("A"),
        "option.Hahs=64",
        "--engine",
        *words_of("B"),
        "option.UCI_Chess960=true",
    ]
    words += ["--runner", runner.path, "--rounds", "1", "--pgn", str(tmp_path / "games.pgn")]
    assert match_command.main(words) == 0
    warnings = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Warning")]
    assert warnings == ["Warning; A has no option Hahs: it is not set (did you mean Hash?)"]


def test_a_runner_that_gives_up(stand_in):
    runner, tell = stand_in
    contest = contest_of(fake("A"), fake("B"), rounds=3)
    tell("fatal")
    with pytest.raises(RuntimeError, match="6 of 6 games missing: Fatal; engine A is not ready"):
        list(play_with_runner(runner, contest.schedule()))
    tell("stop")
    games, notes = [], []
    with pytest.raises(RuntimeError, match="3 of 6 games missing"):
        games.extend(game for game in play_with_runner(runner, contest.schedule(), on_note=notes.append))
    assert notes == ["fastchess: something is odd"]


def test_a_runner_may_not_warn_without_end(stand_in):
    runner, tell = stand_in
    tell("warn")
    notes = []
    assert (
        len(list(play_with_runner(runner, contest_of(fake("A"), fake("B")).schedule(), on_note=notes.append)))
        == 2
    )
    assert notes == ["fastchess: something is odd"] * MOST_WARNINGS


def test_a_runner_that_is_not_there():
    contest = contest_of(fake("A"), fake("B"))
    with pytest.raises(RuntimeError, match="2 of 2 games missing"):
        list(play_with_runner(Runner(FASTCHESS, "/no/such/runner"), contest.schedule()))


@pytest.mark.parametrize("name", BOTH)
def test_games_of_a_real_runner(name):
    runner = find_runner(name)
    if runner is None:
        pytest.skip(f"{name} is not installed")
    contest = contest_of(fake("A"), fake("B", "crash"), openings=(MIDDLE_GAME, END_GAME), rounds=3)
    games = list(play_with_runner(runner, contest.schedule({(1, 1)}), 2))
    assert sorted(game.key for game in games) == [scheduled.key for scheduled in contest.schedule()][1:]
    for game in games:
        assert game.result == ("1-0" if game.game == 1 else "0-1")  # the one that crashes loses
        opening = contest.games_of_pair(game.pair)[0].opening
        assert opening.board().epd() in chess.Board(game.pgn.split('[FEN "')[1].split('"')[0]).epd()


XBOARD_ENGINES = ("phalanx", "fairymax", "glaurung", "toga2")


@pytest.mark.parametrize("name", XBOARD_ENGINES)
def test_engines_of_others(name):
    path = shutil.which(name, path=os.pathsep.join((os.environ.get("PATH", ""), "/usr/games")))
    if path is None:
        pytest.skip(f"{name} is not installed")
    protocol = "xboard" if name in ("phalanx", "fairymax") else "uci"
    engine = parse_engine([f"cmd={path}", f"proto={protocol}"], ("tc=2+0.1", "depth=2", "option.Hash=4"))
    openings = (Opening(MIDDLE_GAME.fen, ("d1e2",)),)
    for game in play_pair(contest_of(engine, fake("A"), openings=openings, rules=SHORT), 1):
        assert game.termination in ("normal", "adjudication"), game.reason
        assert game.plies > 4
