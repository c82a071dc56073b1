"""`bluekrait match` and `bluekrait sprt`: the journal, the display, what is said, and how they end."""

import errno
import io
import json
import os
import re
import signal
import subprocess
import sys
from math import log
from types import SimpleNamespace

import chess.pgn
import pytest

from bluekrait.tools.common import processors
from bluekrait.tools.common.command_line import Parser
from bluekrait.tools.match import match_command, match_session, planning, sprt_command
from bluekrait.tools.match.arguments import add_common_options, normalised, rules_of
from bluekrait.tools.match.display import plain
from bluekrait.tools.match.display.plain import REPORT_SECONDS, SEPARATOR, PlainDisplay
from bluekrait.tools.match.match_session import MatchPlan, MatchSession
from bluekrait.tools.match.results.finished_games import BLACK_WINS, DRAW, UNKNOWN, WHITE_WINS, FinishedGame
from bluekrait.tools.match.results.game_journal import GameJournal, different_parts
from bluekrait.tools.match.results.standings import Standings
from bluekrait.tools.match.setup.contest import GAUNTLET, ROUND_ROBIN, Rules
from bluekrait.tools.match.setup.opening_files import source_of
from bluekrait.tools.statistics.pentanomial import Pairs
from bluekrait.tools.statistics.sequential import Bounds, llr
from bluekrait.uci.progress import duration_text
from helpers.match.matches import (
    END_GAME,
    MIDDLE_GAME,
    contest_of,
    fake,
    noted_processes,
    wait_until_gone,
    words_of,
)
from helpers.paths import DATA
from helpers.processes.machines import CLOSED_TERMINAL, interrupt, terminated_at_start
from helpers.waiting import wait_until

IDENTITY = {"engines": [{"name": "A"}, {"name": "B"}], "rules": {"max_moves": 8}}


def game_of(pair, number, result, white="A", black="B"):
    if number == 2:
        white, black = black, white
    pgn = f'[Event "?"]\n[Round "{pair}.{number}"]\n[White "{white}"]\n\n{result}\n\n'
    return FinishedGame(pair, number, white, black, result, "normal", "for no reason", 40, 1.5, pgn)


# --- the journal ----------------------------------------------------------------------------------


@pytest.fixture
def pgn(tmp_path):
    return tmp_path / "games.pgn"


def kept(pgn, *games, identity=IDENTITY, **settings):
    """Open a journal, add some games and close it; the keys of the games that it had before."""
    journal = GameJournal(pgn, identity, **settings)
    before = [game.key for game in journal.games]
    for game in games:
        journal.add(game)
    journal.close()
    return before


def test_games_are_kept(pgn):
    games = [game_of(1, 2, DRAW), game_of(1, 1, WHITE_WINS)]
    assert kept(pgn, *games) == []
    assert kept(pgn, game_of(2, 1, DRAW)) == [(1, 2), (1, 1)]
    assert pgn.read_text().count("[Event") == 3
    journal = GameJournal(pgn, IDENTITY)
    journal.close()
    assert journal.games[:2] == [game._replace(pgn="") for game in games]


def test_another_test_is_noted(pgn):
    def tests():
        records = map(json.loads, pgn.with_name("games.pgn.journal").read_text().splitlines())
        return [record["test"] for record in records if "journal" in record]

    first, second = {"elo0": 0.0, "elo1": 5.0}, {"elo0": 0.0, "elo1": 20.0}
    kept(pgn, game_of(1, 1, DRAW), test=first)
    assert kept(pgn, test=first) == [(1, 1)] and tests() == [first]
    assert kept(pgn, game_of(1, 2, DRAW), test=second) == [(1, 1)]
    assert kept(pgn, test=second) == [(1, 1), (1, 2)] and tests() == [first, second]
    assert kept(pgn, test=first) == [(1, 1), (1, 2)] and tests() == [first, second, first]


@pytest.mark.parametrize("torn", ['{"pair":3,"ga', '{"pair":3}', "\x00\x00"])
def test_a_torn_line_is_dropped(pgn, torn):
    games = [game_of(1, 1, DRAW), game_of(1, 2, DRAW)]
    kept(pgn, *games)
    with open(f"{pgn}.journal", "a") as file:
        file.write(torn)
    pgn.write_text(pgn.read_text() + '[Event "?"]\n[Round "2.')
    assert kept(pgn, game_of(2, 1, DRAW)) == [(1, 1), (1, 2)]
    assert kept(pgn) == [(1, 1), (1, 2), (2, 1)]
    assert pgn.read_text() == "".join(game.pgn for game in [*games, game_of(2, 1, DRAW)])


def test_the_pgn_is_made_from_the_journal(pgn):
    kept(pgn, game_of(1, 1, DRAW))
    text = pgn.read_text()
    pgn.unlink()
    kept(pgn)
    assert pgn.read_text() == text


def test_contests_are_not_mixed(pgn):
    kept(pgn, game_of(1, 1, DRAW))
    other = {"engines": [{"name": "A"}, {"name": "C"}], "rules": {"max_moves": 9}}
    with pytest.raises(ValueError, match=r"\(engines 2 name, rules max_moves\)"):
        kept(pgn, identity=other)
    assert sorted(path.name for path in pgn.parent.iterdir()) == [pgn.name, f"{pgn.name}.journal"]
    assert kept(pgn) == [(1, 1)]
    assert kept(pgn, identity=other, overwrite=True) == []
    assert pgn.read_text() == ""


