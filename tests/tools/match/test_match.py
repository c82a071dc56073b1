"""Matches: who plays whom, clocks, the referee, and games of engines good and bad."""

import asyncio
import io
import os
import pickle
import re
import signal
import sys
import sysconfig
from contextlib import nullcontext
from datetime import datetime, timezone
from itertools import chain, repeat
from math import inf
from time import perf_counter

import chess
import chess.engine
import chess.pgn
import pytest

from bluekrait.search.evaluation.network import default_network
from bluekrait.tools.common import processors
from bluekrait.tools.common.processors import parse_processors, shared_out
from bluekrait.tools.match.results.finished_games import ABANDONED, finished_game, lost_by, now
from bluekrait.tools.match.runner import engine_process, game_play, game_processes, processes
from bluekrait.tools.match.runner.engine_check import check_engines
from bluekrait.tools.match.runner.engine_process import EngineMove, EngineProcess, StartFailure, limit_of
from bluekrait.tools.match.runner.game_play import GamePlayer, comment_of, score_text
from bluekrait.tools.match.runner.game_processes import play_games
from bluekrait.tools.match.runner.pair_play import play_in_sequence, play_pair
from bluekrait.tools.match.runner.referee import Referee
from bluekrait.tools.match.runner.timed_protocols import REJECTION, edit_commands, is_move
from bluekrait.tools.match.setup.common_openings import common_openings
from bluekrait.tools.match.setup.contest import ROUND_ROBIN, Rules
from bluekrait.tools.match.setup.engine_fingerprint import fingerprint
from bluekrait.tools.match.setup.engine_spec import (
    OUR_MODULE,
    OURSELVES,
    parse_common,
    parse_engine,
    split_words,
    with_distinct_names,
)
from bluekrait.tools.match.setup.opening_files import (
    START,
    Opening,
    openings_to_play,
    read_openings,
    source_of,
)
from bluekrait.tools.match.setup.tablebases import open_tables, tablebase_outcome
from bluekrait.tools.match.setup.time_control import SideClock, TimeControl, parse_time_control
from helpers.match.matches import (
    END_GAME,
    FAKE,
    MIDDLE_GAME,
    SHORT,
    all_are_gone,
    contest_of,
    fake,
    noted_processes,
)
from helpers.paths import DATA


@pytest.fixture(autouse=True)
def nobody_is_left_behind():
    """Every engine has been ended."""
    yield
    assert not processes._leaders


# --- time -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "seconds", "increment", "moves"),
    [
        ("8+0.08", 8, 0.08, 0),
        ("40/60+0.5", 60, 0.5, 40),
        ("40/60", 60, 0, 40),
        ("1:30+1", 90, 1, 0),
        ("40/2:00", 120, 0, 40),
        (".5", 0.5, 0, 0),
        ("0+1", 1, 1, 0),
        ("12345.25+0.0000001", 12345.25, 1e-7, 0),
        ("inf", 0, 0, 0),
    ],
)
def test_time_controls(text, seconds, increment, moves):
    control = parse_time_control(text)
    assert control[:3] == (seconds, increment, moves)
    assert parse_time_control(control.text()) == control if seconds else control.text() == "-"


def test_times_are_written_with_all_digits():
    assert TimeControl(1_800_000, 12345.25, 40).text() == "40/1800000+12345.25"
    assert TimeControl(move_time=1234.5678).text() == "1234.5678/move"


@pytest.mark.parametrize("text", ["", "8+", "+1", "40/", "8+-1", "0", "0+0", "1e3", "nan", "8 + 1"])
def test_what_is_no_time_control(text):
    with pytest.raises(ValueError):
        parse_time_control(text)


def test_the_clock_of_a_game():
    clock = SideClock(TimeControl(10.0, 0.5))
    assert clock.overrun(9.99) == 0
    assert clock.overrun(10.25) == 0.25
    clock.spend(4.0)
    assert clock.limit == 6.5


def test_the_clock_of_forty_moves():
    clock = SideClock(TimeControl(10.0, 0.0, moves=2))
    clock.spend(4.0)
    assert (clock.remaining, clock.moves_to_go) == (6.0, 1)
    clock.spend(1.0)
    assert (clock.remaining, clock.moves_to_go) == (15.0, 2)


def test_what_is_forgiven():
    clock = SideClock(TimeControl(1.0, 0.1, margin=0.05))
    assert clock.overrun(1.04) == 0
    assert clock.overrun(1.06) == pytest.approx(0.06)
    clock.spend(1.04)
    assert clock.remaining == pytest.approx(0.1)  # never less than nothing


def test_clocks_without_a_bank():
    move_time, nodes = SideClock(TimeControl(move_time=0.5)), SideClock(TimeControl(nodes=100))
    assert move_time.overrun(0.75) == 0.25
    move_time.spend(0.4)
    assert move_time.limit == 0.5
    assert nodes.limit is None
    assert nodes.overrun(1000.0) == 0


# --- engines --------------------------------------------------------------------------------------


def test_the_words_of_an_engine(tmp_path):
    program = tmp_path / "my engine"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    words = [f"cmd={program}", "name=Mine", "proto=xboard", "option.Hash=16", "option.Clear Hash=", "arg=a b"]
    words += ["args=c 'd e'", f"dir={tmp_path}", "tc=40/60+0.5", "timemargin=20", "restart=on"]
    engine = parse_engine(words, ("option.Hash=1", "option.Threads=2", "st=1"))
    assert engine.name == "Mine"
    assert engine.command == (str(program), "a b", "c", "d e")
    assert (engine.protocol, engine.directory, engine.restart) == ("xboard", str(tmp_path), True)
    assert dict(engine.options) == {"Hash": "16", "Threads": "2", "Clear Hash": ""}
    assert engine.time == TimeControl(60.0, 0.5, 40, margin=0.02)
    assert engine.threads == 2


