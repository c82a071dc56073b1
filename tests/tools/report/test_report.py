"""The page of a match: what is read from games, how they are paired, and that the page needs nothing else."""

import re
import sys
from html.parser import HTMLParser
from math import inf, isfinite

import pytest

pytest.importorskip("matplotlib")

from bluekrait.tools.common import pictures
from bluekrait.tools.common.pictures import draw_picture, new_figure, thinned
from bluekrait.tools.report import match_facts, plots, report_command, writing
from bluekrait.tools.report.html_page import columns
from bluekrait.tools.report.match_facts import read_match
from bluekrait.tools.report.pgn_games import read_games
from bluekrait.tools.report.report_command import main
from bluekrait.tools.report.writing import figures, match_page, write_plot, write_report
from bluekrait.tools.statistics.pentanomial import elo
from bluekrait.tools.statistics.sequential import Bounds, llr
from helpers.processes.machines import full_disk

RESULTS = {1: ("1-0", "0-1"), 0.5: ("1/2-1/2", "1/2-1/2"), 0: ("0-1", "1-0")}
VOID = {"meta", "br", "path", "use", "image", "rect"}


def game(white, black, result, number, text="1. e4 {+0.35/9 0.1s} e5 {-0.2/8} 2. Nf3 *", **tags):
    tags = {"Event": "test", "Round": number, "White": white, "Black": black, "Result": result, **tags}
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + f"\n{text}\n\n"


def match_text(points, rounds="{pair}.{game}"):
    """Games of `new` against `old`; every two points are a pair."""
    texts = []
    for index, point in enumerate(points):
        pair, second = divmod(index, 2)
        players = ("old", "new") if second else ("new", "old")
        round_text = rounds.format(pair=pair + 1, game=second + 1, number=index + 1)
        texts.append(game(*players, RESULTS[point][second], round_text))
    return texts


@pytest.fixture
def write(tmp_path):
    def write(texts):
        path = tmp_path / "games.pgn"
        path.write_text("".join(texts), encoding="utf-8")
        return path

    return write


def test_tags_and_moves(write):
    text = '1. e4 {a [%clk 0:01]\n[Event "no tag, a comment"] } e5 ; rest\n2. Nf3 $1 1-0'
    (windows,) = read_games(write([game("C:\\\\new", "b", "1-0", 1)]))
    assert windows.white == "C:\\new"
    lost_on_time = game("c", "d", "*", 2, Termination="time forfeit")
    first, second = read_games(write([game('O\\"Kelly', "b", "1-0", "?", text), lost_on_time]))
    assert (first.number, first.white, first.black, first.result) == (1, 'O"Kelly', "b", "1-0")
    assert (second.number, second.is_finished, second.ending) == (2, False, "time forfeit")


def test_games_without_moves_or_behind_a_mark_of_windows(write):
    forfeited, lost = game("a", "b", "1-0", 1, text=""), game("b", "a", "1-0", 1, text="")
    found = read_games(write([forfeited, lost, game("c", "d", "0-1", 2)]))
    assert [(one.number, one.white, one.result) for one in found] == [
        (1, "a", "1-0"),
        (2, "b", "1-0"),
        (3, "c", "0-1"),
    ]
    (marked,) = read_games(write(['\ufeff[White "a"]\n[Black "b"]\n[Result "1-0"]\n\n1. e4 1-0\n']))
    assert (marked.white, marked.black) == ("a", "b")


def test_names_in_an_old_encoding(tmp_path):
    file = tmp_path / "old.pgn"
    games = game("Müller", "Möller", "1-0", "1.1") + game("Möller", "Müller", "0-1", "1.2", "1. e4 {schön} *")
    file.write_bytes(games.encode("cp1252") + game("Müller", "Möller", "1-0", "2.1").encode())
    assert [one.white for one in read_games(file)] == ["Müller", "Möller", "Müller"]
    assert read_match(file).pairs == (0, 0, 0, 0, 1)


