"""What differs on Windows, tried here with a stand-in for the part of the system that is missing."""

import asyncio
import ctypes
import errno
import io
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from bluekrait.core import file_lock
from bluekrait.tools.common import processors, run_instead, shell_words, user_folder
from bluekrait.tools.match.arguments import file_of
from bluekrait.tools.match.runner import engine_process, processes, windows_job
from bluekrait.tools.match.setup.engine_spec import split_words
from bluekrait.uci.exits import use_utf8
from bluekrait.uci.streams import input_reader
from helpers.match.matches import fake

WINDOWS = SimpleNamespace(name="nt")

HOLD = """
import sys
import time
from bluekrait.core.file_lock import try_lock

with open(sys.argv[1], "ab") as file:
    print(try_lock(file), flush=True)
    sys.stdin.readline()
"""


# Command lines.


@pytest.mark.parametrize(
    "text, words",
    [
        (r"C:\Engines\mine.exe tc=5+0.05", [r"C:\Engines\mine.exe", "tc=5+0.05"]),
        (r'"C:\Program Files\mine.exe" name="my engine"', [r"C:\Program Files\mine.exe", "name=my engine"]),
        (r"C:\Users\O'Brien\mine.exe", [r"C:\Users\O'Brien\mine.exe"]),
        ("mine.exe #3", ["mine.exe", "#3"]),
    ],
)
def test_backslashes_stay_on_windows(monkeypatch, text, words):
    monkeypatch.setattr(shell_words, "os", WINDOWS)
    assert shell_words.split(text) == words
    assert split_words([text]) == words


@pytest.mark.parametrize(
    "words, name",
    [
        ([r"C:\Chess games\my match.pgn"], r"C:\Chess games\my match.pgn"),
        (["file=games.pgn notation=san"], "games.pgn"),
        (["games.pgn", "fi"], "games.pgn"),
    ],
)
def test_the_file_of_the_games_may_have_spaces(words, name):
    assert file_of(words) == name


def test_words_are_joined_as_they_are_split(monkeypatch):
    words = ["plain", "with a space", r"C:\a b\c"]
    assert shell_words.split(shell_words.join(words)) == words
    monkeypatch.setattr(shell_words, "os", WINDOWS)
    assert shell_words.split(shell_words.join(words)) == words


def test_an_open_quotation_is_an_error(monkeypatch):
    monkeypatch.setattr(shell_words, "os", WINDOWS)
    with pytest.raises(ValueError):
        shell_words.split('"C:\\mine.exe')


# Files.


@pytest.mark.parametrize(
    ("system", "settings", "folder"),
    [
        ("linux", {}, "/home/ann/.local/share/bluekrait"),
        ("linux", {"HOME": ""}, "/scratch/.local/share/bluekrait"),
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/bluekrait"),
        ("darwin", {"XDG_DATA_HOME": "/data"}, "/home/ann/Library/Application Support/bluekrait"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/bluekrait"),
        ("win32", {}, "/home/ann/bluekrait"),
    ],
)
def test_each_system_has_its_folder_for_what_belongs_to_the_user(monkeypatch, system, settings, folder):
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "/home/ann", **settings}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(user_folder, "sys", SimpleNamespace(platform=system))
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/scratch")
    assert user_folder.user_folder() == Path(folder)


# Locks.


def test_a_lock_keeps_other_processes_out(tmp_path):
    path = tmp_path / "journal"
    with open(path, "ab") as file:
        assert file_lock.try_lock(file)
        other = subprocess.run(
            [sys.executable, "-c", HOLD, str(path)], input="\n", capture_output=True, text=True, check=True
        )
        assert other.stdout == "False\n"
    with open(path, "ab") as file:
        assert file_lock.try_lock(file)


@pytest.mark.parametrize("is_free", [True, False])
def test_windows_locks_a_byte_far_away_and_stays_where_it_was(tmp_path, monkeypatch, is_free):
    calls = []

    def locking(descriptor, mode, count):
        calls.append((file_lock.os.lseek(descriptor, 0, 1), mode, count))
        if not is_free:
            raise PermissionError

    monkeypatch.setattr(file_lock, "fcntl", None)
    monkeypatch.setattr(file_lock, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2), raising=False)
    with open(tmp_path / "journal", "wb+") as file:
        file.write(b"a line\n")
        file.flush()
        assert file_lock.try_lock(file) is is_free
        assert file.tell() == 7
        file.write(b"another\n")
    assert calls == [(file_lock.LOCKED_BYTE, 2, 1)]
    assert (tmp_path / "journal").read_bytes() == b"a line\nanother\n"


# Processes.