def test_the_last_clock_counts():
    assert parse_engine(["sh", "st=0.5"], ("tc=40/60+0.5",)).time == TimeControl(move_time=0.5)
    assert parse_engine(["sh", "tc=8"], ("st=0.5", "nodes=9")).time == TimeControl(8.0, nodes=9)


def test_a_bare_name_is_looked_for_where_programs_are(tmp_path, monkeypatch):
    other = tmp_path / "sh"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    assert parse_engine(["sh"]).command != (str(other),)
    assert parse_engine(["./sh"]).command == (str(other),)


def test_names_can_be_written_into_any_file(tmp_path):
    program = tmp_path / "bk\udce9"  # a byte that is no UTF-8
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    engine = parse_engine([str(program)])
    assert (engine.name, engine.command) == ("bk?", (str(program),))
    assert parse_engine(["sh", "name=f\udce9 é"]).name == "f? é"


def test_an_engine_is_another_one_with_another_network_under_the_same_name(tmp_path):
    network = tmp_path / "run" / "network.bknn"
    network.parent.mkdir()
    engine = parse_engine(["sh", "option.EvalFile=run/network.bknn", f"dir={tmp_path}"])
    without = fingerprint(engine)
    network.write_bytes(b"one")
    first = fingerprint(engine)
    network.write_bytes(b"two")
    second = fingerprint(engine)
    assert first != second and "networks" not in without
    assert {**first, "networks": None} == {**second, "networks": None}


def test_a_changed_script_or_another_directory_makes_another_engine(tmp_path):
    (tmp_path / "other").mkdir()
    script, log = tmp_path / "engine.py", tmp_path / "engine.log"
    words = [sys.executable, "engine.py", str(log)]
    without = fingerprint(parse_engine([*words, f"dir={tmp_path}"]))
    script.write_text("print(1)")
    first = fingerprint(parse_engine([*words, f"dir={tmp_path}"]))
    log.write_text("a game")
    assert fingerprint(parse_engine([*words, f"dir={tmp_path}"])) == first
    script.write_text("print(2)")
    second = fingerprint(parse_engine([*words, f"dir={tmp_path}"]))
    elsewhere = fingerprint(parse_engine([*words, f"dir={tmp_path / 'other'}"]))
    assert "arguments" not in without and first["arguments"] != second["arguments"]
    assert without["directory"] != elsewhere["directory"]
    assert {"directory", "arguments"}.isdisjoint(fingerprint(parse_engine(["sh"])))


def script_of(folder):
    """A script like the one that pip makes for this program."""
    path = folder / OURSELVES
    folder.mkdir()
    path.write_text("#!/usr/bin/env python3\n")
    path.chmod(0o755)
    return path


def test_our_name_means_the_program_that_is_running(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(script_of(tmp_path / "bin").parent))
    assert parse_engine([OURSELVES, "x"]).command == (sys.executable, "-m", OUR_MODULE, "x")


def test_the_script_that_starts_this_program_is_this_program(tmp_path, monkeypatch):
    script = script_of(tmp_path / "bin")
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(script.parent))
    program = fingerprint(parse_engine([OURSELVES]))["program"]
    assert fingerprint(parse_engine([str(script)]))["program"] == program
    other = script_of(tmp_path / "other")
    assert fingerprint(parse_engine([str(other)]))["program"] != program


def test_another_installation_of_this_program_is_another_engine_after_an_upgrade(tmp_path):
    engine = parse_engine([str(script_of(tmp_path / "bin"))])
    record = tmp_path / "lib" / "python3.11" / "site-packages" / "bluekrait-0.1.dist-info" / "RECORD"
    record.parent.mkdir(parents=True)
    record.write_text("bluekrait/search/tree/alphabeta.py,sha256=1,1\n")
    before = fingerprint(engine)
    record.write_text("bluekrait/search/tree/alphabeta.py,sha256=2,1\n")
    assert fingerprint(engine) != before


def test_our_own_network_is_part_of_the_engine(monkeypatch):
    engine = parse_engine([OURSELVES])
    before = fingerprint(engine)
    monkeypatch.setattr(default_network, "content", lambda: b"another")
    assert fingerprint(engine) != before


def test_a_program_alone_is_an_engine(tmp_path):
    program = tmp_path / "my engine"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert parse_engine(split_words([str(program)])).command == (str(program),)
    engine = parse_engine(split_words(["sh -c exit option.Hash=16 tc=1"]))
    assert (engine.name, engine.command[1:]) == ("sh", ("-c", "exit"))
    assert dict(engine.options) == {"Hash": "16"}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "an engine needs a command"),
        (["name=A"], "an engine needs cmd=PROGRAM"),
        (["cmd=no-such-engine"], "the engine no-such-engine does not exist"),
        (["./no-such-engine"], "the engine ./no-such-engine does not exist"),
        (["cmd=sh", "hash=16"], "'hash' is none of cmd, name, "),
        (["cmd=sh", "option.=16"], "'option.' is none of cmd, name, "),
        (["cmd=sh", "word"], "'word' is not of the form key=value"),
        (["cmd=sh", "tc=fast"], "'fast' is no time control"),
        (["cmd=sh", "nodes=0"], "nodes=0: a positive number is expected"),
        (["cmd=sh", "depth=many"], "depth=many: a positive number is expected"),
        (["cmd=sh", "proto=usi"], "proto=usi: it is uci or xboard"),
        (["cmd=sh", "dir=/no/such/folder"], "there is no directory /no/such/folder"),
    ],
)
def test_words_that_make_no_engine(words, complaint):
    with pytest.raises(ValueError, match=re.escape(complaint)):
        parse_engine(words)


