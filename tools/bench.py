"""`make bench`: the project's own figures in one table, as ratios against what stands beside it.

Contenders take turns in one run, so that a machine that is slow for a minute is slow for all of them. Every
figure is the median of several rounds. Nothing else should run meanwhile.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

from bluekrait.core.fen import STARTING_FEN
from bluekrait.search.bench_positions import BENCH_POSITIONS
from bluekrait.search.engine import load_engine
from bluekrait.search.limits import Limits, Settings

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
MIDDLEGAME = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"
ENDGAME = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
PERFTS = (
    ("startpos 6", STARTING_FEN, 6),
    ("Kiwipete 5", KIWIPETE, 5),
    ("middlegame 5", MIDDLEGAME, 5),
    ("endgame 5", ENDGAME, 5),
)
SEARCH_MILLISECONDS = 100  # a position
SHORT_SECONDS = 0.1  # a count that takes less is repeated until it takes so long
STARTS = 11
COMPILE_EVERYTHING = """
from bluekrait.core import api, jit
from bluekrait.search.engine import load_engine
load_engine()
for kernel in jit.kernels:
    kernel.prepare()
"""


class Figure(NamedTuple):
    """A row of the table. `floor` and `aim` are what the project asks of itself."""

    name: str
    value: float
    unit: str
    floor: float
    aim: float
    note: str = ""

    def verdict(self):
        """Where the value stands; for a time or a size less is better, for a ratio or a speed more."""
        more_is_better = self.unit in ("x", "Mnps")
        if self.value >= self.aim if more_is_better else self.value <= self.aim:
            return "aim"
        return (
            "floor"
            if (self.value >= self.floor if more_is_better else self.value <= self.floor)
            else "MISSED"
        )


def main():
    """Measure, print the table, and write it as JSON where asked."""
    options = _parser().parse_args()
    figures = []
    engine = [options.engine] if options.engine else [sys.executable, "-m", "bluekrait.uci"]
    for family in (
        perft_figures(options.rounds),
        thread_figures(options.rounds),
        hash_figures(options.rounds),
        search_figures(options.rounds),
        start_figures(options.rounds, engine),
        compile_figures(options.rounds),
    ):
        for figure in family:
            figures.append(figure)
            print(f"measured {figure.name}", file=sys.stderr, flush=True)
    print(table(figures))
    if options.json:
        report = {"machine": machine(), "figures": [figure._asdict() for figure in figures]}
        Path(options.json).write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


def _parser():
    parser = argparse.ArgumentParser(
        prog="python -m bluekrait.tools.bench",
        description="Measure the engine's figures and print them beside their floors and aims.",
        epilog="Example: python -m bluekrait.tools.bench --rounds 9 --json figures.json",
    )
    parser.add_argument("--rounds", type=int, default=7, help="rounds to take the median of (default 7)")
    parser.add_argument("--engine", metavar="FILE", help="the executable to start (default: this package)")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    return parser


# --- perft ----------------------------------------------------------------------------------------


def perft_figures(rounds):
    """One thread, no hash table, against the yardstick and against Stockfish."""
    pin_to_one_core()
    engine = load_engine()
    yardstick, stockfish = load_yardstick(), Stockfish.find()
    for name, fen, depth in PERFTS:
        engine.set_position(fen, [])
        contenders = [lambda depth=depth: engine.perft(depth).nodes]
        board = yardstick.start(fen)
        contenders.append(lambda depth=depth, board=board: int(yardstick.perft(depth, board)))
        if stockfish:
            stockfish.set_position(fen)
            contenders.append(lambda depth=depth: stockfish.perft(depth))
        nodes, (ours, *others) = race(contenders, rounds)
        note = f"{nodes / median(ours) / 1e6:.0f} Mnps"
        yield Figure(f"perft {name} / yardstick", ratio(others[0], ours), "x", 1.0, 1.5, note)
        if stockfish:
            yield Figure(f"perft {name} / {stockfish.name}", ratio(others[1], ours), "x", 4, 6, note)


def thread_figures(rounds):
    """Two threads against one."""
    use_all_cores()
    engine = load_engine()
    nodes, (one, two) = race([lambda t=t: engine.perft(7, threads=t).nodes for t in (1, 2)], rounds)
    note = f"startpos 7: {nodes / median(two) / 1e6:.0f} Mnps"
    yield Figure("perft two threads / one", ratio(one, two), "x", 1.85, 1.95, note)


def hash_figures(rounds):
    """A hash table of 256 MB, empty at the start, against none. The clock starts when it is allocated."""
    pin_to_one_core()
    engine = load_engine()
    bare, hashed = [], []
    for _ in range(rounds):
        bare.append(engine.perft(7).seconds)
        hashed.append(engine.perft(7, hash_mb=256).seconds)
    note = f"startpos 7: {median(bare):.2f} s, {median(hashed):.2f} s"
    yield Figure("perft 256 MB hash / none", ratio(bare, hashed), "x", 4, 8, note)


def search_figures(rounds):
    """How many nodes a second the search visits, with one thread and with two."""
    use_all_cores()
    engine = load_engine()
    speeds = [(search_speed(engine, 1), search_speed(engine, 2)) for _ in range(rounds)]
    one, two = zip(*speeds, strict=True)
    yield Figure("search, one thread", median(one), "Mnps", 1.0, 1.8, "bench positions, 16 MB hash")
    gain = median(many / few for few, many in zip(one, two, strict=True))
    yield Figure("search, two threads / one", gain, "x", 1.8, 1.95, f"{median(two):.2f} Mnps")


def search_speed(engine, threads):
    """Million nodes a second over the positions of the `bench` command, each from scratch."""
    engine.set_threads(threads)
    nodes = seconds = 0
    for fen in BENCH_POSITIONS:
        engine.new_game()
        engine.set_position(fen, [])
        last = engine.go(Limits(move_time=SEARCH_MILLISECONDS), Settings(move_overhead=0)).lines[0]
        nodes, seconds = nodes + last.nodes, seconds + last.seconds
    return nodes / seconds / 1e6


def race(contenders, rounds):
    """Let contenders count in turn. The count, on which they must agree, and the seconds of each."""
    counts, times = set(), [[] for _ in contenders]
    for contender in contenders:
        counts.add(contender())
    for _ in range(rounds):
        for contender, seconds in zip(contenders, times, strict=True):
            seconds.append(seconds_for(contender))
    if len(counts) != 1:
        raise SystemExit(f"the contenders do not agree: {sorted(counts)}")
    return counts.pop(), times


def seconds_for(contender):
    """Seconds for one count, repeated if it is too short to be timed."""
    runs, began = 0, perf_counter()
    while not runs or perf_counter() - began < SHORT_SECONDS:
        contender()
        runs += 1
    return (perf_counter() - began) / runs


def ratio(theirs, ours):
    """Median of the ratios, round by round."""
    return median(their / our for their, our in zip(theirs, ours, strict=True))


def load_yardstick():
    """The prototype, compiled in this process."""
    try:
        from bluekrait.tools.yardstick import perft_yardstick
    except ModuleNotFoundError as error:
        raise SystemExit(f"bench: the yardstick needs {error.name}: pip install {error.name}") from None
    return perft_yardstick


class Stockfish:
    """An installed Stockfish, counting on the same core."""

    def __init__(self, path):
        self._process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._say("uci")
        self.name = self._hear("id name").removeprefix("id name ")

    @classmethod
    def find(cls):
        """The one on this machine, or None."""
        path = shutil.which("stockfish", path=os.environ.get("PATH", "") + ":/usr/games")
        return cls(path) if path else None

    def set_position(self, fen):
        """Set up a position to count from."""
        self._say(f"position fen {fen}")

    def perft(self, depth):
        """Count."""
        self._say(f"go perft {depth}")
        return int(self._hear("Nodes searched").split(":")[1])

    def _say(self, line):
        print(line, file=self._process.stdin, flush=True)

    def _hear(self, beginning):
        for line in self._process.stdout:
            if line.startswith(beginning):
                return line.strip()
        raise SystemExit("Stockfish has died")


# --- start ----------------------------------------------------------------------------------------


def start_figures(rounds, engine):
    """A warm process: how long until it answers, and how much memory it takes."""
    use_all_cores()
    start(engine)  # so that it is warm
    first, ready, memory = zip(*(start(engine) for _ in range(max(rounds, STARTS))), strict=True)
    yield Figure("start to uciok", 1000 * median(first), "ms", 150, 30)
    yield Figure("start to readyok, warm", 1000 * median(ready), "ms", 500, 100)
    yield Figure("memory after readyok, warm", median(memory), "MB", 250, 100, "resident")


def start(engine):
    """Start the engine; seconds to `uciok`, seconds to `readyok` and megabytes then."""
    began = perf_counter()
    with subprocess.Popen(engine, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdin.write(b"uci\nisready\n")
        process.stdin.flush()
        answered = until(process, b"uciok") - began
        ready = until(process, b"readyok") - began
        megabytes = resident_megabytes(process.pid)
        process.communicate(b"quit\n")
    return answered, ready, megabytes


def until(process, word):
    """The time at which a line has come."""
    for line in process.stdout:
        if line.strip() == word:
            return perf_counter()
    raise SystemExit(f"the engine has died before {word.decode()}")


def resident_megabytes(pid):
    """Memory that a process occupies now."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return float("nan")
    (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def compile_figures(rounds):
    """The engine and the library compiled from nothing, in a cache directory of their own."""
    use_all_cores()
    seconds = []
    for _ in range(min(rounds, 3)):
        with tempfile.TemporaryDirectory() as empty:
            began = perf_counter()
            homes = ("BLUEKRAIT_CACHE_DIR", "XDG_CACHE_HOME", "HOME", "TMPDIR")
            environment = dict(os.environ, **dict.fromkeys(homes, empty))
            subprocess.run([sys.executable, "-c", COMPILE_EVERYTHING], env=environment, check=True)
            seconds.append(perf_counter() - began)
    yield Figure("cold compile of engine and library", median(seconds), "s", 120, 60)


# --- the machine and the table -----------------------------------------------------------------------


def pin_to_one_core():
    """Keep this process, and what it starts, on one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def use_all_cores():
    """Let this process run anywhere again."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, range(os.cpu_count()))


def machine():
    """What was measured on what."""
    from llvmlite import binding

    return {
        "processor": binding.get_host_cpu_name(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def table(figures):
    """The figures as Markdown, for the README."""
    rows = [("figure", "measured", "at least", "aim", "reached", "that is")]
    for figure in figures:
        floor, aim = (f"{number:g} {figure.unit}" for number in (figure.floor, figure.aim))
        digits = 2 if figure.unit == "x" else 1 if figure.unit == "s" else 0
        measured = f"{figure.value:.{digits}f} {figure.unit}"
        rows.append((figure.name, measured, floor, aim, figure.verdict(), figure.note))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["| " + " | ".join(map(str.ljust, row, widths)) + " |" for row in rows]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    where = ", ".join(f"{key} {value}" for key, value in machine().items())
    return f"{where}\n\n" + "\n".join(lines)


if __name__ == "__main__":
    main()
