"""CECP: every command."""

import re
from types import SimpleNamespace
from unittest.mock import Mock, call

import chess
import pytest

from bluekrait.core.board import WHITE
from bluekrait.core.move import NO_MOVE
from bluekrait.search.engine import load_engine
from bluekrait.search.reports import EXACT, Choice, CurrentMove, Line, Score
from bluekrait.uci.cecp.cecp_clock import CecpClock
from bluekrait.uci.cecp.cecp_commands import COMMANDS
from bluekrait.uci.cecp.cecp_game import CecpGame
from bluekrait.uci.cecp.cecp_messages import Xboard
from bluekrait.uci.cecp.wording import line_text, looks_like_move, read_move, score_number, status_text
from bluekrait.uci.options.option_table import OPTIONS
from bluekrait.uci.session import Session
from helpers.processes.conversation import slow_start
from helpers.search.searching import searcher

MATE_NEXT = "7k/5Q2/5K2/8/8/8/8/8 w - - 0 1"
MOVE = "^move ([a-h][1-8][a-h][1-8][nbrq]?|O-O(-O)?)$"


@pytest.fixture
def game(talk):
    """A conversation in CECP after `xboard`."""
    engine = talk()
    engine.say("xboard")
    engine.sync = lambda *lines: synchronised(engine, *lines)
    return engine


def synchronised(engine, *lines):
    """Send lines; the output until they are done."""
    engine.pings = getattr(engine, "pings", 0) + 1
    engine.say(*lines, f"ping {engine.pings}")
    return engine.hear(f"^pong {engine.pings}$")[:-1]


def move_in(heard):
    """The one move that was made."""
    (move,) = (re.match(MOVE, line)[1] for line in heard if re.match(MOVE, line))
    return move


# Start


def test_no_output_before_a_question(game):
    assert game.sync("new", "random", "level 40 5 0", "computer", "name GNU Chess", "easy", "force") == []


def test_features_come_when_the_engine_is_loaded(talk):
    engine = slow_start(talk, steps=8)
    engine.say("xboard", "protover 2")
    heard = engine.hear("^feature done=1$")
    assert heard[0] == "feature done=0"
    assert any(line.startswith("# compiling") for line in heard)
    offered = " ".join(line.removeprefix("feature ") for line in heard if line.startswith("feature"))
    for feature in (
        *("ping=1", "setboard=1", "usermove=1", "san=0", "colors=0", "time=1", "sigint=0", "sigterm=0"),
        *("reuse=1", "analyze=1", "memory=1", "smp=1", 'variants="normal,fischerandom"', 'myname="BlueKrait'),
    ):
        assert feature in offered


def test_options_are_offered_in_the_format_of_cecp(game):
    game.say("protover 2")
    heard = game.hear("^feature done=1$")
    offered = dict(
        re.match('feature option="(.+?) -(.*)"', line).groups() for line in heard if "option" in line
    )
    assert offered["Skill Level"] == "spin 20 0 20"
    assert offered["OwnBook"] == "check 0"
    assert offered["Clear Hash"] == "button"
    assert offered["Book Choice"] == "combo *weighted /// best"
    assert offered["BookFile"] == "string "
    assert set(offered) < {option.name for option in OPTIONS}
    assert not {"Hash", "Threads", "Ponder"} & set(offered)


def test_uci_after_xboard_switches_back(game):
    game.say("uci", "isready")
    heard = game.hear("^readyok$")
    assert heard[0].startswith("id name")
    assert not any(line.startswith("feature") for line in heard)
    game.say("go depth 2")
    game.hear("^bestmove")


def test_castling_is_written_as_the_option_says_after_a_switch_back(talk):
    engine = talk()
    engine.say("setoption name UCI_Chess960 value true", "xboard", "uci")
    engine.hear("^uciok$")
    engine.say("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1", "go depth 1 searchmoves e1h1")
    assert engine.hear("^bestmove")[-1].startswith("bestmove e1h1")


def test_unknown_commands_get_an_error(game):
    assert game.sync("edit", "?") == ["Error (unknown command): edit"]
    assert game.sync("accepted done", "rejected nps", "otim 300", "rating 1 2", "draw", "ics -") == []


