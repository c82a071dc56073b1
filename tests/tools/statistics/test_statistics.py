"""Strength from results: published figures, simulated matches whose truth is known, and extreme results."""

from math import inf, isnan, log, nan, sqrt
from statistics import NormalDist

import numpy as np
import pytest

from bluekrait.tools.statistics.pentanomial import (
    NORMALISED_SCALE,
    SCORES,
    TWO_SIDED_95,
    Pairs,
    draw_ratio,
    elo,
    elo_of_score,
    los,
    normalised_elo,
    pairs_ratio,
    score_of_elo,
)
from bluekrait.tools.statistics.sequential import (
    Bounds,
    accepted_hypothesis,
    llr,
    llrs,
    most_likely_with_mean,
    most_likely_with_t_value,
)
from bluekrait.tools.statistics.summary import signed, summary_lines

PUBLISHED = Pairs(39, 8843, 26675, 9240, 44)
PAIRS_A_STEP = 8
OUTCOMES = np.array(SCORES)
SMALL_MATCHES = [Pairs(3, 10, 40, 12, 5), Pairs(0, 2, 9, 1, 0), Pairs(20, 1, 3, 0, 9), Pairs(0, 0, 0, 7, 0)]
ALL_ALIKE = [Pairs(*(9 * (column == row) for column in range(5))) for row in range(5)]


def test_published_figures():
    assert llr(PUBLISHED, Bounds(0.5, 2.5)) == pytest.approx(2.9417, abs=5e-5)
    assert elo(PUBLISHED) == pytest.approx((1.58, 1.03), abs=0.005)
    assert normalised_elo(PUBLISHED) == pytest.approx((3.48, 2.27), abs=0.005)


def test_pairs_of_results():
    results = [0, 0, 0, 0.5, 0.5, 0.5, 1, 0, 0.5, 1, 1, 1, 1]  # the last game has no partner yet
    assert Pairs.of_results(results) == (1, 1, 2, 1, 1)
    assert Pairs.of_results([1]) == (0, 0, 0, 0, 0)
    assert Pairs(1, 2, 3, 4, 5).plus(Pairs(1, 1, 1, 1, 1)) == (2, 3, 4, 5, 6)


def test_elo_and_score_are_inverse():
    for difference in (-400, -7.5, 0, 1, 191, 800):
        assert elo_of_score(score_of_elo(difference)) == pytest.approx(difference)
    assert score_of_elo(400) == pytest.approx(10 / 11)


def test_both_scales_agree_between_equals_that_never_draw():
    pairs = Pairs(ll=2490, dd=5000, ww=2510)  # won or lost by the toss of a coin, nearly
    assert normalised_elo(pairs)[0] == pytest.approx(elo(pairs)[0], rel=1e-3)


@pytest.mark.parametrize("pairs", [*SMALL_MATCHES[:3], PUBLISHED])
def test_the_opponent_sees_the_opposite(pairs):
    for difference in (elo, normalised_elo):
        value, error = difference(pairs)
        assert difference(pairs.reversed()) == pytest.approx((-value, error))
    assert los(pairs) + los(pairs.reversed()) == pytest.approx(1)
    assert pairs_ratio(pairs) * pairs_ratio(pairs.reversed()) == pytest.approx(1)
    assert draw_ratio(pairs) == draw_ratio(pairs.reversed())
    for model in ("normalized", "logistic"):
        there, back = Bounds(0, 5, model=model), Bounds(-5, 0, model=model)
        assert llr(pairs, there) == pytest.approx(-llr(pairs.reversed(), back), abs=1e-9)


@pytest.mark.parametrize("pairs", [*SMALL_MATCHES[:3], PUBLISHED])
def test_superiority_is_as_likely_as_the_error_says(pairs):
    value, error = normalised_elo(pairs)
    assert los(pairs) == pytest.approx(NormalDist().cdf(TWO_SIDED_95 * value / error))


def test_error_covers_the_truth():
    chances = np.array([0.05, 0.22, 0.4, 0.26, 0.07])
    mean = chances @ OUTCOMES
    t_value = (mean - 0.5) / sqrt(2 * chances @ (OUTCOMES - mean) ** 2)
    matches = [Pairs(*counts) for counts in np.random.default_rng(1).multinomial(300, chances, 2000).tolist()]
    for difference, truth in ((elo, elo_of_score(mean)), (normalised_elo, NORMALISED_SCALE * t_value)):
        measured = np.array([difference(pairs) for pairs in matches])
        covered = np.mean(abs(measured[:, 0] - truth) <= measured[:, 1])
        assert covered == pytest.approx(0.95, abs=0.02)


