"""A command whose scheduler cannot be reached leaves nothing behind: its work was never begun."""

import pytest

from bluekrait.tools.analyst import analyse_command
from bluekrait.tools.cluster import cluster_perft
from bluekrait.tools.data import data_command, datagen_command, openings_command
from bluekrait.tools.data.formats.sample_file import pack_block
from bluekrait.tools.data.formats.samples import pack_sample
from bluekrait.tools.gauntlet import gauntlet_command
from bluekrait.tools.match import match_command, sprt_command
from bluekrait.tools.tuning import tune_command
from bluekrait.uci.exits import WRONG_ARGUMENTS
from helpers.labelled import some_samples

NOWHERE = ["--cluster", "nowhere://here"]
TWO = ["--engine", "bluekrait", "--engine", "bluekrait", "--rounds", "1"]
INPUTS = {
    "games.pgn": b'[Event "?"]\n\n1. e4 *\n',
    "suite.epd": b"6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#;\n",
    "positions.bks": pack_block(0, [pack_sample(some_samples()[0])]),
}


@pytest.fixture(autouse=True)
def _inputs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(match_command, "check_engines", lambda *_, **__: [])
    for name, content in INPUTS.items():
        (tmp_path / name).write_bytes(content)


def is_absence_told(capsys):
    *_, told = capsys.readouterr().err.splitlines()
    return "nowhere" in told or "distributed" in told


@pytest.mark.parametrize("overwrite", [[], ["--overwrite"]])
@pytest.mark.parametrize("command", [match_command, sprt_command, gauntlet_command])
def test_earlier_games_are_left_as_they_are(command, overwrite, tmp_path, capsys):
    for name in ("old.pgn", "old.pgn.journal"):
        (tmp_path / name).write_text("precious")
    assert command.main([*TWO, "--pgn", "old.pgn", *overwrite, *NOWHERE]) == WRONG_ARGUMENTS
    assert is_absence_told(capsys)
    assert [(tmp_path / name).read_text() for name in ("old.pgn", "old.pgn.journal")] == 2 * ["precious"]


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        (match_command, TWO),
        (sprt_command, TWO),
        (gauntlet_command, TWO),
        (datagen_command, ["--games", "1", "games.bkg"]),
        (data_command, ["relabel", "positions.bks", "-o", "new.bks"]),
        (openings_command, ["--count", "1"]),
        (tune_command, ["search", "tuning.jsonl", "--keep", "kept.bkg"]),
        (analyse_command, ["games.pgn", "--html", "page.html"]),
        (analyse_command, ["suite.epd"]),
        (cluster_perft, ["2", "--journal", "perft.journal"]),
    ],
)
def test_no_file_is_left(command, arguments, tmp_path, capsys):
    assert command.main([*arguments, *NOWHERE]) == WRONG_ARGUMENTS
    assert is_absence_told(capsys)
    assert {path.name for path in tmp_path.iterdir()} == INPUTS.keys()