def test_a_contest_without_games_gives_way(pgn):
    kept(pgn)
    assert kept(pgn, game_of(1, 1, DRAW), identity={"engines": []}) == []
    assert kept(pgn, identity={"engines": []}) == [(1, 1)]


def test_games_of_others_are_not_overwritten(pgn):
    pgn.write_text("precious\n")
    with pytest.raises(ValueError, match="overwrite"):
        kept(pgn)
    assert pgn.read_text() == "precious\n"


def test_a_journal_that_is_damaged_or_none_at_all(pgn):
    kept(pgn, game_of(1, 1, DRAW), game_of(1, 2, DRAW))
    path = pgn.with_name("games.pgn.journal")
    path.write_text(path.read_text().replace('"game":1', '"game":'))
    with pytest.raises(ValueError, match="damaged"):
        kept(pgn)
    path.write_text("something else\n")
    with pytest.raises(ValueError, match="no journal"):
        kept(pgn)


def test_one_contest_is_not_played_twice_at_a_time(pgn):
    pytest.importorskip("fcntl")
    journal = GameJournal(pgn, IDENTITY)
    with pytest.raises(ValueError, match="in use"):
        GameJournal(pgn, IDENTITY)
    journal.close()


def test_differences_are_named():
    assert different_parts({"a": [1, 2], "b": 1}, {"a": [1, 3], "b": 1}) == ["a"]
    assert different_parts({"a": [{"b": 1}]}, {"a": [{"b": 1}, {"b": 2}]}) == ["a"]
    assert different_parts({}, {"a": 1}) == ["a"]
    ours, book = {"openings": "common"}, {"openings": {"file": "0123"}}
    assert different_parts(ours, book) == different_parts(book, ours) == ["openings"]


def test_what_makes_another_contest(tmp_path):
    book = tmp_path / "book.epd"
    book.write_text(f"{MIDDLE_GAME.fen}\n")
    source, one, other = source_of(book), fake("A"), fake("B")
    contest = contest_of(one, other)
    begun = planning.identity_of(contest, source)
    assert planning.identity_of(contest._replace(rounds=9, event="another name"), source) == begun
    for change in (
        {"rules": Rules(max_moves=9)},
        {"chess960": True},
        {"scheme": ROUND_ROBIN},
        {"engines": (one, fake("C"))},
        {"engines": (one, fake("B", "good", "seed=2"))},
        {"engines": (one, fake("B", tc="tc=20+0.2"))},
        {"engines": (one, other._replace(options=(("Hash", "8"),)))},
    ):
        assert planning.identity_of(contest._replace(**change), source) != begun, change
    others = [
        None,
        *(source._replace(**change) for change in ({"start": 2}, {"order": "random"}, {"plies": 4})),
    ]
    assert all(planning.identity_of(contest, each) != begun for each in others)
    book.write_text(f"{MIDDLE_GAME.fen}\n{END_GAME.fen}\n")
    assert planning.identity_of(contest, source) != begun


# --- standings ------------------------------------------------------------------------------------


def test_standings_of_two():
    standings = Standings(contest_of(fake("A"), fake("B"), rounds=9))
    results = [(1, 1, WHITE_WINS), (2, 1, DRAW), (1, 2, BLACK_WINS), (3, 2, WHITE_WINS), (2, 2, BLACK_WINS)]
    for result in results:
        standings.add(game_of(*result))
    assert standings.games == 5
    assert tuple(standings.pairs()) == (0, 0, 0, 1, 1)
    report = standings.report()
    assert report[0] == "Results of A vs B (20+0.1):"
    assert report[3] == "Games: 4, Wins: 3, Losses: 0, Draws: 1, Points: 3.5 (87.50 %)"
    assert report[4] == "Ptnml(0-2): [0, 0, 0, 1, 1], WL/DD Ratio: nan"


def test_standings_tell_both_clocks_if_they_differ():
    standings = Standings(contest_of(fake("A"), fake("B", tc="nodes=500")))
    assert standings.report()[0] == "Results of A vs B (20+0.1 against 500 nodes):"


def test_the_second_game_of_a_pair_may_end_first():
    standings = Standings(contest_of(fake("A"), fake("B")))
    standings.add(game_of(1, 2, WHITE_WINS))  # B wins
    standings.add(game_of(1, 1, DRAW))
    assert tuple(standings.pairs()) == (0, 1, 0, 0, 0)


def test_a_report_made_while_a_game_is_counted_is_made_again(pgn, monkeypatch):
    def of_results(points):
        monkeypatch.undo()
        session.report()
        return Pairs.of_results(points)

    contest = contest_of(*(fake(name) for name in "ABC"))
    with MatchSession(MatchPlan(contest, IDENTITY, str(pgn))) as session:
        session.standings.add(game_of(1, 1, DRAW))
        monkeypatch.setattr(Pairs, "of_results", of_results)
        session.standings.add(game_of(1, 2, DRAW))
        assert session.report() == session.standings.report()


