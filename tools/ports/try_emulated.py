"""`make try-emulated`: the whole engine on other processors, by emulation.

It takes long, so nothing runs it by itself. The processors are ARM in 64 bits, and x86-64 without AVX2 and
BMI2, where sliding attacks are found by magic numbers. On each the engine is compiled from nothing, starts
again from what was compiled, and must search and count as it does here.
"""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bluekrait.tools.common.command_line import Parser
from bluekrait.tools.ports.checklist import Check, expect, run_checks, table
from bluekrait.tools.ports.emulators import Arm, Emulated, OldIntel
from bluekrait.tools.ports.try_windows import log
from bluekrait.tools.ports.windows_checks import nodes_of
from bluekrait.uci.exits import FAILED, INTERRUPTED, SUCCESS, WRONG_ARGUMENTS, fail

PROGRAM = "python -m bluekrait.tools.ports.try_emulated"
MACHINES = {machine.name: machine for machine in (Arm, OldIntel)}
BENCH_DEPTH = "4"
PERFT_4 = "197281"


class EmulatedChecks:
    """The checks, on one machine."""

    def __init__(self, machine: Emulated) -> None:
        self._machine = machine

    def all(self) -> list[Check]:
        """All checks, in their order."""
        return [self.compile, self.start, self.perft, self.bench]

    def compile(self) -> str:
        """the whole engine compiles"""
        self._machine.forget()
        text = self._machine.run("warmup").strip().splitlines()[-1]
        shown = self._machine.run("compiler")
        processor = next((line for line in shown.splitlines() if line.startswith("processor")), "")
        return f"{text}; {' '.join(processor.split())}"

    def start(self) -> str:
        """it starts from what was compiled"""
        text = self._machine.run("warmup").strip()
        expect("compiling" not in text, "it was compiled again")
        return text

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


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the checks on each machine and print their tables; the exit code."""
    parser = Parser(
        prog=PROGRAM,
        description="Compile and run the whole engine on other processors, which are emulated. Needs Debian "
        "or something like it: its packages are used, and not installed.",
    )
    parser.add_argument("wheel", type=Path, help="what to try")
    parser.add_argument("--dir", type=Path, help="where to keep what is downloaded for the next time")
    parser.add_argument("--machine", action="append", choices=sorted(MACHINES), help="on this one only")
    options = parser.parse_args(arguments)
    if not options.wheel.is_file():
        return fail(f"there is no wheel {options.wheel}", WRONG_ARGUMENTS, PROGRAM)
    names = options.machine or list(MACHINES)
    try:
        if options.dir:
            return attempt(options.wheel, options.dir, names)
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
            return attempt(options.wheel, Path(directory), names)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        return fail(error, FAILED, PROGRAM)


def attempt(wheel: Path, directory: Path, names: Sequence[str]) -> int:
    """Try a wheel on the machines of some names; the exit code."""
    code = SUCCESS
    for name in names:
        machine = MACHINES[name](directory)
        machine.prepare(log)
        machine.install(wheel)
        outcomes = run_checks(EmulatedChecks(machine).all(), log)
        print(f"{name}\n{table(outcomes)}\n")
        if not all(outcome.passed for outcome in outcomes):
            code = FAILED
    return code


if __name__ == "__main__":
    sys.exit(main())
