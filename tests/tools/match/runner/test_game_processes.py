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


def test_a_game_whose_process_dies_is_played_again():
    contest = contest_of(fake("A"), fake("B"), rules=SHORT)
    made = []
    start = game_processes._GameProcess._start

    def remember(slot):
        start(slot)
        made.append(slot._process)
        if len(made) == 1:
            os.kill(slot._process.pid, signal.SIGKILL)

    game_processes._GameProcess._start = remember
    try:
        games = list(play_games(contest.schedule()))
    finally:
        game_processes._GameProcess._start = start
    assert [game.key for game in games] == [(1, 1), (1, 2)]
    assert len(made) == 2
