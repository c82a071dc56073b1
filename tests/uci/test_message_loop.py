"""The UCI loop as GUIs use it: a process and pipes, with correct and with wrong input."""

import io
import os
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

from bluekrait.search.parameters import PARAMETERS
from bluekrait.uci.streams import input_reader
from bluekrait.uci.streams.input_reader import LINE_LIMIT
from bluekrait.uci.streams.output import StandardErrorLines, info_string
from helpers.paths import ROOT
from helpers.processes.conversation import fen_of, slow_start
from helpers.waiting import PATIENCE, wait_until

ENDLESS = "go perft 12"

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


# Start-up


def test_introduces_itself_and_its_options(talk):
    lines = talk().leave("uci")
    assert lines[0].startswith("id name BlueKrait ")
    assert lines[1].startswith("id author ")
    assert lines[-1] == "uciok"


def test_uciok_comes_before_a_slow_engine_is_loaded(talk):
    engine = slow_start(talk, steps=15)
    engine.say("uci", "isready")
    heard = engine.hear("^readyok$")
    first_report = next(at for at, line in enumerate(heard) if line.startswith("info string compiling"))
    assert heard.index("uciok") < first_report
    assert all(
        re.fullmatch(r"info string compiling, \d+ % \(rook moves\)", x) for x in heard[first_report:-1]
    )
    assert engine.leave() == []


def test_a_greeting_on_a_terminal(talk):
    pty = pytest.importorskip("pty")  # not on Windows
    keyboard, terminal = pty.openpty()
    engine = talk(stdin=terminal)
    assert "help" in engine.hear("^BlueKrait ")[0]
    os.write(keyboard, b"quit\n")
    assert engine.ending() == (0, b"")
    os.close(keyboard)
    os.close(terminal)


def test_nothing_heavy_is_imported_before_uciok(tmp_path):
    script = """
import os, sys
from bluekrait.uci.executor import Executor
from bluekrait.uci.message_loop import MessageLoop
from bluekrait.uci.protocols import load_protocol
Executor.start = lambda executor: (print(*sys.modules), sys.stdout.flush(), os._exit(0))
MessageLoop(load_protocol).converse()
"""
    # -S leaves out what an installation may import at every start; so it does not find the package either.
    (tmp_path / "bluekrait").mkdir()
    for folder in ("core", "search", "uci"):
        (tmp_path / "bluekrait" / folder).symlink_to(ROOT / folder)
    command = [sys.executable, "-S", "-c", f"import sys; sys.path.append({str(tmp_path)!r}){script}"]
    said = subprocess.run(command, input=b"uci\n", capture_output=True, check=True).stdout.decode()
    assert "uciok\n" in said
    loaded = set(said.splitlines()[-1].split())
    heavy = {"numba", "numpy", "llvmlite", "ctypes", "argparse", "typing", "re", "dataclasses", "logging"}
    assert not loaded & heavy


def test_commands_wait_in_order_while_the_engine_loads(talk):
    engine = slow_start(talk, steps=5)
    engine.say("position startpos moves e2e4", "d", "position startpos", "d", "uci")
    assert "uciok" in engine.hear("^uciok$")
    fens = [line[5:] for line in engine.leave() if line.startswith("Fen: ")]
    assert fens == [AFTER_E4, START]


def test_isready_does_not_wait_for_ever(talk):
    engine = slow_start(talk, steps=600, ping_patience=0.5)
    engine.say("isready", "isready")
    heard = [line for line in engine.hear("^readyok$") + engine.hear("^readyok$") if "still" in line]
    assert len(heard) == 2
    assert heard[0].startswith("info string still compiling, ")


def test_quit_while_compiling(talk):
    engine = slow_start(talk, steps=600)
    engine.say("isready", "position startpos", "quit")
    assert engine.ending() == (0, b"")
    engine = slow_start(talk, steps=1, failure="time.sleep(600)", ping_patience=600)  # a step takes long
    engine.say("isready")
    engine.hear("compiling")
    engine.say("quit")
    assert engine.ending() == (0, b"")


