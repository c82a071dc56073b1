"""Games in PGN as trees, whatever is wrong with them."""

import io
import random

import pytest

pytest.importorskip("chess")

from bluekrait.tools.common.pgn_trees import clock_of, read_tree, read_trees
from bluekrait.uci.progress import ProgressLine

TOKENS = ("e4", "e5", "Nf3", "Nc6", "Z", "(", ")", "{x}", "{", "}", "$3", "!", "--", "\n", "\n\n", "*")


def test_a_text_has_one_tree_after_another():
    file = io.StringIO("1. e4 (1. d4 d5) e5 *\n\n1. c4 {English} *\n")
    first, second = read_tree(file), read_tree(file)
    assert [move.uci() for move in first.mainline_moves()] == ["e2e4", "e7e5"]
    assert len(first.variations) == 2 and second.next().comment == "English"
    assert read_tree(file) is None


def test_the_games_of_a_file_are_counted_while_they_are_read(tmp_path, monkeypatch):
    shown, path = [], str(tmp_path / "games.pgn")
    monkeypatch.setattr(ProgressLine, "show", lambda _, text: shown.append(text))
    with open(path, "w", encoding="utf-8-sig") as file:
        file.write('[White "one"]\n\n1. e4 *\n\n[White "two"]\n\n*\n')
    assert [game.headers["White"] for game in read_trees(path)] == ["one", "two"]
    assert shown == [f"{path}: 1 game read", f"{path}: 2 games read"]


@pytest.mark.parametrize("rest", ["{x} *", "2. Nf3 ) {x} *", "e5 $1"])
def test_a_bracket_too_many_behind_a_wrong_move(rest, capsys, caplog):
    tree = read_tree(io.StringIO(f"1. e4 e4) {rest}\n"))
    assert "illegal san: 'e4'" in str(tree.errors[0])
    assert capsys.readouterr() == ("", "") and not caplog.records


@pytest.mark.parametrize(
    ("clock", "seconds"),
    [
        ("1:02:03.5", 3723.5),
        ("5:00", None),
        (f"0:00:{'9' * 400}", None),
        (f"{'9' * 400}:00:00", None),
        (f"{'9' * 5000}:00:00", None),
    ],
)
def test_a_clock_of_hundreds_of_digits_is_none(clock, seconds):
    tree = read_tree(io.StringIO(f"1. e4 {{[%clk {clock}]}} *\n"))
    assert clock_of(tree.next()) == seconds


def test_nothing_fails_whatever_is_there():
    rng = random.Random(1)
    for _ in range(2000):
        file = io.StringIO(" ".join(rng.choices(TOKENS, k=rng.randrange(1, 14))))
        while tree := read_tree(file):
            list(tree.mainline_moves())
