"""`bench` and `speedtest`."""

import re
import subprocess
import sys
from types import SimpleNamespace

import chess
import pytest

from bluekrait.search.bench_positions import BENCH_POSITIONS, GAME
from bluekrait.search.limits import Limits
from bluekrait.uci.command_state import CommandState
from bluekrait.uci.options.option_table import Options
from bluekrait.uci.protocol.bench import measure, with_new_engine
from helpers.search.searching import searcher

LAST_LINE = r"(\d+) nodes (\d+) nps"
FEN = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1"


def nodes_in(lines):
    """The count in the last line, which must have the format that OpenBench reads."""
    return int(re.fullmatch(LAST_LINE, lines[-1])[1])


def test_positions_are_different_and_playable():
    assert len(set(BENCH_POSITIONS)) == len(BENCH_POSITIONS) == 40
    for fen in BENCH_POSITIONS:
        board = chess.Board(fen, chess960=True)
        assert board.is_valid()
        assert not board.is_game_over()


def test_the_game_of_speedtest_is_legal():
    board = chess.Board()
    for move in GAME.split():
        board.push_uci(move)
    assert len(board.move_stack) > 100


def test_bench_count_is_reproducible(talk):
    first = talk().leave("bench 5")
    engine = talk()
    engine.ask(
        "setoption name Hash value 64", "setoption name MultiPV value 4", "position startpos moves e2e4"
    )
    engine.say("go depth 9")
    engine.hear("^bestmove")
    second = engine.ask("bench 5 1 16", "isready")
    engine.hear("readyok")
    third = engine.leave("bench 5")
    assert nodes_in(first) == nodes_in(second) == nodes_in(third) > 10_000
    assert sum("nodes" in line for line in first) == 1


def test_bench_prints_each_position(talk):
    heard = talk().leave("bench 2")
    rows = [line for line in heard if any(line.endswith(fen) for fen in BENCH_POSITIONS)]
    assert len(rows) == len(BENCH_POSITIONS)
    assert sum(int(row.split()[1]) for row in rows) == nodes_in(heard)


def test_deeper_bench_counts_more_nodes(talk):
    assert nodes_in(talk().leave("bench 6 1 1")) > nodes_in(talk().leave("bench 4"))


def test_bench_accepts_threads_and_does_not_change_the_options(talk):
    heard = talk().leave("setoption name Threads value 1", "bench 3 2 8", "bench 3")
    assert nodes_in(heard) > 0
    assert any(line.startswith("depth 3, 2 threads, 8 MB") for line in heard)


def test_the_engine_gets_its_options_back():
    hashes, threads, options = [], [], Options()
    options.set("Hash", 64)
    options.set("Threads", 3)
    engine = SimpleNamespace(set_hash=hashes.append, set_threads=threads.append)
    engine.game, engine.position, games = "game", "position", []
    engine.new_game, engine.set_game = lambda: games.append("new"), lambda *game: games.append(game)
    session = SimpleNamespace(engine=engine, options=options, command=CommandState())
    assert list(with_new_engine(session, 2, 8, ["first", "second"])) == ["first", "second"]
    assert (hashes, threads, games) == ([8, 64], [2, 3], ["new", "new", ("game", "position")])


def test_the_engine_gets_its_options_back_where_memory_lacks_for_the_bench():
    hashes, options = [], Options()

    def set_threads(count):
        if count > 1:
            raise ValueError("there is not enough memory")

    engine = SimpleNamespace(set_hash=hashes.append, set_threads=set_threads, game=None, position=None)
    engine.new_game, engine.set_game = lambda: None, lambda *game: None
    session = SimpleNamespace(engine=engine, options=options, command=CommandState())
    with pytest.raises(ValueError, match="not enough memory"):
        list(with_new_engine(session, 2, 8, ["first"]))
    assert hashes == [8, options.number("Hash")]


@pytest.mark.parametrize("order", ["bench 1", "speedtest 1 1 1", "genfens 1 seed 1"])
def test_the_position_stays(talk, order):
    engine = talk()
    game = "position startpos moves g1f3 g8f6 f3g1 f6g8"
    before = engine.ask(game, "d")
    assert "Occurred before: 1" in before
    assert engine.ask(order, "d")[-len(before) :] == before
    assert engine.ask(f"{game} e2e4", "d") != before


def test_stockfishs_form(talk, tmp_path):
    engine = talk()
    assert nodes_in(engine.ask("bench 16 1 4 default depth")) == nodes_in(engine.ask("bench 4 1 16"))
    header, *rows, _ = engine.ask("bench 8 1 3 default")
    assert header == "depth 3, 1 thread, 8 MB, 40 positions" and len(rows) == 40
    header, row, _ = engine.ask(FEN, "bench 16 1 5000 current nodes")
    assert header == "nodes 5000, 1 thread, 16 MB, 1 position" and row.endswith(FEN.partition(" fen ")[2])
    assert int(row.split()[1]) == 5000
    name = tmp_path / "positions.epd"
    name.write_text(f"\n{BENCH_POSITIONS[3]}\n{BENCH_POSITIONS[7]}\n")
    header, *rows, _ = engine.ask(f"bench 16 2 20 {name} movetime")
    assert header == "movetime 20, 2 threads, 16 MB, 2 positions"
    assert [row.split(maxsplit=3)[3] for row in rows] == [BENCH_POSITIONS[3], BENCH_POSITIONS[7]]


