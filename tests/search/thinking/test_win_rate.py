"""Chances: what they must be whatever the constants, and that the constants can be found again."""

import math
import random
import re
import runpy
import sys

import numpy as np
import pytest

from bluekrait.core.notation.fen import STARTING_FEN, parse_fen
from bluekrait.search.thinking.win_rate import (
    MIDDLE,
    PIECES_AT_LEAST,
    WIDTH,
    centipawns,
    middle_of,
    win_draw_loss,
)
from bluekrait.tools.data.formats.sample_file import pack_block, pack_head
from bluekrait.tools.data.formats.samples import DRAWN, LOST, WON, Sample, pack_sample
from bluekrait.tools.tuning.fit_win_rate import fit, main, read

PIECES = range(2, 33)
SCORES = range(-32_000, 32_001, 125)


@pytest.mark.parametrize("pieces", PIECES)
def test_chances_are_a_thousand_together_and_the_same_for_both_sides(pieces):
    for score in SCORES:
        win, draw, loss = win_draw_loss(score, pieces)
        assert win + draw + loss == 1000
        assert min(win, draw, loss) >= 0
        assert win_draw_loss(-score, pieces) == (loss, draw, win)


@pytest.mark.parametrize("pieces", PIECES)
def test_more_is_better(pieces):
    wins = [win_draw_loss(score, pieces)[0] for score in SCORES]
    assert wins == sorted(wins)
    assert wins[-1] == 1000 and wins[0] == 0


@pytest.mark.parametrize("pieces", PIECES)
def test_a_hundred_centipawns_win_half_of_the_games(pieces):
    score = round(middle_of(pieces))
    assert abs(centipawns(score, pieces) - 100) <= 1  # for scores are whole numbers
    assert centipawns(-score, pieces) == -centipawns(score, pieces)
    assert abs(win_draw_loss(score, pieces)[0] - 500) <= 2


def test_the_fewer_pieces_the_more_a_hundred_centipawns_are():
    assert 0 < middle_of(32) < middle_of(16) < middle_of(PIECES_AT_LEAST) == middle_of(2)


@pytest.mark.parametrize("pieces", PIECES[2:])
def test_one_width_more_wins_nearly_three_quarters(pieces):
    score = round(middle_of(pieces) + WIDTH[0] + WIDTH[1] * pieces)
    assert win_draw_loss(score, pieces)[0] == pytest.approx(1000 / (1 + math.exp(-1)), abs=3)


# Fitting

TRUE_MIDDLE, TRUE_WIDTH = (210.0, 1.5), (80.0, -0.5)


def invented(count, true_middle=TRUE_MIDDLE, true_width=TRUE_WIDTH):
    """Scores, pieces and results under other constants than ours."""
    rng = np.random.default_rng(1)
    scores, pieces = rng.normal(0, 250, count), rng.integers(4, 33, count).astype(float)
    middle, width = (a + b * pieces for a, b in (true_middle, true_width))
    win, loss = (1 / (1 + np.exp((middle - sign * scores) / width)) for sign in (1, -1))
    chance = rng.random(count)
    return scores, pieces, np.where(chance < win, 2, np.where(chance > 1 - loss, 0, 1))


def test_the_fit_finds_the_constants_behind_the_results():
    middle, width = fit(*invented(200_000))
    for pieces in (6, 18, 30):
        assert middle[0] + middle[1] * pieces == pytest.approx(
            TRUE_MIDDLE[0] + TRUE_MIDDLE[1] * pieces, rel=0.04
        )
        assert width[0] + width[1] * pieces == pytest.approx(TRUE_WIDTH[0] + TRUE_WIDTH[1] * pieces, rel=0.06)


def test_the_fit_succeeds_if_hardly_any_game_with_many_pieces_is_drawn():
    middle, width = fit(*invented(50_000, true_middle=(286.0, -8.9)))  # 1.2 with 32 pieces
    assert middle[0] + middle[1] * 6 == pytest.approx(286.0 - 8.9 * 6, rel=0.08)
    assert 0 < middle[0] + middle[1] * 32 < 15
    assert width[0] + width[1] * 18 == pytest.approx(TRUE_WIDTH[0] + TRUE_WIDTH[1] * 18, rel=0.06)


def test_with_hardly_any_pieces_the_constants_are_those_of_four():
    scores, pieces, results = invented(5_000)
    fewer = np.where(pieces == PIECES_AT_LEAST, 2, pieces)
    assert fit(scores, fewer, results) == fit(scores, pieces, results)


def test_a_draw_in_spite_of_a_winning_score_does_not_spoil_the_fit():
    middle, _ = fit(*map(np.append, invented(20_000), (20_000, 18, DRAWN)))
    assert middle[0] + middle[1] * 18 == pytest.approx(TRUE_MIDDLE[0] + TRUE_MIDDLE[1] * 18, rel=0.06)


def test_results_that_tell_no_constants_are_refused():
    scores, pieces, _ = invented(1_000)
    decided = np.where(scores > 0, WON, LOST)  # not one draw, and the side ahead always wins
    with pytest.raises(ValueError, match="1000 positions do not tell the constants: more games are needed"):
        fit(scores, pieces, decided)