def test_engines_do_not_share_everything():
    assert parse_common(["tc=1", "option.Hash=1"]) == ("tc=1", "option.Hash=1")
    for word in ("name=A", "cmd=sh"):
        with pytest.raises(ValueError, match="one engine only"):
            parse_common([word])


def test_names_are_made_distinct():
    engines = with_distinct_names([fake("A"), fake("A"), fake("B"), fake("A")])
    assert [engine.name for engine in engines] == ["A", "A-2", "B", "A-3"]


# --- openings -------------------------------------------------------------------------------------

EPD = """\
# a comment
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - bm Nf3; id "one";

rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2; id "two";
rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
"""
PGN = """\
[Event "?"]

1. e4 {a comment} e5 2. Nf3 (2. f4) Nc6 *

[Event "?"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]

1. e4 Kd7 1-0
"""


def openings_in(folder, name, text, count=10, **settings):
    path = folder / name
    path.write_text(text)
    return read_openings(source_of(path, **settings), count)


def test_openings_of_an_epd_file(tmp_path):
    openings = openings_in(tmp_path, "book.epd", EPD)
    assert [opening.fen.split()[4:] for opening in openings] == [["0", "1"], ["0", "2"], ["0", "1"]]
    assert openings[0].board().piece_at(chess.E5)
    for start in (3, 6):  # after the last comes the first
        assert openings_in(tmp_path, "book.epd", EPD, 2, start=start) == (openings[2], openings[0])


def test_counters_of_an_epd_file(tmp_path):
    place = "rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -"
    lines = "\n".join(f"{place} {more}" for more in ("hmvc 3; fmvn 12;", 'id "a"; fmvn 9;', "bm e5; hmvc 7;"))
    openings = openings_in(tmp_path, "book.epd", lines)
    assert [opening.fen.split()[4:] for opening in openings] == [["3", "12"], ["0", "9"], ["7", "1"]]


def test_openings_of_a_pgn_file(tmp_path):
    openings = openings_in(tmp_path, "book.pgn", PGN)
    assert openings[0] == Opening(START, ("e2e4", "e7e5", "g1f3", "b8c6"))
    assert openings[1].board().fen() == "8/3k4/8/8/4P3/8/8/4K3 w - - 1 2"
    assert openings_in(tmp_path, "BOOK.PGN", PGN, plies=1)[0].moves == ("e2e4",)


@pytest.mark.parametrize("moves", ["1. e4 e5 2. Ke3 *", "1. e5 *"])
def test_a_pgn_with_illegal_moves(tmp_path, moves):
    with pytest.raises(ValueError, match="book.pgn, game 3: illegal"):
        openings_in(tmp_path, "book.pgn", f'{PGN}\n[Event "?"]\n\n{moves}\n')
    assert len(openings_in(tmp_path, "book.pgn", f'{PGN}\n[Event "?"]\n\n{moves}\n', 2)) == 2


def test_random_order_is_decided_by_the_seed(tmp_path):
    text = "\n".join(f"4k3/8/8/8/8/8/8/4K2R w K - 0 {number}" for number in range(1, 100))
    many = openings_in(tmp_path, "book.epd", text, 50, order="random", seed=7)
    assert len(set(many)) == 50
    assert openings_in(tmp_path, "book.epd", text, 20, order="random", seed=7) == many[:20]
    assert openings_in(tmp_path, "book.epd", text, 50, order="random", seed=8) != many


def test_marks_of_windows_and_games_without_an_event(tmp_path):
    assert openings_in(tmp_path, "book.epd", f"\ufeff{START}\n") == (Opening(START),)
    games = '[White "A"]\n[Black "B"]\n\n1. e4 *\n\n[White "C"]\n\n1. d4 *\n'
    moves = [opening.moves for opening in openings_in(tmp_path, "book.pgn", games)]
    assert moves == [("e2e4",), ("d2d4",)]


@pytest.mark.parametrize(
    "text", ["", "# nothing", EPD + "8/8/8/8/8/8/8/8 w - -", EPD + "rnbqkbnr/8 w", EPD + "nonsense"]
)
def test_files_without_openings(tmp_path, text):
    with pytest.raises(ValueError, match="book.epd"):
        openings_in(tmp_path, "book.epd", text)


REPEATED = '[Event "?"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *'
CASTLED_960 = """\
[Event "?"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1"]

1. O-O *
"""


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("book.pgn", f"{PGN}\n{CASTLED_960}", "game 3: needs --variant fischerandom"),
        ("book.epd", f"{EPD}1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb -", "line 6: needs --variant fischerandom"),
        ("book.epd", f"{EPD}7k/6Q1/6K1/8/8/8/8/8 b - -", "line 6: the game is over"),
        ("book.epd", f"{EPD}4k3/8/8/8/8/8/8/4K2R w K - 100 90", "line 6: the game is over"),
        ("book.pgn", f'{PGN}\n[Event "?"]\n\n1. f3 e5 2. g4 Qh4# 0-1', "game 3: the game is over"),
        ("book.pgn", REPEATED, "game 1: the game is over"),
    ],
)
def test_openings_that_a_match_cannot_play(tmp_path, name, text, message):
    number = len(openings_in(tmp_path, name, text))
    source = source_of(tmp_path / name)
    with pytest.raises(ValueError, match=f"{name}, {message}"):
        openings_to_play(source, number, False)
    assert number == 1 or len(openings_to_play(source, number - 1, False)) == number - 1


