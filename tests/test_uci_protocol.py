"""The UCI loop, driven as GUIs drive it: as a process, through pipes, politely and otherwise."""

import os
import pty
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PATIENCE = 60  # seconds; nothing below is timed, this only keeps a hanging test from hanging for ever
ENDLESS = "go perft 12"

# The real engine behind a start that takes as long, or goes as wrong, as a test wants it to.
REHEARSED_START = """
import time
from bluekrait.search import engine
from bluekrait.uci import cli, protocol

load_real_engine = engine.load_engine

def load_engine(on_progress=None):
    for step in range({steps}):
        on_progress(step, {steps}, "rook moves")
        time.sleep(0.1)
    {failure}
    return load_real_engine(on_progress)

engine.load_engine = load_engine
protocol.PING_PATIENCE = {ping_patience}
cli.main([])
"""


class Conversation:
    """A running engine; what it says is collected line by line."""

    def __init__(self, *arguments, **streams):
        command = [sys.executable, *(arguments or ("-m", "bluekrait.uci"))]
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE) | streams
        self.process = subprocess.Popen(command, **pipes)
        self.lines = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self.process.stdout:
            self.lines.put(line.decode().rstrip("\n"))
        self.lines.put(None)

    def say(self, *lines):
        """Send lines, text or bytes."""
        data = b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in lines)
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def hear(self, pattern):
        """The lines up to the first that matches the pattern."""
        heard = []
        while not heard or not re.search(pattern, heard[-1]):
            line = self.lines.get(timeout=PATIENCE)
            assert line is not None, f"it left without saying {pattern}: {heard}"
            heard.append(line)
        return heard

    def ask(self, *lines):
        """Send lines; the answer, up to the end of all work they cause."""
        self.say(*lines, "isready")
        return self.hear("^readyok$")[:-1]

    def leave(self, *lines):
        """Send last lines and the end of input; what is still said. It must leave in peace."""
        self.say(*lines)
        self.process.stdin.close()
        rest = list(iter(lambda: self.lines.get(timeout=PATIENCE), None))
        assert self.ending() == (0, b"")
        return rest

    def ending(self):
        """Exit code and standard error."""
        return self.process.wait(PATIENCE), self.process.stderr.read()


@pytest.fixture(scope="module", autouse=True)
def warm():
    """Have everything compiled, so that no test meets a compiler it does not expect."""
    subprocess.run([sys.executable, "-m", "bluekrait.uci", "warmup"], check=True, stdout=subprocess.DEVNULL)


@pytest.fixture
def talk():
    """Start conversations, and end the processes that a failed test leaves behind."""
    begun = []

    def begin(*arguments, **streams):
        begun.append(Conversation(*arguments, **streams))
        return begun[-1]

    yield begin
    for conversation in begun:
        conversation.process.kill()
        conversation.process.wait()


def rehearsed(talk, steps=0, failure="", ping_patience=8):
    """A conversation with an engine that takes `steps` tenths of a second to load."""
    script = REHEARSED_START.format(steps=steps, failure=failure, ping_patience=ping_patience)
    return talk("-c", script)


def fen_of(conversation):
    """The present position."""
    return next(line[5:] for line in conversation.ask("d") if line.startswith("Fen: "))


START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


# Start-up


def test_introduces_itself_and_its_options(talk):
    lines = talk().leave("uci")
    assert lines[0].startswith("id name BlueKrait ")
    assert lines[1].startswith("id author ")
    assert lines[-1] == "uciok"
    for line in lines[2:-1]:
        spin = r"type spin default -?\d+ min -?\d+ max -?\d+"
        assert re.fullmatch(rf"option name [\w ]+ ({spin}|type check default (true|false))", line)


def test_options_have_sensible_bounds(talk):
    options = {line.split()[2]: line.split() for line in talk().leave("uci") if line.startswith("option")}
    assert {"Threads", "PerftHash", "UCI_Chess960"} <= set(options)
    for words in options.values():
        if words[4] == "spin":
            default, low, high = (int(words[at]) for at in (6, 8, 10))
            assert low <= default <= high
    assert int(options["Threads"][10]) >= 256


def test_uciok_comes_before_a_slow_engine_is_loaded(talk):
    engine = rehearsed(talk, steps=15)
    engine.say("uci", "isready")
    heard = engine.hear("^readyok$")
    first_report = next(at for at, line in enumerate(heard) if line.startswith("info string compiling"))
    assert heard.index("uciok") < first_report
    assert all(
        re.fullmatch(r"info string compiling, \d+ % \(rook moves\)", x) for x in heard[first_report:-1]
    )
    assert engine.leave() == []


