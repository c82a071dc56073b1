"""Words of --resign, --draw and --tb, and the rules that they mean."""

import pytest

pytest.importorskip("chess")

from bluekrait.tools.match.setup.adjudication import DRAW, RESIGN, parse_rules
from bluekrait.tools.match.setup.contest import Rules
from helpers.paths import DATA


def test_what_is_not_asked_for_decides_no_game():
    assert parse_rules() == Rules()
    assert parse_rules(max_moves=120) == Rules(max_moves=120)
    assert parse_rules(tablebase_pieces=4, tables_ignore_fifty=True) == Rules()  # without tables


def test_the_options_alone_mean_the_usual_rules():
    expected = Rules(resign_moves=3, resign_score=400, draw_moves=8, draw_score=10, draw_from=34, max_moves=7)
    assert parse_rules(RESIGN, DRAW, 7) == expected


def test_words_are_in_the_place_of_the_usual_ones():
    resign = {"movecount": "5", "score": "900", "twosided": "true"}
    expected = Rules(resign_moves=5, resign_score=900, resign_twosided=True)
    assert parse_rules(resign) == expected
    assert parse_rules(None, {"movecount": "4", "score": "20", "movenumber": "50"}) == Rules(
        draw_moves=4, draw_score=20, draw_from=50
    )


def test_the_least_words():
    assert parse_rules({"movecount": "1"}, {"movecount": "1"}) == Rules(resign_moves=1, draw_moves=1)


@pytest.mark.parametrize(
    ("option", "words", "complaint"),
    [
        ("resign", {"movecount": "0"}, "--resign movecount is a number of at least 1, not '0'"),
        ("resign", {}, "--resign movecount is a number of at least 1, not '0'"),
        ("resign", {**RESIGN, "score": "-1"}, "--resign score is a number of at least 0, not '-1'"),
        ("resign", {**RESIGN, "twosided": "2"}, "--resign twosided=2: it is on or off"),
        ("draw", {**DRAW, "movecount": "0"}, "--draw movecount is a number of at least 1, not '0'"),
        ("draw", {**DRAW, "score": "few"}, "--draw score is a number of at least 0, not 'few'"),
        ("draw", {**DRAW, "movenumber": ""}, "--draw movenumber is a number of at least 0, not ''"),
    ],
)
def test_wrong_words_are_told(option, words, complaint):
    with pytest.raises(ValueError) as told:
        parse_rules(**{option: words})
    assert str(told.value) == complaint


def test_tables_are_opened_before_the_first_game(tmp_path):
    folder = str(DATA / "syzygy")
    assert parse_rules(tables=folder) == Rules(tables=folder)
    rules = parse_rules(tables=folder, tablebase_pieces=4, tables_ignore_fifty=True)
    assert rules == Rules(tables=folder, tablebase_pieces=4, tables_ignore_fifty=True)
    with pytest.raises(ValueError, match="there are no Syzygy tables"):
        parse_rules(tables=str(tmp_path))
