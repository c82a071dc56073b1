"""`bluekrait data`: what it says of files, and what it refuses."""

import subprocess
import sys

import chess
import pytest

from bluekrait.core.notation.fen import parse_fen
from bluekrait.tools.data import data_command, datagen_command
from bluekrait.tools.data.data_command import packed_samples
from bluekrait.tools.data.formats.sample_file import pack_block
from bluekrait.tools.data.formats.samples import (
    DRAWN,
    LOST,
    WON,
    Sample,
    pack_sample,
    sample_from_text,
    unpack_sample,
)
from bluekrait.tools.data.sample_statistics import gathered, report
from bluekrait.uci.exits import INTERRUPTED
from helpers.labelled import blocks_of_file


def test_a_file_of_another_kind_is_left_alone(tmp_path, capsys):
    path = tmp_path / "thesis.txt"
    path.write_text("three years of work")
    for command in (datagen_command.main, lambda names: data_command.main(["check", *names])):
        assert command([str(path)]) == 2
        assert path.read_text() == "three years of work"
        assert capsys.readouterr().err.count("\n") == 1


def test_relabelling_refuses_more_nodes_than_datagen(played, tmp_path, capsys):
    with pytest.raises(SystemExit) as leaving:
        data_command.main(["relabel", str(played), "-o", str(tmp_path / "new.bks"), "--nodes", "1000001"])
    assert leaving.value.code == 2
    assert "1000001 is above 1000000" in capsys.readouterr().err


@pytest.mark.parametrize("name, is_told", [("relabel", True), ("shuffle", False)])
def test_what_continues_after_an_interruption_says_so(name, is_told, played, tmp_path, monkeypatch, capsys):
    def interrupted(*options):
        raise KeyboardInterrupt

    monkeypatch.setattr(f"bluekrait.tools.data.{name}.{name}", interrupted)
    assert data_command.main([name, str(played), "-o", str(tmp_path / "new.bks")]) == INTERRUPTED
    told = f"bluekrait data {name}: interrupted. The same command continues\n"
    assert capsys.readouterr().err == (told if is_told else "")


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
    command = [sys.executable, "-m", "bluekrait.uci", "data", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


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


@pytest.mark.parametrize("words", [("show", "-n", "1"), ("stats",)], ids=" ".join)
def test_what_is_only_printed_fails_without_standard_output(words, played, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)  # it was closed at the start
    with pytest.raises(BrokenPipeError):  # `bluekrait` then ends without a word
        data_command.main([words[0], str(played), *words[1:]])


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


def test_what_stats_tell(tmp_path):
    board = parse_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").board
    games = (
        [Sample(board, 100, 20, 0, 0, WON), Sample(board, 300, 22, 0, 0, WON)],
        [Sample(board, -50, 30, 0, 0, WON)],
        [Sample(board, -150, 40, 0, 0, LOST)],
        [Sample(board, 0, 50, 0, 0, DRAWN)],
    )
    path = tmp_path / "games.bks"
    path.write_bytes(b"".join(pack_block(0, map(pack_sample, game)) for game in games))
    rows, scores, *_ = report(gathered([str(path)])).split("\n\n")
    for row in (
        "5, 80.00% of them occurred before",
        "4, 1.2 positions each",
        "35.5 plies, up to the last position kept",
        "50.0% won, 25.0% drawn, 25.0% lost",
        "60.0% won, 20.0% drawn, 20.0% lost",
        "+40.0 on average, standard deviation 153",
    ):
        assert row in rows
    assert [line.split() for line in scores.splitlines()[1:]] == [
        ["-250", "40.00%", "#" * 40],
        ["0", "40.00%", "#" * 40],
        ["250", "20.00%", "#" * 20],
    ]


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


def test_a_picture_does_not_replace_the_positions(played, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    games = tmp_path / "games.svg"
    games.write_bytes(played.read_bytes())
    assert data_command.main(["stats", str(played), str(games), "--plot", str(games)]) == 2
    assert "would replace what this command works on" in capsys.readouterr().err
    assert games.read_bytes() == played.read_bytes()


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