def test_labelled_positions_are_read(tmp_path, capsys):
    fens = ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]
    boards, rng = [parse_fen(fen).board for fen in fens], random.Random(3)
    scored = [(rng.choice(boards), rng.randrange(-400, 400)) for _ in range(500)]
    results = [min(WON, max(LOST, round(rng.gauss(DRAWN + score / 300, 0.6)))) for _, score in scored]
    labels = [(*position, result) for position, result in zip(scored, results, strict=True)]
    samples = [pack_sample(Sample(board, score, 0, 0, 0, result)) for board, score, result in labels]
    path = tmp_path / "positions.bks"
    path.write_bytes(pack_block(1, samples[:200]) + pack_block(2, samples[200:]))
    scores, pieces, results = read(str(path))
    assert list(zip(scores, results)) == [(score, result) for _, score, result in labels]
    assert list(pieces) == [3 if board is boards[0] else 32 for board, *_ in labels]
    assert main([str(path), str(path)]) == 0
    assert re.match("# 1000 positions\n", capsys.readouterr().out)
    assert main([str(path)]) == 0
    assert re.fullmatch(
        r"# 500 positions\nMIDDLE = \(-?\d+\.\d, -?\d+\.\d\d\)\nWIDTH = \(-?\d+\.\d, -?\d+\.\d\d\)\n",
        capsys.readouterr().out,
    )


def test_games_are_read(tmp_path, capsys):
    path = tmp_path / "games.PGN"
    path.write_text(
        '[Result "1-0"]\n\n1. e4 {+0.50/9 0.1s} e5 {-0.25/8 0.1s} 2. Nf3 {book} Nc6 {-M7/9}\n'
        "3. Bb5 {0.00/0 0.001s} 1-0\n\n"
        '[Result "*"]\n\n1. d4 {+0.50/9 0.1s} *\n\n'
        '[Result "1/2-1/2"]\n\n1. d4 {0.00/9} 1/2-1/2\n'
    )
    scores, pieces, results = read(str(path))
    assert list(scores) == [0.5 * middle_of(32), -0.25 * middle_of(32), 0]
    assert list(pieces) == [32, 32, 32]
    assert list(results) == [2, 0, 1]
    assert main([str(path)]) == 1
    assert "too few" in capsys.readouterr().err


def test_games_are_not_replayed_for_each_of_their_positions(tmp_path, monkeypatch):
    chess_pgn = pytest.importorskip("chess.pgn")
    monkeypatch.setattr(chess_pgn.ChildNode, "board", None)
    knights = " ".join(f"{move} {{+0.50/9}}" for move in ["Nf3", "Nf6", "Ng1", "Ng8"] * 25)
    path = tmp_path / "games.pgn"
    path.write_text(f'[Result "1-0"]\n\n{knights} 1-0\n')
    assert len(read(str(path))[0]) == 100


@pytest.mark.parametrize("tag", ['[Variant "Atomic"]', '[Variant "Nonsense"]'])
def test_games_of_a_variant_are_left_out(tmp_path, tag):
    path = tmp_path / "games.pgn"
    tags, moves = '[Event "?"]\n[Result "1-0"]\n', "1. e4 {+0.50/9} e5 {+0.25/8} 1-0\n\n"
    path.write_text(f"{tags}{tag}\n\n{moves}{tags}\n{moves}")
    assert len(read(str(path))[0]) == 2


NETWORKS = "bare network 0f3a86d2c4b1957e", "bare network 86d2c4b1957e0f3a"


def file_of_one_position(path, head, fen=STARTING_FEN, score=128):
    sample = Sample(parse_fen(fen).board, score, 20, 0, 0, 2)
    path.write_bytes(pack_head(head) + pack_block(0, [pack_sample(sample)]))
    return str(path)


@pytest.mark.parametrize(
    "head, expected",
    [
        ({"evaluation": NETWORKS[0]}, 142),
        ({"evaluation": ", ".join(NETWORKS)}, 142),
        ({"evaluation": "classical"}, 128),
        ({"kind": "self-play"}, 128),  # an early file
    ],
)
def test_scores_of_networks_are_read_as_the_search_weights_them(tmp_path, head, expected):
    scores, pieces, results = read(file_of_one_position(tmp_path / "positions.bks", head))
    assert (list(scores), list(pieces), list(results)) == ([expected], [32], [2])


@pytest.mark.parametrize(
    ("fen", "score", "expected"),
    [
        ("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1", 128, 114),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 128, 128),  # the classical evaluation judges lone kings
        ("4k3/4p3/8/8/8/8/8/4K3 w - - 0 1", -128, -128),
        (STARTING_FEN, 31_900, 31_900),  # a mate
    ],
)
def test_scores_that_the_search_does_not_weight_are_left_alone(fen, score, expected, tmp_path):
    path = file_of_one_position(tmp_path / "positions.bks", {"evaluation": NETWORKS[0]}, fen, score)
    assert list(read(path)[0]) == [expected]


def test_scores_of_two_measures_in_one_file_are_refused(tmp_path, capsys):
    path = file_of_one_position(tmp_path / "mixed.bks", {"evaluation": f"{NETWORKS[0]}, classical"})
    assert main([path]) == 2
    assert (
        "mixed.bks mixes scores of the classical evaluation with those of a network"
        in capsys.readouterr().err
    )


def test_a_missing_file_is_told_in_one_line(tmp_path, capsys):
    for name in ("missing.bks", "missing.pgn"):
        assert main([str(tmp_path / name)]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_it_is_a_program(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["fit_win_rate", "--help"])
    monkeypatch.delitem(sys.modules, "bluekrait.tools.tuning.fit_win_rate")
    with pytest.raises(SystemExit):
        runpy.run_module("bluekrait.tools.tuning.fit_win_rate", run_name="__main__")
    assert "datagen" in capsys.readouterr().out


def test_the_constants_make_sense_for_any_number_of_pieces():
    for pieces in PIECES:
        assert MIDDLE[0] + MIDDLE[1] * pieces > 0
        assert WIDTH[0] + WIDTH[1] * pieces > 0