def test_comments_are_left_out(write):
    (only,) = read_games(write([game("a", "b", "1-0", 1, "1. e4 {+0.3/9\n0.1s} e5 ; why\n2. Nf3 $1 1-0")]))
    assert only.moves == "1. e4 e5 2. Nf3 1-0"
    assert only.points_of("a") == 1 and only.points_of("b") == 0


@pytest.mark.parametrize("rounds", ["{pair}.{game}", "{pair}", "{number}", "?", "1"])
def test_pairs_in_order(write, rounds):
    match = read_match(write(match_text([1, 1, 0.5, 1, 0, 0.5, 0, 0, 1, 0, 1], rounds)))
    assert match.player == "new"
    assert match.pairs == (1, 1, 1, 1, 1)
    assert [games for games, _ in match.history()] == [2, 4, 6, 8, 10]
    assert match.history()[-1][1] == match.pairs


@pytest.mark.parametrize("rounds", ["{pair}.{game}", "{pair}"])
def test_pairs_finished_out_of_order(write, rounds):
    texts = match_text([1, 1, 0, 0, 0.5, 1], rounds)
    match = read_match(write([texts[index] for index in (0, 2, 5, 1, 4, 3)]), "new")
    assert match.pairs == (1, 0, 0, 1, 1)
    assert [games for games, _ in match.history()] == [4, 5, 6]


def test_pairs_of_two_matches_in_one_file(write):
    texts = match_text([1, 0, 1, 0])  # White wins every game
    texts = [texts[index] for index in (0, 2, 1, 3)]  # two at a time: 1.1, 2.1, 1.2, 2.2
    assert read_match(write(texts + texts)).pairs == (0, 0, 4, 0, 0)


def test_first_games_of_several_openings_are_no_pair(write):
    texts = match_text([1, 0, 1, 0, 1, 0])
    assert read_match(write(texts[::2])).pairs == (0, 0, 0, 0, 0)


