"""Work for other machines: here two processes that a Dask scheduler finds, one of which is killed."""

import gc
import json
import os
import platform
import re
import signal
import subprocess
import sys
import threading
import time
import weakref
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest

from bluekrait.tools.analyst.analysis_journal import AnalysisJournal
from bluekrait.tools.cluster import cluster_perft, dask_pool, worker_pool
from bluekrait.tools.cluster.local_pool import open_thread_pool
from bluekrait.tools.cluster.pools import open_pool
from bluekrait.tools.cluster.worker_command import worker_command
from bluekrait.tools.cluster.worker_pool import ATTEMPTS, PoolError, WorkerPool, run_units
from bluekrait.tools.common.errors import CommandError
from bluekrait.tools.data import datagen_command
from bluekrait.tools.data.formats.labelled_file import opened, read_blocks
from bluekrait.tools.match import cluster_games
from bluekrait.tools.match.results.game_journal import GameJournal
from bluekrait.tools.match.runner import game_play
from bluekrait.tools.tuning import tune_command
from bluekrait.uci import cli
from bluekrait.uci.exits import FAILED, INTERRUPTED
from helpers.match.matches import contest_of, fake
from helpers.paths import DATA, HELPERS
from helpers.processes.copies import PATIENCE
from helpers.support import engine

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
LATE = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
FAKE = HELPERS / "match" / "fake_engine.py"
LINES_BEFORE_THE_KILL = 5  # of a journal
NOBODY = "tcp://127.0.0.1:9"  # a port on which nobody answers


@pytest.fixture(scope="module")
def workers(warm_cache):
    """A scheduler with two workers, one process each."""
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": 50}
    with distributed.LocalCluster(**options) as crew:
        yield crew


@pytest.fixture
def kill(workers):
    """Kill one of the workers, of which there are two or more."""
    add_missing_workers(workers)

    def kill_one():
        with dask_pool.connected(workers.scheduler_address) as client:
            os.kill(min(client.run(os.getpid, on_error="ignore").values()), signal.SIGKILL)

    return kill_one


def add_missing_workers(crew):
    """Start workers in place of those that were killed.

    Dask does it, too, but not for a worker that is killed while its start is being completed.
    """
    with dask_pool.connected(crew.scheduler_address) as client:
        missing = 2 - len(client.nthreads())
        crew.scale(len(crew.worker_spec) + max(0, missing))
        client.wait_for_workers(2, timeout=PATIENCE)


def killing_after(count, kill, function):
    """The same function, but a worker is killed when it is called for that many times."""
    calls = []

    def wrapped(*arguments):
        calls.append(arguments)
        if len(calls) == count:
            kill()
        return function(*arguments)

    return wrapped


# --- without a cluster ----------------------------------------------------------------------------


def squares(pool, numbers):
    """What comes back for some numbers."""
    return sorted(run_units(pool, pow, ((number, 2) for number in numbers)))


def test_work_is_done_wherever_it_is_done():
    for processes in (1, 2):
        with open_pool(processes) as pool:
            assert squares(pool, range(20)) == [number * number for number in range(20)]
            assert squares(pool, []) == []


class Lossy:
    """An executor that loses units."""

    def __init__(self, pool, losses):
        self.pool, self.losses, self.calls = pool, losses, 0

    def submit(self, function, *arguments):
        """Lost, or done."""
        self.calls += 1
        future = self.pool.executor.submit(function, *arguments)
        if self.calls <= self.losses:
            future = type(future)()
            future.set_exception(OSError("gone"))
        return future


def test_lost_units_are_tried_again_but_not_for_ever():
    with open_pool(1) as pool:
        assert squares(WorkerPool(Lossy(pool, 5), lambda: 3, (OSError,)), range(4)) == [0, 1, 4, 9]
        lossy = Lossy(pool, 10 * ATTEMPTS)
        with pytest.raises(PoolError, match=f"a unit of work was lost: it was given out {ATTEMPTS} times"):
            squares(WorkerPool(lossy, lambda: 1, (OSError,)), range(4))
        assert lossy.calls == ATTEMPTS


def test_the_pool_hears_of_a_long_wait(monkeypatch):
    monkeypatch.setattr(worker_pool, "LONG_WAIT", 0.01)
    heard = threading.Event()
    with ThreadPoolExecutor(1) as executor:
        pool = WorkerPool(executor, lambda: 1, on_long_wait=heard.set)
        assert list(run_units(pool, heard.wait, [()])) == [True]