def test_standings_of_many():
    contest = contest_of(*(fake(name) for name in "ABC"), scheme=ROUND_ROBIN)
    standings = Standings(contest)
    for pair, (white, black) in enumerate((("A", "B"), ("A", "C"), ("B", "C")), 1):
        for number, result in ((1, BLACK_WINS), (2, WHITE_WINS)):  # the second one wins both
            standings.add(game_of(pair, number, result, white, black))
    heading, *rows = standings.report()
    assert heading.split()[:3] == ["Rank", "Name", "Elo"]
    assert [row.split()[:2] for row in rows] == [["1", "C"], ["2", "B"], ["3", "A"]]
    assert [row.split(maxsplit=6)[6].strip() for row in rows] == [
        "4  100.00 % [0, 0, 0, 0, 2]",
        "4   50.00 % [1, 0, 0, 0, 1]",
        "4    0.00 % [2, 0, 0, 0, 0]",
    ]


# --- the commands ---------------------------------------------------------------------------------

LOUD, MEEK = ("good", "score=900"), ("good", "score=-900")
QUICKLY = ["--resign", "movecount=1", "--tc", "20+0.1", "--runner", "builtin"]


def arguments_for(pgn, first, second, *more):
    engines = ["--engine", *words_of("A", *first), "--engine", *words_of("B", *second)]
    return [*engines, *QUICKLY, "--pgn", str(pgn), *more]


def test_a_match(pgn, capsys):
    arguments = arguments_for(pgn, LOUD, MEEK, "--rounds", "2", "--concurrency", "1")
    assert match_command.main(arguments) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == f"A vs B: 4 games, 1 at a time, built-in runner, to {pgn}"
    assert printed[1] == "Finished game 1.1 (A vs B): 1-0 {White wins by adjudication}"
    assert printed[-3] == "Games: 4, Wins: 4, Losses: 0, Draws: 0, Points: 4.0 (100.00 %)"
    assert printed[-1].startswith("4 of 4 games, ")
    assert "left" not in printed[-1]
    with open(pgn) as file:
        games = [chess.pgn.read_game(file) for _ in range(4)]
    assert [game.headers["Round"] for game in games] == ["1.1", "1.2", "2.1", "2.2"]
    assert all(not game.errors for game in games)

    arguments[arguments.index("--rounds") + 1] = "3"
    assert match_command.main(arguments) == 0
    printed = capsys.readouterr().out
    assert printed.count("Finished game") == 2
    assert "Games: 6, Wins: 6" in printed


def test_an_engine_that_ended_between_two_games_is_told(pgn, tmp_path, capsys):
    engines = ("leave", "at=1", f"pids={tmp_path / 'pids'}"), ("good", f"after={tmp_path / 'pids'}")
    arguments = arguments_for(pgn, *engines, "--rounds", "1", "--concurrency", "1", "--max-moves", "1")
    arguments += ["--openings", str(DATA / "openings.epd")]  # the moves of another opening would count
    count = "Games before which an engine had ended and was started again: 1"
    assert match_command.main(arguments) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[2] == "Warning; A ended before game 1.2, and was started again"
    assert count in printed
    assert match_command.main(arguments) == 0
    assert count in capsys.readouterr().out  # the journal knows it


def test_an_event_whose_name_is_no_utf_8(pgn, capsys):
    arguments = arguments_for(pgn, LOUD, MEEK, "--rounds", "1", "--concurrency", "1", "--event", "caf\udce9")
    assert match_command.main(arguments) == 0
    assert pgn.read_text(encoding="utf-8").count('[Event "caf?"]') == 2


def test_nobody_is_told_that_the_reader_of_the_output_has_ended(pgn, capsys, monkeypatch):
    class Closed(io.StringIO):
        def write(self, text):
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stdout", Closed())
    with pytest.raises(BrokenPipeError):  # `bluekrait` then ends without a word
        match_command.main(arguments_for(pgn, LOUD, MEEK, "--rounds", "1", "--concurrency", "1"))
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("command, code", [(match_command, 1), (sprt_command, 3)])
def test_a_full_disk_costs_one_line_and_is_no_result(command, code, pgn, capsys, monkeypatch):
    class Full(io.StringIO):
        def write(self, text):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(sys, "stdout", Full())
    assert command.main(arguments_for(pgn, LOUD, MEEK, "--rounds", "1", "--concurrency", "1")) == code
    assert capsys.readouterr().err == f"{command.PROGRAM}: No space left on device\n"


def test_a_match_without_standard_output_keeps_its_games(pgn, monkeypatch):
    arguments = arguments_for(pgn, LOUD, MEEK, "--rounds", "1", "--concurrency", "1")
    monkeypatch.setattr(sys, "stdout", None)  # it was closed at the start
    assert match_command.main(arguments) == 0
    assert pgn.read_text().count("[Event ") == 2


def test_a_test_that_passes(pgn, capsys):
    arguments = arguments_for(pgn, LOUD, MEEK, "--elo0", "0", "--elo1", "200", "--concurrency", "1")
    assert sprt_command.main(arguments) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[-1] == "Passed: H1 was accepted"
    assert printed[-3].startswith("LLR: 3.4")
    assert printed[-3].endswith("(-2.94, 2.94) [0.00, 200.00]")
    assert pgn.read_text().count("[Event") == 14  # seven pairs are enough, and no eighth is finished
    assert sprt_command.main(arguments) == 0  # it is decided already
    assert "Finished game" not in capsys.readouterr().out