# Playing


def test_the_engine_plays_black_by_default(game):
    heard = game.sync("new", "st 1", "sd 3", "usermove e2e4")
    assert chess.Move.from_uci(move_in(heard)) in board_after("e2e4").legal_moves


def board_after(*moves):
    board = chess.Board()
    for move in moves:
        board.push_uci(move)
    return board


def test_moves_without_usermove(game):
    move_in(game.sync("sd 2", "e2e4"))


def test_moves_are_told_from_commands():
    assert all(map(looks_like_move, ("e2e4", "a7a8q", "h2g1n", "O-O", "O-O-O")))
    assert not any(map(looks_like_move, ("edit", "easy", "level", "e2e9", "i2e4", "e2", "a7a8queen")))


def test_go_plays_the_side_to_move(game):
    move = move_in(game.sync("force", "e2e4", "e7e5", "sd 3", "go"))
    assert chess.Move.from_uci(move) in board_after("e2e4", "e7e5").legal_moves
    assert game.sync("usermove a1a8") == ["Illegal move: a1a8"]


def test_playother_waits_for_a_move(game):
    assert game.sync("force", "sd 3", "playother") == []
    move_in(game.sync("usermove d2d4"))


def test_force_plays_neither_side(game):
    assert game.sync("force", "usermove e2e4", "usermove e7e5") == []


def test_a_game_is_played_by_both_sides(game):
    board = chess.Board()
    game.sync("new", "sd 4")
    for move in ("e2e4", "d2d4", "b1c3"):
        answer = move_in(game.sync(f"usermove {move}"))
        board.push_uci(move)
        board.push_uci(answer)


@pytest.mark.parametrize("move", ["e2e5", "e7e5", "e9e4", "Ke8", "O-O", "0000", "nonsense"])
def test_illegal_moves_get_an_error(game, move):
    assert game.sync(f"usermove {move}") == [f"Illegal move: {move}"]


def test_undo_and_remove(game):
    game.sync("force", "usermove e2e4", "usermove e7e5")
    assert game.sync("undo", "usermove e7e5", "remove", "usermove e2e4") == []
    (complaint,) = game.sync("remove")
    assert complaint.startswith("# ")


def test_setboard(game):
    heard = game.sync("force", f"setboard {MATE_NEXT}", "sd 3", "go")
    assert heard[-2:] == [f"move {move_in(heard)}", "1-0 {White mates}"]
    (complaint,) = game.sync("setboard 8/8/8/8/8/8/8/8 w - - 0 1")
    assert complaint.startswith("tellusererror Illegal position")


@pytest.mark.parametrize(
    "fen, move, result",
    [
        ("7k/5Q2/5K2/8/8/8/8/8 w - - 0 1", "f7g7", "1-0 {White mates}"),
        ("8/8/8/8/8/5k2/5q2/7K b - - 0 1", "f2g2", "0-1 {Black mates}"),
        ("7k/8/5K2/5Q2/8/8/8/8 w - - 0 1", "f5g6", "1/2-1/2 {Stalemate}"),
        ("7k/8/5K2/6n1/8/8/8/8 w - - 0 1", "f6g5", "1/2-1/2 {Insufficient material}"),
        ("7k/8/5K2/8/8/8/8/R7 w - - 99 80", "a1a2", "1/2-1/2 {Fifty-move rule}"),
    ],
)
def test_the_end_of_the_game_is_announced(game, fen, move, result):
    assert game.sync("force", f"setboard {fen}", "playother", f"usermove {move}") == [result]


def test_repetition_is_announced(game):
    game.sync("force", *(["usermove g1f3", "usermove g8f6", "usermove f3g1", "usermove f6g8"] * 2))
    game.sync("undo", "playother")
    # White is to be played by the engine when Black repeats the position for the second time.
    assert game.sync("usermove f6g8")[-1] == "1/2-1/2 {Threefold repetition}"


def test_after_the_result_nothing_is_played(game):
    assert game.sync("result 1-0 {White resigns}", "usermove e2e4") == []


def test_move_now(game):
    game.say("st 1000", "usermove e2e4")
    game.say("?")
    game.hear(MOVE)


