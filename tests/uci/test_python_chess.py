"""Whole games, driven by python-chess over both protocols."""

import sys

import chess
import chess.engine
import pytest

COMMAND = [sys.executable, "-m", "bluekrait.uci"]
PROTOCOLS = {"UCI": chess.engine.SimpleEngine.popen_uci, "CECP": chess.engine.SimpleEngine.popen_xboard}
CHESS960 = 534


@pytest.fixture(params=PROTOCOLS)
def engine(request, warm_cache):
    with PROTOCOLS[request.param](COMMAND) as engine:
        yield engine


@pytest.mark.parametrize("ponder", [False, True], ids=["without pondering", "pondering"])
def test_a_whole_game(engine, ponder):
    board = chess.Board("r1bq1rk1/1pp2pbp/p1np1np1/4p3/2P1P3/2NP1NP1/PP3PBP/R1BQ1RK1 w - - 0 9")
    start = board.ply()
    clock = chess.engine.Limit(white_clock=0.5, black_clock=0.5, white_inc=0.01, black_inc=0.01)
    while not board.is_game_over(claim_draw=True) and board.ply() < 100:
        result = engine.play(board, clock, ponder=ponder)
        assert result.move in board.legal_moves
        board.push(result.move)
    assert board.ply() >= start + 8  # not even a repetition comes sooner


def test_chess960(engine):
    board = chess.Board.from_chess960_pos(CHESS960)
    for _ in range(60):
        if board.is_game_over() or board.is_repetition(3):  # under CECP the engine then claims a draw
            break
        result = engine.play(board, chess.engine.Limit(depth=4))
        board.push(result.move)
    assert board.ply() > 20


def test_castling_in_chess960(engine):
    board = chess.Board("1k6/pp6/8/8/8/8/PPPPPPPP/4RKR1 w GE - 0 1", chess960=True)
    board.push(board.parse_san("O-O"))
    assert engine.play(board, chess.engine.Limit(depth=3)).move in board.legal_moves


def test_analysis_until_it_is_stopped(engine):
    board = chess.Board("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    with engine.analysis(board) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 5:
                break
    assert analysis.info["score"].white() == chess.engine.Mate(1)
    assert analysis.info["pv"][0] == chess.Move.from_uci("a1a8")


def test_options(engine):
    engine.configure({"UCI_LimitStrength": True, "UCI_Elo": 1200, "OwnBook": True})
    engine.configure({"Hash": 32} if "Hash" in engine.options else {"memory": 32})
    assert engine.play(chess.Board(), chess.engine.Limit(time=0.05)).move
    engine.ping()


def test_searchmoves_and_multipv(warm_cache):
    with PROTOCOLS["UCI"](COMMAND) as engine:
        named = [chess.Move.from_uci(text) for text in ("a2a3", "h2h4")]
        result = engine.play(chess.Board(), chess.engine.Limit(depth=5), root_moves=named)
        assert result.move in named
        infos = engine.analyse(chess.Board(), chess.engine.Limit(depth=6), multipv=3)
        assert len({info["pv"][0] for info in infos}) == 3
        scores = [info["score"].relative for info in infos]
        assert scores == sorted(scores, reverse=True)
        engine.configure({"UCI_ShowWDL": True})
        info = engine.analyse(chess.Board(), chess.engine.Limit(depth=6))
        assert sum(info["wdl"].relative) == 1000