def test_openings_of_chess960_are_played_by_its_rules(tmp_path):
    (opening,) = openings_in(tmp_path, "book.pgn", CASTLED_960)
    assert openings_to_play(source_of(tmp_path / "book.pgn"), 1, True) == (opening,)
    assert opening.board(True).fen().startswith("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R3RK1 b")


def test_openings_of_our_own():
    openings = common_openings()
    assert len(openings) == len(set(openings)) >= 50
    assert len({opening.board().epd() for opening in openings}) == len(openings)


def test_an_engine_is_told_both_clocks():
    scheduled = next(contest_of(fake("A", tc="tc=2/60+0.5"), fake("B", tc="tc=3/30+2")).schedule())
    clocks = {chess.WHITE: SideClock(scheduled.white.time), chess.BLACK: SideClock(scheduled.black.time)}
    clocks[chess.WHITE].spend(10)
    white, black = (limit_of(scheduled, clocks, side) for side in (chess.WHITE, chess.BLACK))
    for limit in (white, black):
        assert (limit.white_clock, limit.white_inc) == (50.5, 0.5)
        assert (limit.black_clock, limit.black_inc) == (30, 2)
    assert (white.remaining_moves, black.remaining_moves) == (1, 3)


# --- the schedule ---------------------------------------------------------------------------------


def test_every_opening_is_played_twice_with_colours_swapped():
    first, second, third = (fake(name) for name in "ABC")
    contest = contest_of(first, second, third, openings=(MIDDLE_GAME, END_GAME), rounds=3)
    schedule = list(contest.schedule())
    assert contest.pairs == 6
    assert [scheduled.round_text for scheduled in schedule[:4]] == ["1.1", "1.2", "2.1", "2.2"]
    for one, two in zip(schedule[::2], schedule[1::2]):
        assert one.white == two.black == first
        assert one.black == two.white != first
        assert one.opening == two.opening
    assert [scheduled.opening for scheduled in schedule[::4]] == [MIDDLE_GAME, END_GAME, MIDDLE_GAME]
    assert [scheduled.key for scheduled in contest.schedule({(1, 1), (2, 2)})][:3] == [(1, 2), (2, 1), (3, 1)]


def test_everybody_against_everybody():
    contest = contest_of(*(fake(name) for name in "ABCD"), rounds=2, scheme=ROUND_ROBIN)
    met = [{scheduled.white.name, scheduled.black.name} for scheduled in contest.schedule()]
    assert contest.pairs == 12
    assert all(met.count({one, two}) == 4 for one, two in ("AB", "AC", "AD", "BC", "BD", "CD"))


def test_more_rounds_never_change_the_ones_before():
    engines = [fake(name) for name in "ABC"]
    few, many = contest_of(*engines, rounds=2), contest_of(*engines, rounds=5)
    assert list(many.schedule())[: 2 * few.pairs] == list(few.schedule())


# --- the referee ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "moves", "result", "reason"),
    [
        ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "f7g7", "1-0", "White mates"),
        ("k7/8/1Q6/8/8/8/8/7K b - - 0 1", "", "1/2-1/2", "Draw by stalemate"),
        ("k7/8/8/8/8/8/8/6NK w - - 0 1", "", "1/2-1/2", "Draw by insufficient mating material"),
        ("k7/8/8/8/8/8/8/6RK w - - 99 80", "g1g2", "1/2-1/2", "Draw by fifty moves rule"),
        ("k7/8/8/8/8/8/8/6RK w - - 0 1", "g1g2 a8b8 g2g1 b8a8 g1g2 a8b8 g2g1 b8a8", "1/2-1/2", "3-fold"),
        ("k7/8/8/8/8/8/8/6RK w - - 0 1", "g1g2 a8b8 g2g1 b8a8", None, None),  # it occurs twice
        ("7k/5Q2/6K1/8/8/8/8/8 w - - 99 99", "f7g7", "1-0", "White mates"),
        ("k7/8/8/8/8/8/8/6RK w - - 0 1", "g1g2", None, None),
    ],
)
def test_the_rules_of_chess_end_games(fen, moves, result, reason):
    board = Opening(fen, tuple(moves.split())).board()
    verdict = Referee(Rules()).by_rules(board)
    assert (verdict and verdict.result) == result
    assert verdict is None or reason in verdict.reason


def verdicts(rules, scores, moves=("g1f3", "g8f6", "f3g1", "f6g8")):
    """What the referee says after each of some scores of the side that moved."""
    referee, board = Referee(rules), chess.Board()
    for ply, score in enumerate(scores):
        mover = board.turn
        board.push_uci(moves[ply % len(moves)])
        spoken = None if score is None else chess.engine.PovScore(chess.engine.Cp(score), mover)
        yield referee.by_scores(board, spoken)


def first_verdict(rules, scores, **settings):
    """The first verdict, and after how many half-moves."""
    said = enumerate(verdicts(rules, scores, **settings), 1)
    return next(((ply, verdict.result) for ply, verdict in said if verdict), None)


def test_resignation():
    rules = Rules(resign_moves=2, resign_score=500)
    assert first_verdict(rules, [0, -500, 0, -900]) == (4, "1-0")
    assert first_verdict(rules, [-500, 0, -501, 0]) == (3, "0-1")
    assert first_verdict(rules, [-500, 0, -499, 0, -500, 0]) is None
    assert first_verdict(rules, [-500, 0, None, 0, -500, 0]) is None
    assert first_verdict(Rules(resign_score=500), [-900, 900] * 5) is None


