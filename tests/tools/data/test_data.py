"""Labelled positions: the file, the games they come from, and what `bluekrait data` says of them."""

import errno
import io
import os
import random
import signal
import subprocess
import sys
import time
import tracemalloc
import zlib

import chess
import numpy as np
import pytest

from bluekrait.core.notation.fen import parse_fen
from bluekrait.tools.cluster.worker_pool import PoolError
from bluekrait.tools.common.errors import with_errors_reported
from bluekrait.tools.common.files import whole_file
from bluekrait.tools.common.files.append_only import lock_for_writing, opened_to_append
from bluekrait.tools.common.files.file_lock import try_lock
from bluekrait.tools.common.files.whole_file import opened_as_draft
from bluekrait.tools.data import data_command, datagen_command, filter_samples, shuffle
from bluekrait.tools.data.data_command import packed_samples
from bluekrait.tools.data.formats.game_samples import EVERYTHING, TRAINING
from bluekrait.tools.data.formats.labelled_file import opened
from bluekrait.tools.data.formats.labelled_file import read_blocks as read_either
from bluekrait.tools.data.formats.labelled_file import read_contents as read_either_contents
from bluekrait.tools.data.formats.sample_file import (
    pack_block,
    pack_head,
    read_blocks,
    read_contents,
    read_head,
)
from bluekrait.tools.data.formats.samples import (
    DRAWN,
    LOST,
    WON,
    Sample,
    pack_sample,
    sample_from_text,
    unpack_sample,
)
from bluekrait.tools.data.sample_statistics import Stats, gathered
from bluekrait.tools.network import position_file
from bluekrait.uci.exits import INTERRUPTED, SUCCESS
from helpers.labelled import mended, some_samples
from helpers.machines import CLOSED_TERMINAL, full_disk, interrupt, terminated_at_start

MADE = {"kind": "self-play", "seed": 3, "nodes": 40}


def blocks_of_file(path):
    """Number and body of each block."""
    with opened(path) as content:
        return [(block.number, block.body) for block in read_either(content, EVERYTHING)]


# --- samples --------------------------------------------------------------------------------------


def test_a_sample_is_unpacked_as_it_was_packed():
    for sample in some_samples():
        assert len(pack_sample(sample)) == 32
        assert unpack_sample(pack_sample(sample)) == sample


def test_a_line_of_text_is_seen_by_the_side_to_move():
    fen = "4k3/8/8/8/8/8/4P3/4K3 {} - - 3 1"
    white, black = (sample_from_text(f"{fen.format(side)}; 1; 120") for side in "wb")
    assert white == Sample(parse_fen(fen.format("w")).board, 120, 0, 0, 3, WON)
    assert black == Sample(parse_fen(fen.format("b")).board, -120, 1, 0, 3, LOST)


LABELLED = "4k3/8/8/8/8/8/8/4K3 w - - 0 1; {}"


@pytest.mark.parametrize("labels", ["1; 120", "1.0; +120", "1.; 120; e1e2"])
def test_labels_may_be_written_in_several_ways(labels):
    sample = sample_from_text(LABELLED.format(labels))
    assert (sample.result, sample.score) == (WON, 120)


def test_a_missing_score_is_told():
    with pytest.raises(ValueError, match="the score is missing"):
        sample_from_text(LABELLED.format("1"))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "8/8/8/8/8/8/8/8 w - - 0 1; 1; 0",
        *map(
            LABELLED.format,
            ("3; 0", "0.3; 20", "inf; 20", "nan; 20", "; 20", "1", "1; ", "1; high", "1; 32001", "1; +-5"),
        ),
    ],
)
def test_a_bad_line_of_text_is_refused(line):
    with pytest.raises(ValueError):
        sample_from_text(line)


# --- files ----------------------------------------------------------------------------------------


