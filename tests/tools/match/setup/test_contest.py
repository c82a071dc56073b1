"""The schedule of a contest: who plays whom, with which opening."""

from bluekrait.tools.match.setup.contest import ROUND_ROBIN
from helpers.match.matches import END_GAME, MIDDLE_GAME, contest_of, fake


def test_every_opening_is_played_twice_with_colours_swapped():
    first, second, third = (fake(name) for name in "ABC")
    contest = contest_of(first, second, third, openings=(MIDDLE_GAME, END_GAME), rounds=3)
    schedule = list(contest.schedule())
    assert contest.pairs == 6
    assert [scheduled.round_text for scheduled in schedule[:4]] == ["1.1", "1.2", "2.1", "2.2"]
    for one, two in zip(schedule[::2], schedule[1::2]):
        assert one.white == two.black == first
        assert one.black == two.white != first
        assert one.opening == two.opening
    assert [scheduled.opening for scheduled in schedule[::4]] == [MIDDLE_GAME, END_GAME, MIDDLE_GAME]
    assert [scheduled.key for scheduled in contest.schedule({(1, 1), (2, 2)})][:3] == [(1, 2), (2, 1), (3, 1)]


def test_everybody_against_everybody():
    contest = contest_of(*(fake(name) for name in "ABCD"), rounds=2, scheme=ROUND_ROBIN)
    met = [{scheduled.white.name, scheduled.black.name} for scheduled in contest.schedule()]
    assert contest.pairs == 12
    assert all(met.count({one, two}) == 4 for one, two in ("AB", "AC", "AD", "BC", "BD", "CD"))


def test_more_rounds_never_change_the_ones_before():
    engines = [fake(name) for name in "ABC"]
    few, many = contest_of(*engines, rounds=2), contest_of(*engines, rounds=5)
    assert list(many.schedule())[: 2 * few.pairs] == list(few.schedule())
