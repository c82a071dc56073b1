"""The program `bluekrait` as a shell sees it: arguments, output and exit codes."""

import os
import re
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import SimpleQueue
from threading import Semaphore
from types import SimpleNamespace

import pytest

from bluekrait.core import native
from bluekrait.core.counting.perft_threads import PerftResult
from bluekrait.core.memory.usable_memory import memory_megabytes
from bluekrait.core.notation.fen import STARTING_FEN, parse_fen
from bluekrait.search import engine
from bluekrait.uci import cli
from bluekrait.uci.exits import FAILED, NOT_KEPT, SUCCESS, exit_code, fail, one_line, system_error_text
from bluekrait.uci.options.option_table import find_option
from bluekrait.uci.programs import perft, warmup
from bluekrait.uci.programs.warmup import LoadError
from helpers.processes.machines import FullStream, interrupted_perft

PATIENCE = 120  # seconds before a hanging test is given up
PROGRAM = [sys.executable, "-m", "bluekrait.uci"]
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"


@pytest.fixture(scope="module", autouse=True)
def warm():
    """Compile everything first, so that no test waits for the compiler."""
    subprocess.run([*PROGRAM, "warmup"], check=True, stdout=subprocess.DEVNULL)


def run(*arguments, **settings):
    """Exit code, output and errors of one run."""
    done = subprocess.run(
        [*PROGRAM, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        **settings,
    )
    return done.returncode, done.stdout, done.stderr


def output(*arguments):
    """Output of a run that must succeed."""
    code, text, errors = run(*arguments)
    assert (code, errors) == (0, "")
    return text


# One-shot commands


def test_all_arguments_make_one_command():
    assert output("go", "perft", "1").endswith("\n\nNodes searched: 20\n\n")


def test_arguments_with_spaces_are_separate_commands():
    text = output("position startpos moves e2e4", "go perft 2", "moves", "quit", "go perft 3")
    assert "Nodes searched: 600" in text
    assert text.endswith("20 legal moves\n")


def test_one_shot_commands_that_need_no_engine():
    assert output("uci").endswith("uciok\n")
    assert output("isready") == "readyok\n"
    assert output("quit") == output("stop") == ""


@pytest.mark.parametrize(
    "command",
    ["position fen rubbish", "position startpos moves e2e5", "go perft x", "setoption name Threads value 0"],
)
def test_the_first_failure_ends_a_one_shot(command):
    code, text, errors = run(command, "d")
    assert (code, errors) == (1, "")
    assert re.fullmatch("info string .*\n", text)


@pytest.mark.parametrize(
    "arguments", [["nonsense"], ["go perft 1", "nonsense now"], ["--nonsense"], [""], ["\n"]]
)
def test_unknown_arguments(arguments):
    code, text, errors = run(*arguments)
    assert (code, text) == (2, "")
    assert errors.startswith("bluekrait: ")
    assert errors.count("\n") == 1


# Programs


def test_messages_are_utf8_whatever_python_is_told():
    code, text, errors = run("hüpf", env=os.environ | {"PYTHONIOENCODING": "ascii:strict"}, encoding="utf-8")
    assert (code, text) == (2, "")
    assert errors == "bluekrait: 'hüpf' is not a command, see bluekrait --help\n"


@pytest.mark.skipif(os.name != "posix", reason="names of files are text there")
def test_names_that_are_no_text_are_printed_all_the_same(tmp_path):
    name = os.fsdecode(os.fsencode(tmp_path) + b"/\xff")
    code, text, errors = run("compiler", env=os.environ | {"BLUEKRAIT_CACHE_DIR": name})
    assert (code, errors) == (0, "")
    assert f"{tmp_path}/?" in text
    complain = "from bluekrait.uci.exits import fail, use_utf8; use_utf8(); fail('no \\udcff')"
    done = subprocess.run([sys.executable, "-c", complain], capture_output=True, check=True)
    assert done.stderr == b"bluekrait: no ?\n"


def test_an_error_of_the_system_may_be_made_from_a_text():
    assert system_error_text(OSError("no memory")) == "no memory"


def test_the_exit_code_of_a_program_that_leaves_early(capsys):
    assert [exit_code(SystemExit(code)) for code in (None, 0, 2)] == [SUCCESS, SUCCESS, 2]
    assert exit_code(SystemExit("no room")) == FAILED
    assert capsys.readouterr().err == "bluekrait: no room\n"


def test_what_an_error_says_in_one_line():
    assert one_line(" no\n  room\there ") == "no room here"
    assert [one_line("abcdef", longest) for longest in (5, 6, None)] == ["ab...", "abcdef", "abcdef"]
    assert one_line(ValueError()) == one_line("", 5) == ""


def test_help_explains_usage_with_examples():
    for flag in ("--help", "-h", "help"):
        text = output(flag)
        assert "bluekrait perft 6" in text
        assert all(word in text for word in ("warmup", "compiler", "--version", "exit code"))
        assert max(map(len, text.splitlines())) <= 110


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_a_command_of_uci_explains_itself(flag):
    assert output("go", flag).startswith("go [<limit> <number>] ...")
    assert output("compiler", flag).startswith("compiler: print versions")
    assert output("stop", flag).startswith("stop: stop the search")


def test_version():
    assert re.fullmatch(r"BlueKrait \d+\.\d+\.\d+\n", output("--version"))


def test_compiler():
    assert "numba" in output("compiler").lower()
    assert "bestmove" in output("compiler", "go depth 1")


def test_warmup():
    assert re.fullmatch(r"ready after \d+\.\d s\n", output("warmup"))
    assert "Compile everything now" in output("warmup", "--help")
    code, text, errors = run("warmup", "now")
    assert (code, text) == (2, "")
    assert re.fullmatch("bluekrait warmup: .*now, see bluekrait warmup --help\n", errors)


def test_warmup_fails_if_nothing_is_kept(monkeypatch, capfd):
    monkeypatch.setattr(native, "is_warm", lambda module: False)
    assert warmup.main([]) == NOT_KEPT
    text, errors = capfd.readouterr()
    assert text == "" and "the compiled code could not be kept in " in errors


@pytest.mark.parametrize("code", [None, 0, "no game"])
def test_a_script_that_is_imported_in_place_of_a_library_and_leaves(code, monkeypatch, capfd):
    def leave(*arguments):
        sys.exit(code)

    monkeypatch.setattr(engine, "load_engine", leave)
    monkeypatch.setattr(perft, "load_perft", leave)
    assert warmup.main([]) == perft.main(["1"]) == FAILED
    text, errors = capfd.readouterr()
    assert text == "" and errors.count("the engine cannot be loaded: SystemExit") == 2
    with pytest.raises(LoadError, match="dirgolem cannot be loaded: SystemExit"):
        perft._load_generator("dirgolem")


# Perft


def test_perft_prints_count_and_speed():
    assert re.fullmatch(r"perft 4: 197281 nodes in \d+\.\d{3} s, \d+\.\d Mnps\n", output("perft", "4"))


@pytest.mark.parametrize("units", [(), ("--split", "1")])
def test_perft_tells_castling_from_a_step_of_the_king(units):
    fen = "4k3/8/8/8/8/8/8/5K1R w H - 0 1"
    lines = output("perft", "1", "--divide", "--fen", fen, *units).splitlines()[:-2]
    assert len(set(lines)) == len(lines) == 14
    assert {"f1g1: 1", "f1h1: 1"} <= set(lines)


def test_perft_is_counted_in_units_however_the_option_is_written(tmp_path):
    for option in (["--journal", str(tmp_path / "a")], [f"--journal={tmp_path / 'b'}"]):
        assert cli.is_count_in_units(["perft", "2", *option])
    assert not cli.is_count_in_units(["perft", "2", "--hash=8"])
    assert output("perft", "2", f"--journal={tmp_path / 'b'}").startswith("perft 2: 400 nodes")
    assert (tmp_path / "b").exists()


def test_perft_divides():
    lines = output("perft", "3", "--divide", "--fen", KIWIPETE).splitlines()
    counts = [int(line.split(": ")[1]) for line in lines[:-2]]
    assert len(counts) == 48
    assert sum(counts) == 97862
    assert lines[-2] == ""
    assert lines[-1].startswith("perft 3: 97862 nodes")


def test_perft_with_threads_and_hash():
    assert output("perft", "4", "--threads", "2", "--hash", "8").startswith("perft 4: 197281 nodes")


def test_perft_is_told_its_threads_and_hash(monkeypatch, capsys):
    told = {}

    def count(depth, **settings):
        told.update(settings)
        return PerftResult(20, 0.01, True)

    board = parse_fen(STARTING_FEN).board
    engine = SimpleNamespace(perft=count, stop=None, set_position=lambda fen, moves: None)
    engine.position = SimpleNamespace(board=board)
    monkeypatch.setattr(perft, "load_with_progress", lambda: engine)
    assert perft.main(["1", "--threads", "2", "--hash", "8"]) == 0
    assert (told["threads"], told["hash_mb"]) == (2, 8)
    assert capsys.readouterr().out.startswith("perft 1: 20 nodes in 0.010 s")


def test_a_count_that_was_continued_tells_the_speed_of_what_is_new():
    result = PerftResult(5_000_000, 2.0, True)
    assert perft.summary(6, result) == "perft 6: 5000000 nodes in 2.000 s, 2.5 Mnps"
    told = "perft 6: 5000000 nodes (4000000 of them earlier) in 2.000 s, 0.5 Mnps"
    assert perft.summary(6, result, earlier=4_000_000) == told


def test_perft_of_depth_zero():
    assert output("perft", "0").startswith("perft 0: 1 nodes")


def test_perft_with_more_hash_than_there_is():
    megabytes = memory_megabytes() + 1
    if megabytes > find_option("PerftHash").high:
        pytest.skip("this machine has memory for every hash table")
    expected = f"bluekrait perft: there is too little memory for {megabytes} MB\n"
    assert run("perft", "3", "--hash", str(megabytes)) == (1, "", expected)


def test_perft_help():
    text = output("perft", "--help")
    assert all(word in text for word in ("--fen", "--threads", "--hash", "--divide", "examples:"))


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["x"],
        ["-1"],
        ["1000"],
        ["3", "4"],
        ["3", "--threads", "0"],
        ["3", "--threads", "many"],
        ["3", "--hash", "-1"],
        ["3", "--fen"],
        ["3", "--fen", START.replace("8/8", "8/9", 1)],
        ["3", "--fen", START.replace("8/8", "8/9", 1), "--split", "2"],
        ["3", "--nonsense"],
        ["3", "--thr", "2"],  # options are not abbreviated
        ["3", "--generator", "cerulean", "--threads", "2"],
        ["3", "--generator", "dirgolem", "--hash", "8"],
        ["3", "--generator", "dirgolem", "--journal", "kept"],
    ],
)
def test_wrong_perft_arguments_get_one_clear_line(arguments):
    code, text, errors = run("perft", *arguments)
    assert (code, text) == (2, "")
    assert re.fullmatch("bluekrait perft: .+, see bluekrait perft --help\n", errors)