@pytest.mark.parametrize(
    "change",
    [
        *("force", "new", "variant normal", f"setboard {MATE_NEXT}", "result *"),
        *("undo", "remove", "analyze", "exit"),
    ],
)
def test_a_dismissed_search_makes_no_move(game, change):
    game.say("st 1000", "usermove e2e4")
    assert not any(line.startswith("move") for line in game.sync(change))


def test_post_shows_lines(game):
    game.sync("force", f"setboard {MATE_NEXT}")
    heard = game.sync("post", "sd 4", "go")
    lines = [line for line in heard if re.match(r"\d+ -?\d+ \d+ \d+( \S+)+$", line)]
    assert lines[-1].split()[1] == "100001"
    assert lines[-1].split()[4] == move_in(heard)
    assert game.sync("nopost", "undo", "go")[0].startswith("move ")


def test_scores():
    assert score_number(Score(-37, None)) == -37
    assert score_number(Score(None, 3)) == 100_003
    assert score_number(Score(None, -2)) == -100_002


def test_figures_of_lines_and_of_the_status():
    engine = searcher()
    engine.set_position(None, [])
    move = read_move("e2e4", engine)
    line = Line(7, 12, 1, Score(-31, None), EXACT, (100, 650, 250), 123456, 2.5, 17, 3, [move])
    assert line_text(line, WHITE, False) == "7 -31 250 123456 e2e4"
    engine.set_position(None, ["e2e4"])
    longer = line._replace(moves=[move, read_move("e7e5", engine)])
    assert line_text(longer, WHITE, False) == "7 -31 250 123456 e2e4 e7e5"
    current = CurrentMove(8, move, 4)
    assert status_text(line, current, 20, WHITE, False) == "stat01: 250 123456 7 16 20 e2e4"
    assert status_text(line, None, 20, WHITE, False) == "stat01: 250 123456 7 0 20"


# The clock


def clock_after(call):
    clock = CecpClock()
    call(clock)
    return clock.limits(0)


def test_levels():
    limits = clock_after(lambda clock: clock.set_level("40", "5", "0"))
    assert (limits.remaining, limits.increment, limits.moves_to_go) == (300_000, 0, 40)
    limits = clock_after(lambda clock: clock.set_level("0", "1:30", "2.5"))
    assert (limits.remaining, limits.increment, limits.moves_to_go) == (90_000, 2500, None)


def test_time_is_added_after_each_session():
    clock = CecpClock()
    clock.set_level("40", "5", "0")
    assert [clock.limits(made).moves_to_go for made in (1, 39, 40, 41)] == [39, 1, 40, 39]


def test_time_sets_the_remaining_time():
    clock = CecpClock()
    clock.set_level("0", "2", "12")
    clock.set_remaining("4567")
    assert clock.limits(9).remaining == 45_670
    clock.restart()
    assert clock.limits(9).remaining == 120_000


def test_depth_and_time_per_move():
    clock = CecpClock()
    clock.set_depth("7")
    clock.set_per_move("2")
    assert clock.limits(0)[:5] == (None, 0, None, 2000, 7)
    clock.set_depth("0")
    assert clock.limits(0).depth == 1
    clock.clear_depth()
    clock.set_level("0", "2", "0")
    assert clock.limits(0).move_time is clock.limits(0).depth is None


def test_the_time_that_a_move_takes_is_counted():
    clock = CecpClock()
    clock.set_level("2", "1", "3")
    for made, more in ((1, 3000), (2, 63_000)):
        clock.start()
        clock.stop(made)
        assert 60_000 + more - 1000 < clock.limits(made).remaining <= 60_000 + more
        clock.set_remaining("6000")


def game_in_this_process(think=None, say=None):
    """A game of CECP without a message loop."""
    command = SimpleNamespace(is_dismissed=lambda: False)
    return CecpGame(SimpleNamespace(engine=searcher(), command=command, think=think, say=say))


def obey(game, *lines):
    for line in lines:
        word, *words = line.split()
        COMMANDS[word](game, words)