def test_a_new_file_that_stays_empty_is_removed_before_its_lock_is_released(tmp_path, monkeypatch):
    path, unlink, locked = str(tmp_path / "new"), os.unlink, []

    def watched(name):
        with open(name, "ab") as another:
            locked.append(not try_lock(another))
        unlink(name)

    monkeypatch.setattr("os.unlink", watched)
    with opened_to_append(path):
        assert os.path.exists(path)
    assert not os.path.exists(path) and locked == [os.name != "nt"]


def some_blocks(count=6):
    """Blocks of a few samples each, one of them empty."""
    packed = list(map(pack_sample, some_samples()[:40]))
    return [pack_block(number + 3, packed[5 * number : 6 * number]) for number in range(count)]


def test_blocks_are_read_as_they_were_written():
    packed = [pack_sample(sample) for sample in some_samples()[:5]]
    content = pack_head(MADE) + pack_block(7, packed[:2]) + pack_block(9, []) + pack_block(8, packed[2:])
    read = [(block.number, block.body) for block in read_blocks(content)]
    assert read == [(7, b"".join(packed[:2])), (9, b""), (8, b"".join(packed[2:]))]
    assert read_head(content) == MADE
    contents = read_contents(content)
    assert (contents.games, contents.samples, contents.damage, contents.torn) == ({7, 8, 9}, 5, [], 0)


def test_files_without_a_head_are_read_as_ever():
    blocks = some_blocks()
    contents = read_contents(b"".join(blocks))
    assert (contents.head, contents.blocks, contents.torn) == (None, len(blocks), 0)


def test_a_later_format_is_not_misread():
    head = bytearray(pack_head({}))
    head[4] = 2
    body = bytes(head[:12]) + head[16:]
    head[12:16] = zlib.crc32(body).to_bytes(4, "little")
    with pytest.raises(ValueError, match="version 2"):
        read_contents(bytes(head))


@pytest.mark.parametrize("head", [b"", pack_head(MADE)], ids=["without head", "with head"])
def test_a_torn_end_is_cut_off_wherever_it_is_torn(tmp_path, head):
    path = tmp_path / "torn.bks"
    packed = [pack_sample(sample) for sample in some_samples()[:4]]
    whole, last = head + pack_block(3, packed[:3]), pack_block(4, packed[3:])
    for length in range(len(last)):
        path.write_bytes(whole + last[:length])
        contents = mended(path)
        assert (contents.games, contents.samples, contents.end) == ({3}, 3, len(whole))
        assert path.read_bytes() == whole
    path.write_bytes(whole + last)
    assert mended(path).games == {3, 4}


def test_a_torn_head_is_cut_off_too(tmp_path):
    path, head = tmp_path / "torn.bks", pack_head(MADE)
    for length in range(len(head)):
        path.write_bytes(head[:length])
        assert mended(path).head is None
        assert path.read_bytes() == b""


