"""`python -m bluekrait.tools.openbench.try_worker`: do all that an OpenBench worker does with an engine.

The sources are packed into a zip archive without file modes and unpacked elsewhere; `make -j EXE=... CC=...`
builds them; the executable is moved away and the sources are deleted. Then two copies run the benchmark at
the same time, from another directory, and must agree; openings are generated; the match runner plays four
games. Another build takes a network as the server hands it out, by EVALFILE, and must count other nodes.
Every step prints its time. At the first failure the exit code is 1.
"""

import argparse
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from bluekrait.core.timer import monotonic
from bluekrait.search.evaluation.network import default_network
from bluekrait.search.evaluation.network.network_file import QA, QB, pack
from bluekrait.uci.exits import FAILED, SUCCESS, WRONG_ARGUMENTS, fail

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = "python -m bluekrait.tools.openbench.try_worker"
SOURCES = ("core", "search", "uci", "tools", "Makefile", "pyproject.toml", "README.md", "LICENSE", "NOTICE")

ENGINE = "BlueKrait-0123ABCD"
NETWORK = "89ABCDEF"  # a worker names networks by the beginning of their digest
ADVANTAGE = 0.1  # of an output, for the side to move: what makes that network another one
COPIES = 2  # of the benchmark at once
BENCH_SECONDS = 60  # a worker waits no longer
OPENINGS = 4
ROUNDS = 2  # pairs of games
CONTROL = ("tc=inf", "nodes=2000")

LAST_LINE = re.compile(r"(\d+) nodes (\d+) nps")
OPENING = "info string genfens "
FINISHED = re.compile(r"Finished game (\d+) \((.+) vs (.+)\): (1-0|0-1|1/2-1/2) \{(.+)\}")
FAULTS = ("disconnect", "stalls", "on time", "illegal")  # what a worker reports as an engine's fault


class TrialError(Exception):
    """A step failed."""


