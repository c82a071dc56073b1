"""Commands whose file is called `-`: standard output where that can be, no file of this name elsewhere."""

import os

import pytest

from bluekrait.uci import cli
from bluekrait.uci.exits import WRONG_ARGUMENTS


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
