"""`make try-emulated`: the engine on other processors, by emulation.

The processors are ARM in 64 bits, and x86-64 without AVX2 and BMI2, where sliding attacks are found by magic
numbers. On each the engine starts from the compiled code of its wheel, and must count and search as it does
here. Then a part of it is compiled there. With `--compile` all of it is, which takes an hour or more.
"""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bluekrait.tools.common.command_line import Parser
from bluekrait.tools.ports.checklist import Check, expect, run_checks, table
from bluekrait.tools.ports.emulators import Arm, Emulated, OldIntel
from bluekrait.tools.ports.windows_checks import nodes_of
from bluekrait.tools.prebuild import has_compiled, tag_of
from bluekrait.uci.exits import FAILED, INTERRUPTED, SUCCESS, WRONG_ARGUMENTS, fail, tell

PROGRAM = "python -m bluekrait.tools.ports.try_emulated"
MACHINES = {machine.name: machine for machine in (Arm, OldIntel)}
BENCH_DEPTH = "4"
PERFT_4 = "197281"

# Counts the positions after three half-moves with the library, which compiles what it needs.
COUNT = """
from bluekrait.core import legal_moves, make_move, parse_fen

def count(position, depth):
    moves = legal_moves(position)
    return len(moves) if depth == 1 else sum(count(make_move(position, move), depth - 1) for move in moves)

print(count(parse_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), 3))
"""
PERFT_3 = "8902"


class EmulatedChecks:
    """The checks, on one machine."""

    def __init__(self, machine: Emulated, compiles_all: bool) -> None:
        self._machine, self._compiles_all = machine, compiles_all
        machine.forget()

    def all(self) -> list[Check]:
        """All checks, in their order."""
        begin = self.compile if self._compiles_all else self.start
        return [begin, self.perft, self.bench, self.library]

    def start(self) -> str:
        """the first start compiles nothing"""
        text = self._machine.run("warmup").strip()
        expect(not has_compiled(self._machine.cache), f"it was compiled: {text}")
        return f"{text}; {self._report('compiled code')}"

    def compile(self) -> str:
        """the whole engine compiles"""
        text = self._machine.run("warmup").strip().splitlines()[-1]
        written = self._written()
        self._machine.run("warmup")
        expect(written and self._written() == written, "it was compiled again")
        return f"{text}; {self._report('processor')}"

    def perft(self) -> str:
        """perft 4"""
        text = self._machine.run("perft", "4").strip()
        expect(PERFT_4 in text, text)
        return text

    def bench(self) -> str:
        """bench 4 has the nodes that it has here"""
        theirs = nodes_of(self._machine.run("bench", BENCH_DEPTH))
        here = [sys.executable, "-m", "bluekrait.uci", "bench", BENCH_DEPTH]
        ours = nodes_of(subprocess.run(here, capture_output=True, text=True, check=True).stdout)
        expect(theirs == ours, f"{theirs} nodes, here {ours}")
        return f"{theirs} nodes"

    def library(self) -> str:
        """legal_moves and make_move are compiled there, and count perft 3"""
        text = self._machine.run_python("-c", COUNT).strip()
        expect(text == PERFT_3, text)
        expect(any(self._machine.cache.rglob("*.kernel")), "nothing was compiled")
        return f"{text} positions"

    def _written(self) -> dict[Path, int]:
        """When each file of compiled code was written."""
        return {path: path.stat().st_mtime_ns for path in self._machine.cache.rglob("*.native")}

    def _report(self, row: str) -> str:
        """A row of the engine's report on its compiled code."""
        rows = self._machine.run("compiler").splitlines()
        return next((" ".join(line.split()) for line in rows if line.startswith(row)), "")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the checks on each machine and print their tables; the exit code."""
    parser = Parser(
        prog=PROGRAM,
        description="Run the engine on other processors, which are emulated. Needs Debian 12: its packages "
        "are used, and not installed.",
    )
    parser.add_argument("wheels", type=Path, help="the folder with the wheels, as `make wheel` leaves it")
    parser.add_argument("--dir", type=Path, help="where to keep what is downloaded for the next time")
    parser.add_argument("--machine", action="append", choices=sorted(MACHINES), help="on this one only")
    parser.add_argument("--compile", action="store_true", help="compile the whole engine there (an hour)")
    options = parser.parse_args(arguments)
    machines = [MACHINES[name] for name in options.machine or MACHINES]
    try:
        wheels = [wheel_for(machine, options.wheels, options.compile) for machine in machines]
    except FileNotFoundError as error:
        return fail(error, WRONG_ARGUMENTS, PROGRAM)
    try:
        if options.dir:
            return attempt(machines, wheels, options.dir, options.compile)
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
            return attempt(machines, wheels, Path(directory), options.compile)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        return fail(error, FAILED, PROGRAM)


def wheel_for(machine: type[Emulated], folder: Path, is_pure: bool) -> Path:
    """The wheel with compiled code for a machine, or the one without."""
    tag = "any" if is_pure else tag_of(machine.target)
    for wheel in sorted(folder.glob(f"bluekrait-*-{tag}.whl")):
        return wheel
    raise FileNotFoundError(f"there is no wheel for {tag} in {folder}")


def attempt(
    machines: Sequence[type[Emulated]], wheels: Sequence[Path], directory: Path, compiles_all: bool
) -> int:
    """Try each machine with its wheel; the exit code."""
    code = SUCCESS
    for kind, wheel in zip(machines, wheels):
        machine = kind(directory)
        machine.prepare(tell)
        machine.install(wheel)
        outcomes = run_checks(EmulatedChecks(machine, compiles_all).all(), tell)
        print(f"{machine.name}\n{table(outcomes)}\n")
        if not all(outcome.passed for outcome in outcomes):
            code = FAILED
    return code


if __name__ == "__main__":
    sys.exit(main())
