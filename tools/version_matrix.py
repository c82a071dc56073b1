"""`make matrix`: try every supported Python with the oldest and the newest Numba that it can have.

Each pair gets an environment of its own under build/matrix, with a cache of its own. There the package is
installed, the heart of the test suite is run, and the nodes of `bench` are compared. Interpreters are looked
for by name in PATH and in pyenv's folder; one that is not there is said to be missing.

    python tools/version_matrix.py                       # everything
    python tools/version_matrix.py --python 3.12 3.13    # some
    python tools/version_matrix.py --list                # what would be tried
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from bluekrait.uci.exits import tell

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "build" / "matrix"

# The oldest Numba that pyproject.toml allows and that has wheels for the Python; pip finds the newest.
OLDEST_NUMBA = {
    "3.10": "0.61.0",
    "3.11": "0.61.0",
    "3.12": "0.61.0",
    "3.13": "0.61.0",
    "3.14": "0.63.0",
    "3.15": "0.68.0",
}
NEWEST = "newest"

NEEDED = ("pytest", "pytest-timeout", "hypothesis", "chess")
HEART = (
    "tests/core/test_library.py",
    "tests/core/test_notation.py",
    "tests/core/test_perft.py",
    "tests/core/test_rules.py",
    "tests/core/test_see.py",
    "tests/search/tree",
    "tests/repository/test_conversation.py",
)


class Pair(NamedTuple):
    """A Python and a Numba to be tried together."""

    python: str  # 3.12
    numba: str  # a version, or NEWEST

    def __str__(self) -> str:
        return f"Python {self.python} with Numba {self.numba}"

    @property
    def environment(self) -> Path:
        """Where the two are installed."""
        return PLACE / f"python-{self.python}-numba-{self.numba}"


class Step(NamedTuple):
    """A command, and what it is for."""

    name: str
    command: list[str]


def main(arguments: list[str] | None = None) -> int:
    """Try the pairs, print a table; the exit code is 1 if one failed."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0],
        epilog=__doc__.split("\n\n", 1)[1],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--python", nargs="+", choices=OLDEST_NUMBA, default=[*OLDEST_NUMBA], metavar="3.N")
    parser.add_argument("--list", action="store_true", help="print the pairs and the interpreters found")
    wishes = parser.parse_args(arguments)
    results = []
    for pair in pairs(wishes.python):
        interpreter = find_interpreter(pair.python)
        if wishes.list:
            print(f"{pair}: {interpreter or 'no interpreter'}")
        elif interpreter is None:
            results.append((pair, "missing: there is no such interpreter here"))
        else:
            results.append((pair, outcome(pair, interpreter)))
    for pair, result in results:
        print(f"{str(pair):36} {result}")
    return int(any(result.startswith("failed") for _, result in results))


def pairs(pythons: list[str]) -> Iterator[Pair]:
    """The oldest and the newest Numba for each Python."""
    for python in pythons:
        yield Pair(python, OLDEST_NUMBA[python])
        yield Pair(python, NEWEST)


def find_interpreter(version: str) -> str | None:
    """An interpreter of that version, or None."""
    name = f"python{version}"
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    candidates = [shutil.which(name), *sorted(map(str, pyenv.glob(f"{version}.*/bin/{name}")))]
    return next((path for path in candidates if path and is_usable(path)), None)


def is_usable(interpreter: str) -> bool:
    """True if an interpreter starts and can make environments; pyenv's placeholders cannot."""
    trial = subprocess.run([interpreter, "-c", "import ensurepip, venv"], capture_output=True)
    return trial.returncode == 0


def outcome(pair: Pair, interpreter: str) -> str:
    """What became of a pair, in one line. The output of its commands goes to a log beside its environment."""
    PLACE.mkdir(parents=True, exist_ok=True)
    log = Path(f"{pair.environment}.log")
    began = monotonic()
    with open(log, "w", encoding="utf-8") as output:
        for step in steps(pair, interpreter):
            tell(f"{pair}: {step.name}")
            print(f"$ {shlex.join(step.command)}", file=output, flush=True)
            if subprocess.run(
                step.command, cwd=ROOT, env=surroundings(pair), stdout=output, stderr=output
            ).returncode:
                return f"failed: {step.name}, see {log}"
    return f"passed in {monotonic() - began:.0f} s: {summary_of(log.read_text(encoding='utf-8'))}"


def steps(pair: Pair, interpreter: str) -> list[Step]:
    """What is done with a pair."""
    python, scripts = str(pair.environment / "bin" / "python"), pair.environment / "bin"
    numba = "numba" if pair.numba == NEWEST else f"numba=={pair.numba}"
    return [
        Step("making the environment", [interpreter, "-m", "venv", "--clear", str(pair.environment)]),
        Step("installing", [python, "-m", "pip", "install", "--editable", ".", numba, *NEEDED]),
        Step("which versions", [python, "-m", "pip", "list"]),
        Step("compiling", [str(scripts / "bluekrait"), "warmup"]),
        Step("testing", [python, "-m", "pytest", "-q", *HEART]),
        Step("comparing bench", [str(ROOT / ".ci" / "check_bench"), str(scripts / "bluekrait")]),
    ]


def surroundings(pair: Pair) -> dict[str, str]:
    """The environment variables for a pair: a cache of its own, and warnings shown."""
    return os.environ | {"BLUEKRAIT_CACHE_DIR": str(pair.environment / "cache"), "PYTHONWARNINGS": "default"}


def summary_of(log: str) -> str:
    """The versions and the result of the tests, as they stand in a log."""
    versions = re.findall(r"^(numba|llvmlite|numpy) +(\S+)$", log, re.MULTILINE)
    results = re.findall(r"^(\d+ passed.*) in ", log, re.MULTILINE)
    return ", ".join([*(" ".join(version) for version in versions), *results])


if __name__ == "__main__":
    sys.exit(main())
