"""Games of engines good and bad."""

import asyncio
import io
import sys

import chess
import chess.engine
import chess.pgn
import pytest

from bluekrait.tools.match.runner import engine_process, game_play
from bluekrait.tools.match.runner.engine_process import EngineMove, StartFailure
from bluekrait.tools.match.runner.game_play import GamePlayer, comment_of, score_text
from bluekrait.tools.match.runner.pair_play import play_in_sequence, play_pair
from bluekrait.tools.match.setup.contest import Rules
from bluekrait.tools.match.setup.engine_spec import parse_engine
from bluekrait.tools.match.setup.opening_files import START, Opening
from bluekrait.tools.match.setup.time_control import TimeControl
from helpers.match.matches import FAKE, contest_of, fake, noted_processes, wait_until_gone


@pytest.mark.parametrize(
    ("mode", "at", "plies", "termination", "reason"),
    [
        ("crash", 3, (5, 4), "abandoned", "disconnects"),
        ("hang", 1, (1, 0), "time forfeit", "loses on time (no answer)"),
        ("late", 1, (2, 1), "time forfeit", "loses on time ("),
        ("illegal", 3, (5, 4), "rules infraction", "makes an illegal move: e1e8"),
        ("nomove", 3, (5, 4), "rules infraction", "makes an illegal move: (none)"),
        ("flood", 3, (5, 4), "abandoned", "floods its output"),
    ],
)
def test_whoever_misbehaves_loses_and_the_match_goes_on(mode, at, plies, termination, reason):
    good, bad = fake("good"), fake("bad", mode, f"at={at}", tc="tc=0.1" if at == 1 else "tc=20")
    games = play_pair(contest_of(good, bad), 1)
    assert [(game.result, game.termination) for game in games] == [("1-0", termination), ("0-1", termination)]
    assert f"Black {reason}" in games[0].reason
    assert f"White {reason}" in games[1].reason
    assert tuple(game.plies for game in games) == plies


def test_what_is_late_may_be_forgiven():
    late = fake("late", "late", "at=1", "late=1.3")
    patient = late._replace(time=TimeControl(0.1, 20.0, margin=20.0))
    assert play_pair(contest_of(fake("good"), patient), 1)[0].termination == "adjudication"


def test_the_last_thing_said_before_a_move_counts():
    game = play_pair(contest_of(fake("good", "good", "depth=2000", "score=31"), fake("quiet")), 1)[0]
    assert game.pgn.count("{+0.31/2000 ") == game.plies // 2 > 0


def test_whoever_talks_when_not_asked_may_go_on():
    games = play_pair(contest_of(fake("good"), fake("chatter", "chatter")), 1)
    assert [game.reason for game in games] == ["Draw by adjudication (too many moves)"] * 2


@pytest.mark.parametrize(("mode", "reason"), [("mute", "no answer within"), ("die", ".*no weights")])
def test_a_game_with_an_engine_that_does_not_start_has_no_result(mode, reason, tmp_path, monkeypatch):
    monkeypatch.setattr(engine_process, "START_SECONDS", 5.0)  # long enough for the other engine
    monkeypatch.setattr(game_play, "RETRY_SECONDS", 0.0)
    pids = tmp_path / "pids"
    with pytest.raises(StartFailure, match=f"^B does not start: {reason}"):
        play_pair(contest_of(fake("A"), fake("B", mode, f"pids={pids}")), 1)
    assert len(noted_processes(pids)) == game_play.START_ATTEMPTS
    wait_until_gone(pids)


def test_an_engine_that_starts_at_the_second_attempt_plays(tmp_path, monkeypatch):
    monkeypatch.setattr(game_play, "RETRY_SECONDS", 0.0)
    program = tmp_path / "engine.sh"
    program.write_text(f'[ -e tried ] || {{ touch tried; exit 1; }}\nexec "{sys.executable}" "{FAKE}"\n')
    engine = parse_engine(["cmd=sh", f"arg={program}", f"dir={tmp_path}", "name=A"], ("tc=20",))
    games = play_pair(contest_of(engine, fake("B"), rules=Rules(max_moves=1)), 1)
    assert [game.termination for game in games] == ["adjudication"] * 2


def test_an_engine_that_cannot_play_this_game():
    old = fake("B", "classic")
    contest = contest_of(fake("A"), old, openings=(Opening(START),), chess960=True)
    game = play_in_sequence([next(contest.schedule())])[0]
    assert game.reason == "Black gives up (engine does not support UCI_Chess960)"


def test_the_same_engines_play_the_next_game():
    async def both_games():
        player = GamePlayer()
        for scheduled in contest_of(fake("A"), fake("B", "good", "seed=2")).schedule():
            await player.play(scheduled)
            numbers.append({engine._transport.get_pid() for engine in player._engines.values()})
        await player.close()

    numbers = []
    asyncio.run(both_games())
    assert len(numbers[0]) == 2
    assert numbers[0] == numbers[1]


def test_engines_that_do_not_play_the_next_game_are_ended(tmp_path):
    async def one_game_each():
        player = GamePlayer()
        for scheduled in list(contest.schedule())[::2]:
            await player.play(scheduled)
        wait_until_gone(tmp_path / "pids")
        await player.close()

    engines = fake("A"), fake("B", "good", f"pids={tmp_path / 'pids'}"), fake("C")
    contest = contest_of(*engines, rules=Rules(max_moves=1))
    asyncio.run(one_game_each())


def test_an_engine_may_be_started_again_for_each_game(tmp_path):
    engine = fake("A", "good", f"pids={tmp_path / 'pids'}")._replace(restart=True)
    games = play_pair(contest_of(engine, fake("B"), rules=Rules(max_moves=1)), 1)
    assert len(noted_processes(tmp_path / "pids")) == 2
    assert not any(game.restarted for game in games)


def test_an_engine_that_ends_between_two_games_is_restarted(tmp_path):
    pids = tmp_path / "pids"
    engines = fake("A", "leave", "at=1", f"pids={pids}"), fake("B", "good", f"after={pids}")
    games = play_pair(contest_of(*engines, rules=Rules(max_moves=1)), 1)
    assert [game.termination for game in games] == ["adjudication"] * 2
    assert [game.restarted for game in games] == ["", "A"]
    assert len(noted_processes(pids)) == 2


def test_comment_of_an_engine_that_counts_no_nodes():
    answer = EngineMove(chess.Move.from_uci("e2e4"), 0.25, depth=4)
    assert comment_of(answer, chess.WHITE) == "0.00/4 0.250s"


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (chess.engine.Cp(-5), "-0.05"),
        (chess.engine.Cp(0), "0.00"),
        (chess.engine.Mate(1), "+M1"),
        (chess.engine.Mate(3), "+M5"),
        (chess.engine.Mate(-1), "-M2"),
    ],
)
def test_scores_in_comments(score, text):
    assert score_text(chess.engine.PovScore(score, chess.BLACK), chess.BLACK) == text


def test_chess960():
    start = Opening("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9")
    contest = contest_of(fake("A"), fake("B", "good", "seed=2"), openings=(start,), chess960=True)
    for game in play_pair(contest, 1):
        parsed = chess.pgn.read_game(io.StringIO(game.pgn))
        assert not parsed.errors
        assert parsed.board().chess960
        assert game.termination == "adjudication"


def test_a_game_over_before_it_began():
    mated = Opening("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    assert play_pair(contest_of(fake("A"), fake("B"), openings=(mated,)), 1)[0].result == "1-0"
