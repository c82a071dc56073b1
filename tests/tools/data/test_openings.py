"""Balanced openings: legal, different, reproducible, and none lost by an interruption."""

import io
import os
import signal
import subprocess
import sys
from itertools import count, islice

import chess
import pytest

from bluekrait.tools.data.openings_command import Opening, Recipe, attempt, distinct, in_order, main

NODES = 300
PIPES = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
EMPTY = "8/8/8/8/8/8/8/8 w - -"


def make(path, *arguments):
    return main(["--out", str(path), "--nodes", str(NODES), "--processes", "1", *arguments])


def openings_of(recipe):
    return distinct(attempt(recipe, number)[1] for number in count())


def test_openings_are_legal_different_and_balanced():
    openings = list(islice(openings_of(Recipe(seed=5, plies=7, nodes=NODES, bound=40)), 50))
    assert len({opening.position for opening in openings}) == 50
    for opening in openings:
        board = chess.Board(opening.fen)
        assert board.is_valid() and any(board.legal_moves)
        assert board.ply() == 7 and abs(opening.score) <= 40
    numbers = [opening.number for opening in openings]
    assert numbers == sorted(set(numbers)) and numbers[-1] > 50  # not every attempt succeeds


def test_a_seed_decides():
    one, same, other = (list(islice(openings_of(Recipe(seed, nodes=NODES)), 20)) for seed in (1, 1, 2))
    assert one == same
    assert not {opening.fen for opening in one} & {opening.fen for opening in other}


def test_a_position_counts_once():
    first, again = Opening(1, "a w - - 0 5", 3), Opening(2, "a w - - 3 5", 4)
    new = Opening(3, "b w - - 0 5", 5)
    assert list(distinct([first, None, again, new])) == [first, new]
    assert list(distinct([first, again, new], {"a w - -": 0})) == [new]


def test_only_attempts_in_a_row_are_in_vain(monkeypatch):
    monkeypatch.setattr("bluekrait.tools.data.openings_command.MOST_ATTEMPTS", 3)
    openings = [Opening(number, f"{'p' * number} w - - 0 5", 0) for number in range(3)]
    found = [None, None, openings[0], None, openings[0], openings[1], None, None, openings[2]]
    assert list(distinct(found)) == openings
    with pytest.raises(ValueError, match="3 attempts found no other opening"):
        list(distinct([*found, None, openings[1], None]))


def test_order_is_restored():
    assert list(in_order([(4, "c"), (2, "a"), (3, "b"), (6, "e"), (5, "d")], 2)) == list("abcde")


def test_file_is_read_by_others_and_continued(tmp_path, capsys):
    whole, parts = tmp_path / "whole.epd", tmp_path / "parts.epd"
    assert make(whole, "--count", "12") == 0
    assert make(parts, "--count", "5") == 0
    with parts.open("a") as file:
        file.write("rnbqkbnr/half a li")  # as a kill may leave it
    assert make(parts, "--count", "12") == 0
    assert whole.read_text() == parts.read_text()
    for line in whole.read_text().splitlines():
        board, operations = chess.Board.from_epd(line)
        assert board.is_valid() and abs(operations["ce"]) <= 60 and "seed 1, plies 8" in operations["id"]
    assert make(whole, "--count", "3") == 0, "it has more already"
    assert capsys.readouterr().out.endswith("whole.epd: 12 openings\n")


def test_files_of_others_are_left_alone(tmp_path, capsys):
    path = tmp_path / "book.epd"
    otherwise = f'{EMPTY} ce 1; id "seed 9, plies 8, nodes 300, bound 60 #7";\n'
    for text, complaint in (
        (f"{EMPTY} 0 1\n", "was not made by this command"),
        (f"{EMPTY} 0 1", "was not made by this command"),
        (otherwise, "was made with seed 9"),
    ):
        path.write_text(text)
        assert make(path) == 2
        error = capsys.readouterr().err
        assert complaint in error and error.count("\n") == 1 and path.read_text() == text
    assert make(tmp_path / "missing" / "book.epd") == 2


def test_what_cannot_be_continued_is_refused(capsys):
    assert make(os.devnull) == 2
    assert capsys.readouterr().err == f"bluekrait openings: {os.devnull} is no file that can be continued\n"


def test_half_a_first_line_is_cut_off(tmp_path):
    path, whole = tmp_path / "openings.epd", tmp_path / "whole.epd"
    assert make(whole, "--count", "2") == 0
    path.write_bytes(whole.read_bytes().splitlines()[0][:-9])
    assert make(path, "--count", "2") == 0
    assert path.read_bytes() == whole.read_bytes()


def test_it_ends_where_there_are_no_more(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("bluekrait.tools.data.openings_command.MOST_ATTEMPTS", 200)
    path = tmp_path / "openings.epd"
    assert make(path, "--plies", "1", "--count", "30") == 2
    assert 0 < path.read_text().count("\n") <= 20
    assert "200 attempts found no other opening" in capsys.readouterr().err


def test_no_file_is_left_if_no_opening_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr("bluekrait.tools.data.openings_command.MOST_ATTEMPTS", 3)
    monkeypatch.setattr("bluekrait.tools.data.openings_command.is_balanced", lambda *_: False)
    assert make(tmp_path / "openings.epd") == 2
    assert not os.listdir(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_interruption_loses_nothing(tmp_path):
    path = tmp_path / "openings.epd"
    command = [sys.executable, "-m", "bluekrait.uci", "openings", "--count", "100000", "--nodes", str(NODES)]
    with subprocess.Popen([*command, "--out", path, "--processes", "2"], **PIPES) as process:
        while not path.exists() or path.read_text().count("\n") < 20:
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        output, errors = (text.decode() for text in process.communicate(timeout=60))
    assert errors.endswith("bluekrait openings: interrupted. The same command continues\n")
    lines = path.read_text().splitlines()
    assert process.returncode == 130 and output == f"{path}: {len(lines)} openings\n"
    expected = islice(openings_of(Recipe(nodes=NODES)), len(lines))
    assert [line.split(" ce ")[0] for line in lines] == [opening.position for opening in expected]


class InterruptedFile(io.BufferedRandom):
    """A file during whose third flush somebody presses Ctrl-C."""

    flushes = 0

    def __init__(self, path, *_, **__):
        super().__init__(io.FileIO(path, "a+"))

    def flush(self):
        super().flush()
        self.flushes += 1
        if self.flushes == 3:
            raise KeyboardInterrupt


def test_what_is_in_the_file_counts(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("bluekrait.tools.common.files.append_only.open_named", InterruptedFile)
    path = tmp_path / "openings.epd"
    assert make(path) == 130
    lines = path.read_text().count("\n")
    assert lines > 0 and capsys.readouterr().out == f"{path}: {lines} openings\n"
