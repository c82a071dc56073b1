"""`bluekrait datagen`: the games, what continues them, and what ends them."""

import os
import signal
import subprocess
import sys
import time

import pytest

from bluekrait.tools.cluster.worker_pool import PoolError
from bluekrait.tools.common.files.append_only import lock_for_writing
from bluekrait.tools.data import datagen_command
from bluekrait.tools.data.formats.labelled_file import opened, read_contents
from bluekrait.tools.data.formats.sample_file import pack_head
from bluekrait.uci.exits import INTERRUPTED
from helpers.labelled import MADE, blocks_of_file, generate, some_blocks
from helpers.processes.machines import CLOSED_TERMINAL, interrupt, terminated_at_start

pytestmark = pytest.mark.usefixtures("small_units")


def test_datagen_goes_on_where_it_was(played, tmp_path, capsys):
    path, whole = tmp_path / "positions.bks", played.read_bytes()
    path.write_bytes(whole[:-1])
    assert generate(path, "--games", 5) == 0
    assert path.read_bytes() == whole
    assert "of 5 games" in capsys.readouterr().out


def test_datagen_plays_again_what_damage_took_from_the_middle(played, tmp_path):
    path, damaged = tmp_path / "positions.bks", bytearray(played.read_bytes())
    damaged[len(damaged) // 3] ^= 1
    path.write_bytes(damaged)
    assert generate(path, "--games", 5) == 0
    assert sorted(blocks_of_file(path)) == sorted(blocks_of_file(played))


@pytest.mark.parametrize("missing", [0, 1], ids=["whole", "torn"])
@pytest.mark.parametrize("wrong", [("--seed", 8), ("--nodes", 41), ("--chess960", 11)])
def test_datagen_does_not_mix_what_was_made_differently(played, tmp_path, capsys, wrong, missing):
    path, whole = tmp_path / "positions.bkg", played.read_bytes()
    before = whole[: len(whole) - missing]
    path.write_bytes(before)
    assert generate(path, "--games", 6, *wrong) == 2
    assert path.read_bytes() == before
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    "wrong", [("--nodes", 1_000_001), ("--nodes", 0), ("--chess960", 101), ("--chess960", "1_0")]
)
def test_datagen_refuses_what_a_file_cannot_tell(tmp_path, capsys, wrong):
    with pytest.raises(SystemExit) as leaving:
        generate(tmp_path / "new.bkg", *wrong)
    assert leaving.value.code == 2
    assert wrong[0] in capsys.readouterr().err


def test_datagen_trusts_a_file_that_tells_nothing(played, tmp_path, capsys):
    path, whole = tmp_path / "old.bks", played.read_bytes()
    path.write_bytes(whole[whole.index(b"BKG1") :])
    assert generate(path, "--games", 6, "--nodes", 40, "--seed", 7) == 0
    assert "names no seed and nodes" in capsys.readouterr().err
    assert blocks_of_file(path)[:5] == blocks_of_file(played)
    assert len(blocks_of_file(path)) == 6


def test_datagen_does_not_assume_what_a_damaged_head_said(played, tmp_path, capsys):
    path, damaged = tmp_path / "positions.bkg", bytearray(played.read_bytes())
    damaged[damaged.index(b'"seed"')] ^= 1
    path.write_bytes(damaged)
    assert generate(path, "--games", 6, "--nodes", 40, "--seed", 7) == 2
    assert path.read_bytes() == damaged
    assert "is damaged" in capsys.readouterr().err


def test_datagen_leaves_files_of_the_old_format_as_they_are(tmp_path, capsys):
    path, content = tmp_path / "old.bks", pack_head(MADE) + some_blocks()[1]
    path.write_bytes(content)
    assert generate(path, "--games", 6) == 2
    assert path.read_bytes() == content
    assert "old format" in capsys.readouterr().err


def test_datagen_does_not_share_a_file(played, tmp_path, capsys):
    pytest.importorskip("fcntl")
    with open(played, "ab") as file:
        lock_for_writing(file)
        assert generate(played, "--games", 6) == 2
    assert "another process" in capsys.readouterr().err


def test_several_processes_play_the_same_games(played, tmp_path):
    path = tmp_path / "parallel.bks"
    command = ["--games", "5", "--nodes", "40", "--seed", "7", "--processes", "2"]
    assert datagen_command.main([str(path), *command]) == 0
    assert sorted(blocks_of_file(path)) == sorted(blocks_of_file(played))