def test_resignation_on_both_sides_word():
    rules = Rules(resign_moves=2, resign_score=500, resign_twosided=True)
    assert first_verdict(rules, [-900, 400] * 4) is None
    assert first_verdict(rules, [-900, 900] * 4) == (4, "0-1")
    assert first_verdict(rules, [900, -900] * 4) == (4, "1-0")


def test_draws_by_score():
    rules = Rules(draw_moves=2, draw_score=10, draw_from=3)
    assert first_verdict(rules, [10, -10] * 10) == (6, "1/2-1/2")
    assert first_verdict(rules, [10, 11] * 10) is None
    pawn_moves = ("g1f3", "g8f6", "f3g1", "a7a6", "g1f3", "f6g8", "f3g1", "g8f6")
    assert first_verdict(rules, [0] * 8, moves=pawn_moves) == (8, "1/2-1/2")


def test_long_games_are_drawn():
    assert first_verdict(Rules(max_moves=3), [500, None] * 10) == (6, "1/2-1/2")


TABLES = str(DATA / "syzygy")


@pytest.mark.parametrize(
    ("fen", "result"),
    [
        ("8/8/8/4k3/8/8/8/KQ6 b - - 0 9", "1-0"),
        ("8/8/8/4k3/8/8/8/KQ6 w - - 0 9", "1-0"),
        ("8/8/8/4K3/8/8/8/kq6 w - - 0 9", "0-1"),
        ("8/8/8/4k3/8/8/8/Kq6 w - - 0 9", "1/2-1/2"),  # it can be taken
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 9", "1-0"),
        ("4k3/8/8/4P3/4K3/8/8/8 b - - 0 9", "1/2-1/2"),
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 1 9", None),  # the fifty-move rule is under way
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 9", None),
        ("4k3/8/8/8/8/8/8/RR2K3 w - - 0 9", None),  # there is no such table
    ],
)
def test_tablebases_end_games(fen, result):
    verdict = Referee(Rules(tables=TABLES)).by_tablebases(chess.Board(fen))
    assert (verdict and verdict.result) == result
    assert verdict is None or verdict.reason.endswith("by adjudication: SyzygyTB")
    assert Referee(Rules()).by_tablebases(chess.Board(fen)) is None
    assert Referee(Rules(tables=TABLES, tablebase_pieces=2)).by_tablebases(chess.Board(fen)) is None


@pytest.mark.parametrize(
    ("outcome", "word_for_word", "fifty_ignored"),
    [(2, 1, 1), (1, 0, 1), (0, 0, 0), (-1, 0, -1), (-2, -1, -1)],
)
def test_wins_that_the_fifty_move_rule_spoils(outcome, word_for_word, fifty_ignored, monkeypatch):
    monkeypatch.setattr(open_tables(TABLES), "probe_wdl", lambda board: outcome)
    board, rules = chess.Board("8/8/8/4k3/8/8/8/KQ6 w - - 0 9"), Rules(tables=TABLES)
    assert tablebase_outcome(board, rules) == word_for_word
    assert tablebase_outcome(board, rules._replace(tables_ignore_fifty=True)) == fifty_ignored


def test_a_game_ended_by_tablebases():
    opening = Opening("7k/8/8/8/8/8/4P3/4K3 w - - 7 9")
    contest = contest_of(fake("A"), fake("B"), openings=(opening,), rules=Rules(tables=TABLES))
    for game in play_pair(contest, 1):
        assert game.termination == "adjudication"
        assert game.reason.endswith("by adjudication: SyzygyTB")


# --- games ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "at", "plies", "termination", "reason"),
    [
        ("crash", 3, (5, 4), "abandoned", "disconnects"),
        ("hang", 1, (1, 0), "time forfeit", "loses on time (no answer)"),
        ("late", 1, (2, 1), "time forfeit", "loses on time ("),
        ("illegal", 3, (5, 4), "rules infraction", "makes an illegal move: e1e8"),
        ("nomove", 3, (5, 4), "rules infraction", "makes an illegal move: (none)"),
        ("flood", 3, (5, 4), "abandoned", "floods its output"),
    ],
)
def test_whoever_misbehaves_loses_and_the_match_goes_on(mode, at, plies, termination, reason):
    good, bad = fake("good"), fake("bad", mode, f"at={at}", tc="tc=0.1" if at == 1 else "tc=20")
    games = play_pair(contest_of(good, bad), 1)
    assert [(game.result, game.termination) for game in games] == [("1-0", termination), ("0-1", termination)]
    assert f"Black {reason}" in games[0].reason
    assert f"White {reason}" in games[1].reason
    assert tuple(game.plies for game in games) == plies


def test_what_is_late_may_be_forgiven():
    late = fake("late", "late", "at=1", "late=1.3")
    patient = late._replace(time=TimeControl(0.1, 20.0, margin=20.0))
    assert play_pair(contest_of(fake("good"), patient), 1)[0].termination == "adjudication"


def test_the_last_thing_said_before_a_move_counts():
    game = play_pair(contest_of(fake("good", "good", "depth=2000", "score=31"), fake("quiet")), 1)[0]
    assert game.pgn.count("{+0.31/2000 ") == game.plies // 2 > 0


def test_whoever_talks_when_not_asked_may_go_on():
    games = play_pair(contest_of(fake("good"), fake("chatter", "chatter")), 1)
    assert [game.reason for game in games] == ["Draw by adjudication (too many moves)"] * 2