def limits_after(*lines):
    """The limits of each search in a game with an engine that makes its first legal move at once."""
    searches = []

    def think(limits, *reports):
        searches.append(limits)
        return Choice(searcher().legal_moves()[0], NO_MOVE, [])

    obey(game_in_this_process(think, say=lambda text: None), *lines)
    return searches


def test_the_engine_counts_its_own_moves_for_the_session():
    searches = limits_after("new", "level 2 1 0", "usermove a2a3", "usermove b2b3", "usermove c2c3")
    assert [limits.moves_to_go for limits in searches] == [2, 1, 2]
    first, second, third = (limits.remaining for limits in searches)
    assert first == 60_000 >= second and 60_000 < third <= 120_000  # another minute after two moves


def test_a_new_game_is_of_chess_and_begins_with_all_its_time_and_depth():
    before = ("new", "level 0 2 0", "sd 3", "time 100", "variant fischerandom")
    (limited,), (new,) = limits_after(*before, "usermove a2a3"), limits_after(*before, "new", "usermove a2a3")
    assert (limited.remaining, limited.depth) == (1000, 3)
    assert (new.remaining, new.depth) == (120_000, None)
    assert not searcher().chess960


@pytest.mark.parametrize(
    "order", ["level 40", "level 40 x 0", "level x 5 0", "st", "st soon", "st inf", "sd deep", "time"]
)
def test_wrong_times_get_one_line_with_an_example(game, order):
    (heard,) = game.sync(order)
    assert heard.startswith(f"# expected something like '{order.split()[0]} ") and heard.endswith(repr(order))


@pytest.mark.parametrize("order", ["memory", "memory 16 32", "cores", "cores all"])
def test_wrong_sizes_get_one_line(game, order):
    (heard,) = game.sync(order)
    assert "expected a whole number from 1 to " in heard


def test_a_wrong_level_changes_nothing():
    clock = CecpClock()
    before = clock.limits(0)
    for words in (("40", "x", "0"), ("40", "9", "x")):
        with pytest.raises(ValueError):
            clock.set_level(*words)
    assert clock.limits(0) == before


# Pondering and analysing


def pondering(game):
    """Begin a game; the board, and the move that the engine ponders on."""
    game.sync("new", "hard", "level 0 1 0", "sd 8")
    board = chess.Board()
    game.say("usermove e2e4")
    board.push_uci("e2e4")
    board.push_uci(move_in(game.hear(MOVE)))
    (expected,) = (line.split()[1] for line in game.sync("hint"))
    return board, expected


def test_a_ponder_hit_is_answered(game):
    board, expected = pondering(game)
    game.sync("time 6000", "otim 6000")
    board.push_uci(expected)
    game.say(f"usermove {expected}")
    assert chess.Move.from_uci(move_in(game.hear(MOVE))) in board.legal_moves


@pytest.mark.parametrize("move, is_expected", [("e2e4", True), ("d2d4", False)])
def test_only_the_expected_move_is_a_ponder_hit_and_starts_the_clock(monkeypatch, move, is_expected):
    session = Session(lambda *message: None)
    session.engine = SimpleNamespace(turn=WHITE)
    loop = Mock(executor=Mock(session=session, input_closed=False), given=0, done=0)

    def give(name, action, is_question=False):
        loop.given += 1

    loop.give = give
    protocol = Xboard(loop)  # its first command is `new`
    game = protocol._game
    game.ponders, game.hint = True, "e2e4"
    loop.done = 1
    protocol.on_done()
    monkeypatch.setattr(game, "clock", Mock())
    protocol.obey(f"usermove {move}")
    assert game.clock.mock_calls == ([call.start()] if is_expected else [])
    assert loop.executor.mock_calls == [call.ponder_hit() if is_expected else call.dismiss()]


def test_an_unexpected_move_is_answered_too(game):
    board, expected = pondering(game)
    other = next(move.uci() for move in board.legal_moves if move.uci() != expected)
    board.push_uci(other)
    game.say(f"usermove {other}")
    assert chess.Move.from_uci(move_in(game.hear(MOVE))) in board.legal_moves


