"""SPSA of the search: that it finds what is better, and goes on exactly where it was."""

import json
import random
import sys
from types import SimpleNamespace

import pytest

from bluekrait.search.parameters import DEFAULTS, PARAMETERS, Parameter
from bluekrait.search.self_play.game_records import LOST, WON, GameHead
from bluekrait.search.self_play.node_clock import MOVES_AT_START
from bluekrait.tools.common.engine_identity import engine_identity
from bluekrait.tools.common.files.json_journal import Journal
from bluekrait.tools.common.pictures import MOST_POINTS, new_figure
from bluekrait.tools.data import datagen_command
from bluekrait.tools.data.evaluation_choice import chosen as chosen_evaluation
from bluekrait.tools.data.formats.game_samples import EVERYTHING
from bluekrait.tools.data.formats.labelled_file import opened, read_contents, samples_of
from bluekrait.tools.tuning import tune_command
from bluekrait.tools.tuning.compare import self_match
from bluekrait.tools.tuning.compare.self_match import Side, play_pair, results
from bluekrait.tools.tuning.search import tune_search
from bluekrait.tools.tuning.search.effects import ELO_PER_SURPLUS, Effect, effect_lines, effects
from bluekrait.tools.tuning.search.spsa import Gains, Spsa, rounded
from bluekrait.tools.tuning.search.spsa_view import SpsaView, draw_steps
from bluekrait.tools.tuning.search.tune_search import PROGRAM, Tuning, chosen, report
from bluekrait.uci import progress
from bluekrait.uci.exits import INTERRUPTED
from bluekrait.uci.protocol import commands

ROWS = (
    Parameter("margin", 300, 0, 1000, 40),
    Parameter("depth", 6, 1, 20, 1),
    Parameter("bonus", 90, 0, 500, 10),
)
BEST = {"margin": 460, "depth": 10, "bonus": 50}  # four steps away, each


def loss(values):
    """How far values are from the best ones: in steps, squared."""
    return sum(((values[row.name] - BEST[row.name]) / row.step) ** 2 for row in ROWS)


def stand_in(trial, rng, games):
    """Games won less games lost, if the better values win a little more often."""
    edge = min(max((loss(trial.minus) - loss(trial.plus)) / 60, -0.9), 0.9)
    return sum(1 if rng.random() < (1 + edge) / 2 else -1 for _ in range(games))


# --- the algorithm --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_the_optimum_of_a_noisy_quadratic_is_found(seed):
    iterations = 600
    spsa, rng = Spsa(ROWS, iterations, seed, Gains(a=0.02)), random.Random(seed)
    before = loss(spsa.values)
    for iteration in range(iterations):
        trial = spsa.trial(iteration)
        spsa.learn(iteration, trial, stand_in(trial, rng, 16))
    assert loss(spsa.values) < before / 20
    assert all(abs(row.value - BEST[row.name]) <= 1.5 * row.step for row in rounded(spsa))


def test_numbers_go_where_the_winner_is():
    spsa = Spsa(ROWS, 100, 1)
    for iteration, surplus in ((0, 5), (1, -3), (2, 0)):
        before, trial = dict(spsa.values), spsa.trial(iteration)
        assert spsa.signs(iteration) == trial.signs
        spsa.learn(iteration, trial, surplus)
        for row in ROWS:
            went = spsa.values[row.name] - before[row.name]
            assert went == pytest.approx(spsa.step_per_win(row, iteration) * surplus * trial.signs[row.name])


def test_gains_are_what_they_are_called():
    spsa, row = Spsa(ROWS, 1000, 1, Gains(a=0.01, c=2)), ROWS[0]
    assert spsa.perturbation(row, 999) == 2 * row.step
    assert spsa.step_per_win(row, 999) == pytest.approx(0.01 * 2 * row.step)
    early = 174  # iteration 175 of 1000; the first strides are held back by 100 iterations
    reach = 2 * row.step * (1000 / 175) ** 0.101
    assert spsa.perturbation(row, early) == pytest.approx(reach)
    stride = 0.01 * (2 * row.step) ** 2 * ((100 + 1000) / (100 + 175)) ** 0.602 / reach
    assert spsa.step_per_win(row, early) == pytest.approx(stride)
    reaches, strides = ([of(row, t) for t in range(1000)] for of in (spsa.perturbation, spsa.step_per_win))
    assert reaches == sorted(reaches, reverse=True)
    assert strides[100:] == sorted(strides[100:], reverse=True)  # but for those that are held back


