"""Scores, and what is made of them: mates by distance, chances, centipawns."""

from hypothesis import given
from hypothesis import strategies as st

from bluekrait.search.scores import (
    DECIDED_BOUND,
    DRAW,
    INFINITE,
    MATE,
    MAX_PLY,
    UNKNOWN,
    from_node,
    from_root,
    is_decided,
    is_loss,
    is_mate,
    is_win,
    mate_in,
    mated_in,
    moderated,
    moves_to_mate,
    won_by_tablebase,
)
from bluekrait.search.thinking.win_rate import centipawns, win_draw_loss

plies = st.integers(0, MAX_PLY)
plain_scores = st.integers(1 - DECIDED_BOUND, DECIDED_BOUND - 1)
scores = st.integers(-MATE, MATE)
pieces = st.integers(2, 32)


@given(plies)
def test_mates_are_mirrored(ply):
    assert mated_in(ply) == -mate_in(ply)
    assert is_mate(mate_in(ply)) and is_win(mate_in(ply)) and not is_loss(mate_in(ply))
    assert is_mate(mated_in(ply)) and is_loss(mated_in(ply)) and not is_win(mated_in(ply))


@given(scores)
def test_a_score_is_a_win_or_a_loss_or_undecided(score):
    assert (
        is_decided(score) == (is_win(score) or is_loss(score)) == (not -DECIDED_BOUND < score < DECIDED_BOUND)
    )
    assert is_win(score) == is_loss(-score)


@given(plies, plies)
def test_tables_know_who_wins_but_no_mates(ply, mate):
    win = won_by_tablebase(ply)
    assert is_win(win) and is_loss(-win) and not is_mate(win) and not is_mate(-win)
    assert win < mate_in(mate)
    assert centipawns(win, 3) == -centipawns(-win, 3) == 20_000 - ply
    assert win_draw_loss(win, 3) == (1000, 0, 0)
    assert from_root(from_node(win, ply), ply) == win


@given(plies, plies)
def test_sooner_is_better(ply, other):
    assert (mate_in(ply) > mate_in(other)) == (ply < other)
    assert (mated_in(ply) > mated_in(other)) == (ply > other)


def test_nothing_is_beyond_infinity_but_the_unknown():
    assert mate_in(0) < INFINITE < UNKNOWN
    assert mate_in(MAX_PLY) > DECIDED_BOUND > DRAW == 0


@given(plain_scores, plies)
def test_plain_scores_are_the_same_everywhere(score, ply):
    assert from_node(score, ply) == from_root(score, ply) == score


@given(plies, plies)
def test_mates_are_kept_by_the_distance_from_their_node(ply, distance):
    for score, kept in ((mate_in, mate_in(distance)), (mated_in, mated_in(distance))):
        if ply + distance <= MAX_PLY:
            assert from_node(score(ply + distance), ply) == kept
            assert from_root(kept, ply) == score(ply + distance)


@given(st.integers(0, MAX_PLY // 2 - 1))
def test_mates_in_moves_as_people_count(moves):
    assert moves_to_mate(mate_in(2 * moves + 1)) == moves + 1
    assert moves_to_mate(mated_in(2 * moves)) == -moves


@given(plain_scores, pieces)
def test_chances_add_up_and_are_mirrored(score, count):
    win, draw, loss = win_draw_loss(score, count)
    assert win + draw + loss == 1000
    assert all(0 <= chance <= 1000 for chance in (win, draw, loss))
    assert win_draw_loss(-score, count) == (loss, draw, win)


@given(plain_scores, plain_scores, pieces)
def test_more_is_never_worse(score, other, count):
    low, high = sorted((score, other))
    assert win_draw_loss(low, count)[0] <= win_draw_loss(high, count)[0]
    assert centipawns(low, count) <= centipawns(high, count)


@given(plain_scores, pieces)
def test_centipawns_are_mirrored_and_a_hundred_wins_half_of_the_games(score, count):
    assert centipawns(-score, count) == -centipawns(score, count)
    assert centipawns(0, count) == 0
    if centipawns(score, count) == 100:
        assert 450 <= win_draw_loss(score, count)[0] <= 550


@given(plain_scores, plain_scores)
def test_a_score_above_beta_comes_halfway_back_to_it(score, beta):
    if score >= beta:
        assert beta <= moderated(score, beta) <= score


@given(plies, plain_scores)
def test_a_proven_score_stays_as_it_is(ply, beta):
    assert moderated(mate_in(ply), beta) == mate_in(ply)
