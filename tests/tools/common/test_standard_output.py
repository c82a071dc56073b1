"""Commands whose file is called `-`, and commands whose standard output was closed at the start."""

import json
import os
import sys

import pytest

pytest.importorskip("chess")
pytest.importorskip("matplotlib")

from bluekrait.tools.data.formats.sample_file import pack_head
from bluekrait.tools.figures.trend import Measurement
from bluekrait.tools.sliders.slider_figures import GAMES, HERE, RANDOM, Figure
from bluekrait.uci import cli
from bluekrait.uci.exits import FAILED, WRONG_ARGUMENTS

PGN = """\
[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 1-0
"""


@pytest.mark.parametrize(
    "words",
    [
        "data convert games.bkg -o -",
        "data filter games.bkg --output -",
        "data relabel games.bkg -o -",
        "data shuffle games.bkg -o -",
        "datagen - --games 1 --nodes 1 --processes 1",
        "openings --count 1 --nodes 1 --processes 1 --out -",
        "tune evaluation games.bkg -o -",
        "tune evaluation games.bkg --log -",
        "tune search journal --keep -",
        "tune search -",
        "tune network - games.bkg",
        "choices games.pgn --engine a --engine b --judge c --journal -",
        "perft 1 --journal -",
        "match --engine a --engine b --pgn -",
        "sprt --engine a --engine b --report -",
        "gauntlet --from games.pgn --report -",
        "sliders --from figures.json --json -",
        "bench --from figures.jsonl --json -",
    ],
)
def test_what_needs_a_file_makes_none_for_standard_output(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.run(words.split()) == WRONG_ARGUMENTS
    text, errors = capsys.readouterr()
    assert text == "" and errors.count("\n") == 1
    assert "this cannot go to standard output, name a file" in errors
    assert not os.listdir()


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """A folder with what commands tell of without measuring or playing."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.pgn").write_text(PGN)
    (tmp_path / "none.bks").write_bytes(pack_head({"kind": "test"}))
    bench = Measurement("abc", {"processor": "zen"}, [])
    (tmp_path / "bench.jsonl").write_text(json.dumps(bench._asdict()) + "\n")
    figures = [Figure(section, "kindergarten", HERE, 100.0, 1.0)._asdict() for section in (RANDOM, GAMES)]
    machine = {"processor": "zen", "python": "3.11", "technique": "pext"}
    (tmp_path / "sliders.json").write_text(json.dumps({"figures": figures, "machine": machine}))
    (tmp_path / "run").mkdir()


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("data check none.bks", None),
        ("gauntlet --from games.pgn --report page.html", "page.html"),
        ("bench --from bench.jsonl", None),
        ("sliders --from sliders.json --json again.json", "again.json"),
        ("tune network run --show", None),
    ],
)
def test_without_standard_output_files_are_written_and_the_command_fails_without_a_word(
    words, written, kept, monkeypatch, capsys
):
    assert cli.run(words.split()) == 0
    assert capsys.readouterr().out
    if written:
        os.unlink(written)
    monkeypatch.setattr(sys, "stdout", None)  # it was closed at the start
    assert cli.run(words.split()) == FAILED
    assert capsys.readouterr().err == ""
    assert written is None or os.path.exists(written)