def test_rounding_is_fair():
    row, count = Parameter("small", 5, 0, 100, 1), 8000
    spsa = Spsa((row,), count, 3, Gains(c=0.25, gamma=1e-9))
    trials = [spsa.trial(iteration) for iteration in range(count)]
    for side in ("plus", "minus"):
        shifts = [(getattr(t, side)["small"] - 5) * t.signs["small"] for t in trials]
        expected = 0.25 if side == "plus" else -0.25
        assert sum(shifts) / count == pytest.approx(expected, abs=0.03)
        assert set(shifts) <= {-1, 0, 1}


def test_nothing_leaves_its_range():
    row = Parameter("narrow", 3, 2, 4, 5)
    spsa = Spsa((row,), 50, 1, Gains(a=10))
    for iteration in range(50):
        trial = spsa.trial(iteration)
        assert 2 <= trial.plus["narrow"] <= 4 and 2 <= trial.minus["narrow"] <= 4
        spsa.learn(iteration, trial, 16)
        assert 2 <= spsa.values["narrow"] <= 4


# --- effects --------------------------------------------------------------------------------------


def test_games_tell_what_each_number_does():
    true, rng, signs, games = {"good": 20, "bad": -30, "idle": 0}, random.Random(5), [], []
    for _ in range(3000):
        sign = {name: rng.choice((-1, 1)) for name in true}
        surplus = sum(true[name] * sign[name] for name in true) / ELO_PER_SURPLUS
        results = rng.choices((0, 1, 2), (0.3 + surplus / 2, 0.4, 0.3 - surplus / 2), k=4)
        signs.append(sign)
        games.append([results.count(result) for result in range(3)])
    found = {effect.name: effect for effect in effects(signs, games)}
    assert all(abs(effect.elo - true[name]) < 1.5 * effect.error for name, effect in found.items())
    assert 3 < found["idle"].error < 6
    assert [effect.name for effect in effects(signs, games)] == ["bad", "good", "idle"]


def test_the_error_of_an_effect_grows_with_what_is_left_unexplained():
    signs = [{"one": one, "two": two} for one in (1, -1) for two in (1, -1)]
    surplus = [2 * sign["one"] + sign["one"] * sign["two"] for sign in signs]
    games = [[5 + each, 0, 5 - each] for each in surplus]
    one, two = effects(signs, games)
    assert (one.name, one.elo) == ("one", pytest.approx(0.4 * ELO_PER_SURPLUS))
    assert (two.name, two.elo) == ("two", pytest.approx(0))
    assert one.error == pytest.approx(1.96 * 0.2 / 2**0.5 * ELO_PER_SURPLUS, rel=1e-3) == two.error


def test_an_effect_that_is_rounded_to_zero_has_no_minus():
    assert effect_lines([Effect("one", -0.04, 0.0), Effect("other", -0.06, 1.0)]) == [
        "one      +0.0 ± 0.0",
        "other    -0.1 ± 1.0",
    ]


def test_the_surest_effect_comes_first():
    signs = [{"large": one, "sure": two, "idle": one} for one in (1, -1) for two in (1, -1)] * 2
    signs += [{"large": one, "sure": one, "idle": -one} for one in (1, -1)]  # else two are always alike
    noise = [0, 1, 0, -1, 0, -1, 0, 1, 0, 0]
    surplus = [11 * sign["large"] + 10 * sign["sure"] + more for sign, more in zip(signs, noise)]
    sure, large, idle = effects(signs, [[50 + each, 0, 50 - each] for each in surplus])
    assert (sure.name, large.name, idle.name) == ("sure", "large", "idle")
    assert large.elo > sure.elo and large.error > sure.error


def test_too_few_iterations_tell_nothing():
    assert effects([], []) == effects([{"one": 1, "two": -1}] * 2, [[1, 0, 1]] * 2) == []


# --- games ----------------------------------------------------------------------------------------


def pair_of_games(number, one, other):
    """A pair of quick games between two sets of parameters."""
    own = chosen_evaluation(None, {})
    return play_pair(40, 7, number, Side(own, one), Side(own, other))


def test_equal_players_make_equal_games():
    for number in range(3):
        assert sum(results(pair_of_games(number, {}, {}))) == WON


