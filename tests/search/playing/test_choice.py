"""Which move is chosen: by book, tablebases, search or handicap. The engine here is made up."""

from types import SimpleNamespace

import pytest

from bluekrait.core.move import NO_MOVE
from bluekrait.search.limits import Limits, Settings
from bluekrait.search.playing.choice import PlaySettings, choose_move
from bluekrait.search.playing.handicap import HIGHEST_ELO, LOWEST_ELO, handicap_of
from bluekrait.search.reports import EXACT, LOWER_BOUND, UPPER_BOUND, Choice, Line, Score
from bluekrait.search.syzygy.root_tables import RootProbe
from bluekrait.search.syzygy.wdl import BLESSED_LOSS, CURSED_WIN, DRAW, LOSS, WIN

MOVES = [11, 22, 33]


def line(move, centipawns=15, mate=None):
    score = Score(None if mate else centipawns, mate)
    return Line(5, 5, 1, score, EXACT, (100, 800, 100), 1000, 0.1, 0, 0, [move, 99])


class MadeUpEngine:
    """Finds the lines that it was given, and remembers its latest limits and settings."""

    position = "a position"

    def __init__(self, found):
        self.found = found
        self.limits = self.settings = None

    def legal_moves(self):
        return MOVES

    def go(self, limits, settings, on_line, on_current_move=None, on_start=None):
        self.limits, self.settings = limits, settings
        for one in self.found if on_line else ():
            on_line(one)
        return Choice(*self.found[0].moves, self.found)


def chosen(settings, *found, **limits):
    """The choice, the lines that were reported, and the engine."""
    engine, reported = MadeUpEngine(list(found) or [line(MOVES[0])]), []
    choice = choose_move(engine, Limits(**limits), settings, reported.append)
    return choice, reported, engine


def book_of(*weighted):
    return SimpleNamespace(moves=lambda position, moves: list(weighted))


def tablebase_of(outcome):
    """Tables that recommend the last of the moves."""
    probe = RootProbe(outcome, [MOVES[-1]], 3)
    return SimpleNamespace(probe_root=lambda position, moves, pieces, fifty_moves: probe)


def test_the_search_chooses_where_nothing_else_does():
    choice, reported, engine = chosen(PlaySettings(Settings(multi_pv=2)), depth=4)
    assert choice.move == MOVES[0]
    assert reported == [line(MOVES[0])]
    assert engine.limits == Limits(depth=4)
    assert engine.settings == Settings(multi_pv=2)


def test_a_book_move_needs_no_search():
    settings = PlaySettings(Settings(), book=book_of((22, 1), (33, 9)), plays_best_of_book=True)
    choice, reported, engine = chosen(settings)
    assert choice == Choice(33, NO_MOVE, [])
    assert reported == []
    assert engine.limits is None


@pytest.mark.parametrize("limits", [{"infinite": True}, {"mate": 3}, {"search_moves": (11,)}])
def test_no_book_where_an_analysis_was_asked_for(limits):
    choice, _, _ = chosen(PlaySettings(Settings(), book=book_of((22, 1))), **limits)
    assert choice.move == MOVES[0]


def test_no_book_and_no_handicap_in_analysis():
    settings = PlaySettings(Settings(), is_analysis=True, book=book_of((22, 1)), elo=LOWEST_ELO)
    _, _, engine = chosen(settings)
    assert engine.limits == Limits()
    assert engine.settings.is_analysis


def test_tables_say_which_moves_to_search_and_what_they_are_worth():
    settings = PlaySettings(Settings(tablebase_pieces=5), tablebase=tablebase_of(DRAW))
    choice, (reported,), engine = chosen(settings)
    assert choice.lines == [reported]
    assert engine.limits.search_moves == (MOVES[-1],)
    assert engine.settings.tablebase_pieces == 0
    assert reported.score == Score(0, None)
    assert reported.win_draw_loss == (0, 1000, 0)
    assert reported.tablebase_hits == 3


@pytest.mark.parametrize(
    ("outcome", "centipawns", "chances"),
    [
        (WIN, 20_000, (1000, 0, 0)),
        (CURSED_WIN, 1, (0, 1000, 0)),
        (DRAW, 0, (0, 1000, 0)),
        (BLESSED_LOSS, -1, (0, 1000, 0)),
        (LOSS, -20_000, (0, 0, 1000)),
    ],
)
def test_each_outcome_that_tables_tell_has_its_score(outcome, centipawns, chances):
    settings = PlaySettings(Settings(), tablebase=tablebase_of(outcome))
    _, (reported,), _ = chosen(settings, line(MOVES[-1])._replace(tablebase_hits=4))
    assert reported.score == Score(centipawns, None)
    assert reported.win_draw_loss == chances
    assert reported.tablebase_hits == 4 + 3  # of the search, and at the root


def test_the_score_of_tables_is_no_bound():
    settings = PlaySettings(Settings(), tablebase=tablebase_of(WIN))
    bounds = [line(MOVES[-1])._replace(bound=bound) for bound in (LOWER_BOUND, UPPER_BOUND)]
    choice, reported, _ = chosen(settings, *bounds)
    assert [one.bound for one in reported + choice.lines] == [EXACT] * 4
    _, (mate,), _ = chosen(settings, line(MOVES[-1], mate=4)._replace(bound=LOWER_BOUND))
    assert mate.bound == LOWER_BOUND  # that is the score of the search