# --- the sequential test ---------------------------------------------------------------------------


def test_bounds():
    assert Bounds(0, 5).upper == pytest.approx(log(19)) == -Bounds(0, 5).lower
    skewed = Bounds(0, 5, alpha=0.01, beta=0.1)
    assert (skewed.lower, skewed.upper) == pytest.approx((log(0.1 / 0.99), log(0.9 / 0.01)))
    for wrong in ({"elo0": 5}, {"alpha": 0}, {"beta": 0}, {"beta": 0.7}, {"model": "guess"}, {"elo1": 1000}):
        with pytest.raises(ValueError):
            Bounds(**{"elo0": 0, "elo1": 5, **wrong})
    for wrong in ({"elo0": -200_000}, {"elo1": inf}, {"elo0": -inf}, {"elo1": nan}):
        with pytest.raises(ValueError):
            Bounds(**{"elo0": 0, "elo1": 5, "model": "logistic", **wrong})
    assert Bounds(-1000, 1000, model="logistic").elo1 == 1000


@pytest.mark.parametrize("counts", [*SMALL_MATCHES, PUBLISHED])
@pytest.mark.parametrize("offset", [-0.8, -0.05, 0.001, 0.006, 0.2])
def test_no_distribution_that_obeys_is_likelier(counts, offset):
    """Neighbours that obey the same constraint explain the match worse."""
    counts = np.maximum(np.array(counts, dtype=float), 1e-3)
    rng = np.random.default_rng(7)
    for constraint, found in (
        (lambda p: p @ OUTCOMES - 0.5 - offset / 2, most_likely_with_mean(counts, 0.5 + offset / 2)),
        (lambda p: excess(p, offset), most_likely_with_t_value(counts, offset)),
    ):
        assert found.sum() == pytest.approx(1) and found.min() > 0
        assert constraint(found) == pytest.approx(0, abs=1e-7)
        best = counts @ np.log(found)
        for _ in range(50):
            neighbour = found * np.exp(0.01 * rng.normal(size=5))
            assert counts @ np.log(obeying(neighbour, constraint)) <= best + 1e-6 * abs(best)


def excess(chances, t_value):
    """How far a mean lies above what a t-value demands."""
    mean = chances @ OUTCOMES
    return mean - 0.5 - t_value * sqrt(chances @ (OUTCOMES - mean) ** 2)


def obeying(chances, constraint):
    """The distribution, weighed up or down by outcome until it obeys: found by bisection."""

    def weighed(exponent):
        weights = chances * np.exp(exponent * OUTCOMES)
        return weights / weights.sum()

    low, high = -5.0, 5.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if constraint(weighed(middle)) > 0 else (middle, high)
    return weighed(low)


@pytest.mark.parametrize("model", ["normalized", "logistic"])
def test_error_rates_are_those_promised(model):
    """Ten thousand tests played to their end, half of them with either hypothesis true."""
    bounds = Bounds(0, 50, alpha=0.05, beta=0.1, model=model)
    draws = np.array([0.06, 0.24, 0.4, 0.24, 0.06])
    for truth, wrong, promise in (("H0", "H1", bounds.alpha), ("H1", "H0", bounds.beta)):
        elo_is = bounds.elo0 if truth == "H0" else bounds.elo1
        if model == "logistic":
            chances = most_likely_with_mean(draws, score_of_elo(elo_is))
        else:
            chances = most_likely_with_t_value(draws, sqrt(2) * elo_is / NORMALISED_SCALE)
        rate = accepted(chances, bounds, tests=5000)[wrong] / 5000
        assert promise / 2 < rate < promise + 3 * sqrt(promise * (1 - promise) / 5000)


def accepted(chances, bounds, tests):
    """How many of the tests accept which hypothesis, all played at once, a few pairs at a time."""
    rng = np.random.default_rng(2024)
    counts, verdicts = np.zeros((tests, 5)), {"H0": 0, "H1": 0}
    while len(counts):
        counts = counts + rng.multinomial(PAIRS_A_STEP, chances, len(counts))
        ratios = llrs(counts, bounds)
        verdicts["H0"] += int((ratios <= bounds.lower).sum())
        verdicts["H1"] += int((ratios >= bounds.upper).sum())
        counts = counts[(ratios > bounds.lower) & (ratios < bounds.upper)]
    return verdicts


