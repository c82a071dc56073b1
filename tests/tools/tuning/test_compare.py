"""`bluekrait tune compare`: games between two evaluations, or two settings of the search."""

import ctypes
import re
import sys
from contextlib import contextmanager, nullcontext

import pytest

from bluekrait.search.evaluation.network.network_file import pack
from bluekrait.search.self_play.game_records import WON, GameHead
from bluekrait.tools.data.evaluation_choice import chosen
from bluekrait.tools.tuning import tune_command
from bluekrait.tools.tuning.compare import compare_versions, self_match
from bluekrait.tools.tuning.compare.parameter_rows import ROWS, name_and_value
from bluekrait.tools.tuning.compare.self_match import Side, play_pair, results
from bluekrait.uci import progress
from bluekrait.uci.exits import INTERRUPTED
from helpers.network.networks import random_network


def moves_of(game):
    """The plies of a packed game."""
    return game[ctypes.sizeof(GameHead) :]


def compare(*arguments):
    """`bluekrait tune compare` in this process; the exit code."""
    return tune_command.main(["compare", *map(str, arguments), "--nodes", "60", "--processes", "1"])


@pytest.fixture(scope="module")
def nonsense(tmp_path_factory):
    """The file of a network that knows nothing."""
    path = tmp_path_factory.mktemp("networks") / "nonsense.bknn"
    path.write_bytes(pack(random_network(32, buckets=8)))
    return path


def test_an_evaluation_is_no_better_than_itself(nonsense):
    for evaluation in chosen("classical", {}), chosen(None, {}), chosen(str(nonsense), {}):
        first, second = play_pair(60, 1, 1, Side(evaluation), Side(evaluation))
        assert sum(results((first, second))) == WON
        assert moves_of(first) == moves_of(second)


def test_games_are_between_these_two_whatever_was_played_before(nonsense):
    nothing, engine = Side(chosen(str(nonsense), {})), Side(chosen(None, {}))
    pairs = [play_pair(60, 1, pair, nothing, engine) for pair in range(4)]
    play_pair(60, 1, 0, engine, nothing)
    assert [play_pair(60, 1, pair, nothing, engine) for pair in range(4)] == pairs
    assert sum(sum(results(pair)) for pair in pairs) <= WON
    self_match._here.match = None  # the next test gets new players


def test_openings_are_the_same_whoever_plays(nonsense):
    sides = [Side(chosen(name, {})) for name in (None, "classical", str(nonsense))]
    for pair in range(3):
        heads = [GameHead.from_buffer_copy(play_pair(60, 1, pair, side, side)[0]) for side in sides]
        assert len({bytes(head.board) for head in heads}) == 1


def test_the_command_tells_how_it_stands(nonsense, monkeypatch, capsys):
    monkeypatch.setattr(progress, "LOG_SECONDS", 0.0)
    assert compare(nonsense, "--games", 4) == 0
    told = [line.partition(",")[0] for line in capsys.readouterr().err.splitlines()]
    assert told == ["2 of 4 games", "4 of 4 games"]


def test_the_command_tells_who_is_better(nonsense, capsys):
    assert compare(nonsense, "--games", 8) == 0
    printed = capsys.readouterr().out
    assert re.match(r"Elo: -(\d+|inf)", printed)
    assert "Games: 8," in printed
    assert compare("package", nonsense, "--games", 8) == 0
    assert re.match(r"Elo: (\d+|inf)", capsys.readouterr().out)


@pytest.mark.parametrize("clock", [(), ("--clock",)])
def test_every_pair_has_an_opening_of_its_own(clock, monkeypatch):
    played = []

    def nobody(pool, function, units):
        played.extend(units)
        return iter(())

    monkeypatch.setattr(compare_versions, "run_units", nobody)
    assert compare("--one", "see_noisy=30", "--games", 6, "--seed", 5, *clock) == 0
    assert [unit[:3] for unit in played] == [(60, 5, 0), (60, 5, 1), (60, 5, 2)]
    assert {unit[-1] for unit in played} == {bool(clock)}