def test_a_late_quit_while_loading_does_not_wait_for_a_count(talk):
    engine = slow_start(talk, failure="time.sleep(2)", script_seconds=0)
    engine.say("go perft 12", "isready", "quit")
    assert engine.ending() == (0, b"")


def test_a_script_that_asks_whether_the_engine_works_is_answered(talk):
    assert talk().leave("uci", "isready", "quit")[-2:] == ["uciok", "readyok"]
    assert talk().leave("isready", "position startpos", "isready", "quit") == ["readyok", "readyok"]
    assert any(line.startswith("feature ") for line in talk().leave("xboard", "protover 2", "quit"))


def test_end_of_input_while_loading_with_nothing_to_do(talk):
    engine = slow_start(talk, steps=1, failure="time.sleep(600)")
    assert "uciok" in engine.leave("uci")


def test_end_of_input_while_loading_still_answers(talk):
    heard = slow_start(talk, steps=3).leave("go perft 2", "isready")
    assert "Nodes searched: 400" in heard
    assert "readyok" in heard
    heard = slow_start(talk, steps=3).leave("parameters")
    assert sum(", int, " in line for line in heard) == len(PARAMETERS)


def test_an_engine_that_cannot_be_loaded(talk):
    engine = slow_start(talk, failure='raise OSError("no disk\\nat all")')
    engine.say("isready")
    assert engine.hear("cannot be loaded") == [
        "info string the engine cannot be loaded: OSError: no disk?at all"
    ]
    assert engine.ending() == (1, b"")


@pytest.mark.parametrize("failure", ["sys.exit()", "sys.exit(0)", "sys.exit('no game')"])
def test_a_script_that_is_imported_in_place_of_a_library_and_leaves(talk, failure):
    engine = slow_start(talk, failure=f"import sys; {failure}")
    engine.say("isready")
    assert "cannot be loaded: SystemExit" in engine.hear("cannot be loaded")[0]
    assert engine.ending() == (1, b"")


def test_standard_error_becomes_info_strings(talk):
    engine = slow_start(talk, failure="import warnings; warnings.warn('mind the gap')")
    assert any(re.match("info string .*mind the gap", line) for line in engine.ask())
    assert engine.leave() == []


def test_messages_are_short_and_blank_ones_left_out():
    heard = []
    assert StandardErrorLines(heard.append).write("one\n\n  \ntwo") == 11
    assert heard == ["one", "two"]
    assert len(info_string("\u265e" * 1000)) == len("info string ") + 300
    assert info_string(" ~\x7f\x1f\n\xe9") == "info string  ~????"


# Commands


def test_perft_in_stockfish_format(talk):
    heard = talk().leave("go perft 2")
    assert len(heard) == 23
    assert all(re.fullmatch(r"[a-h][12][a-h][34]: 20", line) for line in heard[:20])
    assert heard[20:] == ["", "Nodes searched: 400", ""]


def test_perft_of_a_mated_side(talk):
    mated = "position startpos moves f2f3 e7e5 g2g4 d8h4"
    assert talk().leave(mated, "go perft 3") == ["", "Nodes searched: 0", ""]


def test_perft_uses_threads_and_hash(talk):
    orders = ["setoption name Threads value 2", "setoption name PerftHash value 8"]
    assert "Nodes searched: 197281" in talk().leave(*orders, "go perft 4")


@pytest.mark.parametrize("depth", ["", "x", "-1", "1e3", "3.0", "1000", "9" * 5000, "\u0663", "perft"])
def test_bad_perft_depths_get_one_line(talk, depth):
    heard = talk().leave(f"go perft {depth}")
    assert len(heard) == 1
    assert heard[0].startswith("info string ")


def test_d_shows_the_position(talk):
    heard = talk().leave("position startpos moves e2e4 f7f6 d2d4 g7g5 d1h5", "d")
    rows = dict(line.split(": ", 1) for line in heard if ": " in line)
    assert rows["Fen"] == "rnbqkbnr/ppppp2p/5p2/6pQ/3PP3/8/PPP2PPP/RNB1KBNR b KQkq - 1 3"
    assert rows["Checkers"].split() == ["h5"]
    assert int(rows["Key"], 16)