def test_many_matches_at_once_are_the_same_as_one_by_one():
    for bounds in (Bounds(-3, 1), Bounds(0, 60), Bounds(0, 10, model="logistic")):
        matches = [*SMALL_MATCHES, PUBLISHED, Pairs(), *(Pairs(dd=number) for number in range(1, 100))]
        single = [llr(pairs, bounds) for pairs in matches]
        assert llrs(np.array(matches), bounds) == pytest.approx(single, rel=1e-6, abs=1e-9)


def test_verdict():
    bounds = Bounds(0, 5)
    assert accepted_hypothesis(PUBLISHED, bounds) == "H1"
    assert accepted_hypothesis(PUBLISHED.reversed(), bounds) == "H0"
    assert accepted_hypothesis(Pairs(), bounds) is None
    assert accepted_hypothesis(Pairs(0, 1, 1, 2, 0), bounds) is None


# --- matches gone mad ------------------------------------------------------------------------------


def test_no_games():
    assert all(map(isnan, (*elo(Pairs()), *normalised_elo(Pairs()))))
    assert isnan(draw_ratio(Pairs())) and isnan(pairs_ratio(Pairs()))
    assert los(Pairs()) == 0.5
    assert llr(Pairs(), Bounds(0, 5)) == 0


@pytest.mark.parametrize("pairs", ALL_ALIKE, ids=str)
def test_all_pairs_alike(pairs):
    won = [index for index, count in enumerate(pairs) if count][0] - 2
    assert los(pairs) == (0.5 if won == 0 else float(won > 0))
    value = normalised_elo(pairs)[0]
    assert isnan(value) if won == 0 else value == (inf if won > 0 else -inf)
    assert abs(elo(pairs)[0]) == (inf if abs(won) == 2 else pytest.approx(abs(elo_of_score(0.5 + won / 4))))
    for bounds in (Bounds(-5, 5), Bounds(-5, 5, model="logistic"), Bounds(-200, 200)):
        ratio = llr(pairs, bounds)
        assert won * ratio > 0 or won == 0
        assert ratio == pytest.approx(-llr(pairs.reversed(), bounds), abs=1e-6)


def test_without_a_lost_pair_the_ratio_is_infinite():
    assert pairs_ratio(Pairs(dd=2, wd=1, ww=1)) == inf


def test_one_sided_matches_end():
    assert accepted_hypothesis(Pairs(ww=400), Bounds(0, 5)) == "H1"
    assert accepted_hypothesis(Pairs(ll=400), Bounds(0, 5)) == "H0"


def test_what_is_rounded_to_zero_has_no_minus():
    assert [signed(value, 1) for value in (-0.04, -0.0, 0, -0.06, 12.34)] == ["+0.0"] * 3 + ["-0.1", "+12.3"]
    assert [signed(value, 0) for value in (-0.4, 0.4, -7.0)] == ["+0", "+0", "-7"]
    assert [signed(value, 1) for value in (inf, -inf)] == ["+inf", "-inf"]


def test_summary_is_what_match_programs_print():
    results = [1, 0.5, 0, 1, 0.5, 0.5, 0, 0.5]
    assert summary_lines(results, Bounds(0, 5)) == [
        "Elo: 0.00 +/- 125.57, nElo: 0.00 +/- 240.76",
        "LOS: 50.00 %, DrawRatio: 50.00 %, PairsRatio: 1.00",
        "Games: 8, Wins: 2, Losses: 2, Draws: 4, Points: 4.0 (50.00 %)",
        "Ptnml(0-2): [0, 1, 2, 1, 0], WL/DD Ratio: 1.00",
        "LLR: 0.00 (0.0%) (-2.94, 2.94) [0.00, 5.00]",
    ]
    uneven = [1, 1, 1, 0.5, 0.5, 1, 1, 0, 0, 1, 0.5, 0.5, 0, 0.5]
    skewed = Bounds(-100, 100, beta=0.2)
    assert summary_lines(uneven, skewed)[1:] == [
        "LOS: 89.53 %, DrawRatio: 42.86 %, PairsRatio: 3.00",
        "Games: 14, Wins: 6, Losses: 3, Draws: 5, Points: 8.5 (60.71 %)",
        "Ptnml(0-2): [0, 1, 3, 2, 1], WL/DD Ratio: 2.00",
        "LLR: 2.57 (92.7%) (-1.56, 2.77) [-100.00, 100.00]",
    ]
    lost = summary_lines([1 - points for points in uneven], skewed)
    assert lost[-1] == "LLR: -2.57 (-164.9%) (-1.56, 2.77) [-100.00, 100.00]"
    assert summary_lines([1, 1])[0] == "Elo: inf +/- nan, nElo: inf +/- nan"
    assert summary_lines([])[0] == "Elo: nan +/- nan, nElo: nan +/- nan"