def test_a_flipped_bit_is_noticed():
    block = pack_block(3, [pack_sample(some_samples()[0])])
    for bit in range(0, len(block) * 8, 5):
        damaged = bytearray(block)
        damaged[bit // 8] ^= 1 << bit % 8
        assert not list(read_blocks(bytes(damaged)))


def test_damage_costs_what_it_touches_and_nothing_else(tmp_path):
    blocks, rng = some_blocks(), random.Random(1)
    for victim in range(len(blocks)):
        damaged = bytearray(blocks[victim])
        damaged[rng.randrange(len(damaged))] ^= 64
        content = pack_head(MADE) + b"".join(blocks[:victim]) + damaged + b"".join(blocks[victim + 1 :])
        contents = read_contents(content)
        assert contents.games == {number + 3 for number in range(len(blocks))} - {victim + 3}
        assert len(contents.damage) + (contents.torn > 0) == 1


def test_a_file_of_another_kind_is_left_alone(tmp_path, capsys):
    path = tmp_path / "thesis.txt"
    path.write_text("three years of work")
    for command in (datagen_command.main, lambda names: data_command.main(["check", *names])):
        assert command([str(path)]) == 2
        assert path.read_text() == "three years of work"
        assert capsys.readouterr().err.count("\n") == 1


# --- datagen --------------------------------------------------------------------------------------


def generate(path, *more):
    """Play a few quick games in this process; the exit code."""
    return datagen_command.main([str(path), "--processes", "1", *map(str, more)])


@pytest.fixture(scope="module", autouse=True)
def small_units():
    """Every game is a block of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(datagen_command, "UNIT_NODES", 1)
        yield


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A file of five games."""
    path = tmp_path_factory.mktemp("played") / "positions.bkg"
    assert generate(path, "--games", 5, "--nodes", 40, "--seed", 7) == 0
    return path


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


@pytest.mark.parametrize("wrong", [("--nodes", 1_000_001), ("--nodes", 0), ("--chess960", 101)])
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
    assert (ended.returncode, ended.stderr) == (INTERRUPTED, "")


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
        contents = read_either_contents(data)
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
        contents = read_either_contents(data)
    assert len(contents.games) == 2 + 5 and contents.torn
    assert generate(killed, *settings) == generate(whole, *settings) == 0
    assert sorted(blocks_of_file(killed)) == sorted(blocks_of_file(whole))


def test_relabelling_refuses_more_nodes_than_datagen(played, tmp_path, capsys):
    with pytest.raises(SystemExit) as leaving:
        data_command.main(["relabel", str(played), "-o", str(tmp_path / "new.bks"), "--nodes", "1000001"])
    assert leaving.value.code == 2
    assert "1000001 is above 1000000" in capsys.readouterr().err


@pytest.mark.parametrize(
    "more, first_ply, highest_score",
    [((), 16, 2999), (("--from-ply", "60"), 60, 2999), (("--from-ply", "8", "--max-score", "90"), 16, 90)],
)
def test_filters_of_training_come_on_top_of_others(played, tmp_path, more, first_ply, highest_score):
    path = tmp_path / "filtered.bks"
    assert data_command.main(["filter", str(played), "-o", str(path), "--training", *more]) == 0
    with opened(path) as data:
        head = read_head(data)
    assert (head["first_ply"], head["highest_score"]) == (first_ply, highest_score)
    assert head["no_checks"] and head["quiet"]


def test_training_and_its_filters_agree():
    assert tuple(position_file.Filters()) == TRAINING[:2]


def test_equal_positions_are_found_in_little_memory(monkeypatch):
    count, bytes_each = 1 << 18, 20
    hashes = np.random.default_rng(1).integers(1 << 62, size=count).astype(np.uint64)
    hashes[7::16] = hashes[::16]
    stats, parts = Stats(hashes=[hashes.copy()]), np.split(hashes, 64)
    monkeypatch.setattr(filter_samples, "hashes_of", lambda samples: samples)
    tracemalloc.start()
    try:
        assert stats.duplicates == count // 16
        assert tracemalloc.get_traced_memory()[1] < bytes_each * count
        tracemalloc.reset_peak()
        kept = sum(map(len, filter_samples._firsts(iter(parts))))
        assert kept == count - count // 16
        assert tracemalloc.get_traced_memory()[1] < bytes_each * count
    finally:
        tracemalloc.stop()


WORK_OF_A_COMMAND = """
import sys
import time
from bluekrait.tools.common.errors import with_errors_reported

@with_errors_reported("work")
def main():
    with open(sys.argv[1], "w") as kept:
        try:
            print("begun", flush=True)
            time.sleep(60)
        finally:
            print("ended", flush=True)
            kept.write("all")

sys.exit(main())
"""


def test_a_command_outlives_its_terminal_until_its_work_is_kept(tmp_path):
    pty = pytest.importorskip("pty", reason="a system without terminals of this kind")
    kept = tmp_path / "kept"
    process, terminal = pty.fork()
    if process == 0:
        os.execv(sys.executable, [sys.executable, "-c", WORK_OF_A_COMMAND, str(kept)])
    try:
        assert os.read(terminal, 5) == b"begun"
    finally:
        os.close(terminal)
        _, status = os.waitpid(process, 0)
    assert os.waitstatus_to_exitcode(status) == INTERRUPTED
    assert kept.read_text() == "all"


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="nobody closes a terminal")
def test_a_command_under_nohup_goes_on_without_its_terminal():
    @with_errors_reported("work")
    def command():
        signal.raise_signal(signal.SIGHUP)
        return SUCCESS

    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert command() == SUCCESS
    finally:
        signal.signal(signal.SIGHUP, before)


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