def test_d_names_the_files_of_rooks_in_chess960(talk):
    engine = talk()
    engine.ask("setoption name UCI_Chess960 value true")
    assert fen_of(engine) == START.replace("KQkq", "HAha")


def test_d_tells_how_often_the_position_has_occurred(talk):
    shuffle = " g1f3 g8f6 f3g1 f6g8"
    engine = talk()
    for count, row in (0, None), (1, "Occurred before: 1"), (2, "Occurred before: 2"):
        heard = engine.ask(f"position startpos moves{shuffle * count}", "d")
        assert next((line for line in heard if line.startswith("Occurred")), None) == row


def test_moves_are_listed_by_kind(talk):
    heard = talk().leave("position fen 4k3/P7/8/3pP3/8/8/8/R3K2R w KQ d6 0 1", "moves")
    kinds = [line.split(": ")[0] for line in heard[:-1]]
    assert {"pawn promotion: a7a8q", "en passant: e5d6", "castling: e1g1", "pawn push: e5e6"} <= set(heard)
    assert len(set(kinds)) == sum(here != before for here, before in zip(kinds, [None, *kinds], strict=False))
    assert heard[-1] == f"{len(kinds)} legal moves"


def test_help_names_every_command_and_option(talk):
    engine = talk()
    heard = "\n".join(engine.ask("help"))
    for word in ("uci", "isready", "setoption", "position", "go", "stop", "quit", "moves", "PerftHash"):
        assert re.search(rf"\b{word}\b", heard)
    assert re.search(r"^go .*movetime.*count sequences of moves$", heard, re.MULTILINE)  # one line a command


def test_compiler_reports_versions(talk):
    assert any("numba" in line.lower() for line in talk().leave("compiler"))


def test_commands_without_an_answer(talk):
    silent = ["ucinewgame", "ponderhit", "stop", "debug on", "register later", "", "   ", "\t"]
    assert talk().leave(*silent) == []


# Positions


@pytest.mark.parametrize(
    "order",
    [
        "position",
        "position nowhere",
        "position startpos e2e4",
        "position fen",
        "position fen moves e2e4",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "position fen \x00\x01\x02 \ufffd",
        "position startpos moves e2e5",
        "position startpos moves e7e5",
        "position startpos moves e2e4 e7e5 e1g1",
        "position startpos moves 0000",
        "position startpos moves " + "nonsense " * 1000,
        "position startpos moves e2e4 moves e7e5",
    ],
)
def test_bad_positions_get_one_line_and_the_old_one_stays(talk, order):
    engine = talk()
    assert engine.ask("position startpos moves e2e4") == []
    heard = engine.ask(order)
    assert len(heard) == 1
    assert heard[0].startswith("info string ")
    assert fen_of(engine) == AFTER_E4


def test_positions_are_read_in_all_their_forms(talk):
    engine = talk()
    assert fen_of(engine) == START
    assert engine.ask(f"position fen {START} moves e2e4", "position   startpos\tmoves   e2e4  ") == []
    assert fen_of(engine) == AFTER_E4
    assert engine.ask("position fen 4k3/8/8/8/8/8/8/4K2R w K -") == []
    assert fen_of(engine) == "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    assert engine.ask("position startpos moves") == []
    assert fen_of(engine) == START


def test_a_very_long_game(talk):
    shuffle = "g1f3 g8f6 f3g1 f6g8 " * 500
    assert talk().leave(f"position startpos moves {shuffle}") == []


# What must work at any time


def test_busy_engine_answers_and_stops(talk):
    engine = talk()
    engine.ask()
    engine.say(ENDLESS, "isready")
    engine.hear("^readyok$")
    engine.say("uci")
    engine.hear("^uciok$")
    engine.say("nonsense")
    engine.hear("^info string unknown command")
    engine.say("stop")
    engine.hear("^info string (go )?perft was stopped")  # if it had begun at all
    assert "Nodes searched: 400" in engine.leave("go perft 2")