def test_interrupted_perft_prints_what_it_has():
    code, text, screen = interrupted_perft("13")
    assert code == 130
    assert text.startswith("perft 13 interrupted: ") and text.count("\n") == 1
    assert screen.endswith(" \r"), "the line of progress is wiped out in the end"


def test_ctrl_c_before_the_count_begins_is_not_lost(monkeypatch):
    class InterruptedQueue(SimpleQueue):
        """Ctrl-C comes while the program begins to wait."""

        is_new = True

        def get(self, timeout):
            if self.is_new:
                self.is_new = False
                raise KeyboardInterrupt
            return super().get(timeout=timeout)

    stops = Semaphore(0)

    def count():
        stops.acquire(timeout=PATIENCE)  # nothing has begun that it could stop
        return PerftResult(0, 0.0, complete=not stops.acquire(timeout=PATIENCE))

    monkeypatch.setattr(perft, "SimpleQueue", InterruptedQueue)
    assert perft._count(count, stops.release) == (PerftResult(0, 0.0, False), True)


# What libraries do with an exception that is raised while they load: lose it, or raise another one.


def swallow(number):
    with suppress(KeyboardInterrupt):
        signal.raise_signal(number)


def replace(number):
    try:
        signal.raise_signal(number)
    except KeyboardInterrupt:
        raise ImportError("NumPy failed to import") from None