def test_no_more_units_are_in_flight_than_may_be():
    taken = []

    def units():
        for number in range(30):
            taken.append(number)
            yield (number, 2)

    with open_pool(1) as pool:
        for done, _ in enumerate(run_units(pool._replace(in_flight=lambda: 4), pow, units())):
            assert len(taken) <= done + 4


@pytest.mark.parametrize("split", range(1, 4))
@pytest.mark.parametrize("fen, depth", [(None, 4), (KIWIPETE, 2), (LATE, 3)])
def test_equal_positions_are_counted_once_for_all_their_paths(fen, depth, split, capsys):
    arguments = [str(depth), "--split", str(split), "--divide", *(("--fen", fen) if fen else ())]
    assert cluster_perft.main(arguments) == 0
    found = capsys.readouterr().out
    engine().set_position(fen, [])
    moves = {}
    result = engine().perft(depth, on_move=lambda move, nodes: moves.update({move: nodes}))
    assert f"perft {depth}: {result.nodes} nodes" in found
    assert [int(count) for count in re.findall(r"^\w+: (\d+)$", found, re.M)] == list(moves.values())


def test_transpositions_are_found():
    tree = cluster_perft.PerftTree(engine()._entries, engine_position(), 3)
    assert len(tree.boards) == 5362  # of 8902 paths
    for board in tree.boards:
        tree.enter(board, 1)
    assert tree.nodes == 8902 == sum(count for _, count in tree.by_move())


def engine_position():
    """The starting position."""
    engine().set_position(None, [])
    return engine().position


def test_a_count_goes_on_where_it_was(tmp_path, monkeypatch, capsys):
    path, counted = tmp_path / "count.jsonl", []
    count = cluster_perft.count
    monkeypatch.setattr(
        cluster_perft, "count", lambda boards, *rest: counted.extend(boards) or count(boards, *rest)
    )
    monkeypatch.setattr(cluster_perft, "PIECE_LEAVES", 40 * cluster_perft.BRANCHING)
    for keep in (0, 0.1, 0.7, 1):
        content = path.read_bytes() if path.exists() else b""
        path.write_bytes(content[: int(keep * len(content))])
        counted.clear()
        assert cluster_perft.main(["4", "--journal", str(path)]) == 0
        assert "perft 4: 197281 nodes" in capsys.readouterr().out
        assert len(counted) == pytest.approx((1 - keep) * 5362, abs=50)
    for other, reason in (
        (["5"], "is of perft 4, not 5"),
        (["4", "--split", "2"], "was begun with --split 3, not 2"),
        (["4", "--fen", LATE], "was begun with --fen"),
    ):
        assert cluster_perft.main([*other, "--journal", str(path)]) == 2
        told = capsys.readouterr().err
        assert f"{path} {reason}" in told and told.count("\n") == 1


@pytest.mark.parametrize("line", ['{"00ff": 5}', '{"zz": 5}', '["00ff", 5]', "5", "{"])
def test_a_damaged_journal_of_a_count_is_told(tmp_path, capsys, line):
    path = tmp_path / "count.jsonl"
    assert cluster_perft.main(["1", "--journal", str(path)]) == 0
    with path.open("a") as file:
        file.write(f"{line}\n")
    capsys.readouterr()
    assert cluster_perft.main(["1", "--journal", str(path)]) == 2
    told = capsys.readouterr().err
    assert f"{path} is damaged" in told and told.count("\n") == 1