def test_windows_waits_for_the_program_that_takes_its_place(monkeypatch):
    calls = []
    monkeypatch.setattr(run_instead, "os", WINDOWS)

    def call(words, executable):
        signal.raise_signal(signal.SIGINT)  # Ctrl-C is for the other program, which ends when it likes
        calls.append((executable, words))
        return 3

    monkeypatch.setattr(run_instead, "subprocess", SimpleNamespace(call=call))
    before = signal.getsignal(signal.SIGINT)
    assert run_instead.run_instead("/bin/runner", ["runner", "-x"]) == 3
    assert calls == [("/bin/runner", ["runner", "-x"])]
    assert signal.getsignal(signal.SIGINT) is before


def test_other_systems_replace_the_process():
    program = "from bluekrait.tools.common.run_instead import run_instead\nprint('first')\n"
    program += "run_instead('/bin/sh', ['sh', '-c', 'echo second; exit 5'])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (5, "first\nsecond\n")


@pytest.mark.parametrize("has_ended", [False, True])
def test_windows_kills_no_process_that_has_taken_the_number_of_an_engine(monkeypatch, has_ended):
    killed = []

    def kill(number, how):
        killed.append(number)
        raise OSError(errno.EINVAL, "The parameter is incorrect")  # no process has this number

    monkeypatch.setattr(processes, "os", SimpleNamespace(name="nt", kill=kill))
    processes.register_group(1234)
    processes.kill_group(1234, has_ended)
    processes.kill_all_groups()  # it is not known any more
    assert killed == ([] if has_ended else [1234])


def test_an_engine_that_quits_has_ended_when_windows_is_asked_to_kill_it(monkeypatch):
    known = []

    def kill(leader, has_ended):
        known.append(has_ended)
        processes.kill_group(leader, has_ended)

    monkeypatch.setattr(engine_process, "kill_group", kill)

    async def play_and_quit():
        engine = engine_process.EngineProcess(fake("A"))
        await engine.start()
        await engine.end(send_quit=True)

    asyncio.run(play_and_quit())
    assert known == [True]


@pytest.mark.parametrize(("system", "waited_for"), [("nt", []), ("posix", [1234])])
def test_windows_does_not_take_numbers_of_processes_for_handles(monkeypatch, system, waited_for):
    waited = []
    stand_in = SimpleNamespace(name=system, waitpid=lambda number, options: waited.append(number))
    monkeypatch.setattr(processes, "os", stand_in)
    processes._wait_for_end([1234])
    assert waited == waited_for


def test_windows_lets_a_process_wait_for_few_others(monkeypatch):
    assert processors.processes_at_a_time(500) == 500
    monkeypatch.setattr(processors, "MOST_PROCESSES", 61)
    assert [processors.processes_at_a_time(wanted) for wanted in (4, 61, 500)] == [4, 61, 61]


def test_a_job_ends_what_this_process_starts(monkeypatch):
    calls = {}

    class Function:
        restype = None

        def __init__(self, name, result):
            self.name, self.result = name, result

        def __call__(self, *arguments):
            calls[self.name] = arguments
            return self.result

    names = {"CreateJobObjectW": 0x1234, "GetCurrentProcess": -1 & (1 << 64) - 1}
    names |= {"SetInformationJobObject": 1, "AssignProcessToJobObject": 1}
    kernel = SimpleNamespace(**{name: Function(name, result) for name, result in names.items()})
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    job = windows_job.end_children_with_this_process()
    assert job.value == 0x1234
    _, kind, limits, size = calls["SetInformationJobObject"]
    assert (kind, size) == (9, 144)  # the size that 64-bit Windows demands
    assert limits._obj.basic.flags == 0x2000
    assert [argument.value for argument in calls["AssignProcessToJobObject"]] == [0x1234, (1 << 64) - 1]
    kernel.AssignProcessToJobObject.result = 0
    assert windows_job.end_children_with_this_process() is None


# Text.


def test_any_text_can_be_printed_on_an_old_code_page(monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="cp437", newline=""))
    use_utf8()
    print("±½ → \udcff", end="", flush=True)
    assert raw.getvalue() == "±½ → ?".encode()


def test_a_closed_output_is_no_error(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    use_utf8()


# Input.


def test_windows_loads_numpy_before_it_reads(monkeypatch):
    calls = []
    monkeypatch.setattr(input_reader, "sys", SimpleNamespace(platform="win32", stdin=None))
    monkeypatch.setattr(input_reader, "load_before_reading", lambda: calls.append("load"))
    input_reader.InputReader(lambda kind: calls.append(kind)).start()
    while len(calls) < 2:
        time.sleep(0.01)
    assert calls == ["load", "end_of_input"]
