"""How long the engine takes to answer, warm and cold, and how much memory it needs."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from math import isnan
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import IO

from bluekrait.tools.figures.figure import Figure, Unmeasurable, rounds_of, use_all_cores

STARTS = 11  # at least, for they are quick
COMPILATIONS = 3  # at most, for they are slow
COMPILE_EVERYTHING = """
from bluekrait.core import api
from bluekrait.core.compiler import jit
from bluekrait.search.engine import load_engine
load_engine()
for kernel in jit.kernels:
    kernel.prepare()
"""


def start_figures(rounds: int, command: Sequence[str]) -> Iterator[Figure]:
    """A warm process: how long until it answers, and how much memory it takes, if the system tells that."""
    use_all_cores()
    start(command)  # so that it is warm
    starts = [start(command) for _ in rounds_of(max(rounds, STARTS), "start")]
    first, ready, memory = zip(*starts, strict=True)
    yield Figure("start to uciok", 1000 * median(first), "ms", 150, 30)
    yield Figure("start to readyok, warm", 1000 * median(ready), "ms", 500, 100)
    if not isnan(memory[0]):
        yield Figure("memory after readyok, warm", median(memory), "MB", 250, 100, "resident")


def start(command: Sequence[str]) -> tuple[float, float, float]:
    """Start the engine; seconds to `uciok`, seconds to `readyok` and megabytes then."""
    began = perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        if process.stdin is None or process.stdout is None:
            raise Unmeasurable("there are no pipes to the engine")
        with suppress(BrokenPipeError):  # it has ended already; that is noticed below
            os.write(process.stdin.fileno(), b"uci\nisready\n")
        answered = until(process.stdout, b"uciok") - began
        ready = until(process.stdout, b"readyok") - began
        megabytes = resident_megabytes(process.pid)
        process.communicate(b"quit\n")
    return answered, ready, megabytes


def until(output: IO[bytes], word: bytes) -> float:
    """The time at which a line has come."""
    for line in output:
        if line.strip() == word:
            return perf_counter()
    raise Unmeasurable(f"the engine ended before {word.decode()}")


def resident_megabytes(pid: int) -> float:
    """Memory that a process occupies now; not a number where the system does not tell it."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return float("nan")
    (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def compile_figures(rounds: int, command: Sequence[str]) -> Iterator[Figure]:
    """The engine and the library compiled from nothing, in a cache directory of their own."""
    use_all_cores()
    seconds = []
    for _ in rounds_of(min(rounds, COMPILATIONS), "cold compile"):
        with tempfile.TemporaryDirectory() as empty:
            began = perf_counter()
            homes = ("BLUEKRAIT_CACHE_DIR", "XDG_CACHE_HOME", "HOME", "TMPDIR")
            environment = dict(os.environ, **dict.fromkeys(homes, empty))
            subprocess.run([sys.executable, "-c", COMPILE_EVERYTHING], env=environment, check=True)
            seconds.append(perf_counter() - began)
    yield Figure("cold compile of engine and library", median(seconds), "s", 120, 60)