def test_people_are_greeted(talk):
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
from bluekrait.uci.engine_room import EngineRoom
from bluekrait.uci.protocol import FrontDesk
EngineRoom.start = lambda room: (print(*sys.modules), sys.stdout.flush(), os._exit(0))
FrontDesk().converse()
"""
    # -S leaves out what an installation may import at every start; so it does not find the package either.
    (tmp_path / "bluekrait").mkdir()
    (tmp_path / "bluekrait" / "uci").symlink_to(ROOT / "uci")
    command = [sys.executable, "-S", "-c", f"import sys; sys.path.append({str(tmp_path)!r}){script}"]
    said = subprocess.run(command, input=b"uci\n", capture_output=True, check=True).stdout.decode()
    assert "uciok\n" in said
    loaded = set(said.splitlines()[-1].split())
    heavy = {"numba", "numpy", "llvmlite", "ctypes", "argparse", "typing", "re", "dataclasses", "logging"}
    assert not loaded & heavy


def test_commands_wait_in_order_while_the_engine_loads(talk):
    engine = rehearsed(talk, steps=5)
    engine.say("position startpos moves e2e4", "d", "position startpos", "d", "uci")
    assert "uciok" in engine.hear("^uciok$")
    fens = [line[5:] for line in engine.leave() if line.startswith("Fen: ")]
    assert fens == [AFTER_E4, START]


def test_isready_does_not_wait_for_ever(talk):
    engine = rehearsed(talk, steps=600, ping_patience=0.5)
    engine.say("isready", "isready")
    heard = [line for line in engine.hear("^readyok$") + engine.hear("^readyok$") if "still" in line]
    assert len(heard) == 2
    assert heard[0].startswith("info string still compiling, ")


def test_quit_while_loading(talk):
    engine = rehearsed(talk, steps=600)
    engine.say("isready", "position startpos", "quit")
    assert engine.ending() == (0, b"")


def test_end_of_input_while_loading_with_nothing_to_do(talk):
    engine = rehearsed(talk, steps=600)
    assert engine.leave("uci")[-1] == "uciok"


def test_end_of_input_while_loading_still_answers(talk):
    heard = rehearsed(talk, steps=3).leave("go perft 2", "isready")
    assert "Nodes searched: 400" in heard
    assert "readyok" in heard


def test_an_engine_that_cannot_be_loaded(talk):
    engine = rehearsed(talk, failure='raise OSError("no disk\\nat all")')
    engine.say("isready")
    assert engine.hear("cannot be loaded") == [
        "info string the engine cannot be loaded: OSError: no disk?at all"
    ]
    assert engine.ending() == (1, b"")


def test_stray_words_become_info_strings(talk):
    engine = rehearsed(talk, failure="import warnings; warnings.warn('mind the gap')")
    assert any(re.match("info string .*mind the gap", line) for line in engine.ask())
    assert engine.leave() == []


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
def test_bad_perft_depths_cost_one_line(talk, depth):
    heard = talk().leave(f"go perft {depth}")
    assert len(heard) == 1
    assert heard[0].startswith("info string ")


def test_d_shows_the_position(talk):
    heard = talk().leave("position startpos moves e2e4 f7f6 d2d4 g7g5 d1h5", "d")
    rows = dict(line.split(": ", 1) for line in heard if ": " in line)
    assert rows["Fen"] == "rnbqkbnr/ppppp2p/5p2/6pQ/3PP3/8/PPP2PPP/RNB1KBNR b KQkq - 1 3"
    assert rows["Checkers"].split() == ["h5"]
    assert int(rows["Key"], 16)


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


def test_compiler_reports_versions(talk):
    assert any("numba" in line.lower() for line in talk().leave("compiler"))


def test_go_without_a_search_is_answered(talk):
    assert talk().leave("go movetime 10")[-1].startswith("bestmove ")


def test_commands_without_an_answer(talk):
    silent = ["ucinewgame", "ponderhit", "stop", "debug on", "register later", "", "   ", "\t"]
    assert talk().leave(*silent) == []


# Options


def test_option_names_and_keywords_in_any_case(talk):
    engine = talk()
    castling = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    assert "castling: e1h1" in engine.ask("setoption NAME uci_chess960 VALUE True", castling, "moves")
    assert "castling: e1g1" in engine.leave("setoption name UCI_CHESS960 value false", "moves")


@pytest.mark.parametrize(
    "order",
    [
        "setoption",
        "setoption Threads 2",
        "setoption name",
        "setoption name value",
        "setoption name Threads",
        "setoption name Threads value",
        "setoption name Threads value 0",
        "setoption name Threads value 99999999999999999999999",
        "setoption name Threads value -1",
        "setoption name Threads value two",
        "setoption name Threads value 2 2",
        "setoption name Threads value 1_0",
        "setoption name Threads value \u0664",
        "setoption name UCI_Chess960 value maybe",
        "setoption name Contempt value 20",
        "setoption name " + "x " * 10000 + "value 3",
    ],
)
def test_bad_options_cost_one_line(talk, order):
    heard = talk().leave(order)
    assert len(heard) == 1
    assert heard[0].startswith("info string ")


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
def test_bad_positions_cost_one_line_and_the_old_one_stays(talk, order):
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
    engine.hear("^info string perft was stopped")
    engine.hear("^Nodes searched: ")
    assert "Nodes searched: 400" in engine.leave("go perft 2")


def test_a_stop_is_never_lost(talk):
    engine = talk()
    engine.ask()
    for _ in range(20):
        engine.say(ENDLESS, "stop")
        engine.hear("stopped")
    assert "Nodes searched: 400" in engine.leave("stop", "stop", "go perft 2")


def test_a_stop_also_ends_what_has_not_begun(talk):
    engine = rehearsed(talk, steps=5)
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
    terminal, keyboard_end = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "bluekrait.uci"], stdin=keyboard_end, stdout=subprocess.DEVNULL
    ) as engine:
        os.close(keyboard_end)
        os.write(terminal, f"{ENDLESS}\nquit\n".encode())
        assert engine.wait(PATIENCE) == 0
    os.close(terminal)


LEGAL = "bestmove (b1[ac]3|g1[fh]3|[a-h]2[a-h][34])$"


@pytest.mark.parametrize("go", ["go", "go movetime 0", "go wtime -5 btime 0", "go depth 3", "go nodes x"])
def test_go_is_answered_with_a_legal_move(talk, go):
    engine = talk()
    engine.say("position startpos", go)
    notice, answer = engine.hear("^bestmove")
    assert notice.startswith("info string no search")
    assert re.match(LEGAL, answer)


@pytest.mark.parametrize("end", ["stop", "ponderhit"])
@pytest.mark.parametrize("go", ["go infinite", "go ponder wtime 1000 btime 1000"])
def test_nobody_is_answered_too_early(talk, go, end):
    engine = talk()
    assert engine.ask(go) == []  # although it is at work, isready is answered
    engine.say(end)
    assert re.match(LEGAL, engine.hear("^bestmove")[-1])


@pytest.mark.parametrize("fen", ["7k/6Q1/6K1/8/8/8/8/8 b - -", "7k/5Q2/6K1/8/8/8/8/8 b - -"])
def test_where_there_is_no_move_none_is_made_up(talk, fen):
    assert talk().leave(f"position fen {fen}", "go")[-1] == "bestmove 0000"


def test_end_of_input_ends_what_only_a_stop_would_end(talk):
    assert re.match(LEGAL, talk().leave("go infinite")[-1])


def test_end_of_input_lets_a_count_finish(talk):
    assert "Nodes searched: 197281" in talk().leave("go perft 4")


def test_interrupt_is_quiet(talk):
    engine = talk()
    engine.ask()
    engine.process.send_signal(signal.SIGINT)
    assert engine.ending() == (130, b"")


# Bad manners


@pytest.mark.parametrize(
    "noise",
    [
        "xboard",
        "UCI ok",
        "\u265e " * 100,
        b"\xff\xfe\x00u\x00c\x00i",
        bytes(set(range(256)) - {10}) * 100,
        b"\x00" * 1000,
        b"x" * (10 << 20),
        b"position startpos moves " + b"e2e4 " * (2 << 20),
        b"\x1b[2J\x07\x08",
    ],
)
def test_noise_costs_one_line(talk, noise):
    engine = talk()
    heard = engine.ask(noise)
    assert len(heard) == 1
    assert re.fullmatch(r"info string [ -~]{1,300}", heard[0])
    assert fen_of(engine) == START


def test_endless_noise_before_the_end_of_input(talk):
    engine = talk()
    engine.process.stdin.write(b"y" * (3 << 20))
    assert len(engine.leave()) == 1


def test_a_flood_of_commands(talk):
    engine = talk()
    heard = engine.ask(*["d", "nonsense", "isready"] * 2000)
    heard += engine.leave("go perft 1")
    assert sum(line.startswith("Fen: ") for line in heard) == 2000
    assert sum("nonsense" in line for line in heard) == 2000


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
    time.sleep(0.3)
    os.write(writing_end, b"isready\n")
    engine.hear("^readyok$")
    os.close(writing_end)
    assert engine.ending() == (0, b"")
    os.close(reading_end)


def test_nobody_listens():
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
