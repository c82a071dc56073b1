"""What of an engine's output is read, and when; engines that speak the protocol of xboard."""

import asyncio
import os
from contextlib import nullcontext
from unittest.mock import MagicMock, Mock

import chess
import pytest

from bluekrait.tools.match.runner import game_play, timed_protocols
from bluekrait.tools.match.runner.engine_check import check_engines
from bluekrait.tools.match.runner.engine_process import StartFailure
from bluekrait.tools.match.runner.pair_play import play_in_sequence, play_pair
from bluekrait.tools.match.runner.timed_protocols import REJECTION, TimedUci, edit_commands, is_move
from bluekrait.tools.match.setup.contest import Rules
from bluekrait.tools.match.setup.engine_spec import parse_engine
from bluekrait.tools.match.setup.opening_files import Opening
from helpers.match.matches import MIDDLE_GAME, contest_of, fake, noted_processes

OLD_ENGINE = """\
echo $$ >> {pids}
while read line; do
    case "$line" in
        protover*) echo "feature ping=1 setboard=1 usermove=1 {features} done=1" ;;
        ping*) echo "pong ${{line#ping }}" ;;
        new) move=a2a3 ;;
        usermove*) move=g8h8 ;;
        go) echo "move $move" ;;
        quit) exit ;;
    esac
done
"""

LISTENER = """\
while read line; do
    echo "$line" >> {told}
    case "$line" in
        protover*) echo 'feature ping=1 setboard=0 usermove=1 memory=1 option="Learning -check 0" done=1' ;;
        ping*) echo "pong ${{line#ping }}" ;;
        go) echo "{answer}" ;;
        quit) exit ;;
    esac
done
"""


def protocol_of_open_pipes():
    """A protocol, and the pipe to read from that stands for all pipes of its engine."""
    pipe = MagicMock(spec=asyncio.ReadTransport)
    pipe.is_closing.return_value = False
    protocol = TimedUci()
    protocol.transport = MagicMock()
    protocol.transport.get_pipe_transport.return_value = pipe
    pipe.write = Mock()
    return protocol, pipe


def test_an_engine_that_talks_unasked_is_not_read_until_its_next_move(monkeypatch):
    monkeypatch.setattr(timed_protocols, "IDLE_OUTPUT", 100)

    async def conversation():
        protocol, pipe = protocol_of_open_pipes()
        protocol.send_line("go")
        protocol.pipe_data_received(1, b"info string " + b"x" * 101 + b"\n")
        protocol.pipe_data_received(1, b"bestmove e2e4\n")
        pipe.pause_reading.assert_not_called()
        protocol.pipe_data_received(1, b"x" * 101)
        pipe.pause_reading.assert_called()
        pipe.resume_reading.reset_mock()
        protocol.send_line("go")
        pipe.resume_reading.assert_called()

    asyncio.run(conversation())


def test_each_search_begins_anew(monkeypatch):
    monkeypatch.setattr(timed_protocols, "FLOOD", 100)

    async def searches():
        protocol, _ = protocol_of_open_pipes()
        for move in ("e2e4", "d2d4"):
            protocol.send_line("go")
            assert protocol.is_searching and not protocol.answer_text
            protocol.pipe_data_received(1, b"info string " + b"x" * 60 + b"\n")
            protocol.pipe_data_received(1, f"bestmove {move}\n".encode())
            assert not protocol.is_searching and protocol.answer_text == move
            assert not protocol.is_flooding
        protocol.pipe_data_received(1, b"x" * 101)
        assert protocol.is_flooding

    asyncio.run(searches())


