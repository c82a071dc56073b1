"""`go` and what ends it."""

import re
from unittest.mock import Mock

import pytest

from bluekrait.core.counting.perft_threads import PerftResult
from bluekrait.core.generators.registry import GENERATORS, LIVE, load_perft
from bluekrait.core.notation.fen import STARTING_FEN, parse_fen
from bluekrait.core.notation.san_and_uci import move_to_uci
from bluekrait.search.limits import Limits
from bluekrait.uci.options.option_table import find_option
from bluekrait.uci.protocol import commands
from bluekrait.uci.protocol.go import MOST, MOST_MOVES, parse_go
from bluekrait.uci.session import Session
from helpers.processes.conversation import slow_start

WHITE, BLACK = 0, 1
LEGAL = "bestmove (b1[ac]3|g1[fh]3|[a-h]2[a-h][34])( ponder (b8[ac]6|g8[fh]6|[a-h]7[a-h][65]))?$"
MATED, STALEMATED = "7k/6Q1/6K1/8/8/8/8/8 b - -", "7k/5Q2/6K1/8/8/8/8/8 b - -"


def limits_of(text, turn=WHITE, moves=()):
    """The limits of a `go` without mistakes."""
    limits, complaints = parse_go(text.split(), turn, moves)
    assert complaints == []
    return limits


# Parsing


@pytest.mark.parametrize(
    "text, limits",
    [
        ("", Limits(infinite=True)),
        ("infinite", Limits(infinite=True)),
        ("depth 5", Limits(depth=5)),
        ("nodes 5000", Limits(nodes=5000)),
        ("mate 3", Limits(mate=3)),
        ("movetime 250", Limits(move_time=250)),
        ("movetime 0", Limits(move_time=0)),
        ("wtime 3000 btime 2000 winc 30 binc 20", Limits(remaining=3000, increment=30)),
        ("movestogo 7 binc 20 btime 2000 winc 30 wtime 3000", Limits(3000, 30, 7)),
        ("wtime 0 btime 1", Limits(remaining=0)),
        ("wtime -50 btime 1", Limits(remaining=-50)),
        ("wtime 100 winc -5", Limits(remaining=100)),
        ("btime 700 binc 20", Limits(remaining=700)),
        ("winc 20", Limits(remaining=0, increment=20)),
        ("movestogo 1 wtime 9", Limits(remaining=9, moves_to_go=1)),
        ("movestogo 0 wtime 9", Limits(remaining=9)),
        ("wtime 9 movestogo -1", Limits(remaining=9)),
        ("ponder wtime 3000 btime 2000", Limits(remaining=3000, ponder=True)),
        ("ponder", Limits(ponder=True)),
        ("infinite ponder", Limits(infinite=True)),
        ("depth 3 nodes 9 infinite", Limits(depth=3, nodes=9, infinite=True)),
        ("depth 5000", Limits(depth=MOST_MOVES)),
        ("nodes " + "9" * 5000, Limits(nodes=MOST)),
        ("depth -3 nodes 0 mate 0", Limits(depth=1, nodes=1, mate=1)),
    ],
)
def test_limits_are_read_in_any_order(text, limits):
    assert limits_of(text) == limits


def test_each_side_has_its_own_clock():
    text = "wtime 3000 btime 2000 winc 30 binc 20"
    assert limits_of(text, BLACK) == Limits(remaining=2000, increment=20)


@pytest.mark.parametrize(
    "text, limits",
    [
        ("nodes x", Limits(nodes=1)),
        ("depth", Limits(depth=1)),
        ("depth 1e9 infinite", Limits(depth=1, infinite=True)),
        ("depth nodes 7", Limits(depth=1, nodes=7)),
        ("depth infinite", Limits(depth=1, infinite=True)),
        ("wtime ponder", Limits(remaining=0, ponder=True)),
        ("nodes searchmoves e2e5 ponder", Limits(nodes=1, ponder=True)),
        ("binc", Limits(remaining=0)),
        ("wtime soon btime 500", Limits(remaining=0)),
        ("movetime 1_000 " + "9" * 1000, Limits(move_time=0)),
        ("hurry up depth 3", Limits(depth=3)),
        ("searchmoves e2e5 depth 3", Limits(depth=3)),
    ],
)
def test_unreadable_limits_are_reported_and_do_not_search_for_ever(text, limits):
    found, complaints = parse_go(text.split(), WHITE, ())
    assert found == limits
    assert complaints
    assert all(len(complaint) < 100 for complaint in complaints)