def test_a_count_goes_on_after_a_kill(tmp_path, warm_cache):
    path = tmp_path / "seven.jsonl"
    words = ["perft", "7", "--threads", "2", "--journal", str(path)]
    command = [sys.executable, "-m", "bluekrait", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as run:
        while not path.exists() or path.read_bytes().count(b"\n") < LINES_BEFORE_THE_KILL:
            assert run.poll() is None, "it ended before it could be killed"
            time.sleep(0.001)
        run.kill()
        assert not run.stdout.read()
    before = path.read_bytes()
    kept = before[: before.rfind(b"\n") + 1]  # all but a line that is torn
    again = subprocess.run(command, capture_output=True, text=True)
    assert "perft 7: 3195901860 nodes" in again.stdout, again.stderr
    after = path.read_bytes()
    assert after.startswith(kept)
    boards = [board for line in after.splitlines()[1:] for board in json.loads(line)]
    assert len(boards) == len(set(boards)) == 5362  # so nothing was counted twice


def test_threads_that_share_a_hash_table_count_units_exactly(tmp_path, capsys):
    arguments = ["perft", "6", "--threads", "2", "--hash", "16", "--journal", str(tmp_path / "six.jsonl")]
    assert cli.run(arguments) == 0
    assert "perft 6: 119060324 nodes in" in capsys.readouterr().out
    assert cli.run(arguments) == 0  # every unit is in the journal: nothing is counted, and that is no speed
    text = capsys.readouterr().out
    assert "perft 6: 119060324 nodes (119060324 of them earlier) in" in text and ", 0.0 Mnps" in text


def test_small_pieces_of_work_are_put_together():
    boards = list(range(5362))
    for depth in range(8):
        pieces = cluster_perft.pieces(boards, depth)
        assert sum(pieces, []) == boards
        assert depth > 3 or len(pieces) <= 2
        assert depth < 6 or len(pieces) == len(boards)


@pytest.mark.parametrize("depth", [cluster_perft.DEEP - 1, cluster_perft.DEEP])
def test_a_deep_count_is_cut_deeper(depth, monkeypatch):
    cut = []

    def tree(entries, position, plies):
        cut.append(plies)
        raise ValueError("that is enough")

    monkeypatch.setattr(cluster_perft, "PerftTree", tree)
    assert cluster_perft.main([str(depth)]) == 2
    assert cut == [3 + (depth >= 10)]


def test_the_threads_of_a_count_are_those_of_each_unit_there_and_of_all_units_here(monkeypatch, capsys):
    told = []

    def run_units(pool, function, units):
        told.extend(unit[2] for unit in units)
        raise KeyboardInterrupt

    monkeypatch.setattr(cluster_perft, "run_units", run_units)
    monkeypatch.setattr(cluster_perft, "open_pool", lambda threads, cluster: nullcontext())
    for place in ([], ["--cluster", "there"]):
        assert cluster_perft.main(["6", "--split", "1", "--threads", "3", *place]) == INTERRUPTED
        assert "perft 6 interrupted: " in capsys.readouterr().out
    assert told == [1] * 4 + [3] * 4


@pytest.mark.parametrize("megabytes, useful", [(0, 0), (1, 1), (8192, 3)])
def test_units_have_no_larger_hash_table_than_the_count_can_use(megabytes, useful, monkeypatch):
    told = set()
    monkeypatch.setattr(cluster_perft, "run_units", lambda pool, function, units: told.update(units) or [])
    monkeypatch.setattr(cluster_perft, "pieces", lambda boards, depth: ["boards"])
    assert cluster_perft.main(["6", "--split", "1", "--hash", str(megabytes)]) == 0
    assert told == {("boards", 5, 1, useful)}


def test_the_hash_table_of_an_earlier_count_is_given_back():
    earlier = weakref.ref(cluster_perft._table(1))
    cluster_perft._table(2)
    gc.collect()
    assert earlier() is None


def test_a_killed_worker_process_ends_the_work_in_one_line():
    with open_pool(2) as pool, pytest.raises(PoolError, match="the same command continues the work"):
        list(run_units(pool, os._exit, [(1,)]))


def test_after_an_interrupt_nobody_waits_for_a_unit_in_a_thread():
    begun, released = threading.Event(), threading.Event()

    def unit():
        begun.set()
        return released.wait(PATIENCE)

    with pytest.raises(KeyboardInterrupt), open_thread_pool(2) as pool:
        running = pool.executor.submit(unit)
        assert begun.wait(PATIENCE)
        raise KeyboardInterrupt
    assert not running.done()
    released.set()
    assert running.result()


def test_half_a_pair_is_completed_and_counted_once(monkeypatch):
    monkeypatch.setattr(cluster_games, "open_dask_pool", lambda address: open_pool(1))
    contest = contest_of(fake("A"), fake("B"), rounds=2)
    played = cluster_games.play_on_cluster("there", contest, {(1, 2), (2, 1), (2, 2)})
    assert [game.key for game in played] == [(1, 1)]


def test_every_edit_of_the_sources_makes_other_sources(monkeypatch, tmp_path):
    package = tmp_path / "package"
    (package / "part").mkdir(parents=True)
    (package / "part" / "one.py").write_text("A = 1\n")
    monkeypatch.setattr(dask_pool, "PACKAGES", ("package",))
    monkeypatch.setattr(dask_pool.resources, "files", lambda name: tmp_path / name)
    digests = {dask_pool.source_digest.__wrapped__()}
    edits = [("part/one.py", "A = 2\n"), ("two.py", ""), ("part/two.py", ""), ("keys.bin", "12")]
    for name, text in [*edits, ("part/default.bknn", "weights"), ("part/default.bknn", "others")]:
        (package / name).write_text(text)
        digests.add(dask_pool.source_digest.__wrapped__())
    assert len(digests) == 7
    (package / "part" / "notes.txt").write_text("nothing that is run")
    assert dask_pool.source_digest.__wrapped__() in digests


def test_workers_are_counted_now_and_then_and_missed_once(monkeypatch, capsys):
    threads, now = [{}, {}, {"a": 64, "b": 64}, {}], [0.0]
    monkeypatch.setattr(dask_pool, "monotonic", lambda: now[0])
    client = SimpleNamespace(nthreads=lambda: threads.pop(0))
    workers = dask_pool._Workers(client, "tcp://there")
    workers.note_absence()
    workers.note_absence()
    assert capsys.readouterr().err.count("no worker at tcp://there") == 1
    now[0] = 1.0
    assert workers.in_flight() == workers.in_flight() == 3 * 128
    now[0] += 2 * dask_pool.REFRESH_SECONDS
    assert workers.in_flight() == dask_pool.FEWEST_IN_FLIGHT


def test_a_lost_scheduler_is_told_by_the_units_that_it_had():
    class Lost:
        def nthreads(self):
            raise OSError

        def submit(self, function, *arguments):
            """Cancelled, as Dask does with all units when the connection is lost."""
            future = Future()
            future.cancel()
            return future

    workers = dask_pool._Workers(Lost(), "tcp://there")
    with pytest.raises(PoolError, match="the connection to the cluster was lost") as lost:
        squares(WorkerPool(Lost(), workers.in_flight), range(4))
    assert lost.value.exit_code == FAILED


def test_a_scheduler_that_lacks_a_package_is_told_in_one_line(monkeypatch):
    pytest.importorskip("distributed", reason="distributed is not installed")
    client = MagicMock(nthreads=lambda: {"a worker": 1})
    monkeypatch.setattr(dask_pool, "connected", lambda address: nullcontext(client))
    for text, expected in (
        ("Error during deserialization of the task graph. This frequently occurs if", "cannot read the work"),
        ("something else", "something else"),
    ):
        with pytest.raises(RuntimeError, match=expected), dask_pool.open_dask_pool("tcp://there"):
            raise RuntimeError(text)


def test_a_machine_has_a_worker_process_for_each_core():
    words = worker_command("tcp://there", 6)
    settings = dict(zip(words, words[1:]))
    assert (settings["--nworkers"], settings["--nthreads"]) == ("6", "1") and "tcp://there" in words
    assert settings["--memory-limit"] == "0"  # a worker with a large hash table is not killed


# --- with one -------------------------------------------------------------------------------------


def test_a_count_is_exact_though_a_worker_dies(workers, kill, monkeypatch, capsys):
    monkeypatch.setattr(
        cluster_perft.PerftTree, "enter", killing_after(100, kill, cluster_perft.PerftTree.enter)
    )
    assert cli.run(["perft", "5", "--cluster", workers.scheduler_address]) == 0
    assert "perft 5: 4865609 nodes" in capsys.readouterr().out


def test_games_are_the_same_though_a_worker_dies(workers, kill, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(datagen_command, "UNIT_NODES", 60)  # every game is a unit

    def play(name, *more):
        path = tmp_path / name
        assert datagen_command.main([str(path), "--games", "24", "--nodes", "60", *more]) == 0
        with opened(path) as data:
            return [(block.number, block.body) for block in read_blocks(data)]

    here = play("here.bks", "--processes", "1")
    monkeypatch.setattr(datagen_command, "append", killing_after(6, kill, datagen_command.append))
    there = play("there.bks", "--cluster", workers.scheduler_address)
    assert [number for number, _ in here] == list(range(24))
    assert sorted(there) == here


def test_a_match_is_complete_though_a_worker_dies(workers, kill, monkeypatch, tmp_path, capsys):
    path = tmp_path / "games.pgn"
    engines = [["--engine", f"cmd={sys.executable}", f"name={name}", f"arg={FAKE}"] for name in "ab"]
    command = ["match", *sum(engines, []), "--tc", "20+0.1", "--max-moves", "8", "--pgn", str(path)]
    command += ["--cluster", workers.scheduler_address, "--rounds"]
    assert cli.run([*command, "2"]) == 0
    monkeypatch.setattr(GameJournal, "add", killing_after(2, kill, GameJournal.add))
    assert cli.run([*command, "8"]) == 0
    rounds = re.findall(r'\[Round "(\d+.\d)"\]', path.read_text())
    assert sorted(rounds) == [f"{pair}.{game}" for pair in range(1, 9) for game in (1, 2)]
    assert "16 of 16 games" in capsys.readouterr().out
    assert cli.run([*command, "9", "--affinity"]) == 2


def test_an_engine_that_does_not_start_on_a_worker_tells_on_which(monkeypatch):
    monkeypatch.setattr(game_play, "RETRY_SECONDS", 0.0)
    missing = fake("B")._replace(command=("/no/such/program",))
    with pytest.raises(CommandError, match=rf"B does not start: .*\(on {platform.node()}\)$"):
        cluster_games.play_on_worker(contest_of(fake("A"), missing).games_of_pair(1))


def test_games_are_analysed_the_same_way_there(workers, kill, monkeypatch, tmp_path):
    def analyse(name, *more):
        path = tmp_path / name
        command = ["analyse", str(DATA / "analysis.pgn"), "-o", str(path), "--nodes", "400"]
        assert cli.run([*command, *more]) == 0
        return path.read_bytes()

    here = analyse("here.pgn", "--threads", "1")
    monkeypatch.setattr(AnalysisJournal, "add", killing_after(1, kill, AnalysisJournal.add))
    assert analyse("there.pgn", "--cluster", workers.scheduler_address) == here


def test_tuning_goes_the_same_way_there(workers, tmp_path):
    places = {"here": ["--processes", "1"], "there": ["--cluster", workers.scheduler_address]}
    for name, place in places.items():
        command = ["search", str(tmp_path / name), "--iterations", "2", "--pairs", "3", "--nodes", "40"]
        assert tune_command.main([*command, *place]) == 0
    assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes()


def test_a_machine_becomes_a_worker(warm_cache, capsys):
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    with distributed.LocalCluster(n_workers=0, dashboard_address=":0", silence_logs=50) as crew:
        address = crew.scheduler_address
        command = [sys.executable, "-m", "bluekrait.uci", "worker", address, "--processes", "1"]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as worker:
            assert cluster_perft.main(["4", "--split", "2", "--cluster", address]) == 0
            worker.send_signal(signal.SIGINT)
            assert worker.wait(PATIENCE) == 0
    captured = capsys.readouterr()
    assert "perft 4: 197281 nodes" in captured.out
    assert "no worker" in captured.err


def test_workers_with_other_sources_are_refused(workers, monkeypatch, capsys):
    monkeypatch.setattr(dask_pool, "source_digest", lambda: "of yesterday")
    assert cluster_perft.main(["3", "--cluster", workers.scheduler_address]) == 1
    assert "other sources" in capsys.readouterr().err


@pytest.mark.parametrize("address", [NOBODY, "nonsense", ""])
def test_nobody_there_is_told_in_one_line(address, monkeypatch, tmp_path, capsys):
    pytest.importorskip("distributed", reason="distributed is not installed")
    monkeypatch.setattr(dask_pool, "CONNECT_SECONDS", 1)
    match = ["match", "--engine", sys.executable, "--engine", sys.executable]
    monkeypatch.setattr("bluekrait.tools.match.match_command.check_engines", lambda engines, is_builtin: [])
    match += ["--pgn", str(tmp_path / "games.pgn")]
    for command in (["perft", "5"], ["datagen", str(tmp_path / "positions.bks")], match):
        assert cli.run([*command, f"--cluster={address}"]) == 2
        assert re.fullmatch(".*no scheduler answers.*\n", capsys.readouterr().err)


def test_a_client_that_does_not_start_is_told_in_one_line(monkeypatch, capsys):
    def client(*_):
        raise AssertionError

    pytest.importorskip("distributed", reason="distributed is not installed")
    monkeypatch.setattr(dask_pool, "_client", client)
    assert cli.run(["perft", "5", f"--cluster={NOBODY}"]) == 2
    assert re.fullmatch(r".*no scheduler answers.*\(AssertionError\)\n", capsys.readouterr().err)


def test_what_is_missing_is_told_in_one_line(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "distributed", None)
    path = str(tmp_path / "positions.bks")
    for command in (["perft", "5", "--cluster"], ["datagen", path, "--cluster"], ["worker"]):
        assert cli.run([*command, NOBODY]) == 2
        error = capsys.readouterr().err
        assert "bluekrait[cluster]" in error and error.count("\n") == 1


FIRST_PROCESS = """
import multiprocessing, signal
from bluekrait.tools.cluster.terminal_signals import terminal_signals_blocked

if __name__ == "__main__":
    mask = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    with terminal_signals_blocked():
        process = multiprocessing.get_context("spawn").Process(target=exec, args=(mask,))
        process.start()
    process.join()
    print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))
"""


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="Windows blocks no signals")
def test_the_first_process_does_not_get_ctrl_c_either(tmp_path):
    script = tmp_path / "first_process.py"
    script.write_text(FIRST_PROCESS)
    printed = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True).stdout
    assert printed.split() == ["True", "False"]