def test_unknown_words_before_a_command_are_ignored(talk):
    said = talk().leave("joho debug on", "one two position startpos moves e2e4", "go nodes 100", "what d now")
    assert "info string ignored before debug: 'joho'" in said
    assert "info string ignored before position: 'one two'" in said
    assert any(line.startswith("info string asked for") for line in said)  # debug is on
    assert "info string unknown command 'what', type help for a list" in said  # `d` is none of UCI's


def test_an_option_keeps_its_spaces_after_unknown_words(talk):
    said = talk().leave("debug on", "abc setoption name EvalFile value no  such file")
    assert any("no  such file" in line for line in said)


def test_a_stop_is_never_lost(talk):
    engine = talk()
    engine.ask()
    for _ in range(20):
        engine.say(ENDLESS, "stop")
        engine.hear("stopped")
    assert "Nodes searched: 400" in engine.leave("stop", "stop", "go perft 2")


def test_a_stop_also_ends_what_has_not_begun(talk):
    engine = slow_start(talk, steps=5)
    engine.say(ENDLESS, ENDLESS, ENDLESS, "stop", "go perft 1")
    heard = engine.hear("^Nodes searched: 20$")
    assert sum("stopped" in line for line in heard) == 3


def test_commands_wait_for_a_running_perft(talk):
    engine = talk()
    engine.say(ENDLESS, "position startpos moves e2e4", "d", "isready")
    engine.hear("^readyok$")
    engine.say("stop")
    heard = engine.hear("^Fen: ")
    assert "stopped" in "\n".join(heard)
    assert heard[-1] == f"Fen: {AFTER_E4}"


def test_isready_waits_for_what_came_before(talk):
    heard = talk().leave("position nowhere", "setoption name Threads value 0", "isready")
    assert [line.startswith("info string") for line in heard] == [True, True, False]


def test_a_script_gets_its_answers_before_it_quits(talk):
    heard = talk().leave("isready", "go perft 5", "d", "quit", "go perft 4")
    assert "Nodes searched: 4865609" in heard
    assert f"Fen: {START}" in heard
    assert "Nodes searched: 197281" not in heard


def test_quit_at_a_terminal_does_not_wait_for_answers():
    pty = pytest.importorskip("pty")  # not on Windows
    terminal, keyboard_end = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "bluekrait.uci"], stdin=keyboard_end, stdout=subprocess.DEVNULL
    ) as engine:
        os.close(keyboard_end)
        os.write(terminal, f"{ENDLESS}\nquit\n".encode())
        assert engine.wait(PATIENCE) == 0
    os.close(terminal)


def test_end_of_input_lets_a_count_finish(talk):
    assert "Nodes searched: 197281" in talk().leave("go perft 4")


def test_interrupt_is_quiet(talk):
    engine = talk()
    engine.ask()
    engine.process.send_signal(signal.SIGINT)
    assert engine.ending() == (130, b"")


# Wrong input and closed streams


@pytest.mark.parametrize(
    "noise",
    [
        "UCI ok",
        "\u265e " * 100,
        b"\xff\xfe\x00u\x00c\x00i",
        bytes(set(range(256)) - {10}) * 100,
        b"\x00" * 1000,
        b"x" * (LINE_LIMIT - 1),
        b"x" * (10 << 20),
        b"position startpos moves " + b"e2e4 " * (2 << 20),
        b"\x1b[2J\x07\x08",
    ],
)
def test_unreadable_input_gets_one_line(talk, noise):
    engine = talk()
    heard = engine.ask(noise)
    assert len(heard) == 1
    assert re.fullmatch(r"info string [ -~]{1,300}", heard[0])
    assert fen_of(engine) == START


def test_a_line_without_end(talk):
    engine = talk()
    engine.process.stdin.write(b"y" * (3 << 20))
    assert len(engine.leave()) == 1


def test_many_commands_at_once(talk):
    engine = talk()
    heard = engine.ask(*["d", "nonsense", "isready"] * 2000)
    heard += engine.leave("go perft 1")
    assert sum(line.startswith("Fen: ") for line in heard) == 2000
    assert sum("nonsense" in line for line in heard) == 2000


