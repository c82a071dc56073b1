"""`info` lines are correct: their moves are legal, end with the game, and begin with the best move."""

import random
import re
import time

import chess
import pytest

INFO = re.compile(
    r"info depth (?P<depth>\d+) seldepth (?P<seldepth>\d+) multipv (?P<rank>\d+)"
    r" score (?P<kind>cp|mate) (?P<score>-?\d+)( (?P<bound>lowerbound|upperbound))?"
    r"( wdl (?P<win>\d+) (?P<draw>\d+) (?P<loss>\d+))?"
    r" nodes \d+ nps \d+ hashfull (?P<hashfull>\d+) tbhits \d+ time \d+( pv (?P<pv>[a-h1-8nbrq ]+))?"
)
BEST = re.compile(r"bestmove (?P<move>\S+)( ponder (?P<reply>\S+))?")

POSITIONS = [
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/pp2ppbp/2np1np1/q7/2P1P1b1/2N1BN2/PP2BPPP/R2Q1RK1 b - - 4 11",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",  # mate in one
    "8/8/8/8/8/4k3/7q/4K3 b - - 0 1",
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",  # mate in two
    "8/8/3k4/3r4/8/8/4K3/1Q6 w - - 97 80",  # the fifty moves are almost over
    "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1",  # stalemate is near
    "5r2/6Pk/1R6/7P/6K1/8/8/8 w - - 0 1",
]
CHESS960 = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1"


def checked_infos(lines, board):
    """The fields of the `info` lines; every word of them is checked."""
    infos = []
    for line in lines:
        if line.startswith("info depth") and "currmove" not in line:
            found = INFO.fullmatch(line)
            assert found, line
            infos.append(found.groupdict())
            check_line(infos[-1], board)
    return infos


def check_line(info, board):
    assert int(info["seldepth"]) >= int(info["depth"]) or info["kind"] == "mate"
    assert 0 <= int(info["hashfull"]) <= 1000
    if info["win"]:
        assert int(info["win"]) + int(info["draw"]) + int(info["loss"]) == 1000
    ahead = board.copy()
    for text in info["pv"].split():
        assert not is_over(ahead), f"{info['pv']} goes on after the game is over"
        ahead.push(ahead.parse_uci(text))
    if info["kind"] == "mate" and not info["bound"]:
        plies = 2 * abs(int(info["score"])) - (int(info["score"]) > 0)
        assert len(info["pv"].split()) <= plies


def is_over(board):
    return board.is_game_over() or board.is_fifty_moves() or board.is_repetition(3)


def check_answer(line, infos, board):
    best = BEST.fullmatch(line)
    move = board.parse_uci(best["move"])
    last = next(info for info in reversed(infos) if info["rank"] == "1")
    assert best["move"] == last["pv"].split()[0]
    if best["reply"]:
        ahead = board.copy()
        ahead.push(move)
        assert ahead.parse_uci(best["reply"])


@pytest.mark.parametrize("fen", POSITIONS)
@pytest.mark.parametrize("settings", [[], ["MultiPV value 3", "UCI_ShowWDL value true"], ["Threads value 2"]])
def test_info_lines_are_correct(talk, fen, settings):
    engine = talk()
    board = chess.Board(fen)
    engine.ask(*(f"setoption name {setting}" for setting in settings), f"position fen {fen}")
    engine.say("go nodes 60000")
    *lines, answer = engine.hear("^bestmove")
    infos = checked_infos(lines, board)
    check_answer(answer, infos, board)
    assert all(bool(info["win"]) == ("UCI_ShowWDL value true" in settings) for info in infos)
    if not settings:
        depths = [int(info["depth"]) for info in infos]
        assert sorted(set(depths)) == list(range(1, depths[-1] + 1))
        assert depths == sorted(depths)


BLACK_TO_MOVE = POSITIONS[2]


