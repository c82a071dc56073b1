"""The gauntlet: who is found on a machine, whose rating counts, and what follows from the games."""

import pytest

pytest.importorskip("chess")

from bluekrait.tools.common.pictures import BLUE, RED, new_figure
from bluekrait.tools.gauntlet import gauntlet_command, known_programs, rating_list
from bluekrait.tools.gauntlet.gauntlet_command import main
from bluekrait.tools.gauntlet.rating_list import rating_list_lines, ratings_from
from bluekrait.tools.match.setup.engine_spec import parse_engine
from bluekrait.tools.report.writing import rating_rows
from bluekrait.tools.statistics.pentanomial import elo_of_score
from bluekrait.tools.statistics.ratings import Rating


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine with some programs, none of which does anything."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("stockfish", "toga2", "phalanx"):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(known_programs, "GAMES_FOLDERS", ())
    return folder


def pgn(path, results):
    """A file of games: players, result and how often."""
    texts = [
        f'[White "{white}"]\n[Black "{black}"]\n[Result "{result}"]\n\n1. e4 {result}\n\n'
        for white, black, result, count in results
        for _ in range(count)
    ]
    path.write_text("".join(texts))
    return str(path)


def test_programs_that_are_here_are_opponents(machine):
    engines = [parse_engine(words) for words in known_programs.opponents(levels=(1500, 2500))]
    assert [engine.name for engine in engines] == ["stockfish-2500", "stockfish-1500", "toga2", "phalanx"]
    assert engines[0].options == (("UCI_LimitStrength", "true"), ("UCI_Elo", "2500"))
    assert [engine.protocol for engine in engines] == ["uci", "uci", "uci", "xboard"]
    assert engines[2].command[0] == str(machine / "toga2")


def test_a_level_that_is_named_twice_is_one_opponent(machine):
    engines = [parse_engine(words) for words in known_programs.opponents(["stockfish"], (2000, 1500, 2000))]
    assert [engine.name for engine in engines] == ["stockfish-2000", "stockfish-1500"]


def test_some_of_them_can_be_named(machine):
    (words,) = known_programs.opponents(["phalanx"])
    assert "name=phalanx" in words
    with pytest.raises(ValueError, match="fairymax is not installed"):
        known_programs.opponents(["phalanx", "fairymax"])
    (machine / "ethereal-chess").symlink_to(machine / "toga2")
    (words,) = known_programs.opponents(["ethereal"])
    assert words[:2] == [f"cmd={machine / 'ethereal-chess'}", "name=ethereal"]


def test_lists_may_be_given_in_parts():
    words = "--against toga2 --against stockfish fairymax --levels 2000 --levels 1500 --from a.pgn --from b"
    options = gauntlet_command._parser().parse_args(words.split())
    assert options.against == ["toga2", "stockfish", "fairymax"]
    assert (options.levels, options.games_from) == ([2000, 1500], ["a.pgn", "b"])


