"""A UCI engine that takes the time of its own moves, and says it as their depth, in microseconds.

The watch runs from the arrival of `go` to the last thing before the answer is written; everything that a
match runner charges beyond that is the runner's, or the system's. It plays at random.
"""

import os
import random
import sys
from time import perf_counter

import chess

SHORTEST, LONGEST = 0.02, 0.12  # seconds that a move takes
CHATTER = 20  # lines in the course of a move, and as many again just before its end
LINE = b"info depth 20 seldepth 30 score cp 12 nodes 123456 nps 1234567 hashfull 12 time 99 pv"
LINE += b" e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8" * 2 + b"\n"


def main():
    """Converse until `quit`, or until nobody is there."""
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


def answer(position, began):
    """Think, loudly, and play a random move."""
    thought = random.uniform(SHORTEST, LONGEST)
    move = random_move(position)
    for number in range(1, CHATTER):
        wait_until(began + thought * number / CHATTER)
        say(LINE)
    wait_until(began + thought)
    say(LINE * CHATTER)
    own = perf_counter() - began
    say(f"info depth {own * 1e6:.0f} score cp 0\nbestmove {move}\n".encode())


def random_move(position):
    """Any move in a position, given as UCI does."""
    setup, _, moves = position.partition(" moves ")
    board = chess.Board() if setup == "startpos" else chess.Board(setup.removeprefix("fen "))
    for move in moves.split():
        board.push_uci(move)
    return random.choice(list(board.legal_moves))


def wait_until(moment):
    """Keep the processor busy, as an engine does."""
    while perf_counter() < moment:
        pass


def say(text):
    """Write it at once."""
    os.write(sys.stdout.fileno(), text)


if __name__ == "__main__":
    main()