def test_no_engine_is_waited_for_for_ever_before_its_search(monkeypatch):
    schedule = contest_of(fake("A", tc="nodes=1"), fake("B", "deaf", tc="nodes=1")).schedule()
    monkeypatch.setattr(engine_process, "READY_SECONDS", 5.0)  # long enough for the other engine
    game = play_in_sequence([next(schedule)])[0]
    assert (game.result, game.termination) == ("1-0", "abandoned")
    assert game.reason.startswith("Black's connection stalls")


def test_a_search_without_a_clock_may_take_hours(monkeypatch):
    def seconds():
        return perf_counter() + next(later)

    later = chain([0.0], repeat(36_000.0))  # all that comes after the search has begun
    monkeypatch.setattr(engine_process, "READY_SECONDS", inf)
    monkeypatch.setattr(engine_process, "perf_counter", seconds)
    slow = fake("A", "good", "sleep=0.3", tc="nodes=1")
    contest = contest_of(slow, fake("B", tc="nodes=1"), rules=Rules(max_moves=1))
    assert play_in_sequence([next(contest.schedule())])[0].termination == "adjudication"


@pytest.mark.parametrize(("mode", "reason"), [("mute", "no answer within"), ("die", ".*no weights")])
def test_a_game_with_an_engine_that_does_not_start_has_no_result(mode, reason, tmp_path, monkeypatch):
    monkeypatch.setattr(engine_process, "START_SECONDS", 5.0)  # long enough for the other engine
    monkeypatch.setattr(game_play, "RETRY_SECONDS", 0.0)
    pids = tmp_path / "pids"
    with pytest.raises(StartFailure, match=f"^B does not start: {reason}"):
        play_pair(contest_of(fake("A"), fake("B", mode, f"pids={pids}")), 1)
    assert len(noted_processes(pids)) == game_play.START_ATTEMPTS
    assert all_are_gone(pids)


def test_an_engine_that_starts_at_the_second_attempt_plays(tmp_path, monkeypatch):
    monkeypatch.setattr(game_play, "RETRY_SECONDS", 0.0)
    program = tmp_path / "engine.sh"
    program.write_text(f'[ -e tried ] || {{ touch tried; exit 1; }}\nexec "{sys.executable}" "{FAKE}"\n')
    engine = parse_engine(["cmd=sh", f"arg={program}", f"dir={tmp_path}", "name=A"], ("tc=20",))
    games = play_pair(contest_of(engine, fake("B"), rules=Rules(max_moves=1)), 1)
    assert [game.termination for game in games] == ["adjudication"] * 2


def test_what_engines_start_is_ended_with_them(tmp_path):
    inner = f"{sys.executable} {FAKE} hang at=1 pids={tmp_path / 'pids'}"
    wrapper = parse_engine(["cmd=sh", "arg=-c", f"arg={inner}; true"], ("tc=0.1",))
    game = play_in_sequence(contest_of(fake("A"), wrapper).schedule())[0]
    assert game.reason == "Black loses on time (no answer)"
    assert len(noted_processes(tmp_path / "pids")) == 2
    assert all_are_gone(tmp_path / "pids")


def test_an_engine_that_cannot_play_this_game():
    old = fake("B", "classic")
    contest = contest_of(fake("A"), old, openings=(Opening(START),), chess960=True)
    game = play_in_sequence([next(contest.schedule())])[0]
    assert game.reason == "Black gives up (engine does not support UCI_Chess960)"


@pytest.mark.parametrize("mode", ["die", "unready"])
def test_an_engine_that_does_not_start_says_why(mode):
    with pytest.raises(ValueError, match="^A does not start: .*no weights"):
        check_engines([fake("A", mode)])


def test_an_engine_that_never_becomes_ready_is_refused_before_the_first_game(monkeypatch):
    monkeypatch.setattr(engine_process, "READY_SECONDS", 0.1)
    with pytest.raises(ValueError, match="^A does not start: no answer within 0 s$"):
        check_engines([fake("A", "deaf")])


def test_options():
    good = fake("A")
    assert check_engines([good._replace(options=(("hash", "64"), ("Contempt", "5")))]) == [
        "A has no option Contempt: it is not set"
    ]
    assert check_engines([good._replace(options=(("UCI_Chess960", "true"),))]) == [
        "A: option UCI_Chess960 is set by the runner itself"
    ]
    with pytest.raises(ValueError, match="Hash"):
        check_engines([good._replace(options=(("Hash", "5000"),))])


OLD_ENGINE = """\
echo $$ >> {pids}
while read line; do
    case "$line" in
        protover*) echo "feature ping=1 setboard=1 usermove=1 {features} done=1" ;;
        ping*) echo "pong ${{line#ping }}" ;;
        new) move=a2a3 ;;
        usermove*) move=g8h8 ;;
        go) echo "move $move" ;;
        quit) exit ;;
    esac
done
"""


@pytest.mark.parametrize(
    ("feature", "limit", "message"),
    [
        ("nps=1", ["nodes=9"], None),
        ("nps=0", ["depth=9"], None),
        ("nps=0", ["nodes=9"], "A does not tell feature nps=1"),
        ("reuse=1", ["nodes=9"], "A does not tell feature nps=1"),
        ("nps=1", ["nodes=9", "tc=1"], "A: an xboard engine has either nodes= or a time"),
        ("nps=1", ["nodes=9", "st=1"], "A: an xboard engine has either nodes= or a time"),
    ],
)
def test_not_every_xboard_engine_can_be_limited_by_nodes(tmp_path, feature, limit, message):
    script = tmp_path / "engine.sh"
    script.write_text(OLD_ENGINE.format(pids=os.devnull, features=feature))
    engine = parse_engine(["cmd=sh", f"arg={script}", "proto=xboard", "name=A"], limit)
    with pytest.raises(ValueError, match=message) if message else nullcontext():
        assert check_engines([engine]) == []


