"""How long the analyst takes for a game."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter

from bluekrait.search.library.engine import Engine
from bluekrait.search.library.position import Position
from bluekrait.tools.figures.figure import Figure, rounds_of

MOVES, NODES, THREADS = 40, 100_000, 2
MOST_ROUNDS = 3


def analysis_figures(rounds: int) -> Iterator[Figure]:
    """`bluekrait analyse` on a game of 40 moves, with two processes. Nothing without python-chess."""
    if find_spec("chess") is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "game.pgn")
        moves = played()
        path.write_text(f'[White "BlueKrait"]\n[Black "BlueKrait"]\n\n{moves} *\n', encoding="utf-8")
        seconds = [analysis_seconds(path) for _ in rounds_of(min(rounds, MOST_ROUNDS), "analysis")]
    note = f"{NODES:,} nodes for each position, {min(THREADS, os.cpu_count() or 1)} cores"
    yield Figure(f"analysis of a {MOVES}-move game", median(seconds), "s", 6, 4, note)


def played() -> str:
    """The moves of a game of that length; always the same for the same engine."""
    position = Position()
    words: list[str] = []
    with Engine(hash_mb=1) as engine:
        while len(words) < 2 * MOVES and not position.outcome:
            move = engine.search(position, nodes=1000).move
            assert move is not None, "the game goes on"
            words.append(move.san)
            position = position.play(move)
    return " ".join(words)


def analysis_seconds(path: Path) -> float:
    """Seconds for the whole command."""
    command = [sys.executable, "-m", "bluekrait", "analyse", str(path), "--nodes", str(NODES)]
    began = perf_counter()
    subprocess.run(
        [*command, "--threads", str(THREADS)],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return perf_counter() - began