def test_programs_for_games_need_not_be_on_the_path(machine, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    assert known_programs.path_of("toga2") is None
    monkeypatch.setattr(known_programs, "GAMES_FOLDERS", ("/elsewhere", str(machine)))
    assert known_programs.path_of("toga2") == str(machine / "toga2")


def test_nobody_is_here(machine, monkeypatch, tmp_path, capsys):
    program = str(machine / "toga2")
    monkeypatch.setenv("PATH", "/nowhere")
    pgn = ["--pgn", str(tmp_path / "games.pgn")]
    for own in ([], ["--engine", program]):
        assert main([*own, *pgn]) == 2
        assert "none of these is installed: stockfish, ethereal" in capsys.readouterr().err
    assert main(["--engine", program, "--engine", program, "--runner", "builtin", *pgn]) == 2
    assert "toga2 does not start" in capsys.readouterr().err  # two engines are enough


def test_whose_rating_counts():
    assert known_programs.published_rating("stockfish-1800") == 1800
    for unknown in ("bluekrait", "stockfish-1800-dev"):
        assert known_programs.published_rating(unknown) is None
    names = ["bluekrait", "toga2", "stockfish-1800", "stockfish-2200"]
    assert known_programs.default_anchors(names) == {"stockfish-1800": 1800, "stockfish-2200": 2200}
    rating = known_programs.published_rating("toga2")
    assert known_programs.default_anchors(["bluekrait", "toga2"]) == {"toga2": rating}


def test_ladder_of_old_games(tmp_path, capsys):
    against_stockfish = [("new", "stockfish-2000", "1-0", 30), ("stockfish-2000", "new", "1-0", 10)]
    first = pgn(tmp_path / "first.pgn", against_stockfish)
    second = pgn(tmp_path / "second.pgn", [("new", "old", "1/2-1/2", 40), ("new", "old", "*", 3)])
    pytest.importorskip("matplotlib")
    picture = tmp_path / "ladder.svg"
    assert main(["--from", first, second, "--plot", str(picture)]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    by_name = {row[1]: row for row in rows}
    assert float(by_name["new"][2]) == pytest.approx(2000 + elo_of_score(0.75), abs=8)
    assert abs(float(by_name["new"][2]) - float(by_name["old"][2])) <= 8
    assert by_name["new"][4:6] == ["80", "62.50"]
    assert by_name["stockfish-2000"][2:4] == ["2000", "given"] and by_name["old"][4] == "40"
    assert picture.read_text().count("<svg") == 1


def test_ladder_without_known_players(tmp_path):
    path = pgn(tmp_path / "games.pgn", [("a", "b", "1-0", 3), ("b", "a", "1-0", 1)])
    ratings, anchors = ratings_from([path])
    assert not anchors and sum(rating.value for rating in ratings) == pytest.approx(0)
    assert "No rating is given" in rating_list_lines(ratings, anchors)[-1]
    ratings, anchors = ratings_from([path], {"b": 1000})
    assert ratings[1].value == 1000 and ratings[0].value > 1100


STOCKFISH = Rating("stockfish-2500", 2500.0, 0.0, 240, 180.0)
TOGA = Rating("toga2", 2449.6, 104.4, 40, 23.0)
OURS = Rating("new", 2310.4, 48.6, 200, 50.0)


def test_a_rating_list_is_a_table():
    assert rating_list_lines([STOCKFISH, TOGA, OURS], {"stockfish-2500": 2500.0}) == [
        "    player          rating      ±  games    score  published",
        "1.  stockfish-2500    2500  given    240  75.00 %       2500",
        "2.  toga2             2450    104     40  57.50 %       2850",
        "3.  new               2310     49    200  25.00 %",
        "Errors (95 %) come from the games; given ratings are taken as exact.",
    ]


def test_a_rating_just_below_zero_is_zero():
    equal = [Rating("one", 1e-9, 100.0, 2, 1.0), Rating("other", -1e-9, 100.0, 2, 1.0)]
    assert [line.split()[2] for line in rating_list_lines(equal, {})[1:3]] == ["0", "0"]
    assert [row[1] for row in rating_rows(equal)[1:]] == ["+0", "+0"]


def test_the_picture_of_a_rating_list_shows_whose_rating_is_given_and_what_is_published(monkeypatch):
    pytest.importorskip("matplotlib")
    painted = []
    monkeypatch.setattr(rating_list, "draw_picture", lambda path, paint: painted.append(paint))
    rating_list.draw_rating_list("ladder.svg", [STOCKFISH, TOGA, OURS], {"stockfish-2500": 2500.0}, "new")
    plot = new_figure().subplots()
    painted[0](plot.figure, [plot])
    players = [(*bar[0].get_xydata()[0], bar[0].get_marker(), bar[0].get_color()) for bar in plot.containers]
    assert players == [
        (2310.4, 0, "o", BLUE),
        (2449.6, 1, "o", rating_list.GREY),
        (2500.0, 2, "D", rating_list.GREY),
    ]
    assert [label.get_text() for label in plot.get_yticklabels()] == ["new", "toga2", "stockfish-2500"]
    published = [line.get_xydata().tolist() for line in plot.lines if line.get_color() == RED]
    assert published == [[[2850, 1]]]


def test_wrong_arguments_cost_one_line(machine, tmp_path, capsys):
    apart = pgn(tmp_path / "apart.pgn", [("a", "b", "1-0", 1), ("c", "d", "1-0", 1)])
    pairs = pgn(tmp_path / "pairs.pgn", [("a", "b", "1-0", 1), ("b", "a", "1-0", 1)])
    drawn = pgn(tmp_path / "pairs.svg", [("a", "b", "1-0", 1)])
    for arguments, complaint in (
        (["--from", drawn, "--plot", drawn], "pairs.svg would replace what this command works on"),
        (["--from", str(tmp_path / "none.pgn")], "none.pgn"),
        (["--from", apart], "nobody of a, b has played anybody of c, d"),
        (["--from", apart, "--anchor", "e=100"], "no such player, there are a, b, c, d"),
        (["--from", pairs, "--against", "toga2"], "--from plays nothing: leave out --engine"),
        (["--from", pairs, apart, pairs], "pairs.pgn: this file is named twice"),
        (["--from", apart, "--anchor", "a"], "expected NAME=RATING"),
        (["--from", apart, "--anchor", "a=nan"], "expected NAME=RATING"),
        (["--from", pairs, "--anchor", "a=0", "--anchor", "b=100000"], "a rating from -5000 to 5000"),
        (["--from", pairs, "--anchor", "a=0", "--anchor", "a=100"], "--anchor a: is it 0 or 100?"),
        (["--from", apart, "--anchor", "a=b=7"], "--anchor a=b: no such player"),
        (["--from", "none.pgn", pairs, "--report", "a.html"], "--report needs a single file of games"),
        (["--against", "toga2", "--anchor", "toga=2850"], "toga: no such player, there are bluekrait, toga2"),
        (["--against", "fairymax"], "fairymax is not installed"),
        (["--plot", "ladder.doc"], "ladder.doc"),
        (["--report", str(tmp_path / "missing" / "page.html")], "page.html cannot be written"),
        (["--from", apart, "a.pgn", "--report", "a.pgn"], "a.pgn would replace what this command works on"),
        (["--from", apart, "a.pgn", "--report", "a.pgn.journal"], "a.pgn.journal would replace what"),
        (["--from", "a.svg", apart, "--plot", "a.svg"], "a.svg would replace what this command works on"),
        (["--pgn", "a.svg", "--plot", "a.svg"], "a.svg would replace what this command works on"),
        (["--report", "a.svg", "--plot", "a.svg"], "a.svg is named for two files"),
    ):
        assert main(arguments) == 2
        error = capsys.readouterr().err
        assert complaint in error and error.count("\n") == 1
    for arguments in (["--levels", "900"], ["--against", "deepblue"], ["--rounds", "0"]):
        with pytest.raises(SystemExit) as leaving:
            main(arguments)
        assert leaving.value.code == 2 and capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(("code", "is_shown"), [(0, True), (130, True), (1, False)])
def test_the_games_so_far_are_rated_unless_something_failed(
    machine, tmp_path, monkeypatch, capsys, code, is_shown
):
    games = pgn(tmp_path / "games.pgn", [("bluekrait", "toga2", "1-0", 3), ("toga2", "bluekrait", "1-0", 1)])
    asked, page = [], tmp_path / "page.html"

    def run_match(plan, options, program):
        asked.append((options.report, options.plot))
        return code, None

    monkeypatch.setattr(gauntlet_command, "run_match", run_match)
    assert main(["--against", "toga2", "--pgn", games, "--report", str(page)]) == code
    assert ("bluekrait" in capsys.readouterr().out) is is_shown is page.exists()
    assert asked == [(None, None)]  # the page is that of the gauntlet


def test_every_opponent_plays_the_first_engine_only(machine, tmp_path, monkeypatch):
    plans = []

    def run_match(plan, options, program):
        plans.append(plan)
        return 1, None

    monkeypatch.setattr(gauntlet_command, "run_match", run_match)
    own = ["--engine", f"cmd={machine / 'toga2'}", "name=mine", "--pgn", str(tmp_path / "games.pgn")]
    assert main([*own, "--levels", "1350", "2850", "--rounds", "3"]) == 1
    contest = plans[0].contest
    assert [engine.name for engine in contest.engines] == [
        *("mine", "stockfish-2850", "stockfish-1350", "toga2", "phalanx")
    ]
    assert contest.pairs == 4 * 3


@pytest.mark.parametrize(("code", "told"), [(0, 2), (130, 130)])
def test_games_that_cannot_be_rated_are_an_error_unless_more_would_have_come(
    machine, tmp_path, monkeypatch, capsys, code, told
):
    monkeypatch.setattr(gauntlet_command, "run_match", lambda plan, options, program: (code, None))
    games = pgn(tmp_path / "games.pgn", [("a", "b", "1-0", 1), ("c", "d", "1-0", 1)])
    assert main(["--against", "toga2", "--pgn", games]) == told
    assert ("has played anybody" in capsys.readouterr().err) is (code == 0)


def test_list(machine, capsys):
    assert main(["--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(known_programs.NAMES)
    assert lines[0].split() == ["stockfish", "1350-2850", str(machine / "stockfish")]
    assert lines[2].split() == ["toga2", "about", "2850", str(machine / "toga2")]
    assert lines[-1].split() == ["fairymax", "about", "1950", "not", "found"]


def test_help_tells_what_is_drawn(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "draw the rating list" in " ".join(capsys.readouterr().out.split())


def test_games_are_played_and_continued(monkeypatch, tmp_path, capsys):
    """This engine takes the place of its opponents, with less to think."""
    monkeypatch.setattr(known_programs, "path_of", lambda command: "bluekrait")
    stand_in = (known_programs.Program("toga2", "toga2", 2850, ("nodes=50",)),)
    monkeypatch.setattr(known_programs, "PROGRAMS", stand_in)
    path = tmp_path / "games.pgn"
    arguments = ["--against", "toga2", "--engine", "cmd=bluekrait", "nodes=900", "--runner", "builtin"]
    arguments += ["--pgn", str(path), "--max-moves", "60", "--concurrency", "1"]
    assert main([*arguments, "--rounds", "1"]) == 0
    assert main([*arguments, "--rounds", "2", "--report", str(tmp_path / "page.html")]) == 0
    assert path.read_text().count("[Result") == 4
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    ladder = [row for row in rows if row and row[0] in ("1.", "2.")]
    assert [row[4] for row in ladder] == ["2", "2", "4", "4"]
    assert ["2850", "given"] in [row[2:4] for row in ladder]
    assert "bluekrait" in (tmp_path / "page.html").read_text()
