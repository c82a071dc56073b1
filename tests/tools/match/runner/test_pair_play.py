"""The two games of a pair, and games one after the other."""

import pickle

from bluekrait.tools.match.runner.pair_play import play_in_sequence, play_pair
from helpers.match.matches import contest_of, fake


def test_a_pair_is_a_unit_of_work():
    contest = contest_of(fake("A"), fake("B", "good", "seed=2"), rounds=3)
    games = play_pair(pickle.loads(pickle.dumps(contest)), 2)
    assert [game.key for game in games] == [(2, 1), (2, 2)]
    again = play_pair(contest, 2)
    assert [(game.result, game.plies) for game in again] == [(game.result, game.plies) for game in games]


def test_games_in_one_thread():
    schedule = list(contest_of(fake("A"), fake("B")).schedule())
    assert [game.key for game in play_in_sequence(schedule)] == [(1, 1), (1, 2)]