# --- bluekrait data -------------------------------------------------------------------------------


def test_check_tells_what_is_torn_or_damaged(played, tmp_path, capsys):
    whole = played.read_bytes()
    assert data_command.main(["check", str(played)]) == 0
    assert "5 games, ok" in capsys.readouterr().out
    path = tmp_path / "bad.bks"
    for content, word in (
        (whole[:-5], "incomplete"),
        (whole[:300] + whole[301:], "damaged"),
        (whole * 2, "twice"),
    ):
        path.write_bytes(content)
        assert data_command.main(["check", str(played), str(path)]) == 1
        lines = capsys.readouterr().out.splitlines()
        assert lines[0].endswith("ok") and word in lines[1]


def begun(*arguments):
    """The program as a shell begins it, its output in a pipe."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = [sys.executable, "-m", "bluekrait.uci", "data", *map(str, arguments)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_a_pipe_gets_everything(played):
    with begun("show", played, "-n", 0) as process:
        out, error = process.communicate(timeout=60)
    assert (process.returncode, error) == (0, b"")
    assert out.count(b"\n") == len(list(packed_samples([played])))


def test_a_pipe_may_be_closed_early(played):
    with begun("show", *[played] * 40, "-n", 0) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 1


def test_show_prints_what_can_be_read_again(played, capsys):
    assert data_command.main(["show", str(played), "-n", "0"]) == 0
    lines = capsys.readouterr().out.splitlines()
    samples = list(map(unpack_sample, packed_samples([played])))
    assert len(lines) == len(samples)
    for line, sample in zip(lines, samples):
        assert sample_from_text(line)._replace(move=sample.move) == sample
        fen, _, _, move = line.split("; ")
        board = chess.Board(fen, chess960=True)
        assert board.is_valid() and board.parse_uci(move)
    assert data_command.main(["show", str(played), "-n", "2", "--skip", "3"]) == 0
    assert capsys.readouterr().out.splitlines() == lines[3:5]


def test_stats_count_right(played):
    stats = gathered([played, played])
    samples = [unpack_sample(packed) for packed in packed_samples([played])]
    assert (stats.games, stats.positions) == (10, 2 * len(samples))
    whites = [WON - sample.result if sample.ply & 1 else sample.result for sample in samples]
    assert list(stats.labels) == [2 * whites.count(result) for result in (LOST, DRAWN, WON)]
    distinct = {sample.board for sample in samples}
    assert stats.duplicates == 2 * len(samples) - len(distinct)
    boards = [chess.Board(line_fen(sample)) for sample in samples]
    counts = [len(board.piece_map()) for board in boards]
    assert list(stats.pieces) == [2 * counts.count(count) for count in range(33)]
    weights = {chess.KNIGHT: 1, chess.BISHOP: 1, chess.ROOK: 2, chess.QUEEN: 4}
    phases = [sum(weights.get(p.piece_type, 0) for p in board.piece_map().values()) for board in boards]
    assert list(stats.phases) == [2 * phases.count(phase) for phase in range(25)]
    scores = [-sample.score if sample.ply & 1 else sample.score for sample in samples]
    scores = [max(-3000, min(3000, score)) for score in scores]
    assert list(stats.score_sums) == [2 * sum(scores), 2 * sum(score * score for score in scores)]
    plies = [sample.ply for sample in samples]
    assert list(stats.at_plies) == [2 * plies.count(ply) for ply in range(401)]
    lengths = [unpack_sample(body[-32:]).ply for _, body in blocks_of_file(played) if body]
    assert stats.plies == 2 * sum(lengths)


def line_fen(sample):
    """The FEN of a sample."""
    return data_command.sample_text(sample._replace(move=0), None).split("; ")[0]


def test_stats_are_printed_and_drawn(played, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "picture.png"
    assert data_command.main(["stats", str(played), "--plot", str(picture)]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    out = capsys.readouterr().out
    assert "seed 7, nodes 40" in out and "games" in out
    for wrong, complaint in ("picture.xyz", "ends in one of"), ("no/folder/picture.png", "cannot be written"):
        assert data_command.main(["stats", str(played), "--plot", wrong]) == 2
        told = capsys.readouterr()
        assert complaint in told.err and told.err.count("\n") == 1 and not told.out


@pytest.mark.parametrize(
    "wrong",
    [
        "show -n -1",
        "show --skip -5",
        f"filter -o new.bks --max-score {2**63}",
        "filter -o new.bks --from-ply -1",
    ],
)
def test_numbers_that_no_file_has_are_refused(wrong, played, capsys):
    with pytest.raises(SystemExit) as leaving:
        data_command.main([*wrong.split(), str(played)])
    assert leaving.value.code == 2
    assert wrong.split()[-1] in capsys.readouterr().err


def test_shuffling_keeps_every_position_and_no_order(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("bluekrait.tools.data.shuffle.MEGABYTE", 1 << 10)  # so that there are many buckets
    monkeypatch.setattr("bluekrait.tools.data.shuffle.BLOCK_SAMPLES", 100)
    packed = list(map(pack_sample, some_samples()))
    names = [tmp_path / "one.bks", tmp_path / "two.bks"]
    for name, part in zip(names, (packed[:700], packed[700:])):
        name.write_bytes(pack_head(MADE) + b"".join(pack_block(i, [one]) for i, one in enumerate(part)))

    def shuffled(name, seed):
        path = tmp_path / name
        command = ["shuffle", *map(str, names), "-o", str(path), "--seed", str(seed), "--memory", "8"]
        assert data_command.main(command) == 0
        assert data_command.main(["check", str(path)]) == 0
        return path, list(packed_samples([path]))

    (path, order), (_, same), (_, other) = shuffled("a", 1), shuffled("b", 1), shuffled("c", 2)
    assert sorted(order) == sorted(packed) and order == same != other
    places = {sample: place for place, sample in enumerate(packed)}
    distance = sum(abs(places[sample] - place) for place, sample in enumerate(order)) / len(order)
    assert 0.28 < distance / len(order) < 0.38  # a third, if every order is equally likely
    rises = sum(places[one] < places[two] for one, two in zip(order, order[1:]))
    assert 0.45 < rises / len(order) < 0.55  # also inside the buckets
    assert len(list(tmp_path.iterdir())) == 5  # nothing is left lying about
    assert data_command.main(["shuffle", str(names[0]), "-o", str(path)]) == 2  # never over something else
    with pytest.raises(SystemExit) as leaving:
        data_command.main(["shuffle", str(names[0]), "-o", str(tmp_path / "d"), "--memory", "0"])
    assert leaving.value.code == 2
    assert generate(path, "--games", 10_000) == 2


def test_shuffling_games_keeps_to_the_memory_too(played, tmp_path, monkeypatch, capsys):
    megabytes, sizes = 8, []
    monkeypatch.setattr(shuffle, "MEGABYTE", 1 << 10)

    def shuffled(buckets, rng, original=shuffle._shuffled):
        sizes.extend(map(os.path.getsize, buckets))
        return original(buckets, rng)

    monkeypatch.setattr(shuffle, "_shuffled", shuffled)
    command = ["shuffle", str(played), "-o", str(tmp_path / "mixed.bks"), "--memory", str(megabytes)]
    assert data_command.main(command) == 0
    assert max(sizes) * shuffle.COPIES <= megabytes << 10
    assert "positions of 1 file in random order" in capsys.readouterr().out


def test_what_a_killed_shuffle_has_left_is_removed(played, tmp_path):
    output = tmp_path / "mixed.bks"
    left = tmp_path / ".shuffle-mixed.bks"
    left.mkdir()
    (left / "0").write_bytes(b"of other positions")
    (left / "400").write_bytes(b"of more buckets than there are now")
    assert data_command.main(["shuffle", str(played), "-o", str(output)]) == 0
    assert list(tmp_path.iterdir()) == [output]
    assert data_command.main(["check", str(output)]) == 0


class ClosedTerminal(io.StringIO):
    """What standard error is when its terminal was closed."""

    def isatty(self):
        return True

    def write(self, text):
        raise OSError(errno.EIO, "Input/output error")


def test_shuffling_needs_no_terminal_to_the_end(played, tmp_path, monkeypatch):
    output = tmp_path / "mixed.bks"
    monkeypatch.setattr(sys, "stderr", ClosedTerminal())
    assert data_command.main(["shuffle", str(played), "-o", str(output)]) == 0
    assert list(tmp_path.iterdir()) == [output]


# --- files that are made from others ----------------------------------------------------------------


@pytest.mark.parametrize("command", ["filter", "shuffle"])
def test_two_processes_do_not_write_one_file(played, tmp_path, capsys, command):
    pytest.importorskip("fcntl")
    output = tmp_path / "all.bks"
    with opened_as_draft(output) as file:
        file.write(pack_head(MADE))
        assert data_command.main([command, str(played), "-o", str(output)]) == 2
        assert "another process" in capsys.readouterr().err
    assert output.read_bytes() == pack_head(MADE) and list(tmp_path.iterdir()) == [output]


@pytest.mark.parametrize("command", ["filter", "shuffle"])
def test_what_another_process_has_just_finished_stays(played, tmp_path, monkeypatch, capsys, command):
    output = tmp_path / "all.bks"
    lock = whole_file.lock_for_writing

    def finish_before(file):
        output.write_bytes(b"of the other")
        lock(file)

    monkeypatch.setattr(whole_file, "lock_for_writing", finish_before)
    assert data_command.main([command, str(played), "-o", str(output)]) == 2
    assert f"{output} exists already" in capsys.readouterr().err
    assert output.read_bytes() == b"of the other" and list(tmp_path.iterdir()) == [output]


@pytest.mark.parametrize("name", ["all.bks.draft", "all.bks.0123abcd.draft"])
@pytest.mark.parametrize("command", ["filter", "shuffle"])
def test_positions_with_the_name_of_a_draft_stay(played, tmp_path, command, name):
    source, output = tmp_path / name, tmp_path / "all.bks"
    source.write_bytes(played.read_bytes())
    assert data_command.main([command, str(source), "-o", str(output)]) == 0
    assert source.read_bytes() == played.read_bytes() and set(tmp_path.iterdir()) == {source, output}


def test_what_was_not_converted_to_the_end_is_removed(played, tmp_path):
    output, killed = tmp_path / "all.bks", tmp_path / "all.bks.0123abcd.draft"
    command = ["convert", str(played), "-o", str(output)]
    killed.write_bytes(bytes(100_000))
    with full_disk(1000):
        assert data_command.main(command) == 2
    assert list(tmp_path.iterdir()) == []
    killed.write_bytes(bytes(100_000))
    assert data_command.main(command) == 0 and list(tmp_path.iterdir()) == [output]
    assert data_command.main(["check", str(output)]) == 0