@pytest.mark.skipif(os.name == "nt", reason="Windows starts processes otherwise")
@pytest.mark.parametrize("number", [1, 2, 3], ids=["resource tracker", "first worker", "second worker"])
def test_datagen_that_is_terminated_while_it_starts_a_process(tmp_path, number):
    command = "datagen", str(tmp_path / "games.bkg"), "--games", "9999", "--nodes", "40", "--processes", "2"
    ended = terminated_at_start(tmp_path, number, *command)
    assert ended.returncode == INTERRUPTED
    assert ended.stderr == "bluekrait datagen: interrupted. The same command continues\n"


@pytest.mark.parametrize(
    "processes, nodes, size, how",
    [
        ("2", "40", 20_000, signal.SIGTERM),
        ("1", "1000000", 1, signal.SIGTERM),
        ("1", "40", 20_000, CLOSED_TERMINAL),
        ("2", "40", 20_000, CLOSED_TERMINAL),
    ],
    ids=[
        "after some games",
        "in the first game, which would take minutes",
        "the terminal was closed",
        "the terminal of several processes was closed",
    ],
)
def test_datagen_ends_and_keeps_what_was_done(tmp_path, processes, nodes, size, how):
    path = tmp_path / "games.bkg"
    command = "--games", "100000", "--nodes", nodes, "--processes", processes
    run = subprocess.Popen(
        [sys.executable, "-m", "bluekrait", "datagen", str(path), *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        while run.poll() is None and not (path.exists() and path.stat().st_size >= size):
            time.sleep(0.05)
        interrupt(run, how)
        out, errors = run.communicate(timeout=60)
    finally:
        run.kill()
    assert run.returncode == INTERRUPTED
    assert "Traceback" not in errors and "Warning" not in errors
    with opened(path) as data:
        contents = read_contents(data)
    assert f"{contents.samples} positions of {len(contents.games)} games" in out
    assert not contents.torn and not contents.damage


KILLED_IN_A_WRITE = """
import os
import signal
import sys
from bluekrait.tools.data import datagen_command

writes_left = int(sys.argv.pop(1))
append = datagen_command.append

def append_or_die(file, data):
    global writes_left
    if writes_left == 0:
        append(file, data[: len(data) // 2])
        os.kill(os.getpid(), signal.SIGKILL)
    writes_left -= 1
    append(file, data)

datagen_command.append = append_or_die
datagen_command.UNIT_NODES = 1
datagen_command.main()
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are not killed in this way")
@pytest.mark.parametrize("processes", [1, 2])
def test_a_datagen_that_is_killed_again_and_again_ends_with_the_same_games(tmp_path, processes):
    killed, whole = tmp_path / "killed.bkg", tmp_path / "whole.bkg"
    settings = "--games", "20", "--nodes", "40", "--seed", "7"
    for whole_writes in (0, 3, 5):  # the first one is the head; each of the others is a game
        command = [sys.executable, "-c", KILLED_IN_A_WRITE, str(whole_writes), str(killed)]
        run = subprocess.run([*command, *settings, "--processes", str(processes)])
        assert run.returncode == -signal.SIGKILL
    with opened(killed) as data:
        contents = read_contents(data)
    assert len(contents.games) == 2 + 5 and contents.torn
    assert generate(killed, *settings) == generate(whole, *settings) == 0
    assert sorted(blocks_of_file(killed)) == sorted(blocks_of_file(whole))


HALF_A_RESULT = """
from bluekrait.tools.cluster.local_pool import open_local_pool

if __name__ == "__main__":
    try:
        with open_local_pool(2) as pool:
            results = [pool.executor.submit(bytes, 1 << 28) for _ in range(4)]
            results[0].result()
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        print("ended")
"""


def test_an_interrupted_pool_does_not_wait_for_the_rest_of_a_result(tmp_path):
    program = tmp_path / "half_a_result.py"
    program.write_text(HALF_A_RESULT)
    run = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=120)
    assert (run.stdout, run.stderr) == ("ended\n", "")


def test_datagen_keeps_what_was_done_when_the_work_breaks_off(tmp_path, monkeypatch, capsys):
    def broken(pool, function, units):
        yield function(*next(units))
        raise PoolError("somebody tripped over the cable")

    monkeypatch.setattr(datagen_command, "run_units", broken)
    path = tmp_path / "positions.bks"
    assert generate(path, "--games", 3, "--nodes", 40) == 1
    assert [number for number, _ in blocks_of_file(path)] == [0]
    assert "tripped" in capsys.readouterr().err