Result = TypeVar("Result")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all steps; the exit code."""
    options = _parser().parse_args(arguments)
    if not (options.sources / "Makefile").is_file():
        return fail(f"{options.sources} has no Makefile", WRONG_ARGUMENTS, PROGRAM)
    with tempfile.TemporaryDirectory() as folder:
        try:
            try_worker(options.sources, Path(folder))
        except (TrialError, OSError, subprocess.TimeoutExpired) as error:
            return fail(error, FAILED, PROGRAM)
    return SUCCESS


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description=(__doc__ or "").partition("\n\n")[2],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--sources", type=Path, default=ROOT, help="the checkout (this one)")
    return parser


def try_worker(sources: Path, folder: Path) -> None:
    """Run all steps in an empty folder."""
    workplace = folder / "worker"
    (workplace / "Engines").mkdir(parents=True)
    step(f"build {ENGINE}", build, unpacked(sources, folder), workplace / "Engines" / ENGINE)
    nodes = step(f"bench, {COPIES} copies at once", bench, workplace / "Engines")
    book = step(f"genfens {OPENINGS}", genfens, workplace)
    games = step(f"{2 * ROUNDS} games", play, workplace, book)
    engines, network = workplace / "EnginesWithNetwork", another_network(workplace / "Networks")
    engines.mkdir()
    step("build with a network", build, unpacked(sources, folder), engines / ENGINE, network)
    others = step("bench with that network", bench, engines)
    if others == nodes:
        raise TrialError(f"make EVALFILE={network} made an engine that does not use it: bench {nodes}")
    print(f"bench {nodes}, {others} with a network; {games} games without trouble", flush=True)


def step(name: str, action: Callable[..., Result], *arguments: object) -> Result:
    """Run one step, print how long it took, and return its result."""
    begin = monotonic()
    print(f"{name} ...", flush=True)
    result = action(*arguments)
    print(f"{name}: {monotonic() - begin:.1f} s", flush=True)
    return result


def unpacked(sources: Path, folder: Path) -> Path:
    """The sources as they come out of a downloaded archive: without modes, and without a repository."""
    archive, place = folder / "download.zip", folder / "sources"
    with zipfile.ZipFile(archive, "w") as file:
        for name in SOURCES:
            for path in sorted([sources / name, *(sources / name).rglob("*")]):
                if path.is_file() and "__pycache__" not in path.parts:
                    file.writestr(zipfile.ZipInfo(path.relative_to(sources).as_posix()), path.read_bytes())
    with zipfile.ZipFile(archive) as file:
        file.extractall(place)
    return place


def another_network(folder: Path) -> Path:
    """A network that was uploaded to the server and downloaded by the worker: a file without an ending."""
    network = default_network.load()
    if network is None:
        raise TrialError("the package has no network")
    biases = [
        bias + round(ADVANTAGE * QA * QB) for (bias,) in struct.iter_unpack("<i", network.output_biases)
    ]
    folder.mkdir()
    path = folder / NETWORK
    path.write_bytes(pack(network._replace(output_biases=struct.pack(f"<{len(biases)}i", *biases))))
    return path


def build(place: Path, executable: Path, network: Path | None = None) -> None:
    """Build with the default target, move the executable away, and delete the sources."""
    folder, interpreter = os.path.split(sys.executable)
    words = ["make", "-j", f"EXE={executable.name}", f"CC={interpreter}"]
    words += [f"EVALFILE={os.path.relpath(network, place)}"] if network else []
    environment = dict(os.environ, PATH=f"{folder}{os.pathsep}{os.environ['PATH']}")
    answer = subprocess.run(words, cwd=place, capture_output=True, env=environment)
    answer.stdout.decode("utf-8")  # a worker requires UTF-8
    if answer.returncode or not (place / executable.name).is_file():
        raise TrialError(f"make failed: {answer.stderr.decode(errors='replace')[-300:]}")
    shutil.move(place / executable.name, executable)
    shutil.rmtree(place)


def bench(folder: Path) -> int:
    """Run several copies at the same time; the number of nodes, which must be the same for all."""
    started = [
        subprocess.Popen(
            [f"./{ENGINE}", "bench"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        for _ in range(COPIES)
    ]
    try:
        texts = [process.communicate(timeout=BENCH_SECONDS)[0] for process in started]
    finally:
        for process in started:
            process.kill()
            process.wait()
    found = [LAST_LINE.search(text.strip().rpartition("\n")[2]) for text in texts]
    nodes = {match[1] if match else None for match in found}
    if None in nodes or len(nodes) != 1:
        raise TrialError(f"the copies do not agree: {[text[-80:] for text in texts]}")
    if sorted(os.listdir(folder)) != [ENGINE]:
        raise TrialError(f"something was left beside the executable: {os.listdir(folder)}")
    return int(nodes.pop() or 0)


def genfens(workplace: Path) -> Path:
    """Openings from the engine, as the book for the games."""
    words = [f"./Engines/{ENGINE}", f"genfens {OPENINGS} seed 7 book None", "quit"]
    answer = subprocess.run(words, cwd=workplace, capture_output=True, text=True, timeout=BENCH_SECONDS)
    fens = [line.removeprefix(OPENING) for line in answer.stdout.splitlines() if line.startswith(OPENING)]
    if len(fens) != OPENINGS:
        raise TrialError(f"{len(fens)} openings of {OPENINGS}: {answer.stdout[-200:]}")
    lines = []
    for fen in fens:
        *position, clock, move = fen.split()
        lines.append(f"{' '.join(position)} hmvc {int(clock)}; fmvn {int(move)};\n")
    book = workplace / "book.epd"
    book.write_text("".join(lines))
    return book


def play(workplace: Path, book: Path) -> int:
    """Play games between two copies with the runner that a worker would call; the number of games."""
    runner = "bluekrait.tools.openbench.cutechess_ob"
    words = [sys.executable, "-m", runner, "-recover", "-variant", "standard"]
    words += ["-testEnv", "-concurrency", "1", "-rounds", str(ROUNDS), "-games", "2"]
    words += ["-resign", "movecount=3", "score=400", "-draw", "movenumber=40", "movecount=8", "score=10"]
    for side in ("dev", "base"):
        words += ["-engine", "dir=Engines/", f"cmd=./{ENGINE}", "proto=uci", *CONTROL]
        words += ["option.Threads=1", "option.Hash=8", f"name=BlueKrait-{side}"]
    words += ["-openings", f"file={book}", "format=epd", "order=random", "start=1", "-srand", "3"]
    words += ["-pgnout", "file=games.pgn", "seldepth=true", "nodes=true"]
    answer = subprocess.run(words, cwd=workplace, capture_output=True, text=True)
    games = [match for match in map(FINISHED.match, answer.stdout.splitlines()) if match]
    if {int(match[1]) for match in games} != set(range(1, 2 * ROUNDS + 1)):
        output = f"{answer.stdout[-300:]} {answer.stderr[-300:]}"
        raise TrialError(f"{len(games)} games of {2 * ROUNDS}: {output}")
    for match in games:
        if any(word in match[5] for word in FAULTS):
            raise TrialError(match[0])
    if (workplace / "games.pgn").read_text().count("[Event ") != len(games):
        raise TrialError("the PGN does not hold these games")
    return len(games)


if __name__ == "__main__":
    sys.exit(main())
