"""The handicap: how many nodes it searches, which moves it chooses, and which it never chooses."""

import random
from collections import Counter
from statistics import mean

import pytest

from bluekrait.search.limits import Settings
from bluekrait.search.playing.handicap import (
    HIGHEST_ELO,
    HIGHEST_SKILL,
    LOWEST_ELO,
    choose_line,
    elo_of_skill,
    handicap_of,
)
from bluekrait.search.reports import EXACT, Line, Score
from bluekrait.uci.options.option_table import find_option
from helpers.search.searching import think

MIDDLE_GAME = "r1bq1rk1/pp3ppp/2nbpn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8"
MOST_LINES = 10  # of the weakest level
ELOS = range(LOWEST_ELO, HIGHEST_ELO + 1, 100)


def lines(*scores):
    """Lines with these scores: numbers in centipawns, or as "#3" mates."""
    return [line(rank, score) for rank, score in enumerate(scores, 1)]


def line(rank, score):
    is_mate = isinstance(score, str)
    record = Score(None, int(score[1:])) if is_mate else Score(score, None)
    return Line(5, 5, rank, record, EXACT, (0, 1000, 0), 0, 0.0, 0, 0, [rank])


def chosen(lines, elo, count=20_000):
    """How often the line of each rank is chosen."""
    rng = random.Random(elo)
    return Counter(choose_line(lines, handicap_of(elo), rng).rank for _ in range(count))


def test_options_have_the_bounds_of_the_handicap():
    elo, skill = find_option("UCI_Elo"), find_option("Skill Level")
    assert (elo.low, elo.high) == (LOWEST_ELO, HIGHEST_ELO)
    assert (skill.low, skill.high, skill.default) == (0, HIGHEST_SKILL, HIGHEST_SKILL)


def test_stronger_handicaps_search_more_and_lose_less():
    handicaps = [handicap_of(elo) for elo in ELOS]
    for weaker, stronger in zip(handicaps, handicaps[1:]):
        assert weaker.nodes < stronger.nodes
        assert weaker.lines >= stronger.lines
        assert weaker.temperature > stronger.temperature
        assert weaker.largest_loss > stronger.largest_loss


@pytest.mark.parametrize("fen", [None, MIDDLE_GAME])
def test_the_weakest_level_finds_all_its_lines(fen):
    weakest = handicap_of(LOWEST_ELO)
    answer = think(fen, nodes=weakest.nodes, settings=Settings(multi_pv=weakest.lines))
    assert len(answer.choice.lines) == weakest.lines == MOST_LINES


def test_the_highest_strength_searches_one_line():
    assert handicap_of(HIGHEST_ELO).lines == 1


def test_skill_levels_span_the_strengths():
    elos = [elo_of_skill(level) for level in range(HIGHEST_SKILL)]
    assert elos[0] == LOWEST_ELO
    assert elos[-1] == HIGHEST_ELO
    assert elos == sorted(set(elos))


@pytest.mark.parametrize("elo", ELOS)
def test_better_looking_moves_are_played_more_often(elo):
    counts = chosen(lines(40, 20, 0, -20, -40), elo)
    assert [counts[rank] for rank in range(1, 6)] == sorted(counts.values(), reverse=True) + [0] * (
        5 - len(counts)
    )


def test_weaker_players_lose_more_by_their_choice():
    scores = (40, 25, 10, -10, -40)
    losses = []
    for elo in ELOS:
        losses.append(mean(40 - scores[rank - 1] for rank in chosen(lines(*scores), elo).elements()))
    assert losses[0] > 20
    assert losses[-1] == 0
    assert all(weaker >= stronger - 2 for weaker, stronger in zip(losses, losses[1:]))


@pytest.mark.parametrize("elo", ELOS)
def test_no_queen_is_given_away(elo):
    assert set(chosen(lines(10, -350, -400, -900), elo)) == {1}


@pytest.mark.parametrize("elo", ELOS)
def test_a_found_mate_is_played_and_one_against_is_avoided(elo):
    assert set(chosen(lines("#1", "#2", 900), elo)) == {1}
    assert set(chosen(lines(-800, "#-2", "#-1"), elo)) == {1}


@pytest.mark.parametrize("elo", ELOS)
def test_an_old_score_above_the_best_is_refuted(elo):
    assert set(chosen(lines(30, 60, -900), elo)) == {1}


def test_the_highest_strength_plays_the_best_move():
    assert set(chosen(lines(10, 10, 9), HIGHEST_ELO)) == {1}


# In a game


def limited(engine, *settings):
    engine.ask(*(f"setoption name {setting}" for setting in settings))
    return engine


WEAKEST = [("UCI_LimitStrength value true", f"UCI_Elo value {LOWEST_ELO}"), ("Skill Level value 0",)]


@pytest.mark.parametrize("settings", WEAKEST)
def test_weak_play_searches_few_nodes_and_varies(talk, settings):
    engine = limited(talk(), *settings)
    played = set()
    for _ in range(30):
        engine.say("ucinewgame", "position startpos", "go wtime 600000 btime 600000")
        *infos, answer = engine.hear("^bestmove")
        played.add(answer.split()[1])
        last = infos[-1].split()
        assert last[last.index("pv") + 1] == answer.split()[1]
        assert int(last[last.index("nodes") + 1]) <= 2 * handicap_of(LOWEST_ELO).nodes
        assert all(" multipv 1 " in info for info in infos)
    assert 1 < len(played) <= 4 * MOST_LINES


@pytest.mark.parametrize("settings", WEAKEST)
def test_weak_play_takes_a_free_queen_and_mates_in_one(talk, settings):
    engine = limited(talk(), *settings)
    for _ in range(5):
        engine.say("position fen 3rk3/8/8/3q4/8/4N3/PPP5/R3K3 w - -", "go movetime 2000")
        assert engine.hear("^bestmove")[-1].startswith("bestmove e3d5")
        engine.say("position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - -", "go movetime 2000")
        assert engine.hear("^bestmove")[-1].startswith("bestmove a1a8")


def test_weak_play_moves_even_without_time(talk):
    engine = limited(talk(), *WEAKEST[0], "Move Overhead value 5000")
    engine.say("go movetime 1")
    assert engine.hear("^bestmove")[-1] != "bestmove (none)"


def test_analysis_is_never_weak(talk):
    engine = limited(talk(), *WEAKEST[0], "UCI_AnalyseMode value true")
    engine.say("go nodes 20000")
    last = engine.hear("^bestmove")[-2].split()
    assert int(last[last.index("nodes") + 1]) > handicap_of(LOWEST_ELO).nodes * 4
