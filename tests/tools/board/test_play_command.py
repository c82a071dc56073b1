"""`bluekrait play` as a command."""

import json
import re
import signal
import subprocess
import sys

import pytest

pytest.importorskip("starlette", reason="the extra [play] is not installed")
pytest.importorskip("websockets", reason="the extra [play] is not installed")

from websockets.sync.client import connect

from bluekrait.tools.board import play_command
from bluekrait.uci import cli
from bluekrait.uci.exits import FAILED, INTERRUPTED, WRONG_ARGUMENTS
from helpers.processes.machines import CLOSED_TERMINAL
from helpers.waiting import PATIENCE


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, CLOSED_TERMINAL])
def test_command_prints_its_address_and_ends_by_an_interrupt(warm_cache, tmp_path, how):
    command = [sys.executable, "-m", "bluekrait", "play", "--no-browser", "--games", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            address = process.stdout.readline().strip()
            assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{24}/", address)
            with connect(
                f"{address.replace('http', 'ws')}talk", origin=address[: address.index("/", 8)]
            ) as socket:
                assert json.loads(socket.recv(PATIENCE))["say"] == "welcome"
                process.send_signal(how)
                assert process.wait(PATIENCE) == INTERRUPTED
        finally:
            process.kill()
        assert process.stderr.read() == ""


COMPILED_FOR_LONG = """
import sys, time
from bluekrait.tools.board.server import application
from bluekrait.uci import cli
application.entries = lambda: time.sleep(3600)
cli.main()
"""


def test_an_interrupt_does_not_wait_for_the_compiler(tmp_path):
    command = [sys.executable, "-c", COMPILED_FOR_LONG, "play", "--no-browser", "--games", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            address = process.stdout.readline().strip()
            with connect(
                f"{address.replace('http', 'ws')}talk", origin=address[: address.index("/", 8)]
            ) as socket:
                assert json.loads(socket.recv(PATIENCE))["say"] == "loading"
                process.send_signal(signal.SIGINT)
                assert process.wait(PATIENCE) == INTERRUPTED
        finally:
            process.kill()
        assert process.stderr.read() == ""


def test_port_in_use_is_told_in_one_line(capsys):
    with play_command._listening(0) as listener:
        port = listener.getsockname()[1]
        assert play_command.main(["--port", str(port), "--no-browser"]) == FAILED
    told = capsys.readouterr().err
    assert told.startswith(f"bluekrait play: port {port} cannot be used: ") and "127.0.0.1" not in told


@pytest.mark.parametrize(
    "arguments",
    [
        ["--port", "x"],
        ["--port", "65536"],
        ["--engines", "0"],
        ["--threads", "1025"],
        ["--hash", "1000000000"],
        ["--idle", "-1"],
        ["x"],
    ],
)
def test_wrong_arguments(arguments, capsys):
    with pytest.raises(SystemExit) as leaving:
        play_command.main(arguments)
    assert leaving.value.code == WRONG_ARGUMENTS
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_games_are_kept_in_a_folder_only(tmp_path, capsys):
    file = tmp_path / "games.pgn"
    file.touch()
    assert play_command.main(["--games", str(file), "--no-browser"]) == WRONG_ARGUMENTS
    assert capsys.readouterr().err == f"bluekrait play: {file} is no folder\n"


FIRST_PAGE = """
import sys
from bluekrait.tools.board import play_command
from bluekrait.tools.board.server import serving
from bluekrait.tools.board.visitor.game_session import GameSession
from bluekrait.tools.board.visitor.page import Page
GameSession("", None, Page()).view()
print(*{"chess", "numpy", "numba", "matplotlib"} & set(sys.modules))
"""


def test_nothing_slow_is_imported_before_the_first_page(warm_cache):
    answer = subprocess.run([sys.executable, "-c", FIRST_PAGE], capture_output=True, text=True, check=True)
    assert answer.stdout == "\n"


@pytest.mark.parametrize("package", ["uvicorn", "starlette", "chess"])
def test_missing_package_names_the_extra(package, monkeypatch, capsys):
    for name in [
        name for name in sys.modules if name.startswith(("bluekrait.tools.board", "bluekrait.tools.analyst"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    assert cli.run(["play", "--no-browser"]) == WRONG_ARGUMENTS
    assert 'pip install "bluekrait[play]"' in capsys.readouterr().err
