"""Many games at once, each in a process of its own."""

import os
import signal

import pytest

from bluekrait.tools.match.runner import game_processes
from bluekrait.tools.match.runner.game_processes import play_games
from helpers.match.matches import SHORT, contest_of, fake, noted_processes, wait_until_gone


def test_a_game_stays_on_its_processors(tmp_path):
    if not hasattr(os, "sched_getaffinity"):
        pytest.skip("processes cannot be tied to processors here")
    cpu = min(os.sched_getaffinity(0))
    engine = fake("A", "good", f"pids={tmp_path / 'pids'}", "sleep=0.02")
    games = play_games(contest_of(engine, fake("B")).schedule(), cpus=[{cpu}])
    assert next(games).key == (1, 1)
    assert os.sched_getaffinity(noted_processes(tmp_path / "pids")[0]) == {cpu}
    games.close()


def test_games_at_the_same_time():
    contest = contest_of(fake("A"), fake("B", "crash"), rounds=3)
    begun = []
    games = list(play_games(contest.schedule(), 2, on_start=lambda scheduled: begun.append(scheduled.key)))
    expected = [scheduled.key for scheduled in contest.schedule()]
    assert begun == expected
    assert sorted(game.key for game in games) == expected


def test_nothing_runs_on_when_nobody_wants_more_games(tmp_path):
    noted = f"pids={tmp_path / 'pids'}"
    engines = fake("A", "good", "sleep=0.02", noted), fake("B", "good", noted)
    games = play_games(contest_of(*engines, rounds=5).schedule(), 2)
    assert next(games).pair == 1
    games.close()
    assert len(noted_processes(tmp_path / "pids")) >= 2
    wait_until_gone(tmp_path / "pids")


class Started(list):
    """The processes that were started. The first is number 1; `doomed` are the numbers of those to kill."""

    doomed = ()


@pytest.fixture
def started(monkeypatch):
    """Notes the processes that play games, and kills those that are doomed before they play."""
    processes, start = Started(), game_processes._GameProcess._start

    def start_and_note(slot):
        start(slot)
        processes.append(slot._process)
        if len(processes) in processes.doomed:
            os.kill(slot._process.pid, signal.SIGKILL)

    monkeypatch.setattr(game_processes._GameProcess, "_start", start_and_note)
    return processes


def test_each_game_whose_process_dies_is_played_again(started, monkeypatch):
    started.doomed = 1, 2, 4  # the third plays the first game
    begun, start_game = [], game_processes._GameProcess.start_game

    def start_game_of_a_match(slot, scheduled):
        if begun:
            os.kill(started[-1].pid, signal.SIGKILL)  # between two games
        start_game(slot, scheduled)

    monkeypatch.setattr(game_processes._GameProcess, "start_game", start_game_of_a_match)
    contest = contest_of(fake("A"), fake("B"), rules=SHORT)
    games = list(play_games(contest.schedule(), on_start=lambda scheduled: begun.append(scheduled.key)))
    assert [game.key for game in games] == begun == [(1, 1), (1, 2)]
    assert len(started) == 5


def test_a_game_whose_process_always_dies_ends_the_match(started):
    started.doomed = range(99)
    contest = contest_of(fake("A"), fake("B"), rules=SHORT)
    with pytest.raises(RuntimeError, match="the process of game 1.1 died"):
        list(play_games(contest.schedule()))
    assert len(started) == game_processes.ATTEMPTS