def test_games_are_counted_even_if_a_worker_dies(monkeypatch, capsys):
    def dying(pool, function, units):
        yield function(*next(iter(units)))
        raise ValueError("a worker process was killed")

    monkeypatch.setattr(compare_versions, "run_units", dying)
    assert compare("--one", "see_noisy=30", "--games", 8) != 0
    printed = capsys.readouterr()
    assert "Games: 2," in printed.out and "was killed" in printed.err


def test_an_interruption_ends_the_pool_and_the_games_early(monkeypatch, capsys):
    told = []

    @contextmanager
    def watched_pool(*_):
        try:
            yield None
        except KeyboardInterrupt:
            told.append("interrupted")  # so a pool ends its workers, and does not wait for their games
            raise

    def interrupted(pool, function, units):
        yield function(*next(iter(units)))
        raise KeyboardInterrupt

    monkeypatch.setattr(compare_versions, "open_pool", watched_pool)
    monkeypatch.setattr(compare_versions, "run_units", interrupted)
    assert compare("--one", "see_noisy=30", "--games", 8) == INTERRUPTED
    assert told == ["interrupted"] and "Games: 2," in capsys.readouterr().out


def test_a_result_that_nobody_can_read_is_a_failure(monkeypatch):
    monkeypatch.setattr(compare_versions, "open_pool", lambda *_: nullcontext())
    monkeypatch.setattr(compare_versions, "_play", lambda played, points, wanted: points.extend([1.0, 0.5]))
    monkeypatch.setattr(sys, "stdout", None)  # it was closed at the start
    with pytest.raises(BrokenPipeError):  # `bluekrait` then ends without a word
        compare("--one", "see_noisy=30", "--games", 2)


def test_numbers_of_the_search_make_two_sides(capsys):
    low, high = ("late_move_base=1", "see_noisy=60"), ("late_move_base=8", "see_noisy=8")
    options = [word for number in low for word in ("--one", number)]
    options += [word for number in high for word in ("--other", number)]
    assert compare("classical", "classical", *options, "--games", 6) == 0
    assert "Games: 6," in capsys.readouterr().out
    evaluation = chosen("classical", {})
    one, other = (Side(evaluation, dict(map(name_and_value, numbers))) for numbers in (low, high))
    first, second = play_pair(60, 1, 0, one, other)
    assert moves_of(first) != moves_of(second)


@pytest.mark.parametrize(
    "number", ["bold=3", "late_move_base", "late_move_base=99", "late_move_base=-1", "late_move_base=x"]
)
def test_a_number_that_the_search_has_not_is_refused(number, capsys):
    with pytest.raises(SystemExit) as leaving:
        compare("--one", number)
    assert leaving.value.code == 2
    assert number.partition("=")[0] in capsys.readouterr().err


def test_two_sides_that_are_the_same_are_refused(capsys):
    assert (
        compare()
        == compare("package", "package")
        == compare("--one", "see_noisy=30", "--other", "see_noisy=30")
        == compare("--one", f"see_noisy={ROWS['see_noisy'].value}")
        == 2
    )
    assert "--one or --other" in capsys.readouterr().err


def test_a_game_without_its_partner_is_refused(capsys):
    assert compare("--one", "see_noisy=30", "--games", "7") == 2
    assert "--games must be even" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [["compare"], ["search", "new.jsonl"]],
    ids=lambda command: command[0],
)
def test_more_nodes_than_a_game_can_tell_are_refused(command, capsys):
    with pytest.raises(SystemExit) as leaving:
        tune_command.main([*command, "--nodes", "1000001"])
    assert leaving.value.code == 2
    assert "1000001 is above 1000000" in capsys.readouterr().err


def test_what_is_no_network_is_refused(tmp_path, capsys):
    assert compare(tmp_path / "missing.bknn") == 2
    assert "missing.bknn" in capsys.readouterr().err