def test_an_expected_move_that_ends_the_game_is_answered_with_the_result(game):
    game.sync("new", "hard", "level 0 1 0", "force", "setboard 7k/5K2/8/8/8/8/8/R7 b - - 0 1")
    game.say("go")
    assert move_in(game.hear(MOVE)) == "h8h7"
    (expected,) = (line.split()[1] for line in game.sync("hint"))
    assert expected == "a1h1"  # mate
    assert game.sync("usermove a1h1") == ["1-0 {White mates}"]
    assert game.sync() == []


@pytest.mark.parametrize("order", ["new", "undo", "remove", f"setboard {MATE_NEXT}", "usermove b2b3"])
def test_the_expected_answer_is_forgotten_with_its_position(order):
    said = []
    game = game_in_this_process(say=said.append)
    obey(game, "new", "force", "usermove a2a3", "usermove a7a6")
    game.hint = "e2e4"
    obey(game, "hint", order, "hint")
    assert said == ["Hint: e2e4"]


def test_easy_ends_what_hard_began():
    game = game_in_this_process()
    obey(game, "new", "hard")
    game.hint = "e2e4"
    assert game.wants_background_search()
    obey(game, "easy")
    assert not game.wants_background_search()


def test_a_wrong_command_while_pondering_gets_one_line(game):
    pondering(game)
    (complaint,) = game.sync("time soon")
    assert complaint.startswith("# expected something like 'time ")


@pytest.mark.parametrize("orders", [["force"], ["result *"]])
def test_nothing_is_pondered_on_where_the_engine_does_not_play(game, orders):
    _, expected = pondering(game)
    assert game.sync(*orders) == []
    assert not any(line.startswith("move") for line in game.sync("force", f"usermove {expected}"))


def test_the_expected_move_is_played_in_an_analysis_too(game):
    board, expected = pondering(game)
    game.sync("easy", "analyze")
    game.sync(f"usermove {expected}")
    assert game.sync("undo", "undo", "undo") == []  # three moves were made
    assert [line for line in game.sync("undo") if line.startswith("#")]


def test_pondering_prints_no_lines(game):
    game.sync("post", "hard", "level 0 1 0", "sd 5", "usermove e2e4")
    assert game.sync() == game.sync("time 5000") == []
    assert game.sync("easy", "undo", "undo") == []


def test_a_ponder_hit_after_the_search_has_ended_prints_its_last_line(monkeypatch):
    printed = []
    session = Session(lambda kind, *details: printed.append(details))
    session.engine = load_engine()
    game = CecpGame(session)
    game.ponders = game.shows_thinking = True
    game.hint = "e2e4"
    game.clock.set_depth("5")
    monkeypatch.setattr(session.command, "wait_until_released", session.command.ponder_hit)
    game.search_in_background()
    (line,), (move,) = printed
    assert line.split()[0] == "5"
    assert move == f"move {line.split()[4]}"


def test_no_line_of_a_position_is_printed_after_the_next_one_was_set_up(monkeypatch):
    printed = []
    session = Session(lambda kind, *details: printed.append(details))
    session.engine = load_engine()

    def dismiss():
        session.command.dismiss()
        session.engine.stop()  # the first iteration is finished in any case

    monkeypatch.setattr(session, "forward_to_engine", dismiss)  # called as soon as the search is on
    analysis = CecpGame(session)
    analysis.is_analysing = analysis.shows_thinking = True
    analysis.search_in_background()
    assert analysis.status()
    assert printed == []
    analysis.set_up(None)
    assert analysis.status() is None


def test_analysis_goes_on_from_move_to_move(game):
    game.sync("force", "post")
    game.say("analyze")
    game.hear(r"^5 -?\d+ ")
    game.say("usermove e2e4")
    game.hear(r"^5 (.*) [a-h][78][a-h]")
    game.say("undo")
    game.hear(r"^5 (.*) [a-h][12][a-h]")
    game.say(".")
    assert re.match(r"stat01: \d+ \d+ \d+ \d+ 20( \S+)?$", game.hear("^stat01")[-1])
    game.sync("exit")
    assert game.sync("usermove e2e4", "usermove e7e5") == []


def test_move_now_does_not_end_an_analysis(game):
    game.sync("force", "post")
    game.say("analyze")
    game.hear(r"^5 -?\d+ ")
    game.sync("?")
    assert not any(line.startswith("1 ") for line in game.hear(r"^1\d -?\d+ "))  # it did not begin again