@pytest.mark.parametrize("load", [swallow, replace])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_while_libraries_load_is_not_lost(load, number, monkeypatch):
    monkeypatch.setattr(perft, "load_perft", lambda name: load(number))
    before = signal.signal(number, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            perft._load_generator("dirgolem")
        assert signal.getsignal(number) is signal.default_int_handler
    finally:
        signal.signal(number, before)


def test_an_interrupt_ends_loading_at_once(monkeypatch):
    loaded = []

    def load(name):
        signal.raise_signal(signal.SIGINT)
        loaded.append(name)

    monkeypatch.setattr(perft, "load_perft", load)
    with pytest.raises(KeyboardInterrupt):
        perft._load_generator("dirgolem")
    assert not loaded


def test_loading_leaves_an_ignored_ctrl_c_alone(monkeypatch):
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    monkeypatch.setattr(perft, "load_perft", lambda name: signal.raise_signal(signal.SIGINT))
    try:
        assert perft._load_generator("dirgolem") is None
    finally:
        assert signal.signal(signal.SIGINT, before) == signal.SIG_IGN


def test_other_threads_may_load():
    with ThreadPoolExecutor() as pool:
        assert pool.submit(warmup.load_with_progress).result()


def test_no_error_message_ends_the_program_or_goes_elsewhere(monkeypatch, capsys):
    for stream in (FullStream(), None):  # None: standard error was closed at the start
        monkeypatch.setattr(sys, "stderr", stream)
        assert fail("something is wrong") == FAILED
    assert capsys.readouterr().out == ""


def test_closed_output_is_a_failure():
    listening_end, speaking_end = os.pipe()
    os.close(listening_end)
    command = [*PROGRAM, "perft", "3", "--divide"]
    done = subprocess.run(command, stdout=speaking_end, stderr=subprocess.PIPE, timeout=PATIENCE)
    os.close(speaking_end)
    assert (done.returncode, done.stderr) == (1, b"")


WITHOUT_STARLETTE = """
from bluekrait.tools.board import play_command
from bluekrait.uci import cli

play_command.find_spec = lambda package: None if package == "starlette" else package
cli.main({arguments})
"""


def board_without_starlette(*arguments):
    program = WITHOUT_STARLETTE.format(arguments=["play", *arguments])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_a_board_without_its_packages_has_help_and_says_what_it_needs():
    code, text, errors = board_without_starlette("--help")
    assert (code, errors) == (0, "") and "--no-browser" in text
    code, text, errors = board_without_starlette()
    assert (code, text) == (2, "")
    assert errors.startswith("bluekrait: play needs starlette, which is not installed: pip install ")


HELPS = ([], ["perft"], ["match"])
LISTS = (["gauntlet", "--list"], ["sliders", "--list"])


@pytest.mark.parametrize("words", HELPS, ids=" ".join)
def test_full_disk_is_not_success(words):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*PROGRAM, *words, "--help"], stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)


@pytest.mark.skipif(os.name != "posix", reason="the shell closes standard output")
@pytest.mark.parametrize("words", [*([*words, "--help"] for words in HELPS), *LISTS], ids=" ".join)
def test_what_is_only_printed_fails_silently_without_standard_output(words):
    closed = ["sh", "-c", 'exec "$@" >&-', "sh", *PROGRAM, *words]
    done = subprocess.run(closed, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (1, b"")