def test_tables_do_not_hide_the_lines_that_an_analysis_compares():
    settings = PlaySettings(Settings(tablebase_pieces=5, multi_pv=3), tablebase=tablebase_of(DRAW))
    _, _, engine = chosen(settings, infinite=True, search_moves=tuple(MOVES[:2]))
    assert engine.limits.search_moves == tuple(MOVES[:2])
    assert engine.settings.tablebase_pieces == 5
    alone = settings._replace(search=Settings(tablebase_pieces=5))
    for other, limits in ((settings, {}), (alone, {"infinite": True})):  # a game; a single line
        _, _, engine = chosen(other, **limits)
        assert engine.limits.search_moves == (MOVES[-1],)


def test_tables_are_asked_only_about_the_moves_that_were_named():
    asked = []
    tablebase = SimpleNamespace(probe_root=lambda position, moves, *_: asked.append(list(moves)))
    settings = PlaySettings(Settings(tablebase_pieces=5), tablebase=tablebase)
    chosen(settings)
    chosen(settings, search_moves=(22,))
    assert asked == [MOVES, [22]]


@pytest.mark.parametrize(("outcome", "mate"), [(WIN, 4), (CURSED_WIN, 2), (BLESSED_LOSS, -1), (LOSS, -3)])
def test_a_mate_that_was_found_is_more_than_tables_know(outcome, mate):
    settings = PlaySettings(Settings(), tablebase=tablebase_of(outcome))
    _, (reported,), _ = chosen(settings, line(MOVES[-1], mate=mate))
    assert reported.score == Score(None, mate)


def test_a_handicap_limits_the_nodes_and_asks_for_more_lines():
    weakest = handicap_of(LOWEST_ELO)
    _, _, engine = chosen(PlaySettings(Settings(), elo=LOWEST_ELO))
    assert engine.limits.nodes == weakest.nodes
    assert engine.settings.multi_pv == weakest.lines
    _, _, engine = chosen(PlaySettings(Settings(), elo=LOWEST_ELO), nodes=10)
    assert engine.limits.nodes == 10


@pytest.mark.parametrize("elo", [LOWEST_ELO, 2400])
def test_lines_that_are_only_shown_take_no_nodes_from_the_others(elo):
    weakness, nodes = handicap_of(elo), []
    for shown in (1, weakness.lines, weakness.lines + 1, 2 * weakness.lines, 500):
        engine = MadeUpEngine([line(MOVES[0])])
        engine.legal_moves = lambda: [*range(1, 2 * weakness.lines + 1)]
        choose_move(engine, Limits(), PlaySettings(Settings(multi_pv=shown), elo=elo))
        nodes.append(engine.limits.nodes)
    usual, same, one_more, twice, most = nodes
    assert usual == same == weakness.nodes < one_more < twice == most < 2 * usual  # there are no more moves
    settings = PlaySettings(Settings(multi_pv=2 * weakness.lines), elo=elo)
    assert chosen(settings, search_moves=(MOVES[0],))[2].limits.nodes == usual


def test_only_one_thread_searches_with_a_handicap():
    """Otherwise the strength would depend on the number of threads."""
    for elo, expected in ((LOWEST_ELO, 1), (None, None)):
        _, _, engine = chosen(PlaySettings(Settings(), elo=elo))
        assert engine.settings.most_threads == expected


def test_a_handicap_shows_all_lines_that_are_wanted_and_chooses_among_its_own():
    strong = PlaySettings(Settings(multi_pv=3), elo=HIGHEST_ELO - 1)
    assert handicap_of(strong.elo).lines == 2
    lines = [line(move)._replace(rank=rank) for rank, move in enumerate(MOVES, 1)]
    answers = [chosen(strong, *lines) for _ in range(60)]
    assert {choice.move for choice, _, _ in answers} == set(MOVES[:2])
    for choice, reported, engine in answers:
        assert engine.settings.multi_pv == 3
        assert reported[:3] == lines and reported[3:] in ([], [lines[1]._replace(rank=1)])
        assert [one.moves[0] for one in reported if one.rank == 1][-1] == choice.move


def test_a_handicap_shows_no_more_lines_than_are_wanted():
    settings = PlaySettings(Settings(multi_pv=2), elo=LOWEST_ELO)
    lines = [line(move)._replace(rank=rank) for rank, move in enumerate(MOVES, 1)]
    for _ in range(60):
        _, reported, _ = chosen(settings, *lines)
        assert reported[:2] == lines[:2]
        assert [one.rank for one in reported[2:]] in ([], [1])


def test_a_handicap_chooses_where_nobody_wants_to_see_lines():
    lines = [line(move)._replace(rank=rank) for rank, move in enumerate(MOVES, 1)]
    settings = PlaySettings(Settings(), elo=LOWEST_ELO)
    chosen_moves = {choose_move(MadeUpEngine(lines), Limits(), settings).move for _ in range(99)}
    assert chosen_moves == set(MOVES)