def test_the_same_engines_play_the_next_game():
    async def both_games():
        player = GamePlayer()
        for scheduled in contest_of(fake("A"), fake("B", "good", "seed=2")).schedule():
            await player.play(scheduled)
            numbers.append({engine._transport.get_pid() for engine in player._engines.values()})
        await player.close()

    numbers = []
    asyncio.run(both_games())
    assert len(numbers[0]) == 2
    assert numbers[0] == numbers[1]


def test_an_engine_that_ends_between_two_games_is_restarted(tmp_path):
    leaving = fake("A", "leave", "at=1", f"pids={tmp_path / 'pids'}")
    contest = contest_of(leaving, fake("B", "good", "sleep=0.2"), rules=Rules(max_moves=1))
    games = play_pair(contest, 1)
    assert [game.termination for game in games] == ["adjudication"] * 2
    assert [game.restarted for game in games] == ["", "A"]
    assert len(noted_processes(tmp_path / "pids")) == 2


@pytest.mark.parametrize(("reuse", "processes"), [(1, 1), (0, 2)])
def test_an_xboard_engine_may_ask_for_a_process_for_each_game(tmp_path, reuse, processes):
    script = tmp_path / "engine.sh"
    script.write_text(OLD_ENGINE.format(pids=tmp_path / "pids", features=f"reuse={reuse}"))
    engine = parse_engine(["cmd=sh", f"arg={script}", "proto=xboard", "name=A"], ("tc=20",))
    games = play_pair(contest_of(engine, fake("B"), rules=Rules(max_moves=1)), 1)
    assert [game.termination for game in games] == ["adjudication"] * 2
    assert len(noted_processes(tmp_path / "pids")) == processes
    assert not any(game.restarted for game in games)


def test_what_an_engine_says_does_not_break_the_pgn():
    scheduled = next(contest_of(fake("A"), fake("B")).schedule())
    result = lost_by(chess.WHITE, ABANDONED, " gives up (a}\n[b]\x1b{c)")
    game = finished_game(scheduled, scheduled.opening.board(), [], result, now(), 1.0)
    assert game.reason == "White gives up (a) [b] (c)"
    parsed = chess.pgn.read_game(io.StringIO(game.pgn))
    assert not parsed.errors and parsed.comment == game.reason
    assert chess.pgn.read_game(io.StringIO(game.pgn.partition("1-0 ")[2])) is None


def test_the_pgn_of_a_game():
    opening = Opening(START, ("e2e4", "c7c5"))
    contest = contest_of(
        fake("A", "good", "score=35"), fake("B", "good", "score=mate -2"), openings=(opening,)
    )
    game = play_pair(contest, 1)[0]
    parsed = chess.pgn.read_game(io.StringIO(game.pgn))
    assert not parsed.errors
    tags = parsed.headers
    assert (tags["White"], tags["Black"], tags["Round"], tags["Result"]) == ("A", "B", "1.1", "1/2-1/2")
    assert (tags["TimeControl"], tags["Termination"]) == ("20+0.1", "adjudication")
    comments = [node.comment for node in parsed.mainline()]
    assert len(comments) == game.plies + 2
    assert comments[:2] == ["book", "book"]
    assert re.fullmatch(r"\+0\.35/7 \d+\.\d{3}s, n=1, sd=9", comments[2])
    assert re.fullmatch(r"-M4/7 \d+\.\d{3}s, n=1, sd=9", comments[3])
    assert comments[-1].endswith(f", {game.reason}")


def test_the_tags_of_a_game():
    opening, started = Opening(START, ("e2e4",)), datetime(2026, 11, 28, 9, 5, 7, tzinfo=timezone.utc)
    contest = contest_of(fake("A", tc="tc=40/60"), fake("B", tc="st=0.5"), openings=(opening,), chess960=True)
    board = opening.board(True)
    board.push_uci("e7e5")
    for scheduled in contest.schedule():
        game = finished_game(scheduled, board, ["0.00/1"], lost_by(chess.WHITE, ABANDONED, ""), started, 1.0)
        tags = chess.pgn.read_game(io.StringIO(game.pgn)).headers
        assert tags["Variant"] == "Chess960"
        assert (tags["Date"], tags["GameStartTime"]) == ("2026.11.28", "2026-11-28T09:05:07Z")
        assert tags["PlyCount"] == str(game.plies) == "1"  # without those of the opening
        clocks = {tags[colour]: tags[f"{colour}TimeControl"] for colour in ("White", "Black")}
        assert clocks == {"A": "40/60", "B": "0.5/move"} and "TimeControl" not in tags


def test_comment_of_an_engine_that_counts_no_nodes():
    answer = EngineMove(chess.Move.from_uci("e2e4"), 0.25, depth=4)
    assert comment_of(answer, chess.WHITE) == "0.00/4 0.250s"


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (chess.engine.Cp(-5), "-0.05"),
        (chess.engine.Cp(0), "0.00"),
        (chess.engine.Mate(1), "+M1"),
        (chess.engine.Mate(3), "+M5"),
        (chess.engine.Mate(-1), "-M2"),
    ],
)
def test_scores_in_comments(score, text):
    assert score_text(chess.engine.PovScore(score, chess.BLACK), chess.BLACK) == text