def game_with_listener(folder, answer, *words):
    """A game in which White notes all that it is told, and has one answer; the game, and those lines."""
    script, told = folder / "engine.sh", folder / "told"
    script.write_text(LISTENER.format(told=told, answer=answer))
    engine = parse_engine(["cmd=sh", f"arg={script}", "proto=xboard", "name=A", *words], ("tc=20",))
    opening = Opening("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    contest = contest_of(engine, fake("B"), openings=(opening,), rules=Rules(max_moves=1))
    return play_in_sequence([next(contest.schedule())])[0], told.read_text().splitlines()


@pytest.mark.parametrize(
    ("feature", "limit", "message"),
    [
        ("nps=1", ["nodes=9"], None),
        ("nps=0", ["depth=9"], None),
        ("nps=0", ["nodes=9"], "A does not tell feature nps=1"),
        ("reuse=1", ["nodes=9"], "A does not tell feature nps=1"),
        ("nps=1", ["nodes=9", "tc=1"], "A: an xboard engine has either nodes= or a time"),
        ("nps=1", ["nodes=9", "st=1"], "A: an xboard engine has either nodes= or a time"),
    ],
)
def test_not_every_xboard_engine_can_be_limited_by_nodes(tmp_path, feature, limit, message):
    script = tmp_path / "engine.sh"
    script.write_text(OLD_ENGINE.format(pids=os.devnull, features=feature))
    engine = parse_engine(["cmd=sh", f"arg={script}", "proto=xboard", "name=A"], limit)
    with pytest.raises(ValueError, match=message) if message else nullcontext():
        assert check_engines([engine]) == []


@pytest.mark.parametrize(("reuse", "processes"), [(1, 1), (0, 2)])
def test_an_xboard_engine_may_ask_for_a_process_for_each_game(tmp_path, reuse, processes):
    script = tmp_path / "engine.sh"
    script.write_text(OLD_ENGINE.format(pids=tmp_path / "pids", features=f"reuse={reuse}"))
    engine = parse_engine(["cmd=sh", f"arg={script}", "proto=xboard", "name=A"], ("tc=20",))
    games = play_pair(contest_of(engine, fake("B"), rules=Rules(max_moves=1)), 1)
    assert [game.termination for game in games] == ["adjudication"] * 2
    assert len(noted_processes(tmp_path / "pids")) == processes
    assert not any(game.restarted for game in games)


def test_the_protocol_of_xboard(warm_cache):
    ours = parse_engine(
        ["cmd=bluekrait", "proto=xboard", "name=ours", "option.Hash=8"], ("tc=20+1", "depth=2")
    )
    opening = Opening(MIDDLE_GAME.fen, ("d1e2",))  # black to move, moves before
    games = play_pair(contest_of(ours, fake("other"), openings=(opening,)), 1)
    assert all(game.termination in ("adjudication", "normal") and game.plies for game in games)
    assert "disconnects" not in "".join(game.reason for game in games)


def test_an_engine_without_setboard_plays_from_any_position(tmp_path):
    game, told = game_with_listener(tmp_path, "move e2e4")
    assert game.reason == "Draw by adjudication (too many moves)"
    assert not any(line.startswith("setboard") for line in told)
    assert told[told.index("edit") :][:7] == ["edit", "#", "Ke1", "Pe2", "c", "Ke8", "."]


def test_options_are_set_in_the_words_of_xboard(tmp_path, monkeypatch):
    monkeypatch.setattr(game_play, "RETRY_SECONDS", 0.0)
    _, told = game_with_listener(tmp_path, "move e2e4", "option.Hash=64", "option.Learning=on")
    assert "memory 64" in told and "option Learning=1" in told
    with pytest.raises(StartFailure, match="option Learning is true or false, not maybe"):
        game_with_listener(tmp_path, "move e2e4", "option.Learning=maybe")


def test_an_engine_may_resign(tmp_path):
    game, _ = game_with_listener(tmp_path, "resign")
    assert (game.result, game.termination, game.reason) == ("0-1", "normal", "White resigns")


@pytest.mark.parametrize(
    ("answer", "termination", "reason"),
    [
        ("Error (unknown command): post\nmove e2e4", "adjudication", "Draw by adjudication"),
        ("Illegal move: e7e5", "rules infraction", "White rejects a move (Illegal move: e7e5)"),
    ],
)
def test_only_a_rejected_move_ends_the_game(tmp_path, answer, termination, reason):
    game, _ = game_with_listener(tmp_path, answer)
    assert game.termination == termination and game.reason.startswith(reason)


def test_positions_for_engines_without_setboard():
    assert edit_commands(chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")) == [
        *("edit", "#", "Ke1", "Pe2", "c", "Ke8", ".")
    ]
    assert edit_commands(chess.Board("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"))[0] == "a2a3"


@pytest.mark.parametrize(
    ("line", "about", "a_move"),
    [
        ("Illegal move: e2e5", "e2e5", True),
        ("Illegal move (in check): usermove e7e8q", "usermove e7e8q", True),
        ("Error (unknown command): sd 2", "sd 2", False),
        ("Illegal move: sd 2", "sd 2", False),
    ],
)
def test_complaints_of_engines(line, about, a_move):
    assert REJECTION.match(line)[1] == about
    assert is_move(about) == a_move