def test_stockfishs_form_names_the_evaluation(talk):
    engine = talk()
    by_network = nodes_in(engine.ask("bench 16 1 4 default depth NNUE"))
    classical = nodes_in(engine.ask("bench 16 1 4 default depth classical"))
    assert nodes_in(engine.ask("bench 16 1 4 default depth mixed")) == by_network != classical
    engine.ask("setoption name Evaluation value classical")
    assert nodes_in(engine.ask("bench 4")) == classical
    assert nodes_in(engine.ask("bench 16 1 4 default depth mixed")) == classical
    assert nodes_in(engine.ask("bench 16 1 4 default depth NNUE")) == by_network
    assert nodes_in(engine.ask("bench 4")) == classical


def test_files_of_positions_may_have_operations(talk, tmp_path):
    lines = {
        '4k3/8/8/8/8/8/8/4K2R w K - bm Rh8+ O-O; id "two; parts";': "4k3/8/8/8/8/8/8/4K2R w K -",
        "4k3/8/8/8/8/8/8/4K2R w - - 3 40": "4k3/8/8/8/8/8/8/4K2R w - - 3 40",
        "4k3/8/8/8/8/8/8/4K2R w - - 3 40 bm Rh8+;": "4k3/8/8/8/8/8/8/4K2R w - - 3 40",
        "4k3/8/8/8/8/8/8/4K2R w - - ;": "4k3/8/8/8/8/8/8/4K2R w - -",
    }
    (tmp_path / "suite.epd").write_text("\n".join(lines))
    _, *rows, _ = talk().ask(f"bench 16 1 1 {tmp_path / 'suite.epd'}")
    assert [row.split(maxsplit=3)[3] for row in rows] == list(lines.values())


def test_files_of_positions_may_begin_with_a_byte_order_mark(talk, tmp_path):
    (tmp_path / "one.epd").write_text("4k3/8/8/8/8/8/8/4K2R w K -", encoding="utf-8-sig")
    _, row, _ = talk().ask(f"bench 16 1 1 {tmp_path / 'one.epd'}")
    assert row.endswith(" 4k3/8/8/8/8/8/8/4K2R w K -")


def test_files_of_positions_may_have_comments(talk, tmp_path):
    (tmp_path / "one.epd").write_text("# a comment\n4k3/8/8/8/8/8/8/4K2R w K -\n\n # another\n8/8 w - -\n")
    (heard,) = talk().ask(f"bench 16 1 1 {tmp_path / 'one.epd'}")
    assert "line 5: bad FEN" in heard


def test_counters_must_be_numbers(talk, tmp_path):
    (tmp_path / "one.epd").write_text("4k3/8/8/8/8/8/8/4K2R w - - -3 40")
    (heard,) = talk().ask(f"bench 16 1 1 {tmp_path / 'one.epd'}")
    assert "line 1: bad FEN" in heard


def test_files_that_cannot_be_read_get_one_line(talk, tmp_path):
    (tmp_path / "bad.epd").write_text(f"{BENCH_POSITIONS[0]}\n8/8 w - -\n")
    (tmp_path / "empty.epd").write_text("\n")
    (tmp_path / "bytes.epd").write_bytes(b"\xff\xfe\xff")
    problems = {
        "nowhere.epd": ": No such file or directory",
        "bad.epd": ", line 2: bad FEN: ",
        "empty.epd": ": no positions",
        "bytes.epd": " is no text in UTF-8",
    }
    engine = talk()
    for name, problem in problems.items():
        (heard,) = engine.ask(f"bench 16 1 3 {tmp_path / name}")
        assert heard.startswith(f"info string {tmp_path / name}{problem}")


def test_bench_can_be_stopped(talk):
    engine = talk()
    engine.say("bench 60", "stop")
    nodes_in(engine.hear(LAST_LINE))


def test_bench_from_the_command_line(talk):
    command = [sys.executable, "-m", "bluekrait.uci", "bench", "4"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stderr) == (0, "")
    assert nodes_in(done.stdout.splitlines()) == nodes_in(talk().leave("bench 4"))


@pytest.mark.parametrize(
    "order",
    [
        *("bench x", "bench 0", "bench 1000", "bench 3 0", "bench 3 1 0", "bench 3 1 16 7"),
        *("bench 16 1 3 default eval", "bench 16 1 0 default", "bench 16 1 3 default depth 5"),
        *("bench 16 1 3 default depth nnue", "bench 16 1 3 default depth mixed 5"),
        "speedtest 1 16 0",
    ],
)
def test_wrong_numbers_get_one_line(talk, order):
    (heard,) = talk().leave(order)
    assert heard.startswith("info string ")


def test_measure_with_a_limit_that_is_too_small_for_an_iteration():
    engine = searcher()
    engine.set_position(None, [])
    engine.new_game()
    measured = measure(engine, Limits(nodes=1))
    assert measured.nodes > 1 and measured.depth == 1
    assert measured.move in engine.legal_moves()


def test_speedtest_prints_a_table(talk):
    heard = talk().leave("speedtest 1 16 1")
    header, *rows, last = heard[1:]
    assert header.split() == ["ply", "depth", "hashfull", "nodes", "nps"]
    assert [int(row.split()[0]) for row in rows] == list(range(0, len(GAME.split()), 4))
    assert sum(int(row.split()[3]) for row in rows) == nodes_in([last])
