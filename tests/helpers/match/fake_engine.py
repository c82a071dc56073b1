"""A UCI engine for the tests of matches: it moves at random, and misbehaves when it is told to.

usage: fake_engine.py [MODE] [key=value ...]

MODE is what it does at move `at` of each game: good, crash, hang, illegal, nomove, flood, chatter or leave
(after its move) or late; or mute: not a word, deaf: never ready, unready: it ends in place of being ready,
classic: no Chess960, die: not even start.
`seed` chooses the moves, `score` is what it says of each (for the side to move) and `depth` how often,
`sleep` the seconds it takes, `late` those of a late move, `pids` a file for the number of its process, and
of another one that it starts first if there is a `helper`. `after` is such a file of another engine: the
first move comes when all processes in there are gone.
"""

import contextlib
import os
import random
import sys
import time

import chess

mode = sys.argv[1] if len(sys.argv) > 1 else "good"
settings = dict(word.split("=") for word in sys.argv[2:])
turning_point = int(settings.get("at", 3))
score = settings.get("score", "0")
pause = float(settings.get("sleep", 0))

is_helper = "helper" in settings and os.fork() == 0
if "pids" in settings:
    with open(settings["pids"], "a") as file:
        file.write(f"{os.getpid()}\n")
if is_helper:
    time.sleep(60)
    os._exit(0)


def say(text):
    print(text, flush=True)


def move_in(board):
    """A random move, the same for the same seed and position."""
    return random.Random(f"{settings.get('seed', 1)} {board.fen()}").choice(list(board.legal_moves)).uci()


def wait_until_gone(pids):
    """Wait until the noted processes have ended, and whoever started them knows."""
    with open(pids) as file:
        for line in file:
            with contextlib.suppress(ProcessLookupError):
                while True:
                    os.kill(int(line), 0)
                    time.sleep(0.01)


def misbehave():
    if mode == "crash":
        os.abort()
    if mode == "hang":
        time.sleep(60)
    if mode == "late":
        time.sleep(float(settings.get("late", 0.3)))
    if mode == "illegal":
        say("bestmove e1e8")
        return True
    if mode == "nomove":
        say("bestmove (none)")
        return True
    if mode == "flood":
        while True:
            sys.stdout.write("info string " + "x" * 10000 + "\n")
    return False


if mode == "die":
    sys.exit("no weights")

board, moves, is_960 = chess.Board(), 0, False
for line in sys.stdin:
    words = line.split()
    if not words:
        continue
    if words[0] == "uci" and mode != "mute":
        say("id name Fake\nid author nobody\noption name Hash type spin default 16 min 1 max 1024")
        if mode != "classic":
            say("option name UCI_Chess960 type check default false")
        say("uciok")
    elif words[0] == "isready":
        if mode == "unready":
            sys.exit("no weights")
        if mode != "deaf":
            say("readyok")
    elif words[0] == "setoption" and "UCI_Chess960" in words:
        is_960 = words[-1] == "true"
    elif words[0] == "ucinewgame":
        moves = 0
    elif words[0] == "position":
        place = words.index("moves") if "moves" in words else len(words)
        fen = chess.STARTING_FEN if words[1] == "startpos" else " ".join(words[2:place])
        board = chess.Board(fen, chess960=is_960)
        for move in words[place + 1 :]:
            board.push_uci(move)
    elif words[0] == "go":
        moves += 1
        if moves == turning_point and misbehave():
            continue
        time.sleep(pause)
        if "after" in settings:
            wait_until_gone(settings.pop("after"))
        kind = score if " " in score else f"cp {score}"
        for depth in range(1, int(settings.get("depth", 7)) + 1):
            say(f"info depth {depth} seldepth {depth + 2} nodes 1 score {kind} pv e2e4")
        say(f"bestmove {move_in(board)}")
        if mode == "leave" and moves == turning_point:
            os._exit(0)
        if mode == "chatter" and moves >= turning_point:
            sys.stdout.write("info string chatter\n" * 20000)
            sys.stdout.flush()
    elif words[0] == "quit":
        break