def test_the_two_games_of_a_pair_begin_alike_and_are_told_apart():
    first, second = map(GameHead.from_buffer_copy, pair_of_games(4, {}, {"see_quiet": 33}))
    assert (first.number, second.number) == (8, 9)
    assert bytes(first.board) == bytes(second.board) and first.first_ply == second.first_ply
    others = [GameHead.from_buffer_copy(game) for game in pair_of_games(5, {}, {"see_quiet": 33})]
    assert bytes(others[0].board) != bytes(first.board)


def test_with_a_clock_a_side_spends_what_it_has():
    own = Side(chosen_evaluation(None, {}))
    for number in range(3):
        for game in play_pair(200, 7, number, own, own, True):
            head = GameHead.from_buffer_copy(game)
            moves = -(-head.plies // 2)
            given = 2 * 200 * (MOVES_AT_START + moves)
            assert 0.5 * given < head.nodes < given
        assert play_pair(200, 7, number, own, own) != play_pair(200, 7, number, own, own, True)


def test_parameters_reach_the_search_and_leave_it_again():
    fewer_moves, less_deep = {"late_move_base": 1}, {"reduction_slope": 700}  # they change any game
    pair_of_games(0, fewer_moves, less_deep)
    players = self_match._here.players
    one, other = (side._thread.parameters for side in (players.one, players.other))
    assert (one.late_move_base, one.reduction_slope) == (1, DEFAULTS["reduction_slope"])
    assert (other.late_move_base, other.reduction_slope) == (DEFAULTS["late_move_base"], 700)
    between = pair_of_games(1, fewer_moves, less_deep)
    self_match._here.match = None  # players that have not played before
    assert pair_of_games(1, fewer_moves, less_deep) == between
    assert pair_of_games(1, {}, {}) != between


def test_the_parameters_of_a_side_decide_its_moves():
    """Three games that are alike but for the parameters of White, or of Black, go three ways."""
    usual, careless = {}, {"quiescence_see": 0, "see_noisy": 8, "reduction_base": 1600}
    equal, white_differs = pair_of_games(2, usual, usual)[0], pair_of_games(2, careless, usual)[0]
    black_differs = pair_of_games(2, usual, careless)[0]
    assert len({equal, white_differs, black_differs}) == 3


# --- the command ----------------------------------------------------------------------------------

TINY = ["--iterations", "3", "--pairs", "2", "--nodes", "40", "--parameters", "razor_base,see_quiet"]


def search(path, *more):
    """`bluekrait tune search` in this process; the exit code."""
    return tune_command.main(["search", str(path), "--processes", "1", *more])


@pytest.fixture(scope="module")
def journal(tmp_path_factory):
    """A journal of three quick iterations."""
    path = tmp_path_factory.mktemp("tuned") / "tuning.jsonl"
    assert search(path, *TINY) == 0
    return path


def test_a_journal_tells_everything(journal):
    head, *done = map(json.loads, journal.read_text().splitlines())
    assert head["nodes"] == 40 and [row[0] for row in head["rows"]] == ["razor_base", "see_quiet"]
    assert head.items() >= {**engine_identity(), "evaluation": chosen_evaluation(None, {}).name}.items()
    assert [line["iteration"] for line in done] == [1, 2, 3]
    assert all(sum(line["games"]) == 4 for line in done)


def test_it_goes_on_exactly_where_it_was(journal, tmp_path):
    whole, path = journal.read_bytes(), tmp_path / "torn.jsonl"
    ends = [place for place, byte in enumerate(whole) if byte == 10]
    for length in (0, 20, ends[0], ends[0] + 1, ends[1] + 1, ends[1] + 30, ends[2], ends[2] + 1):
        path.write_bytes(whole[:length])
        assert search(path, *TINY) == 0
        assert path.read_bytes() == whole


def test_values_move_to_the_side_that_wins(tmp_path, monkeypatch):
    won_twice = bytes(GameHead(result=WON)), bytes(GameHead(result=LOST))  # as White, then as Black
    monkeypatch.setattr(tune_search, "played", lambda *_: [won_twice, won_twice])
    path = tmp_path / "won.jsonl"
    assert search(path, *TINY) == 0
    head, first, *_ = map(json.loads, path.read_text().splitlines())
    assert first["games"] == [4, 0, 0]
    rows = [Parameter(*row) for row in head["rows"]]
    signs = Spsa(rows, head["iterations"], head["seed"]).trial(0).signs
    assert all((first["values"][row.name] - row.value) * signs[row.name] > 0 for row in rows)


def test_kept_games_are_those_that_were_counted_once_each(journal, tmp_path):
    path, kept = tmp_path / "kept.jsonl", tmp_path / "games.bkg"
    assert search(path, *TINY, "--keep", str(kept)) == 0
    whole = kept.read_bytes()
    assert path.read_bytes() == journal.read_bytes()
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))  # killed between the games and the journal
    assert search(path, *TINY, "--keep", str(kept)) == 0
    assert kept.read_bytes() == whole
    kept.write_bytes(whole[:-7])  # killed while the last games were written
    path.write_bytes(b"".join(lines[:-1]))
    assert search(path, *TINY, "--keep", str(kept)) == 0
    assert kept.read_bytes() == whole
    with opened(kept) as data:
        contents = read_contents(data)
    assert contents.games == set(range(12)) and contents.blocks == 12
    assert contents.head.items() >= {"kind": "tuning", **engine_identity()}.items()
    assert len(samples_of(kept, EVERYTHING)) == contents.samples


