"""Votes of threads for a move."""

from bluekrait.search.scores import mate_in, mated_in
from bluekrait.search.thinking.votes import Vote, elected

E4, D4, C4 = 1, 2, 3


def test_a_single_thread_decides_alone():
    assert elected([Vote(E4, -50, 7)]) == 0


def test_most_threads_win_if_depth_and_score_are_equal():
    assert elected([Vote(E4, 30, 12), Vote(D4, 30, 12), Vote(D4, 30, 12)]) == 1
    assert elected([Vote(E4, 30, 12), Vote(D4, 30, 12)]) == 0


def test_deeper_and_better_votes_weigh_more():
    assert elected([Vote(E4, 30, 12), Vote(D4, 30, 15)]) == 1
    assert elected([Vote(E4, 30, 12), Vote(D4, 60, 12)]) == 1
    assert elected([Vote(E4, 60, 12), Vote(D4, 30, 15), Vote(C4, 20, 14)]) == 0


def test_scores_are_compared_with_the_lowest():
    assert elected([Vote(E4, 30, 12), Vote(D4, 20, 12), Vote(D4, 20, 12)]) == 1
    assert elected([Vote(D4, 300, 12), Vote(D4, 300, 12), Vote(E4, 330, 12)]) == 2


def test_the_deepest_vote_for_the_chosen_move_is_followed():
    assert elected([Vote(E4, 30, 12), Vote(D4, 35, 12), Vote(D4, 33, 14)]) == 2
    assert elected([Vote(D4, 35, 12), Vote(E4, 30, 12), Vote(D4, 33, 14)]) == 0


def test_a_proven_win_needs_no_majority():
    assert elected([Vote(E4, 900, 30), Vote(D4, mate_in(9), 12), Vote(E4, 900, 30)]) == 1
    assert elected([Vote(E4, mate_in(9), 30), Vote(D4, mate_in(5), 12), Vote(E4, mate_in(9), 30)]) == 1


def test_who_is_lost_resists_as_long_as_possible():
    assert elected([Vote(E4, mated_in(4), 30), Vote(D4, mated_in(8), 12), Vote(E4, mated_in(4), 30)]) == 1
    assert elected([Vote(E4, mated_in(4), 30), Vote(D4, -700, 12)]) == 1