def test_uci_ends_an_analysis(game):
    game.sync("force", "post")
    game.say("analyze")
    game.hear(r"^5 -?\d+ ")
    game.say("uci", "isready")
    assert not any(line.startswith("info string still") for line in game.hear("^readyok$"))


@pytest.mark.parametrize("orders", [["analyze", "exit"], ["analyze", "new", "exit"]], ids=" ".join)
def test_after_an_analysis_the_engine_plays_neither_side(game, orders):
    game.sync("sd 2", *orders)
    assert game.sync("usermove e2e4") == []


def test_the_status_is_that_of_the_present_position(game):
    game.sync("force", "sd 2", "go")
    assert game.sync(".") == []


def test_no_status_without_a_search(game):
    assert game.sync(".") == []


# Settings


def test_memory_and_cores(game):
    assert game.sync("memory 32", "cores 2") == []
    for wrong in ("memory 0", "memory", "cores many"):
        (complaint,) = game.sync(wrong)
        assert complaint.startswith("# ")


def test_options_are_set(game):
    orders = ["option OwnBook=1", "option Skill Level=3", "option Clear Hash", "option Book Choice=best"]
    assert game.sync(*orders) == []
    for wrong in ("option Skill Level=21", "option OwnBook=7", "option Contempt=1"):
        (complaint,) = game.sync(wrong)
        assert complaint.startswith("# ")


def test_memory_cores_and_options_are_used():
    session = Session(lambda kind, *details: None)
    session.engine = Mock()
    obey(SimpleNamespace(session=session), "memory 32", "cores 2", "option OwnBook=1", "option Skill Level=3")
    assert session.engine.mock_calls == [call.set_hash(32), call.set_threads(2)]
    assert session.options.is_on("OwnBook") and session.options.number("Skill Level") == 3


def test_blanks_in_a_path_are_kept(game, tmp_path):
    folder = tmp_path / "two  blanks"
    folder.mkdir()
    book = folder / "book.bin"
    book.write_bytes(b"")
    assert game.sync(f"option BookFile={book}") == []
    assert game.sync(f"egtpath syzygy {folder}") == ["# 0 tables found, 0 with distances"]


def test_egtpath(game, tmp_path):
    assert game.sync(f"egtpath syzygy {tmp_path}") == ["# 0 tables found, 0 with distances"]
    assert game.sync("egtpath gaviota /tmp") == []


def test_the_book_is_shown(game, tmp_path):
    import chess.polyglot

    from helpers.search.polyglot_book import entry

    path = tmp_path / "book.bin"
    path.write_bytes(entry(chess.Board(), "e2e4", 7))
    assert game.sync("bk") == [""]
    assert game.sync(f"option BookFile={path}", "bk") == [" e2e4 7", ""]


# Chess960


def test_castling_in_chess960_is_written_with_o(game):
    fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    game.sync("variant fischerandom", "force")
    game.sync("setboard 1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1")
    assert game.sync("usermove O-O", "usermove O-O-O", "undo", "undo") == []
    assert game.sync("usermove O-O-O", "usermove O-O") == []
    move_in(game.sync(f"setboard {fen}", "sd 3", "go"))


def test_unknown_variants_are_refused(game):
    (complaint,) = game.sync("variant atomic")
    assert complaint.startswith("# ")


# Leaving


@pytest.mark.parametrize("orders", [[], ["analyze"], ["hard", "sd 4", "usermove e2e4"]])
@pytest.mark.parametrize("farewell", [["quit"], []])
def test_quit_at_once(talk, orders, farewell):
    talk().leave("xboard", "protover 2", "new", *orders, *farewell)


@pytest.mark.parametrize("farewell", [["quit"], []])
def test_the_move_that_was_demanded_comes_before_the_end(talk, farewell):
    engine = slow_start(talk, script_seconds=0)
    engine.say("xboard", "post", "st 1000", "usermove e2e4")
    engine.hear(r"^5 ")
    assert engine.leave("?", *farewell)[-1].startswith("move ")
