"""The same loops in C++, compiled by g++ and run on the same inputs in the same rounds."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.resources import files
from pathlib import Path

from bluekrait.tools.sliders import slider_inputs
from bluekrait.tools.sliders.slider_benchmark import Candidate, Work
from bluekrait.tools.sliders.slider_figures import CPP, GAMES, RANDOM

SOURCE = files("bluekrait.tools.yardstick") / "sliders.cpp"  # maybe in an archive
FLAGS = ("-std=c++17", "-O3", "-march=native", "-x", "c++", "-")
TECHNIQUES = (
    "hyperbola",
    "hyperbola-simd",
    "kogge-stone",
    "kogge-stone-simd",
    "kindergarten",
    "fancy-magic",
    "pext",
)


class YardstickError(ValueError):
    """The C++ program cannot run; the message says why, in one line."""


class Yardstick:
    """The C++ program, running as a child process that waits for work."""

    def __init__(self, seed: int) -> None:
        compiler = shutil.which("g++")
        if compiler is None:
            raise YardstickError("--cpp needs g++, which is not installed")
        self._folder = tempfile.TemporaryDirectory(prefix="bluekrait-")
        program, inputs = Path(self._folder.name) / "sliders", Path(self._folder.name) / "inputs"
        source = SOURCE.read_text(encoding="utf-8")
        building = subprocess.run(
            [compiler, *FLAGS, "-o", program], input=source, capture_output=True, text=True, check=False
        )
        if building.returncode:
            raise YardstickError(f"g++ cannot compile {SOURCE.name}: {building.stderr.strip()[:200]}")
        sections = {RANDOM: slider_inputs.random_lookups(seed), GAMES: slider_inputs.game_inputs(seed)[0]}
        with open(inputs, "wb") as file:
            for lookups in sections.values():
                file.write(lookups.squares.tobytes() + lookups.occupancies.tobytes())
        self._counts = {section: len(lookups.squares) for section, lookups in sections.items()}
        self._process = subprocess.Popen(
            [program, inputs],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # Ctrl-C is for us; it ends with its input
        )

    def candidates(self, names: Iterable[str]) -> Iterator[Candidate]:
        """The techniques that are written in C++ too."""
        for name in names:
            if name in TECHNIQUES:
                for number, (section, count) in enumerate(self._counts.items()):
                    yield Candidate(section, name, CPP, count, self._worker(name, number))

    def close(self) -> None:
        """Let the program end, and remove it."""
        self._process.communicate()
        self._folder.cleanup()

    def _worker(self, name: str, number: int) -> Work:
        def do(times: int) -> tuple[int, float]:
            with suppress(BrokenPipeError):  # the program has ended: then there is no answer
                print(name, number, times, file=self._process.stdin, flush=True)
            output = self._process.stdout
            answer = output.readline().split() if output else []
            if not answer:
                raise YardstickError("the C++ program ended without an answer")
            checksum, nanoseconds = answer
            return int(checksum), int(nanoseconds) / 1e9

        return do
