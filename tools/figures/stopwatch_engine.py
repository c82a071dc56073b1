"""A UCI engine that measures the time of its own moves, and reports it as their depth, in microseconds.

The time is from the arrival of `go` to the moment before the answer is written; whatever a match runner
counts beyond that is an error of the runner or of the system. It plays random moves.
"""

import os
import random
import sys
from time import perf_counter

import chess

SHORTEST, LONGEST = 0.02, 0.12  # seconds that a move takes
INFO_LINES = 20  # in the course of a move, and as many again just before its end
LINE = b"info depth 20 seldepth 30 score cp 12 nodes 123456 nps 1234567 hashfull 12 time 99 pv"
LINE += b" e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8" * 2 + b"\n"


def main() -> None:
    """Answer commands until `quit` or the end of the input."""
    position, rest = "startpos", b""
    while received := os.read(sys.stdin.fileno(), 1 << 16):
        arrived = perf_counter()
        *lines, rest = (rest + received).split(b"\n")
        for line in lines:
            command, _, details = line.decode().strip().partition(" ")
            if command == "uci":
                say(b"id name Stopwatch\nuciok\n")
            elif command == "isready":
                say(b"readyok\n")
            elif command == "position":
                position = details
            elif command == "go":
                answer(position, arrived)
            elif command == "quit":
                return


def answer(position: str, began: float) -> None:
    """Wait some time, print lines meanwhile, and play a random move."""
    thought = random.uniform(SHORTEST, LONGEST)
    move = random_move(position)
    for number in range(1, INFO_LINES):
        wait_until(began + thought * number / INFO_LINES)
        say(LINE)
    wait_until(began + thought)
    say(LINE * INFO_LINES)
    own = perf_counter() - began
    say(f"info depth {own * 1e6:.0f} score cp 0\nbestmove {move}\n".encode())


def random_move(position: str) -> chess.Move:
    """Any move in a position, given as UCI does."""
    setup, _, moves = position.partition(" moves ")
    board = chess.Board() if setup == "startpos" else chess.Board(setup.removeprefix("fen "))
    for move in moves.split():
        board.push_uci(move)
    return random.choice(list(board.legal_moves))


def wait_until(moment: float) -> None:
    """Keep the processor busy, as an engine does."""
    while perf_counter() < moment:
        pass


def say(text: bytes) -> None:
    """Write without buffering."""
    os.write(sys.stdout.fileno(), text)


if __name__ == "__main__":
    main()
