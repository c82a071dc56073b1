"""The inputs that slider techniques are measured with."""

import pytest

from bluekrait.tools.sliders import slider_inputs


def test_random_inputs_fill_a_quarter_of_the_board():
    lookups = slider_inputs.random_lookups(seed=3, count=2000)
    assert set(lookups.squares.tolist()) == set(range(64))
    pieces = sum(occupied.bit_count() for occupied in lookups.occupancies.tolist())
    assert pieces / 2000 == pytest.approx(64 / 4, abs=0.5)
    assert (lookups.different[lookups.rows] == lookups.occupancies).all()


def test_sliders_of_games_stand_on_the_board_and_sets_are_of_the_side_to_move():
    lookups, sets = slider_inputs.game_inputs(seed=3, count=500)
    assert len(lookups.squares) == len(lookups.occupancies) == 500
    assert (lookups.occupancies >> lookups.squares & 1).all()
    assert [int(words[0]) for words in sets] == [0x89, 0x2C, 0xFFFF00000000FFFF]  # the first move of White
    assert not ((sets.orthogonals | sets.diagonals) & ~sets.occupancies).any()


def test_words_have_few_bits_or_many_but_never_none():
    counts = [word.bit_count() for word in slider_inputs.random_words(seed=3, count=5000).tolist()]
    assert len(counts) == 5000 and min(counts) > 0 and counts.count(1) > 50 and max(counts) > 40