def test_a_match_runner_finds_nothing_to_complain_of(talk):
    """What a runner asks an engine for before and in a match, and what it demands of each answer."""
    engine = talk()
    engine.say("uci")
    introduction = engine.hear("^uciok$")
    for words in ("id name ", "id author "):
        assert sum(line.startswith(words) and len(line) > len(words) for line in introduction) == 1
    assert engine.ask() == engine.ask("ucinewgame") == []
    for fen in (chess.STARTING_FEN, BLACK_TO_MOVE):
        board = chess.Board(fen)
        own, other = ("w", "b") if board.turn else ("b", "w")
        increments = f"{other}time 100 {other}inc 100 {own}time 100 {own}inc 100"
        for clock in (f"{own}time 100", increments, f"{increments} movestogo 5"):
            assert engine.ask(f"position fen {fen}") == []
            engine.say(f"go {clock}")
            *lines, answer = engine.hear("^bestmove")
            infos = checked_infos(lines, board)
            assert infos, clock
            check_answer(answer, infos, board)
            assert engine.ask() == []  # nothing comes after the move


def test_castling_in_chess960_is_king_takes_rook(talk):
    engine = talk()
    board = chess.Board(CHESS960, chess960=True)
    engine.ask("setoption name UCI_Chess960 value true", f"position fen {CHESS960}")
    engine.say("go depth 10 searchmoves e1g1 e1b1")
    *lines, answer = engine.hear("^bestmove")
    check_answer(answer, checked_infos(lines, board), board)
    assert answer.split()[1] in ("e1g1", "e1b1")


@pytest.mark.parametrize(
    "clock", ["wtime 0 btime 0", "wtime -200 btime -200", "wtime 1 btime 1", "movetime 0"]
)
def test_there_is_a_legal_move_even_without_time(talk, clock):
    engine = talk()
    for fen in POSITIONS:
        engine.say(f"position fen {fen}", f"go {clock}")
        *lines, answer = engine.hear("^bestmove")
        board = chess.Board(fen)
        assert board.parse_uci(answer.split()[1]) in board.legal_moves


@pytest.mark.parametrize(
    ("fen", "depth"), [("7k/7p/7P/8/8/8/8/K7 w - - 0 1", 24), ("8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1", 14)]
)
def test_a_long_analysis_stays_correct(talk, fen, depth):
    """The table is far too small and is written over many times."""
    engine, board = talk(), chess.Board(fen)
    engine.ask("setoption name Hash value 1", "setoption name Threads value 2", f"position fen {fen}")
    engine.say("go infinite")
    heard = engine.hear(f"^info depth {depth} ") + engine.ask()
    assert not any(line.startswith("bestmove") for line in heard)
    engine.say("stop")
    *rest, answer = engine.hear("^bestmove")
    infos = checked_infos(heard + rest, board)
    check_answer(answer, infos, board)
    depths = [int(info["depth"]) for info in infos]
    last, before = (info["pv"].split()[0] for info in (infos[-1], infos[-2]))
    if last != before:  # the line may be that of another thread, less deep, which won the vote
        depths.pop()
    assert depths == sorted(depths) and depths[0] == 1


ENDINGS = {
    "go infinite": "stop",
    "go ponder wtime 200 btime 200": "stop",
    "go ponder wtime 100 btime 100 winc 5 binc 5": "ponderhit",
    "go wtime 5000 btime 5000": "stop",
    "go nodes 2000": "stop",
    "go movetime 10": "stop",
    "go depth 6": "ponderhit",
}


@pytest.mark.parametrize("settings", [[], ["Threads value 2"], ["MultiPV value 4"], ["Skill Level value 3"]])
def test_one_bestmove_whenever_stop_comes(talk, settings):
    engine, rng = talk(), random.Random(8)
    engine.ask(*(f"setoption name {setting}" for setting in settings))
    for _ in range(60):
        go, end = rng.choice([*ENDINGS.items()])
        board = chess.Board(rng.choice(POSITIONS))
        engine.say(f"position fen {board.fen()}", go)
        time.sleep(rng.choice((0, 0, 0.001, 0.01)))
        engine.say(end)
        answer = engine.hear("^bestmove")[-1]
        assert board.parse_uci(answer.split()[1]) in board.legal_moves
        assert not [line for line in engine.ask() if line.startswith("bestmove")]


@pytest.mark.parametrize("delay", [0, 0.002, 0.02])
@pytest.mark.parametrize("go", ENDINGS)
def test_end_of_input_at_any_moment(talk, go, delay):
    engine = talk()
    engine.ask()
    engine.say(go)
    time.sleep(delay)
    assert sum(line.startswith("bestmove") for line in engine.leave("quit")) <= 1