def test_games_are_kept_in_the_order_of_their_numbers(tmp_path, monkeypatch):
    run_units, files = tune_search.run_units, []
    for number in range(2):
        files.append(tmp_path / f"{number}.bkg")
        assert search(tmp_path / f"{number}.jsonl", *TINY, "--keep", str(files[-1])) == 0
        monkeypatch.setattr(tune_search, "run_units", lambda *work: reversed(list(run_units(*work))))
    assert files[0].read_bytes() == files[1].read_bytes()


def test_games_are_added_to_no_other_file(journal, tmp_path, capsys):
    kept, other = tmp_path / "games.bkg", tmp_path / "other.bkg"
    assert datagen_command.main([str(other), "--games", "2", "--nodes", "40", "--processes", "1"]) == 0
    assert search(tmp_path / "one.jsonl", *TINY, "--keep", str(kept)) == 0
    for file in other, kept:
        file.write_bytes(file.read_bytes()[:-1])  # its last block is torn
    before = other.read_bytes(), kept.read_bytes()
    capsys.readouterr()
    for file, more in ((other, ()), (kept, ("--seed", "2")), (kept, ("--c", "0.5"))):
        assert search(tmp_path / "two.jsonl", *TINY, *more, "--keep", str(file)) == 2
        assert capsys.readouterr().err.count("\n") == 1
        assert not (tmp_path / "two.jsonl").exists()  # other settings may follow
    assert (other.read_bytes(), kept.read_bytes()) == before


def test_the_progress_is_that_of_these_iterations():
    view = SpsaView(Spsa(ROWS, 100, 1), {"iterations": 100}, done=90)
    view.update([5, 2, 1], 30.0)
    view.update([1, 4, 3], 50.0)
    assert view._text() == "iteration 92 of 100, 0.2 games a second, 38% drawn, 5:20 left"


