"""Games under chess GUIs: those of Debian's packages that are installed."""

import os
import shutil
import subprocess
import sys

import chess
import chess.engine
import chess.pgn
import pytest

GAMES = "/usr/games"  # where Debian installs them; not every PATH contains it
PATIENCE = 120

POLYGLOT_SETTINGS = """
[PolyGlot]
EngineDir = {directory}
EngineCommand = ./engine
Log = false
[Engine]
Hash = 32
"""


def program(name):
    """The path of a program; the test is skipped if there is none."""
    path = shutil.which(name, path=os.pathsep.join((os.environ.get("PATH", ""), GAMES)))
    if not path:
        pytest.skip(f"{name} is not installed")
    return path


@pytest.fixture
def engine_file(tmp_path, warm_cache):
    """The engine as a file that can be executed."""
    path = tmp_path / "engine"
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bluekrait.uci "$@"\n')
    path.chmod(0o755)
    return path


def test_a_game_through_polyglot(tmp_path, engine_file):
    settings = tmp_path / "polyglot.ini"
    settings.write_text(POLYGLOT_SETTINGS.format(directory=tmp_path))
    board = chess.Board()
    with chess.engine.SimpleEngine.popen_xboard([program("polyglot"), str(settings)], cwd=tmp_path) as engine:
        assert "BlueKrait" in engine.id["name"]
        clock = chess.engine.Limit(white_clock=3, black_clock=3)
        while not board.is_game_over(claim_draw=True) and board.ply() < 60:
            result = engine.play(board, clock, ponder=True)
            assert result.move in board.legal_moves
            board.push(result.move)
    assert board.ply() >= 10  # both sides are one engine: a repetition may end the game early


def test_a_game_under_xboard_in_both_protocols(tmp_path, engine_file):
    screen, xboard, record = program("xvfb-run"), program("xboard"), tmp_path / "games.pgn"
    program("polyglot")  # by which xboard speaks UCI
    first, second = ["-fcp", engine_file], ["-sUCI", "-scp", engine_file]
    quietly = ["-popupExitMessage", "false", "-popupMoveErrors", "false", "-saveSettingsOnExit", "false"]
    playing = ["-mg", "1", "-tc", "0:10", "-inc", "0", "-sgf", record]
    subprocess.run(
        [screen, "-a", xboard, *first, *second, *playing, *quietly],
        env=os.environ | {"PATH": f"{os.environ['PATH']}{os.pathsep}{GAMES}"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=PATIENCE,
        check=True,
        cwd=tmp_path,
    )
    with open(record, encoding="utf-8") as file:
        game = chess.pgn.read_game(file)
    assert game.errors == []
    assert "BlueKrait" in game.headers["White"] and "BlueKrait" in game.headers["Black"]
    assert len(list(game.mainline_moves())) >= 10  # a repetition may end it early
    assert game.headers["Result"] in ("1-0", "0-1", "1/2-1/2")
    ending = game.end().comment.lower()
    assert not any(word in ending for word in ("forfeit", "illegal", "time", "exited", "disconnect"))