def test_a_pair_is_a_unit_of_work():
    contest = contest_of(fake("A"), fake("B", "good", "seed=2"), rounds=3)
    games = play_pair(pickle.loads(pickle.dumps(contest)), 2)
    assert [game.key for game in games] == [(2, 1), (2, 2)]
    again = play_pair(contest, 2)
    assert [(game.result, game.plies) for game in again] == [(game.result, game.plies) for game in games]


def test_chess960():
    start = Opening("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9")
    contest = contest_of(fake("A"), fake("B", "good", "seed=2"), openings=(start,), chess960=True)
    for game in play_pair(contest, 1):
        parsed = chess.pgn.read_game(io.StringIO(game.pgn))
        assert not parsed.errors
        assert parsed.board().chess960
        assert game.termination == "adjudication"


def test_a_game_over_before_it_began():
    mated = Opening("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    assert play_pair(contest_of(fake("A"), fake("B"), openings=(mated,)), 1)[0].result == "1-0"


def test_the_protocol_of_xboard(warm_cache):
    ours = parse_engine(
        ["cmd=bluekrait", "proto=xboard", "name=ours", "option.Hash=8"], ("tc=20+1", "depth=2")
    )
    opening = Opening(MIDDLE_GAME.fen, ("d1e2",))  # black to move, moves before
    games = play_pair(contest_of(ours, fake("other"), openings=(opening,)), 1)
    assert all(game.termination in ("adjudication", "normal") and game.plies for game in games)
    assert "disconnects" not in "".join(game.reason for game in games)


def test_positions_for_engines_without_setboard():
    assert edit_commands(chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")) == [
        *("edit", "#", "Ke1", "Pe2", "c", "Ke8", ".")
    ]
    assert edit_commands(chess.Board("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"))[0] == "a2a3"


@pytest.mark.parametrize(
    ("line", "about", "a_move"),
    [
        ("Illegal move: e2e5", "e2e5", True),
        ("Illegal move (in check): usermove e7e8q", "usermove e7e8q", True),
        ("Error (unknown command): sd 2", "sd 2", False),
        ("Illegal move: sd 2", "sd 2", False),
    ],
)
def test_complaints_of_engines(line, about, a_move):
    assert REJECTION.match(line)[1] == about
    assert is_move(about) == a_move


# --- processors -----------------------------------------------------------------------------------


def test_processors_are_shared_out(monkeypatch):
    monkeypatch.setattr(processors, "usable_processors", lambda: [0, 1, 2, 3, 6])
    assert parse_processors("") == [0, 1, 2, 3, 6]
    assert parse_processors("6,1-3,2") == [6, 1, 2, 3]
    assert shared_out(2, 2, parse_processors("6,1-3")) == [{6, 1}, {2, 3}]
    for text in ("4", "1-4", "a", "1,,2", "-1", "²"):
        with pytest.raises(ValueError, match="--affinity"):
            parse_processors(text)
    with pytest.raises(ValueError, match="3 games at a time need 3 processors, not 2"):
        shared_out(3, 1, [0, 1])


def test_a_game_stays_on_its_processors(tmp_path):
    if not hasattr(os, "sched_getaffinity"):
        pytest.skip("processes cannot be tied to processors here")
    cpu = min(os.sched_getaffinity(0))
    engine = fake("A", "good", f"pids={tmp_path / 'pids'}", "sleep=0.02")
    games = play_games(contest_of(engine, fake("B")).schedule(), cpus=[{cpu}])
    assert next(games).key == (1, 1)
    assert os.sched_getaffinity(noted_processes(tmp_path / "pids")[0]) == {cpu}
    games.close()


# --- many games at once ---------------------------------------------------------------------------


def test_games_at_the_same_time():
    contest = contest_of(fake("A"), fake("B", "crash"), rounds=3)
    begun = []
    games = list(play_games(contest.schedule(), 2, on_start=lambda scheduled: begun.append(scheduled.key)))
    expected = [scheduled.key for scheduled in contest.schedule()]
    assert begun == expected
    assert sorted(game.key for game in games) == expected


def test_nothing_runs_on_when_nobody_wants_more_games(tmp_path):
    noted = f"pids={tmp_path / 'pids'}"
    engines = fake("A", "good", "sleep=0.02", noted), fake("B", "good", noted)
    games = play_games(contest_of(*engines, rounds=5).schedule(), 2)
    assert next(games).pair == 1
    games.close()
    assert len(noted_processes(tmp_path / "pids")) >= 2
    assert all_are_gone(tmp_path / "pids")


def test_a_game_whose_process_dies_is_played_again():
    contest = contest_of(fake("A"), fake("B"), rules=SHORT)
    made = []
    start = game_processes._GameProcess._start

    def remember(slot):
        start(slot)
        made.append(slot._process)
        if len(made) == 1:
            os.kill(slot._process.pid, signal.SIGKILL)

    game_processes._GameProcess._start = remember
    try:
        games = list(play_games(contest.schedule()))
    finally:
        game_processes._GameProcess._start = start
    assert [game.key for game in games] == [(1, 1), (1, 2)]
    assert len(made) == 2


def test_a_player_that_cannot_be_executed():
    async def start():
        await EngineProcess(fake("A")._replace(command=("/no/such/program",))).start()

    with pytest.raises(StartFailure, match="^A does not start"):
        asyncio.run(start())


def test_games_in_one_thread():
    schedule = list(contest_of(fake("A"), fake("B")).schedule())
    assert [game.key for game in play_in_sequence(schedule)] == [(1, 1), (1, 2)]
