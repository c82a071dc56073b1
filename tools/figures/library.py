"""What the library costs: over the compiled search, beside python-chess and a process, and in memory."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from statistics import median
from time import perf_counter

from bluekrait.core import native
from bluekrait.search.bench_positions import BENCH_POSITIONS
from bluekrait.search.engine import DEFAULT_MEGABYTES, ENTRIES_MODULE
from bluekrait.search.library.engine import Engine
from bluekrait.search.library.position import Position
from bluekrait.search.limits import DEEPEST
from bluekrait.search.parameters import DEFAULTS
from bluekrait.search.thinking.worker import Worker
from bluekrait.search.transposition_memory import TranspositionTable
from bluekrait.tools.figures.analysing import analysis_figures
from bluekrait.tools.figures.figure import Figure, Unmeasurable, ratio, rounds_of, use_all_cores

NODES = 1000  # of a search
SEARCHES = 1000  # in a round
STARTS = 11

# A program's first result, from its first import; and the memory that engines leave behind.
FIRST_RESULT = """
from time import perf_counter
began = perf_counter()
from bluekrait import Engine, Position
Engine().search(Position(), nodes=1000)
print(perf_counter() - began)
"""
MEMORY_KEPT = """
import gc, os
from bluekrait import Engine, Position
from bluekrait.tools.figures.starting import resident_megabytes

def make_and_drop(count):
    for _ in range(count):
        Engine().search(Position(), nodes=1000)
        gc.collect()

make_and_drop(20)
before = resident_megabytes(os.getpid())
make_and_drop(200)
print(resident_megabytes(os.getpid()) - before)
"""


def library_figures(rounds: int, command: Sequence[str]) -> Iterator[Figure]:
    """Searches of a thousand nodes by the library, by the bare search, and by python-chess's SimpleEngine."""
    use_all_cores()
    positions = [Position(fen) for fen in BENCH_POSITIONS]
    library, alone, process = [], [], []
    has_python_chess = find_spec("chess") is not None
    for _ in rounds_of(rounds, "library"):
        library.append(library_seconds(positions))
        alone.append(bare_seconds(positions))
        if has_python_chess:
            process.append(simple_engine_seconds(positions, command))
    note = f"{SEARCHES} searches of {NODES} nodes: {median(library):.2f} s, {median(alone):.2f} s alone"
    yield Figure("library / search alone", ratio(library, alone), "times", 1.2, 1.05, note)
    if has_python_chess:
        note = f"SimpleEngine: {SEARCHES / median(process):.0f} searches of {NODES} nodes a second"
        yield Figure("library / python-chess's SimpleEngine", ratio(process, library), "x", 3, 6, note)
    starts = [printed(FIRST_RESULT) for _ in rounds_of(max(rounds, STARTS), "first result")]
    yield Figure("import to first result, warm", 1000 * median(starts), "ms", 150, 80)
    if sys.platform.startswith("linux"):
        yield Figure("memory kept by 200 engines", max(0.0, printed(MEMORY_KEPT)), "MB", 5, 0)
    yield from analysis_figures(rounds)


def library_seconds(positions: Sequence[Position]) -> float:
    """Seconds for the searches of a round by the library, results read."""
    with Engine() as engine:
        engine.search(positions[0], nodes=NODES)
        engine.new_game()
        began = perf_counter()
        for number in range(SEARCHES):
            result = engine.search(positions[number % len(positions)], nodes=NODES)
            if result.move is None or result.line.score is None:
                raise Unmeasurable("the library finds no move")
        return perf_counter() - began


def bare_seconds(positions: Sequence[Position]) -> float:
    """Seconds in compiled code for the same searches."""
    worker = Worker(native.load(ENTRIES_MODULE), DEFAULTS)
    table = TranspositionTable(DEFAULT_MEGABYTES)
    seconds = 0.0
    for number in range(-1, SEARCHES):
        if number == 0:
            table.clear()
            worker.forget()
            seconds = 0.0
        table.begin_search()
        worker.prepare_position(positions[number % len(positions)].game.position, (), table, NODES)
        began = perf_counter()
        worker.run_iterations(DEEPEST, 1)
        seconds += perf_counter() - began
    return seconds


def simple_engine_seconds(positions: Sequence[Position], command: Sequence[str]) -> float:
    """Seconds for the same searches by a process that python-chess talks to."""
    import chess.engine

    boards = [position.board() for position in positions]
    limit = chess.engine.Limit(nodes=NODES)
    try:
        with chess.engine.SimpleEngine.popen_uci(list(command), timeout=None) as engine:
            engine.analyse(boards[0], limit)
            began = perf_counter()
            for number in range(SEARCHES):
                engine.analyse(boards[number % len(boards)], limit)
            return perf_counter() - began
    except chess.engine.EngineError as error:
        raise Unmeasurable(f"{command[0]} has failed: {error}") from None


def printed(program: str) -> float:
    """The number that a program prints."""
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    try:
        return float(answer.stdout)
    except ValueError:
        problem = answer.stderr.strip().splitlines()[-1:] or ["it prints no number"]
        raise Unmeasurable(f"a program that uses the library has failed: {problem[0]}") from None
