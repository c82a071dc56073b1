"""Engines that speak the protocol of xboard."""

import os
from contextlib import nullcontext

import chess
import pytest

from bluekrait.tools.match.runner.engine_check import check_engines
from bluekrait.tools.match.runner.pair_play import play_pair
from bluekrait.tools.match.runner.timed_protocols import REJECTION, edit_commands, is_move
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
