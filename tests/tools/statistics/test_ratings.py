"""Ratings of many players: recovered from games of players whose strength is known."""

import numpy as np
import pytest

from bluekrait.tools.statistics.pentanomial import Pairs, elo, score_of_elo
from bluekrait.tools.statistics.ratings import Encounter, UnconnectedPlayers, fit_ratings

TRUTH = {"Alekhine": 240, "Botvinnik": 160, "Capablanca": 20, "Duchamp": -70, "Euwe": -350}


def tournament(rng, games, drawn=0.3, truth=TRUTH):
    """Everybody plays everybody else."""
    names = list(truth)
    for number, first in enumerate(names):
        for second in names[number + 1 :]:
            score = score_of_elo(truth[first] - truth[second])
            draws = drawn * min(score, 1 - score) * 2
            chances = (score - draws / 2, draws, 1 - score - draws / 2)
            yield Encounter(first, second, *rng.multinomial(games, chances).tolist())


def as_dictionary(ratings):
    return {rating.name: rating.value for rating in ratings}


@pytest.mark.parametrize("drawn", [0, 0.6])
def test_errors_cover_the_truth(drawn):
    rng, covered, errors = np.random.default_rng(5), [], []
    for _ in range(200):
        for rating in fit_ratings(tournament(rng, 60, drawn)):
            covered.append(abs(rating.value - TRUTH[rating.name]) <= rating.error)
            errors.append(rating.error)
    assert np.mean(covered) == pytest.approx(0.95, abs=0.02)
    assert 25 < np.mean(errors) < 60


def test_draws_make_it_surer():
    some, many = (fit_ratings(tournament(np.random.default_rng(1), 500, drawn)) for drawn in (0, 0.8))
    assert all(sure.error < 0.85 * unsure.error for sure, unsure in zip(many, some))


def test_many_games_leave_no_doubt():
    ratings = fit_ratings(tournament(np.random.default_rng(3), 100_000))
    assert [rating.name for rating in ratings] == list(TRUTH)
    assert as_dictionary(ratings) == pytest.approx(TRUTH, abs=3)
    assert all(rating.error < 2 for rating in ratings)


def test_expected_points_are_points_made():
    encounters = list(tournament(np.random.default_rng(4), 20_000))
    values = as_dictionary(fit_ratings(encounters))
    for name in TRUTH:
        made = expected = 0
        for one in encounters:
            if name in one[:2]:
                expectation = one.games * score_of_elo(values[one.first] - values[one.second])
                made += one.points if name == one.first else one.games - one.points
                expected += expectation if name == one.first else one.games - expectation
        assert expected == pytest.approx(made, abs=1)


def test_two_players_are_as_far_apart_as_a_match_says():
    games = Encounter("new", "old", wins=3000, draws=5000, losses=2000)
    new, old = fit_ratings([games])
    value, error = elo(Pairs(ll=200, ld=1000, dd=1850, wd=1500, ww=450))  # pairs of such games, by chance
    assert new.value - old.value == pytest.approx(value, abs=0.05)
    assert new.error + old.error == pytest.approx(error, rel=0.02)


def test_anchors_stay_and_the_others_follow():
    encounters = list(tournament(np.random.default_rng(6), 400))
    free = as_dictionary(fit_ratings(encounters))
    ratings = fit_ratings(encounters, {"Capablanca": 2725, "Nobody": 1000})
    assert as_dictionary(ratings) == pytest.approx(
        {name: value - free["Capablanca"] + 2725 for name, value in free.items()}, abs=1e-3
    )
    assert [rating.error == 0 for rating in ratings] == [rating.name == "Capablanca" for rating in ratings]
    two = as_dictionary(fit_ratings(encounters, {"Alekhine": 2500, "Euwe": 2000}))
    assert (two["Alekhine"], two["Euwe"]) == (2500, 2000) and 2000 < two["Duchamp"] < 2400


def test_who_always_wins_is_not_infinitely_strong():
    best, worst = fit_ratings([Encounter("always", "never", wins=10)], {"never": 1500})
    assert best.name == "always" and 1900 < best.value < 2500
    assert 100 < best.error < 1000
    sure = fit_ratings([Encounter("always", "never", wins=1000)], {"never": 1500})[0]
    assert best.value < sure.value < 3500


@pytest.mark.parametrize("wins", [50, 100])
def test_without_an_anchor_the_mean_is_zero_however_clear_the_result(wins):
    best, worst = fit_ratings([Encounter("always", "never", wins=wins)])
    assert best.value == pytest.approx(-worst.value) and 350 < best.value < 500
    assert best.error == pytest.approx(worst.error) and 100 < best.error < 200


def test_without_an_anchor_the_mean_of_many_is_zero():
    rng, truth = np.random.default_rng(7), dict.fromkeys("abcdefghijkl", 0)
    for _ in range(30):
        ratings = fit_ratings(tournament(rng, 10, truth=truth))
        assert sum(as_dictionary(ratings).values()) == pytest.approx(0, abs=1e-6)
        assert all(20 < rating.error < 100 for rating in ratings)


def test_nothing_but_draws_is_not_certainty():
    one, other = fit_ratings([Encounter("a", "b", draws=10)])
    assert one.value == other.value == 0 and one.error > 5


def test_one_side_or_the_other_is_the_same():
    there = fit_ratings([Encounter("a", "b", 5, 3, 1), Encounter("b", "c", 2, 2, 2)])
    half = [Encounter("c", "b", 1, 1, 1), Encounter("b", "c", 1, 1, 1)]
    back = fit_ratings([Encounter("b", "a", 1, 3, 5), *half])
    assert as_dictionary(there) == pytest.approx(as_dictionary(back))
    made = {rating.name: (rating.games, rating.points) for rating in there}
    assert made == {"a": (9, 6.5), "b": (15, 5.5), "c": (6, 3)}


def test_players_who_never_met_are_told():
    apart = [Encounter("a", "b", 5, 3, 1), Encounter("c", "d", 2, 2, 2), Encounter("b", "c")]
    with pytest.raises(UnconnectedPlayers, match=r"nobody of a, b has played anybody of c, d"):
        fit_ratings(apart)
    with pytest.raises(UnconnectedPlayers, match=r"nobody of c, d has"):
        fit_ratings(apart, {"a": 100})
    assert len(fit_ratings(apart, {"a": 100, "d": 200})) == 4


def test_no_games():
    assert fit_ratings([]) == []
    assert fit_ratings([Encounter("a", "b")]) == []
