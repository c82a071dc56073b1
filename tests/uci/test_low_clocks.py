"""With hardly any time: the first iteration is always finished, and told; and the first search is prepared.

The machine is kept busy meanwhile, as it is in matches with a game for every core. Nothing is timed.
"""

import os
import subprocess
import sys
from unittest.mock import Mock, call

import chess
import pytest

from bluekrait.search.engine import DEFAULT_MEGABYTES
from bluekrait.search.limits import Limits
from bluekrait.search.thinking import lazy_smp
from bluekrait.uci import first_search
from helpers.search.searching import searcher

HANGING_QUEEN = "4k3/2p2p2/8/3q4/4P3/8/5PP1/6K1 w - - 0 1"  # there is one sensible move
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
QUEENS = "2Qq1k2/2QQqq1q/Q2Q4/5qQ1/5q2/q2Qq2Q/3Q4/1q5K w - - 0 1"  # a depth of 1 is hundreds of nodes

NO_TIME = (
    *("go wtime 100", "go movetime 1", "go wtime 1 winc 0", "go wtime 0 btime 0", "go wtime -50 winc 1"),
    *("go movetime 0", "go nodes 1", "go wtime 20 movestogo 1", "go ponder wtime 1", "go infinite"),
)


@pytest.fixture(scope="module")
def busy_machine():
    """A process for every core that does nothing but be busy."""
    command = [sys.executable, "-c", "while True: pass"]
    burners = [subprocess.Popen(command) for _ in range(os.cpu_count() or 1)]
    yield
    for burner in burners:
        burner.kill()
        burner.wait()


@pytest.mark.parametrize("settings", [[], ["Threads value 3"], ["MultiPV value 4"], ["Hash value 512"]])
def test_first_iteration_is_finished_and_told(talk, busy_machine, settings):
    engine = talk()
    engine.ask(*(f"setoption name {setting}" for setting in settings))
    for go in NO_TIME:
        engine.ask("ucinewgame", f"position fen {HANGING_QUEEN}")
        engine.say(go, "stop")
        *lines, answer = engine.hear("^bestmove")
        assert answer.split()[1] == "e4d5", go
        assert lines[0].startswith("info depth 1 ") and " score " in lines[0] and " pv " in lines[0]


@pytest.mark.parametrize("side", "wb")
@pytest.mark.parametrize("settings", [[], ["Threads value 2"], ["Threads value 8"], ["Hash value 4096"]])
def test_a_search_with_hardly_any_time_ends_by_itself(talk, busy_machine, settings, side):
    engine, board = talk(), chess.Board(KIWIPETE)
    board.turn = side == "w"
    engine.ask(*(f"setoption name {setting}" for setting in settings))
    for go in (f"go {side}time 100", "go movetime 1", f"go {side}time 1 {side}inc 0"):
        engine.ask("ucinewgame", f"position fen {board.fen()}")
        engine.say(go)  # and no `stop`: it would never be answered if the clock did not end it
        *lines, answer = engine.hear("^bestmove")
        assert any(line.startswith("info depth 1 ") for line in lines), go
        assert chess.Move.from_uci(answer.split()[1]) in board.legal_moves, go


@pytest.mark.parametrize("fen", [KIWIPETE, chess.STARTING_FEN])
def test_a_stop_at_once_gets_a_move_with_a_score(talk, fen):
    engine = talk()
    for _ in range(5):
        engine.say("ucinewgame", f"position fen {fen}", "go infinite", "stop")
        *lines, answer = engine.hear("^bestmove")
        assert lines[0].startswith("info depth 1 ")
        assert lines[-1].split(" pv ")[1].split()[0] == answer.split()[1]


def test_a_first_iteration_that_is_long_does_not_outlast_a_stop(monkeypatch):
    limit = 20
    monkeypatch.setattr(lazy_smp, "FIRST_ITERATION_NODES", limit)
    engine = searcher()
    engine.new_game()  # other tests used it before
    engine.set_position(QUEENS, [])
    engine.go(Limits(depth=1), on_line=print)
    assert engine._workers[0].record.nodes > 2 * limit
    engine.new_game()
    choice = engine.go(Limits(infinite=True), on_line=print, on_start=engine.stop)
    assert engine._workers[0].record.nodes <= limit
    assert choice.move in engine.legal_moves()


# What the first `go` brings with it, after everything that comes before `readyok`.
WHAT_THE_FIRST_SEARCH_COSTS = """
import sys
from bluekrait.search.engine import load_engine
from bluekrait.uci.protocols import load_protocol
from bluekrait.uci.message_loop import MessageLoop
from bluekrait.uci.session import Session

def faults():
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

said = []
session = Session(lambda *message: said.append(message))
session.engine = load_engine()
protocol = load_protocol({protocol!r})(MessageLoop(load_protocol))
protocol.prepare(session.engine)
{imports}
modules, pages = set(sys.modules), faults()
{search}
pages = faults() - pages
print(len(said), pages, *sorted(set(sys.modules) - modules))
"""


FIRST_SEARCHES = {
    "uci": ("from bluekrait.uci.protocol.commands import go", 'go(session, ["depth", "1"])'),
    "xboard": (
        "from bluekrait.uci.cecp.cecp_game import CecpGame",
        "game = CecpGame(session); game.shows_thinking = True; game.clock.set_depth('1');"
        "game.engine_side = game.turn; game.move_if_on_turn()",
    ),
}


@pytest.mark.parametrize("protocol", FIRST_SEARCHES)
def test_first_search_brings_nothing_in(warm_cache, protocol):
    imports, search = FIRST_SEARCHES[protocol]
    program = WHAT_THE_FIRST_SEARCH_COSTS.format(protocol=protocol, imports=imports, search=search)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    lines, pages, *modules = done.stdout.split()
    assert lines == "2"  # a line of thought, and the move
    assert modules in ([], ["resource"])
    assert int(pages) < 200  # a start that leaves everything to the first search costs it a thousand


def test_the_first_search_leaves_the_engine_as_new(monkeypatch):
    monkeypatch.setattr(first_search.gc, "freeze", lambda: None)
    engine = Mock()
    first_search.search_once(engine, lambda session: session.engine.go())
    assert engine.mock_calls == [
        *(call.set_hash(first_search.SMALLEST_HASH), call.go()),
        *(call.set_hash(DEFAULT_MEGABYTES), call.new_game()),
    ]