def test_a_run_tells_every_iteration_and_then_what_show_tells(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(progress, "LOG_SECONDS", 0.0)
    path = tmp_path / "tuning.jsonl"
    assert search(path, *TINY) == 0
    told = capsys.readouterr()
    iterations = [line.partition(",")[0] for line in told.err.splitlines()]
    assert iterations == [f"iteration {done} of 3" for done in (1, 2, 3)]
    assert search(path, "--show") == 0
    assert capsys.readouterr().out == told.out
    assert tune_search.HEADING_OF_EFFECTS in told.out


def test_a_terminal_shows_where_each_number_is():
    rich = pytest.importorskip("rich.console", reason="the extra [tools] is not installed")
    spsa = Spsa(ROWS, 100, 1)
    spsa.values["margin"] = 290.0
    view = SpsaView(spsa, {"iterations": 100}, done=90)
    view.update([5, 2, 1], 30.0)
    with (console := rich.Console(width=100)).capture() as captured:
        console.print(view._table())
    told, *lines = captured.get().splitlines()
    assert told == view._text()
    (margin,) = (line.strip("│").split("│") for line in lines if "margin" in line)
    reach = spsa.perturbation(ROWS[0], 91)
    assert [cell.strip() for cell in margin] == ["margin", "300", "290.0", "-0.25", f"{reach:.1f}"]


def test_curves_are_steps_from_the_start_and_have_another_line_where_colours_are_used_up():
    pytest.importorskip("matplotlib")
    axes = new_figure().subplots()
    rows = [ROWS[0]._replace(name=f"margin {number}") for number in range(41)]
    draw_steps(axes, rows, [dict.fromkeys((row.name for row in rows), value) for value in (340, 280)])
    assert all(line.get_ydata().tolist() == [0, 1, -0.5] for line in axes.lines)
    styles = [line.get_linestyle() for line in axes.lines]
    assert styles == [*["-"] * 10, *["--"] * 10, *[":"] * 10, *["-."] * 10, "-"]


def test_the_curves_of_a_long_run_have_few_points_and_end_where_it_does():
    pytest.importorskip("matplotlib")
    axes, row = new_figure().subplots(), ROWS[0]
    draw_steps(axes, [row], [{row.name: row.value + row.step * number} for number in range(1, 10_000)])
    (curve,) = axes.lines
    assert len(curve.get_xdata()) <= MOST_POINTS and curve.get_xydata()[-1].tolist() == [9999, 9999]


def test_an_interruption_tells_what_was_found_until_then(tmp_path, monkeypatch, capsys):
    play = tune_search.played

    def interrupted(pool, trial, iteration, *how):
        if iteration == 1:
            raise KeyboardInterrupt
        return play(pool, trial, iteration, *how)

    path = tmp_path / "tuning.jsonl"
    monkeypatch.setattr(tune_search, "played", interrupted)
    assert search(path, *TINY) == INTERRUPTED
    told, errors = capsys.readouterr()
    assert errors.endswith("bluekrait tune search: interrupted. The same command continues\n")
    assert '"razor_base"' in told and len(path.read_text().splitlines()) == 2  # settings, one iteration
    assert search(path, "--show") == 0
    assert capsys.readouterr().out == told


def test_processes_change_nothing(journal, tmp_path):
    path = tmp_path / "parallel.jsonl"
    assert tune_command.main(["search", str(path), "--processes", "2", *TINY]) == 0
    assert path.read_bytes() == journal.read_bytes()


def test_settings_are_those_it_was_begun_with(journal, capsys):
    before = journal.read_bytes()
    for wrong in (("--nodes", "41"), ("--c", "2"), ("--parameters", "razor_base")):
        assert search(journal, *wrong) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert search(journal) == 0
    assert journal.read_bytes() == before


def with_head(journal, path, **changes):
    """A copy of a journal with another head, without what is None."""
    head, *rest = journal.read_text().splitlines(keepends=True)
    head = {name: value for name, value in (json.loads(head) | changes).items() if value is not None}
    path.write_text(json.dumps(head) + "\n" + "".join(rest))
    return path


def test_a_journal_is_not_continued_with_another_network(journal, tmp_path, capsys):
    path = with_head(journal, tmp_path / "other.jsonl", evaluation="bare network 0123456789abcdef")
    before = path.read_bytes()
    assert search(path) == 2
    told = capsys.readouterr().err
    assert "begun with another evaluation (bare network 0123456789abcdef, now" in told
    assert told.count("\n") == 1 and path.read_bytes() == before
    assert search(path, "--show") == 0


def test_a_journal_of_other_sources_is_continued_with_a_warning(journal, tmp_path, capsys):
    path = with_head(journal, tmp_path / "other.jsonl", sources="0123456789abcdef")
    assert search(path) == 0
    assert "was begun by another engine (sources 0123456789abcdef" in capsys.readouterr().err


def test_a_number_that_the_engine_has_no_more_is_told(journal, tmp_path, capsys, monkeypatch):
    rows = {name: row for name, row in tune_search.ROWS.items() if name != "see_quiet"}
    monkeypatch.setattr(tune_search, "ROWS", rows)
    assert search(journal) == 2
    told = capsys.readouterr().err
    assert "tunes what this engine does not have, see_quiet" in told and told.count("\n") == 1
    assert search(journal, "--show") == 0
    assert '"see_quiet"' in capsys.readouterr().out


def test_journals_from_before_the_engine_was_named_are_continued(journal, tmp_path, capsys):
    games, whole = tmp_path / "games.bkg", journal.read_text().splitlines(keepends=True)
    unnamed = with_head(journal, tmp_path / "old.jsonl", bluekrait=None, sources=None, evaluation=None)
    lines = unnamed.read_text().splitlines(keepends=True)
    unnamed.write_text("".join(lines[:-1]))
    assert search(unnamed, "--keep", str(games)) == 0
    assert unnamed.read_text().splitlines(keepends=True) == [lines[0], *whole[1:]]
    assert not capsys.readouterr().err


def test_what_only_shows_writes_nothing_and_disturbs_nobody(journal, tmp_path, capsys):
    empty, torn = tmp_path / "empty.jsonl", tmp_path / "torn.jsonl"
    empty.touch()
    assert search(empty, "--show") == 2
    assert "no tuning was begun" in capsys.readouterr().err and not empty.read_bytes()
    before = journal.read_bytes() + b'{"iter'
    torn.write_bytes(before)
    assert search(torn, "--show") == 0
    assert torn.read_bytes() == before
    with Journal(journal, PROGRAM):
        assert search(journal, "--show") == 0


def test_what_cannot_be_printed_is_drawn_all_the_same(journal, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(sys, "stdout", None)  # it was closed at the start
    with pytest.raises(BrokenPipeError):  # `bluekrait` then ends without a word
        search(journal, "--show", "--plot", str(tmp_path / "paths.svg"))
    assert (tmp_path / "paths.svg").exists()


def test_other_files_are_left_alone(tmp_path, capsys):
    path = tmp_path / "thesis.txt"
    path.write_text("three years of work")
    assert search(path) == 2
    assert path.read_text() == "three years of work"
    assert capsys.readouterr().err.count("\n") == 1


def test_what_was_found_is_printed_and_drawn(journal, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "paths.png"
    assert search(journal, "--show", "--plot", str(picture)) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    source, openbench, effects = capsys.readouterr().out.split("\n\n")
    rows = [eval(line.strip(" ,"), {"Parameter": Parameter}) for line in source.splitlines()[1:]]
    assert [row.name for row in rows] == ["razor_base", "see_quiet"]
    inputs = [line.split(", ") for line in openbench.splitlines()[1:]]
    assert [(name, kind, int(value)) for name, kind, value, *_ in inputs] == [
        (row.name, "int", row.value) for row in rows
    ]
    assert sorted(line.split()[0] for line in effects.splitlines()[1:]) == [row.name for row in rows]


def test_a_picture_does_not_replace_the_journal_or_the_games(journal, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    picture = journal.rename(tmp_path / "paths.svg")
    before = picture.read_bytes()
    assert search(picture, "--show", "--plot", str(picture)) == 2
    assert "would replace what this command works on" in capsys.readouterr().err
    assert picture.read_bytes() == before
    kept = str(tmp_path / "games.svg")
    assert search(picture, "--keep", kept, "--plot", kept) == 2
    assert "is named for two files" in capsys.readouterr().err
    assert picture.read_bytes() == before


def test_untouched_numbers_are_printed_as_the_engine_does():
    expected = []
    commands.parameters(SimpleNamespace(say=expected.append), [])
    tuning = Tuning({}, [], {}, "new.jsonl")
    lines = report(tuning.spsa, tuning.settings).splitlines()
    assert lines[-len(PARAMETERS) :] == expected
    assert rounded(tuning.spsa) == chosen("all") == list(PARAMETERS)


def test_openbench_is_told_the_gains_of_the_last_iteration():
    tuning = Tuning({}, [], {"parameters": "see_quiet", "a": 0.004, "c": 2.5}, "new.jsonl")
    (row,) = chosen("see_quiet")
    expected = f"see_quiet, int, {row.value}, {row.low}, {row.high}, {2.5 * row.step:g}, 0.004"
    assert report(tuning.spsa, tuning.settings).splitlines()[-1] == expected


def test_a_picture_that_cannot_be_drawn_is_told_before_the_games(tmp_path, capsys):
    assert search(tmp_path / "new.jsonl", *TINY, "--plot", str(tmp_path / "paths.txt")) == 2
    assert "paths.txt" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_number_that_is_named_twice_is_tuned_once():
    assert tune_search.names("see_quiet,razor_base,see_quiet") == "see_quiet,razor_base"


@pytest.mark.parametrize("wrong", ["--parameters elegance", "--a -1", "--A 2", "--pairs 0"])
def test_wrong_arguments_are_told_in_one_line(wrong, tmp_path, capsys):
    with pytest.raises(SystemExit) as leaving:
        search(tmp_path / "new.jsonl", *wrong.split())
    assert leaving.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not list(tmp_path.iterdir())