@pytest.mark.parametrize("more", [["-o", "games.pgn"], ["--plot", "games.pgn"], ["-o", "a", "--plot", "./a"]])
def test_the_games_are_not_replaced(write, tmp_path, monkeypatch, capsys, more):
    path = write(match_text([1, 0.5]))
    before = path.read_bytes()
    monkeypatch.chdir(tmp_path)
    assert main(["games.pgn", *more]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("more", [[], ["-o", "games.html"], ["-o", "games.html", "--plot", "plot.svg"]])
def test_only_a_report_is_replaced(write, tmp_path, monkeypatch, capsys, more):
    write(match_text([1, 0.5]))
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "games.html"
    page.touch()
    for _ in range(2):
        assert main(["games.pgn", *more]) == 0
        assert page.stat().st_size > 1000
    page.write_text("precious")
    assert main(["games.pgn", *more]) == 2
    told = capsys.readouterr().err
    assert "games.html is there, and was not written by this command" in told and told.count("\n") == 1
    assert page.read_text() == "precious"


def test_match_is_that_of_the_first_game_not_of_the_first_finished(write):
    texts = match_text([1, 0.5, 0, 0])
    assert read_match(write(texts[::-1])).player == "new"


def test_the_player_is_the_same_without_the_very_first_game(write):
    texts = match_text([1, 0, 1, 0])
    assert read_match(write(texts[1:])).player == read_match(write(texts)).player == "new"


def test_unfinished_games_are_left_out(write):
    match = read_match(write([*match_text([1, 0.5, 1]), game("old", "new", "*", "2.2")]))
    assert (len(match.games), match.unfinished) == (3, 1)
    assert match.points == [1, 0.5, 1] and match.pairs == (0, 0, 0, 1, 0)


def test_games_without_partner_make_no_pair(write, tmp_path):
    texts = match_text([1, 0.5, 1, 1, 0, 0])
    path = write([*texts[:2], texts[2], texts[4]])  # two pairs were interrupted
    match = read_match(path)
    assert (match.points, match.paired_points) == ([1, 0.5, 1, 0], [1, 0.5])
    assert match.pairs == (0, 0, 0, 1, 0)
    write_report(path, tmp_path / "page.html")
    assert "2 without the other game of the pair" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_without_matplotlib_it_is_told_in_a_line(write, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main([str(write(match_text([1, 0.5])))]) == 2
    error = capsys.readouterr().err
    assert "plots need matplotlib" in error and error.count("\n") == 1


def test_tournament(write):
    texts = [
        *(game("a", "b", "1-0", "1"), game("b", "a", "1/2-1/2", "1")),
        *(game("a", "c", "1-0", "2"), game("c", "a", "1-0", "2")),
        *(game("b", "c", "0-1", "3"), game("c", "b", "1-0", "3")),
    ]
    path = write(texts)
    match = read_match(path, "c")
    assert match.pairs == (0, 0, 1, 0, 1)
    assert len(match.own_games) == 4 and [lost.number for lost in match.lost_games()] == [3]
    assert ("a", "b", 1, 1, 0) in match.encounters()
    with pytest.raises(ValueError, match="nobody is called 'x', there are a, b, c"):
        read_match(path, "x")


def page_of(write, texts, player=None):
    return match_page(read_match(write(texts), player))


def test_bar_and_table_of_endings_have_the_shares_of_all_games(write):
    texts = match_text([1, 1, 1, 1, 0.5, 0.5, 0, 1])
    page = page_of(write, texts[:-1] + [game("old", "new", "0-1", "4.2", Termination="time forfeit")])
    bar = re.findall(r'<span class="(\w+)" style="width:([\d.]+)%" title="\w+">(\d+)</span>', page)
    assert bar == [("win", "62.50", "5"), ("draw", "25.00", "2"), ("loss", "12.50", "1")]
    assert "<td>normal</td><td>7</td><td>87.50 %</td>" in page
    assert "<td>time forfeit</td><td>1</td><td>12.50 %</td>" in page


def test_the_most_frequent_ending_comes_first(write):
    texts = match_text([1, 1, 1])
    match = read_match(write([game("new", "old", "1-0", "9.1", Termination="time forfeit"), *texts]))
    assert match.endings() == [("normal", 3), ("time forfeit", 1)]


def test_the_highest_column_fills_its_chart():
    assert re.findall(r"height:(\d+)px", columns((1, 0, 4, 2, 0), "abcde")) == ["22", "0", "90", "45", "0"]


def test_only_a_difference_above_its_error_is_coloured(write):
    def style(points):
        return figures(read_match(write(match_text(points))), None)[0][3]

    assert style([1, 0.5, 0.5, 0.5] * 20) == "good"
    assert style([0, 0.5, 0.5, 0.5] * 20) == "bad"
    assert style([1, 0.5, 0.5, 0, 1, 0.5]) == style([0, 0.5, 0.5, 1, 0, 0.5]) == ""


def test_the_figures_are_those_of_the_player(write):
    def values(points, bounds=None):
        return [value for _, value, *_ in figures(read_match(write(match_text(points)), "new"), bounds)]

    difference, normalised, score, los, ratio = values([1, 1, 1, 0.5] * 3, Bounds(0, 5))
    assert difference.startswith("+") and normalised.startswith("+") and " ± " in difference
    assert score == "87.50 %" and float(los.removesuffix(" %")) > 99 and float(ratio) > 0
    assert values([1, 1])[0].startswith("+∞")
    assert values([1])[:2] == ["–", "–"]


@pytest.mark.parametrize(
    ("points", "note", "style"),
    [([1, 1, 1, 0.5] * 30, "H1 accepted", "good"), ([0, 0, 0, 0.5] * 30, "H0 accepted", "bad")],
)
def test_a_test_that_has_ended_is_told(write, points, note, style):
    bounds = Bounds(0, 50)
    assert figures(read_match(write(match_text(points)), "new"), bounds)[-1][2:] == (note, style)
    (running,) = figures(read_match(write(match_text([1, 0.5])), "new"), bounds)[4:]
    assert running[2:] == (f"of {bounds.lower:.2f} or {bounds.upper:.2f}", "")


def test_a_lost_game_is_told_with_its_opening_and_length(write):
    opening = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    page = page_of(write, [game("new", "old", "0-1", "3.1", FEN=opening, PlyCount="84")], "new")
    row = ["3.1", "new – old", "0-1", "84", "normal"]
    assert "".join(f"<td>{cell}</td>" for cell in row) in page
    assert f'<span class="quiet">{opening}</span><br>1. e4 e5 2. Nf3' in page


def test_players_that_never_met_have_no_crosstable(write):
    apart = [game("a", "b", "1-0", 1), game("c", "d", "1-0", 2)]
    assert "Crosstable" not in page_of(write, apart)
    assert "Crosstable" not in page_of(write, match_text([1, 0.5]))


def test_only_what_all_games_share_is_told_of_the_match(write):
    first, second = ({"TimeControl": "8+0.08", "Date": date} for date in ("2026.11.30", "2026.12.01"))
    page = page_of(write, [game("a", "b", "1-0", 1, **first), game("b", "a", "1-0", 1, **second)])
    assert ">2 games, time control 8+0.08</p>" in page


def test_each_half_of_the_crosstable_is_seen_by_its_player(write):
    page = page_of(write, [game("a", "b", "1-0", 1), game("b", "c", "1-0", 2), game("c", "a", "1/2-1/2", 3)])
    rows = [re.findall(r"<td>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", page)]
    crosstable = {row[0]: row[5:] for row in rows if len(row) == 8}
    assert crosstable == {
        "1. a": ["", "1 / 1", "0.5 / 1"],
        "2. b": ["0 / 1", "", "1 / 1"],
        "3. c": ["0.5 / 1", "0 / 1", ""],
    }


def test_a_page_holds_no_more_lost_games_than_it_can(write, monkeypatch):
    monkeypatch.setattr(writing, "MOST_LOSSES", 2)
    page = page_of(write, match_text([0, 0, 0]), "new")
    assert "Lost games: 3, the first 2 of them" in page
    assert page.count("<details>") == 2


def test_only_the_games_that_a_page_can_show_keep_their_moves(write, monkeypatch):
    shown = []
    monkeypatch.setattr(match_facts, "MOST_LOSSES", 1)
    monkeypatch.setattr(match_facts.ProgressLine, "show", lambda _, text: shown.append(text))
    match = read_match(write(match_text([0.5, 0, 1, 0, 1])))
    assert [bool(game.text) for game in match.games] == [False, True, True, False, False]
    assert shown == ["1 game read", *(f"{number} games read" for number in range(2, 6))]


def test_a_long_curve_is_thinned_and_ends_where_the_match_does(monkeypatch):
    monkeypatch.setattr(pictures, "MOST_POINTS", 4)
    assert [len(thinned(range(count))) for count in (0, 3, 4, 5, 100)] == [0, 3, 4, 3, 4]
    assert thinned(range(10)) == [0, 3, 6, 9]
    assert thinned(range(9)) == [2, 5, 8]


def drawn(draw, *arguments):
    """The axes with a plot."""
    axes = new_figure().add_subplot()
    draw(axes, *arguments)
    return axes


def test_the_curve_of_elo_has_its_error_around_it(write):
    steps = read_match(write(match_text([1, 0.5, 0.5, 0, 1, 1, 0.5, 0.5] * 5))).history()
    axes = drawn(plots.draw_elo, steps)
    value, error = elo(steps[-1][1])
    assert axes.lines[-1].get_xydata()[-1] == pytest.approx((40, value))
    band = axes.collections[0].get_paths()[0].vertices
    at_the_end = [height for games, height in band if games == 40]
    assert (min(at_the_end), max(at_the_end)) == pytest.approx((value - error, value + error))
    low, high = axes.get_ylim()
    assert low < value - error and value + error < high


def test_an_error_without_bounds_can_be_drawn(write):
    steps = read_match(write(match_text([1, 1, 0.5, 0.5]))).history()
    assert elo(steps[-1][1])[1] == inf
    assert all(map(isfinite, drawn(plots.draw_elo, steps).get_ylim()))


def test_the_curve_of_the_llr_lies_between_the_bounds(write):
    bounds = Bounds(1, 6)
    steps = read_match(write(match_text([1, 0.5, 0.5, 0.5] * 5))).history()
    axes = drawn(plots.draw_llr, steps, bounds)
    assert {text.get_text(): text.xy[1] for text in axes.texts} == {
        "H1: 6": bounds.upper,
        "H0: 1": bounds.lower,
    }
    assert axes.lines[-1].get_xydata()[-1] == pytest.approx((20, llr(steps[-1][1], bounds)), rel=0.01)


def test_the_curve_counts_the_games_of_its_player(write):
    others = [game("a", "b", "1-0", 1), game("b", "a", "1-0", 1)]
    assert [games for games, _ in read_match(write(others + match_text([1, 0.5, 1])), "new").history()] == [2]


class Checker(HTMLParser):
    """Notes anchors, links and whatever a browser would have to load; tags must be closed in order."""

    def __init__(self):
        super().__init__()
        self.open, self.anchors, self.links, self.loaded = [], set(), set(), []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        self.anchors.add(attributes.get("id"))
        if tag == "a":
            self.links.add(attributes["href"].removeprefix("#"))
        self.loaded += [name for name in attributes if name == "src"]
        if tag == "link":
            self.loaded.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_page_is_whole(write, tmp_path):
    path = write(match_text([1, 1, 0.5, 1, 0, 0.5, 0, 0, 1, 0] * 4))
    write_report(path, tmp_path / "page.html", Bounds(0, 10))
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    checker = Checker()
    checker.feed(text)
    assert not checker.open and not checker.loaded
    assert len(checker.links) == 16 and checker.links <= checker.anchors
    assert text.count("<svg") == 2 and "var(--accent)" in text and "prefers-color-scheme" in text
    plots = text[text.index("<svg") : text.rindex("</svg>")]
    assert not re.search(r"#[0-9a-f]{6}\b", plots.replace("#000000", "")), "a colour that cannot turn dark"
    assert "Ptnml(0-2): [4, 4, 4, 4, 4]" in text and "LLR: " in text


def test_names_are_escaped(write, tmp_path):
    path = write([game("<b>", "a&b", "1-0", 1), game("a&b", "<b>", "1-0", 1)])
    write_report(path, tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "&lt;b&gt;" in text and "a&amp;b" in text and "<b>" not in text.replace("<b class", "")


@pytest.mark.parametrize("points", [[1], [1, 1], [0.5] * 6, [0, 0, 0], [1, 0.5]])
def test_short_and_one_sided_matches(write, tmp_path, points):
    write_report(write(match_text(points)), tmp_path / "page.html", Bounds(0, 5))
    assert "nan ±" not in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_plot(write, tmp_path):
    path = write(match_text([1, 0.5] * 10))
    write_plot(path, tmp_path / "plot.png", Bounds(0, 5))
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("picture_format", ["png", "svg", "pdf"])
def test_equal_games_make_equal_plots(write, tmp_path, monkeypatch, picture_format):
    games, paths = write(match_text([1, 0.5])), [tmp_path / f"{number}.{picture_format}" for number in (1, 2)]
    for path, second in zip(paths, ("0", "1000000000")):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", second)  # what matplotlib takes as the time
        write_plot(games, path)
    first, second = (path.read_bytes() for path in paths)
    assert first == second


@pytest.mark.parametrize("picture_format", ["png", "svg", "pdf"])
def test_a_plot_replaces_only_plots(write, tmp_path, picture_format):
    games, picture = write(match_text([1, 0.5])), tmp_path / f"plot.{picture_format}"
    for _ in range(2):
        assert main([str(games), "--plot", str(picture)]) == 0
    picture.write_bytes(b"\x89PNG drawn by hand")
    assert main([str(games), "--plot", str(picture)]) == 2
    assert picture.read_bytes() == b"\x89PNG drawn by hand"


@pytest.mark.parametrize("name", ["games.html", "plot.svg", "drawn.png"])
def test_a_full_disk_leaves_what_was_there(write, tmp_path, name):
    games, target = write(match_text([1, 0.5] * 10)), tmp_path / name
    writers = {
        "games.html": lambda: write_report(games, target),
        "plot.svg": lambda: write_plot(games, target),
        "drawn.png": lambda: draw_picture(str(target), lambda figure, frames: None),
    }
    target.write_text("old")
    with full_disk(1000), pytest.raises(OSError):
        writers[name]()
    assert target.read_text() == "old" and set(tmp_path.iterdir()) == {games, target}
    writers[name]()
    assert len(target.read_bytes()) > 1000 and set(tmp_path.iterdir()) == {games, target}


def test_page_and_picture_are_of_the_same_player(write, tmp_path, monkeypatch):
    players = []
    for name in ("write_report", "write_plot"):
        monkeypatch.setattr(report_command, name, lambda *arguments: players.append(arguments[-1]))
    path = write(match_text([1, 0.5]))
    assert main([str(path), "--player", "old", "--plot", str(tmp_path / "plot.svg")]) == 0
    assert players == ["old", "old"]


def test_the_sequential_test_is_that_of_the_options(write, monkeypatch):
    tests = []
    monkeypatch.setattr(report_command, "write_report", lambda *arguments: tests.append(arguments[2]))
    options = "--elo0 1 --elo1 6 --alpha 0.1 --beta 0.2 --model normalized"
    assert main([str(write(match_text([1, 0.5]))), *options.split()]) == 0
    assert tests == [Bounds(1, 6, 0.1, 0.2, "normalized")]


def test_a_page_on_standard_output_stands_there_alone(write, tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main([str(write(match_text([1, 0.5]))), "-o", "-", "--plot", "plot.svg"]) == 0
    page, told = capfd.readouterr()
    assert page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>")
    assert told == "/dev/stdout\nplot.svg\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.pgn", "plot.svg"]


def test_a_page_that_cannot_be_written_is_refused_before_the_games_are_read(write, tmp_path, capsys):
    path = tmp_path / "missing" / "page.html"
    assert main([str(write([])), "-o", str(path)]) == 2
    assert capsys.readouterr().err == f"bluekrait report: {path} cannot be written\n"


def test_command(write, tmp_path, capsys):
    path = write(match_text([1, 0.5]))
    assert main([str(path), "--plot", str(tmp_path / "plot.svg"), "--elo0", "0", "--elo1", "5"]) == 0
    assert (tmp_path / "games.html").exists() and (tmp_path / "plot.svg").exists()
    empty, alone = tmp_path / "empty.pgn", tmp_path / "alone.pgn"
    empty.write_text("")
    alone.write_text(game("a", "b", "1-0", 1) + game("a", "a", "1-0", 1))
    capsys.readouterr()
    for arguments, complaint in (
        ([str(tmp_path / "nothing.pgn")], "nothing.pgn"),
        ([str(empty)], "no finished game"),
        ([str(alone)], "alone.pgn, game 2: both players are called 'a'"),
        ([str(path), "--elo0", "5"], "both --elo0 and --elo1"),
        ([str(path), "--elo0", "5", "--elo1", "1"], "less than"),
        ([str(path), "--plot", str(tmp_path / "plot.what")], "plot.what: the name of a picture ends in"),
    ):
        assert main(arguments) == 2
        error = capsys.readouterr().err
        assert complaint in error and error.count("\n") == 1