@pytest.mark.parametrize(
    "text, depth",
    [("searchmoves e2e4 d7d5 d2d4 e2e4 depth 3", 3), ("depth searchmoves e2e4 d2d4", 1)],
)
def test_searchmoves_are_what_stands_between_two_keywords(text, depth):
    from helpers.support import engine

    fen = parse_fen(STARTING_FEN)
    engine().set_position(None, [])
    moves = engine().legal_moves()
    limits, complaints = parse_go(text.split(), fen.ply & 1, moves)
    assert [move_to_uci(move, WHITE) for move in limits.search_moves] == ["e2e4", "d2d4"]
    assert limits.depth == depth
    assert len(complaints) == 1


# Answers


@pytest.mark.parametrize(
    "go",
    [
        "go movetime 0",
        "go wtime -5 btime 0",
        "go wtime 0",
        "go depth 3",
        "go nodes x",
        "go movestogo 1",
    ],
)
def test_go_is_answered_with_a_legal_move(talk, go):
    engine = talk()
    engine.say("position startpos", go)
    assert re.match(LEGAL, engine.hear("^bestmove")[-1])


def test_searchmoves_restrict_the_choice(talk):
    engine = talk()
    engine.say("go depth 4 searchmoves a2a3 h2h3")
    assert re.match("bestmove (a2a3|h2h3)", engine.hear("^bestmove")[-1])
    engine.say("position startpos moves e2e4", "go searchmoves a7a6 depth 4")
    assert re.match("bestmove a7a6", engine.hear("^bestmove")[-1])


@pytest.mark.parametrize("fen", [MATED, STALEMATED, "7k/8/5NKN/8/8/8/8/8 w - -"])
@pytest.mark.parametrize(
    "go", ["go infinite", "go", "go infinite depth 1", "go ponder wtime 1000 btime 1000"]
)
def test_infinite_and_ponder_hold_bestmove_until_stop(talk, fen, go):
    engine = talk()
    engine.ask(f"position fen {fen}")
    assert not any(line.startswith("bestmove") for line in engine.ask(go))  # isready is answered
    engine.say("isready")
    assert not any(line.startswith("bestmove") for line in engine.hear("^readyok"))
    engine.say("stop")
    engine.hear("^bestmove")


def test_ponderhit_is_answered_in_time(talk):
    engine = talk()
    engine.ask("go ponder wtime 1000 btime 1000")
    engine.say("ponderhit")
    assert re.match(LEGAL, engine.hear("^bestmove")[-1])


def test_a_ponderhit_before_the_search_began_is_not_lost(talk):
    engine = slow_start(talk, steps=3)
    engine.say("go ponder wtime 1000 btime 1000", "ponderhit")
    assert re.match(LEGAL, engine.hear("^bestmove")[-1])


def test_a_stop_before_the_search_began_is_not_lost(talk):
    engine = talk()
    for _ in range(20):
        engine.say("go infinite", "stop")
        assert re.match(LEGAL, engine.hear("^bestmove")[-1])


@pytest.mark.parametrize(("fen", "answer"), [(STARTING_FEN, LEGAL), (MATED, r"bestmove \(none\)$")])
def test_a_search_that_fails_says_so_and_is_answered(talk, fen, answer):
    engine = slow_start(talk, failure="engine.Engine.go = lambda *arguments, **limits: 1 // 0")
    engine.say(f"position fen {fen}", "go depth 5")
    *_, told, best = engine.hear("^bestmove")
    assert "the search failed, ZeroDivisionError" in told
    assert re.match(answer, best)


def test_ponderhit_does_not_end_go_infinite(talk):
    engine = talk()
    engine.say("go infinite", "ponderhit")
    assert not any(line.startswith("bestmove") for line in engine.ask())
    engine.say("stop")
    assert re.match(LEGAL, engine.hear("^bestmove")[-1])