def test_a_test_that_fails(pgn, capsys):
    arguments = arguments_for(pgn, MEEK, LOUD, "-sprt", "elo0=0", "elo1=200", "model=normalized")
    assert sprt_command.main([*arguments, "--concurrency", "2"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "Failed: H0 was accepted"


def test_a_test_without_a_verdict(pgn, capsys):
    assert sprt_command.main(arguments_for(pgn, LOUD, MEEK, "--rounds", "1", "--concurrency", "1")) == 3
    assert capsys.readouterr().out.splitlines()[-1] == "Undecided"


def test_options_about_the_output_of_other_runners_are_said_to_have_no_effect(pgn, capsys):
    other = ("--output", "format=cutechess", "--wait", "10")
    assert match_command.main(arguments_for(pgn, LOUD, MEEK, "--rounds", "1", *other)) == 0
    text = "".join(capsys.readouterr())
    assert "--output has no effect here" in text and "--wait" not in text


def test_reports_are_written_when_it_is_over(pgn, capsys):
    pytest.importorskip("bluekrait.tools.report")
    html, plot = pgn.with_suffix(".html"), pgn.with_suffix(".svg")
    more = ("--rounds", "2", "--concurrency", "1", "--report", str(html), "--plot", str(plot))
    assert sprt_command.main(arguments_for(pgn, LOUD, MEEK, *more)) == 3
    assert html.stat().st_size > 1000
    assert plot.stat().st_size > 1000


@pytest.mark.parametrize("name", ["games.pgn", "games.pgn.journal"])
def test_the_games_are_not_replaced_by_their_report(pgn, name, capsys):
    kept(pgn, game_of(1, 1, DRAW))
    before = {path: path.read_bytes() for path in pgn.parent.iterdir()}
    assert match_command.main(arguments_for(pgn, LOUD, MEEK, "--report", str(pgn.with_name(name)))) == 2
    assert "would replace what this command works on" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in pgn.parent.iterdir()} == before


def test_another_page_is_not_replaced_by_the_report(pgn, capsys):
    page = pgn.with_suffix(".html")
    page.write_text("precious")
    assert match_command.main(arguments_for(pgn, LOUD, MEEK, "--report", str(page))) == 2
    assert "games.html is there, and was not written by this command" in capsys.readouterr().err
    assert page.read_text() == "precious" and not pgn.exists()


@pytest.mark.parametrize(
    "output", [("--pgn", "book.svg", "--overwrite"), ("--report", "book.svg"), ("--plot", "book.svg")]
)
def test_the_openings_are_not_replaced(output, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    book = tmp_path / "book.svg"
    book.write_text(f"{MIDDLE_GAME.fen}\n")
    more = ("--openings", f"file={book}", "format=epd", *output)
    assert match_command.main(["--engine", "true", "--engine", "true", "--runner", "builtin", *more]) == 2
    assert "book.svg would replace what this command works on" in capsys.readouterr().err
    assert book.read_text() == f"{MIDDLE_GAME.fen}\n"


def test_what_fails_in_a_match_costs_one_line(pgn, capsys, monkeypatch):
    def fail(session):
        raise chess.IllegalMoveError("illegal move in an opening")

    monkeypatch.setattr(MatchSession, "run", fail)
    assert match_command.main(arguments_for(pgn, LOUD, MEEK)) == 1
    assert capsys.readouterr().err == "bluekrait match: illegal move in an opening\n"


TWO = ("--engine", "sh", "--engine", "sh")


def never_started(engines):
    pytest.fail("the engines are started")


@pytest.mark.parametrize(
    ("command", "more", "words"),
    [
        (match_command, ["--engine", "sh"], "two engines are needed"),
        (
            match_command,
            ["--engine", "sh", "--engine", "no-such-engine"],
            "the engine no-such-engine does not exist",
        ),
        (match_command, [*TWO, "--tc", "fast"], "'fast' is no time control"),
        (match_command, [*TWO, "--each", "name=B"], "--each name=B: a word for one engine only"),
        (match_command, [*TWO, "--each", "tc=inf"], "sh has no limit"),
        (match_command, [*TWO, "--openings", "no-such-file.epd"], "no-such-file.epd"),
        (
            match_command,
            [*TWO, "--openings", "sh.epd", "order=alphabetical"],
            "--openings order=alphabetical: it is sequential or random",
        ),
        (match_command, [*TWO, "--rounds", "0"], "argument --rounds: '0' is not a number"),
        (match_command, [*TWO, "--games", "3"], "--games must be even"),
        (match_command, [*TWO, "--games", "4", "--rounds", "2"], "a round has 2 games"),
        (match_command, [*TWO, "--resign", "score=lots"], "--resign score is a number"),
        (match_command, [*TWO, "--draw", "moves=3"], "--draw moves=3: unknown word"),
        (match_command, [*TWO, "--resign", "twosided=perhaps"], "--resign twosided=perhaps"),
        (match_command, ["--engine", "sh restart=maybe", "--engine", "sh"], "restart=maybe"),
        (match_command, ["--engine", "sh timemargin=-50", "--engine", "sh"], "timemargin=-50"),
        (match_command, [*TWO, "--each", f"timemargin={10**400}"], "a positive number is expected"),
        (match_command, [*TWO, "--report", "."], ". cannot be written"),
        (match_command, [*TWO, "--tb", "/no/such/folder"], "--tb /no/such/folder"),
        (match_command, [*TWO, "--tb", "/"], "--tb /: there are no Syzygy tables"),
        (
            match_command,
            [*TWO, "--runner", "no-such-runner"],
            "--runner no-such-runner: there is no such program",
        ),
        (match_command, [*TWO, "--scheme", "knockout"], "argument --scheme: 'knockout'"),
        (match_command, [*TWO, "--variant", "fischerandom"], "--variant fischerandom needs --openings"),
        (
            match_command,
            [*TWO, "--concurrency", "999", "--affinity"],
            "lower --concurrency or Threads, or name more processors",
        ),
        (
            match_command,
            [*TWO, "--runner", "builtin", "--pgn", "no/such/folder/a.pgn"],
            "no/such/folder/a.pgn cannot be written",
        ),
        (match_command, ["--nonsense"], "unrecognized arguments: --nonsense"),
        (sprt_command, [*TWO, "--elo0", "5", "--elo1", "0"], "elo0 (5) must be less than elo1 (0)"),
        (sprt_command, [*TWO, "--alpha", "1"], "alpha and beta must lie between 0 and 0.5"),
        (sprt_command, [*TWO, "--model", "bayesian"], "argument --model: invalid choice: 'bayesian'"),
        (sprt_command, [*TWO, "--sprt", "elo0=low"], "--sprt: could not convert"),
        (sprt_command, [*TWO, "--sprt", "elo0=low", "--sprt", "elo1=9"], "--sprt: could not convert"),
        (sprt_command, [*TWO, "--engine", "sh"], "a test is between two engines"),
    ],
)
def test_wrong_arguments(command, more, words, capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(match_command, "check_engines", never_started)
    monkeypatch.chdir(tmp_path)
    try:
        code = command.main(more)
    except SystemExit as leaving:
        code = leaving.code
    complaint = capsys.readouterr().err
    assert code == 2
    assert complaint.count("\n") == 1
    assert complaint.startswith(f"{command.PROGRAM}: ") and words in complaint
    assert list(tmp_path.iterdir()) == []


def test_a_program_that_is_no_engine(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert match_command.main(["--engine", "true", "--engine", "true", "--runner", "builtin"]) == 2
    assert re.fullmatch("bluekrait match: true does not start: .+\n", capsys.readouterr().err)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [match_command, sprt_command])
def test_help(command, capsys):
    with pytest.raises(SystemExit) as leaving:
        command.main(["--help"])
    assert leaving.value.code == 0
    printed = capsys.readouterr().out
    assert "exit code: 0" in printed
    assert "examples:" in printed


def test_the_language_of_other_runners():
    spoken = (
        "-engine cmd=a -each tc=1 -pgnout file=b.pgn -srand 5 -maxmoves 9 -tournament round-robin -elo0 -5"
    )
    ours = "--engine cmd=a --each tc=1 --pgn file=b.pgn --seed 5 --max-moves 9 --scheme roundrobin --elo0 -5"
    assert normalised(spoken.split()) == ours.split()


def test_options_of_other_runners_that_change_no_game_are_ignored():
    parser = Parser("a match")
    add_common_options(parser, "match.pgn")
    words = "-recover -repeat 2 -wait 10 -ratinginterval 10 -scoreinterval 1 -autosaveinterval 0 -debug"
    words += " -site Here -strict -epdout file=end.epd -config outname=a.json -bookmode disk"
    words += " -log file=log.txt level=warn -output format=cutechess -report penta=true -force-concurrency"
    words += " -check-mate-pvs -startup-ms 9000 -ucinewgame-ms 9000 -ping-ms 9000"
    options = parser.parse_args(normalised(["-engine", "cmd=a", *words.split(), "-engine", "cmd=b"]))
    assert options.engine == [["cmd=a"], ["cmd=b"]] and options.report is None
    assert parser.parse_args(["--report", "page.html"]).report == "page.html"


def test_a_file_with_settings_of_fastchess_is_not_ignored(capsys):
    assert match_command.main(["-engine", "cmd=sh", "-engine", "cmd=sh", "-config", "file=a.json"]) == 2
    assert capsys.readouterr().err == (
        "bluekrait match: --config file=a.json: settings are not read from a file, write them out\n"
    )


def test_a_match_says_which_command_is_a_sequential_test(capsys):
    assert match_command.main(["-engine", "cmd=sh", "-engine", "cmd=sh", "-sprt", "elo0=0", "elo1=5"]) == 2
    assert capsys.readouterr().err == "bluekrait match: --sprt: use bluekrait sprt, with the same words\n"


def test_an_engine_that_does_not_start_ends_the_match_without_a_result(pgn, capsys, monkeypatch):
    # It starts before the match.
    monkeypatch.setattr(match_command, "check_engines", lambda engines, is_builtin: [])
    assert match_command.main(arguments_for(pgn, LOUD, ("die",), "--rounds", "9", "--concurrency", "2")) == 1
    printed = capsys.readouterr()
    assert re.fullmatch(r"bluekrait match: B does not start: .*no weights.*\n", printed.err)
    assert "0 of 18 games" in printed.out and pgn.read_text() == ""


def test_as_many_games_at_a_time_as_the_threads_of_an_engine_allow(monkeypatch):
    monkeypatch.setattr(processors, "usable_processors", lambda: list(range(8)))
    parser = Parser("a match")
    add_common_options(parser, "games.pgn")
    one, three = ["--engine", sys.executable], ["--engine", sys.executable, "option.Threads=3"]
    for engines in (one + three, three + one):
        assert planning.plan_of(parser.parse_args(engines), 10, GAUNTLET).concurrency == 2
    options = parser.parse_args([*one, *one])
    assert planning.plan_of(options, 10, GAUNTLET).concurrency == 8
    assert planning.plan_of(options, 1, GAUNTLET).concurrency == 2  # games


def test_words_for_all_engines_may_be_given_several_times():
    parser = Parser("a match")
    add_common_options(parser, "games.pgn")
    more = [["nodes=100"], ["option.Hash=1 option.Own=a"], ["option.Hash=8", "depth=3"]]
    words = [word for texts in more for word in ("--each", *texts)]
    for engine in planning.engines_of(parser.parse_args([*TWO, *words])):
        assert (engine.time.nodes, engine.time.depth, engine.time.seconds) == (100, 3, 0)
        assert dict(engine.options) == {"Hash": "8", "Own": "a"}
    assert planning.engines_of(parser.parse_args(TWO))[0].options == ()  # nothing of it is kept


def test_words_of_rules_and_tests_may_be_given_in_parts():
    parser = Parser("a match")
    add_common_options(parser, "games.pgn")
    words = "--resign --resign score=500 --resign movecount=2 --draw movenumber=20 --draw score=5"
    rules = rules_of(parser.parse_args(words.split()))
    assert (rules.resign_score, rules.resign_moves) == (500, 2)
    assert (rules.draw_from, rules.draw_score) == (20, 5)


def test_as_many_games_at_a_time_as_there_are_processors_to_be_bound_to(monkeypatch):
    monkeypatch.setattr(processors, "usable_processors", lambda: list(range(8)))
    parser = Parser("a match")
    add_common_options(parser, "games.pgn")
    words = [
        "--engine",
        sys.executable,
        "--engine",
        sys.executable,
        "option.Threads=2",
        "--runner",
        "builtin",
    ]
    for cpus, expected in (("1", None), ("1,2,5", [{1, 2}]), ("0-3", [{0, 1}, {2, 3}])):
        options = parser.parse_args([*words, "--affinity", cpus])
        if expected:
            assert planning.plan_of(options, 10, GAUNTLET).cpus == expected
        else:
            with pytest.raises(ValueError, match="--affinity: 1 game at a time needs 2 processors, not 1"):
                planning.plan_of(options, 10, GAUNTLET)


def test_the_seed_decides_the_order_of_the_openings(tmp_path):
    source = planning.source_from([str(tmp_path / "book.epd"), "order=random", "start=5"], 7)
    assert (source.format, source.order, source.seed, source.start) == ("epd", "random", 7, 5)


def test_how_far_a_match_is(pgn, monkeypatch):
    seconds = iter([100.0, 110.0])
    monkeypatch.setattr(match_session, "monotonic", lambda: next(seconds))
    contest, bounds = contest_of(fake("A"), fake("B"), rounds=4), Bounds(-50, 50, alpha=0.01, beta=0.1)
    with MatchSession(MatchPlan(contest, IDENTITY, str(pgn), bounds=bounds)) as session:
        for game in (game_of(1, 1, BLACK_WINS), game_of(1, 2, WHITE_WINS)):  # A loses both
            session.standings.add(game)
        assert session.share_done() == 0.25
        assert session.progress_text() == "2 of 8 games, 0:10, at most 0:30 left"
        share, bound = session.share_of_test()
        assert bound == "to H0" and share == pytest.approx(llr(Pairs(ll=1), bounds) / log(0.1 / 0.99))


def test_how_far_a_test_is_that_a_stronger_engine_passes(pgn, monkeypatch):
    seconds = iter([100.0, 110.0, 120.0, 130.0])
    monkeypatch.setattr(match_session, "monotonic", lambda: next(seconds))
    bounds = Bounds(0, 200, alpha=0.01, beta=0.1)
    contest = contest_of(fake("A"), fake("B"), rounds=30)
    with MatchSession(MatchPlan(contest, IDENTITY, str(pgn), bounds=bounds)) as session:
        assert session.progress_text() == "0 of 60 games, 0:10"  # nothing tells how long a game takes
        for pair in range(1, 21):
            session.standings.add(game_of(pair, 1, WHITE_WINS))
            session.standings.add(game_of(pair, 2, BLACK_WINS))
            if pair == 1:
                share, bound = session.share_of_test()
                assert bound == "to H1" and share == pytest.approx(llr(Pairs(ww=1), bounds) / log(0.9 / 0.01))
                assert session.progress_text() == "2 of 60 games, 0:20, at most 9:40 left"
        assert session.accepted_hypothesis() == "H1"
        assert session.progress_text() == "40 of 60 games, 0:30"


def test_the_time_that_is_left_is_told_by_the_games_of_this_run(pgn, monkeypatch):
    kept(pgn, *(game_of(pair, number, DRAW) for pair in (1, 2) for number in (1, 2)))
    seconds = iter([100.0, 110.0])
    monkeypatch.setattr(match_session, "monotonic", lambda: next(seconds))
    with MatchSession(MatchPlan(contest_of(fake("A"), fake("B"), rounds=4), IDENTITY, str(pgn))) as session:
        session.standings.add(game_of(3, 1, DRAW))
        assert session.progress_text() == "5 of 8 games, 0:10, 0:30 left"


@pytest.mark.parametrize(
    ("names", "more", "title"),
    [
        ("AB", {}, "A vs B: 4 games, 3 at a time, built-in runner, to "),
        ("ABC", {}, "3 engines: 8 games, 3 at a time, built-in runner, to "),
        ("AB", {"cluster": "tcp://one:8786"}, "A vs B: 4 games, on tcp://one:8786, to "),
        (
            "AB",
            {"bounds": Bounds(0, 5)},
            "A vs B: SPRT [0.00, 5.00] normalized, up to 4 games, 3 at a time, built-in runner, to ",
        ),
    ],
)
def test_what_is_played_is_told_in_a_line(pgn, names, more, title):
    contest = contest_of(*map(fake, names), rounds=2)
    with MatchSession(MatchPlan(contest, IDENTITY, str(pgn), concurrency=3, **more)) as session:
        assert session.title == f"{title}{pgn}"


def test_fewer_rounds_than_were_played_are_no_more_games_to_play(pgn, capsys):
    arguments = arguments_for(pgn, LOUD, MEEK, "--concurrency", "1", "--rounds")
    assert match_command.main([*arguments, "3"]) == match_command.main([*arguments, "1"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("6 of 6 games, ")


# --- interruptions --------------------------------------------------------------------------------


WITH_HELPER = ["helper=yes"] if hasattr(os, "fork") else []


@pytest.fixture
def running(pgn, tmp_path):
    """A match in a process of its own, some of whose games are finished; and the command that started it."""
    engine = ("good", "sleep=0.02", f"pids={tmp_path / 'pids'}", *WITH_HELPER)
    command = [sys.executable, "-m", "bluekrait.uci", "match"]
    command += [
        *arguments_for(pgn, engine, engine),
        "--rounds",
        "6",
        "--concurrency",
        "2",
        "--max-moves",
        "12",
    ]
    with open(tmp_path / "errors", "w") as errors:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True
        )
    for line in process.stdout:
        if line.startswith("Finished game 2"):
            break
    yield process, command
    process.kill()
    process.wait()
    process.stdout.close()


def keys_in(pgn):
    with open(pgn) as file:
        tags = iter(lambda: chess.pgn.read_headers(file), None)
        return [tuple(map(int, tag["Round"].split("."))) for tag in tags]


def test_a_match_that_is_killed_goes_on(running, pgn, tmp_path):
    process, command = running
    process.kill()
    process.wait()
    wait_until_gone(tmp_path / "pids")
    before = keys_in(pgn)
    assert 2 <= len(before) < 12
    finished = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert finished.count("Finished game") == 12 - len(before)
    assert f"\n{len(before)} games are already in " in finished and "Warning" not in finished
    assert keys_in(pgn)[: len(before)] == before
    assert sorted(keys_in(pgn)) == [(pair, number) for pair in range(1, 7) for number in (1, 2)]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, CLOSED_TERMINAL])
def test_a_match_that_is_interrupted(running, pgn, tmp_path, how):
    process, _ = running
    interrupt(process, how)
    rest = process.stdout.read()
    assert process.wait() == 130
    assert "Games: " in rest
    assert "The same command continues" in rest
    assert "child process" not in (tmp_path / "errors").read_text()  # a complaint of asyncio
    wait_until_gone(tmp_path / "pids")
    assert len(noted_processes(tmp_path / "pids")) >= 2
    assert len(keys_in(pgn)) >= 2


@pytest.mark.skipif(os.name == "nt", reason="Windows starts processes otherwise")
@pytest.mark.parametrize("number", [1, 2], ids=["resource tracker", "game"])
def test_a_match_that_is_terminated_while_it_starts_a_process(pgn, tmp_path, number):
    ended = terminated_at_start(tmp_path, number, "match", *arguments_for(pgn, LOUD, MEEK, "--rounds", "1"))
    assert (ended.returncode, ended.stderr) == (130, "")


COMPLAINT = """
import logging
from bluekrait.tools.match.runner import processes
processes._clean_up.append(lambda: logging.getLogger("asyncio").warning("Unknown child process"))
processes._exit()
"""


def test_nothing_is_logged_while_a_process_is_ended():
    ended = subprocess.run([sys.executable, "-c", COMPLAINT], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (1, "")


# --- the display ----------------------------------------------------------------------------------


ERASE_LINE = "\x1b[2K"


class Status:
    """What a display shows."""

    title, bounds = "A vs B", object()

    def report(self):
        return ["Elo: 1.00 +/- 2.00", "[0.00, 5.00]"]

    def progress_text(self):
        return "1 of 2 games"

    def share_done(self):
        return 0.5

    def share_of_test(self):
        return 0.25, "to H0"


def test_the_live_display():
    rich_console = pytest.importorskip("rich.console")
    from bluekrait.tools.match.display.live import LiveDisplay

    screen = io.StringIO()
    console = rich_console.Console(file=screen, force_terminal=True, width=100)
    schedule = list(contest_of(fake("A"), fake("B")).schedule())
    with LiveDisplay(Status(), console) as display:
        for scheduled in schedule:
            display.game_started(scheduled)
        display.game_finished(game_of(1, 1, WHITE_WINS))
        display.warn("[odd] things")
        for text in (
            "A vs B",
            "1 of 2 games",
            "to H0",
            "Elo: 1.00 +/- 2.00",
            "[0.00, 5.00]",
            "game 1.2",
            "[odd] things",
            "Finished game 1.1 (A vs B): 1-0 {for no reason}",
        ):
            wait_until(lambda text=text: text in screen.getvalue())
    assert ERASE_LINE in screen.getvalue().rpartition("Elo: ")[2]  # nothing stays but the note


def drawn(display):
    """What a live display shows, as lines."""
    console = pytest.importorskip("rich.console").Console(width=100, color_system=None)
    with console.capture() as captured:
        console.print(display._view())
    return [line.rstrip() for line in captured.get().splitlines()]


def test_the_live_display_shows_the_last_games_and_the_first_of_those_that_run(monkeypatch):
    pytest.importorskip("rich")
    from bluekrait.tools.match.display import live

    now = [100.0]
    monkeypatch.setattr(live, "monotonic", lambda: now[0])
    monkeypatch.setattr(live, "LAST_GAMES", 3)
    monkeypatch.setattr(live, "MOST_RUNNING", 2)
    display = live.LiveDisplay(Status())
    for scheduled in contest_of(fake("A"), fake("B"), rounds=4).schedule():
        display.game_started(scheduled)
        now[0] += 60
    for pair, number, result in (1, 1, WHITE_WINS), (1, 2, BLACK_WINS), (2, 1, DRAW), (3, 1, UNKNOWN):
        display.game_finished(game_of(pair, number, result))
    assert drawn(display)[5:] == [
        "Finished game 1.2 (B vs A): 0-1 {for no reason}",
        "Finished game 2.1 (A vs B): 1/2-1/2 {for no reason}",
        "Finished game 3.1 (A vs B): * {for no reason}",
        "game 2.2  B vs A  5:00",
        "game 3.2  B vs A  3:00",
    ]
    styles = [part.style for part in display._view().renderables if hasattr(part, "plain")]
    assert styles[-3:] == [live.STYLES[BLACK_WINS], live.STYLES[DRAW], ""]


def test_the_live_display_shows_names_as_they_are():
    pytest.importorskip("rich")
    from bluekrait.tools.match.display import live

    for names in ("[bold]A", "B [dev]"), ("A[/dev]", ":smiley:"):
        display = live.LiveDisplay(Status())
        display.game_started(next(contest_of(*map(fake, names)).schedule()))
        assert drawn(display)[-1].startswith(f"game 1.1  {names[0]} vs {names[1]}  ")


def test_the_live_display_has_a_bar_for_the_games_and_one_for_a_test(monkeypatch):
    pytest.importorskip("rich")
    from bluekrait.tools.match.display import live

    monkeypatch.setattr(live, "BAR_WIDTH", 8)
    display = live.LiveDisplay(Status())
    assert drawn(display)[1:3] == ["━━━━      1 of 2 games", "━━        to H0"]
    monkeypatch.setattr(Status, "bounds", None)
    assert drawn(display)[1:] == ["━━━━      1 of 2 games", *Status().report()]


def test_games_may_end_while_the_live_display_is_drawn(monkeypatch):
    pytest.importorskip("rich")
    from bluekrait.tools.match.display import live

    def text_while_a_game_ends(game):
        display.game_finished(game_of(2, 1, DRAW))
        return game.result

    display = live.LiveDisplay(Status())
    for number in (1, 2):
        display.game_finished(game_of(1, number, WHITE_WINS))
    monkeypatch.setattr(live, "finished_text", text_while_a_game_ends)
    shown = [part.plain for part in display._view().renderables if hasattr(part, "plain")]
    assert shown.count(WHITE_WINS) == 2


def test_the_display_elsewhere(capsys):
    with PlainDisplay(Status()) as display:
        display.game_started(None)
        display.game_finished(game_of(1, 2, DRAW))
        display.warn("odd")
        display.report()
    printed = capsys.readouterr().out.splitlines()
    assert printed[:3] == ["A vs B", "Finished game 1.2 (B vs A): 1/2-1/2 {for no reason}", "Warning; odd"]
    assert printed[3:] == [SEPARATOR, "Elo: 1.00 +/- 2.00", "[0.00, 5.00]", "1 of 2 games", SEPARATOR]


def test_the_display_elsewhere_tells_the_standings_from_time_to_time(monkeypatch, capsys):
    now = [100.0]
    monkeypatch.setattr(plain, "monotonic", lambda: now[0])
    display, reported = PlainDisplay(Status()), []
    for seconds in (0.0, REPORT_SECONDS - 1, REPORT_SECONDS, 2 * REPORT_SECONDS - 1, 2 * REPORT_SECONDS):
        now[0] = 100.0 + seconds
        display.game_finished(game_of(1, 1, DRAW))
        reported.append("1 of 2 games" in capsys.readouterr().out)
    assert reported == [False, False, True, False, True]


def test_which_display_is_shown(monkeypatch):
    pytest.importorskip("rich")
    from bluekrait.tools.match.display import display_for, live

    for stdout, kind in (
        (SimpleNamespace(isatty=lambda: True), live.LiveDisplay),
        (SimpleNamespace(isatty=lambda: False), PlainDisplay),
        (None, PlainDisplay),  # it was closed at the start
    ):
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", stdout)
            display = display_for(Status())
        assert type(display) is kind
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setitem(sys.modules, "bluekrait.tools.match.display.live", None)  # as where rich is missing
    assert type(display_for(Status())) is PlainDisplay


def test_durations():
    assert [duration_text(seconds) for seconds in (0, 59.6, 3599, 3600, 90061)] == [
        *("0:00", "1:00", "59:59", "1:00:00", "25:01:01")
    ]
    assert [duration_text(float(text)) for text in ("-5", "inf", "nan")] == ["0:00", "?", "?"]