def test_a_stop_after_many_commands_is_heard(talk):
    engine = talk()
    engine.say("go infinite", *["d"] * 5000, "stop")
    engine.hear("^bestmove ")


@pytest.mark.parametrize("length", [0, input_reader.BYTES_OF_COMMAND])
def test_input_that_takes_too_much_memory_waits(monkeypatch, length):
    monkeypatch.setattr(input_reader, "READ_AHEAD", 2 * (input_reader.BYTES_OF_COMMAND + length))
    posted = queue.Queue()
    reader = input_reader.InputReader(lambda *message: posted.put(message))
    reader.line_is_done()  # of a command that was not read
    lines = [f"line {number}{' ' * length}\n" for number in range(6)]
    read = threading.Thread(target=reader._post_lines, args=(io.BytesIO("".join(lines).encode()),))
    read.start()
    for line in lines:
        assert posted.get(timeout=PATIENCE) == ("line", line)
        assert posted.qsize() <= 1
        reader.line_is_done()
    read.join()


def test_line_ends_of_every_kind(talk):
    engine = talk()
    engine.process.stdin.write("\ufeffuci\r\n  isready  \r\nisready".encode())
    heard = engine.leave()
    assert heard.count("uciok") == 1
    assert heard.count("readyok") == 2


def test_commands_in_pieces(talk):
    engine = talk()
    for letter in "isready\n":
        engine.process.stdin.write(letter.encode())
        engine.process.stdin.flush()
        time.sleep(0.01)
    engine.hear("^readyok$")


def test_pipe_that_does_not_block(talk):
    reading_end, writing_end = os.pipe()
    os.set_blocking(reading_end, False)
    engine = talk(stdin=reading_end)
    while not os.get_blocking(reading_end):  # the engine changes it for all who have the pipe
        assert engine.process.poll() is None
        time.sleep(0.01)
    os.write(writing_end, b"isready\n")
    engine.hear("^readyok$")
    os.close(writing_end)
    assert engine.ending() == (0, b"")
    os.close(reading_end)


def test_a_connection_that_is_lost_is_the_end_of_input(talk):
    here, there = socket.socketpair()
    here.send(b"never read, which makes it an error")
    there.send(b"isready\n")
    engine = talk(stdin=here)
    engine.hear("^readyok$")
    there.close()
    here.close()
    assert engine.ending() == (0, b"")


def test_answers_wait_for_room_in_a_pipe_that_does_not_block(warm_cache):
    reading_end, writing_end = os.pipe()
    os.set_blocking(writing_end, False)
    filling = os.write(writing_end, bytes(1 << 20))  # as much as there is room for
    command, pipe = [sys.executable, "-m", "bluekrait.uci"], subprocess.PIPE
    engine = subprocess.Popen(command, stdin=pipe, stdout=writing_end, stderr=pipe)
    engine.stdin.write(b"isready\nquit\n")
    engine.stdin.flush()
    wait_until(lambda: os.get_blocking(writing_end) or engine.poll() is not None)
    os.close(writing_end)
    with open(reading_end, "rb") as reader:
        assert reader.read()[filling:] == b"readyok\n"
    assert engine.communicate(timeout=PATIENCE) == (None, b"")
    assert engine.returncode == 0


def test_standard_output_is_closed_during_the_conversation():
    listening_end, speaking_end = os.pipe()
    os.close(listening_end)
    command = [sys.executable, "-m", "bluekrait.uci"]
    pipe = subprocess.PIPE
    engine = subprocess.Popen(command, stdin=pipe, stdout=speaking_end, stderr=pipe)
    os.close(speaking_end)
    assert engine.communicate(b"uci\n", timeout=PATIENCE) == (None, b"")
    assert engine.returncode == 1


@pytest.mark.parametrize("redirection", ["<&-", "</dev/null", "<&- >&-"])
def test_closed_or_odd_streams(redirection):
    shell = ["sh", "-c", f'exec "$0" -m bluekrait.uci {redirection}', sys.executable]
    done = subprocess.run(shell, capture_output=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