def test_stop_and_ponderhit_without_a_search_are_ignored(talk):
    engine = talk()
    assert engine.ask("stop", "ponderhit") == []
    engine.say("go depth 2")
    engine.hear("^bestmove")
    assert engine.ask("stop", "ponderhit") == []


@pytest.mark.parametrize("fen, score", [(MATED, "mate 0"), (STALEMATED, "cp 0")])
def test_bestmove_none_without_legal_moves(talk, fen, score):
    info, answer = talk().leave(f"position fen {fen}", "go depth 3")
    assert info.startswith(f"info depth 0 seldepth 0 multipv 1 score {score} nodes 0")
    assert answer == "bestmove (none)"


def test_a_new_game_begins_with_nothing_in_memory(talk):
    def nodes():
        engine.say("position startpos", "go depth 7")
        last = engine.hear("^bestmove")[-2].split()
        return last[last.index("nodes") + 1]

    engine = talk()
    first, second = nodes(), nodes()
    engine.ask("ucinewgame")
    assert first == nodes() != second


def test_perft_is_told_its_threads_and_hash():
    session = Session(lambda *message: None)
    session.engine = Mock(**{"perft.return_value": PerftResult(20, 0.01, True)})
    session.options.set("Threads", 2)
    session.options.set("PerftHash", 8)
    commands.go(session, ["perft", "1"])
    told = session.engine.perft.call_args.kwargs
    assert (told["threads"], told["hash_mb"]) == (2, 8)


def test_a_count_that_was_stopped_is_told_as_incomplete():
    posted = []
    session = Session(lambda *message: posted.append(message))
    session.engine = Mock(**{"perft.return_value": PerftResult(20, 0.01, False)})
    commands.go(session, ["perft", "5"])
    assert posted[0] == ("info", "perft was stopped, its count is not complete")


# Leaving


@pytest.mark.parametrize("farewell", [[], ["quit"]])
@pytest.mark.parametrize("go", ["go infinite", "go ponder wtime 1000 btime 1000"])
def test_end_of_script_ends_an_infinite_search(talk, go, farewell):
    assert re.match(LEGAL, talk().leave(go, *farewell)[-1])


def test_a_script_gets_the_move_it_asked_for(talk):
    assert re.match(LEGAL, talk().leave("go depth 4", "quit")[-1])
    assert re.match(LEGAL, talk().leave("go nodes 2000")[-1])


@pytest.mark.parametrize(
    "go",
    [
        "go perft 12",
        "go depth 200",
        "go movetime 1000000",
        "go infinite",
        "go ponder wtime 60000 btime 60000",
    ],
)
@pytest.mark.parametrize("farewell", [[], ["quit"]])
def test_a_late_quit_does_not_wait_for_answers(talk, go, farewell):
    engine = slow_start(talk, script_seconds=0)
    engine.ask(go)
    engine.leave(*farewell)


@pytest.mark.parametrize("farewell", [[], ["quit"]])
def test_what_was_stopped_is_answered_before_the_end(talk, farewell):
    engine = slow_start(talk, script_seconds=0)
    engine.ask("go infinite")
    assert re.match(LEGAL, engine.leave("stop", *farewell)[-1])


# Debug


def test_debug_prints_the_limits(talk):
    engine = talk()
    engine.ask("debug on")
    engine.say("go depth 2")
    assert any(re.match("info string .*depth=2", line) for line in engine.hear("^bestmove"))
    engine.ask("debug off")
    engine.say("go depth 2")
    assert not any("info string" in line for line in engine.hear("^bestmove"))
    assert len(engine.ask("debug perhaps")) == 1


def test_perft_by_another_generator(talk):
    """Each prints the same moves and counts as the engine's own generator."""
    for name in GENERATORS:
        load_perft(name)  # compiled here, however long that takes
    engine = talk()
    order = "go perft 3"
    counted = {}
    for name in find_option("PerftGenerator").choices:
        engine.say(f"setoption name PerftGenerator value {name}", "setoption name PerftHash value 1", order)
        heard = engine.hear("^Nodes searched")
        counted[name] = [line for line in heard if line and not line.startswith("info string")]
    assert set(counted) == {LIVE, *GENERATORS}
    assert len(counted[LIVE]) == 21
    assert all(lines == counted[LIVE] for lines in counted.values())
