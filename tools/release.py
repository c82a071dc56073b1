"""`make release`: build what is published, and try each file as a user would.

Built are the source archive, the wheel for all systems and those with compiled code, with their checksums in
SHA256SUMS. Each that is for this system is installed into an environment of its own, with an empty cache, and
plays a game against itself there. With compiled code, nothing may be compiled. Last comes the trial under
Wine, of the wheel for all systems and of that for Windows.
"""

import argparse
import contextlib
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import threading
import venv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bluekrait.core.compiler import cpuid, prebuilt
from bluekrait.tools import prebuild
from bluekrait.tools.build_executable import python_of
from bluekrait.uci import __version__
from bluekrait.uci.exits import FAILED, SUCCESS, fail, tell

PROGRAM = "make release"
ROOT = Path(__file__).resolve().parent.parent
CHECKSUMS = "SHA256SUMS"
PRODUCTS = ("bluekrait-*.tar.gz", "bluekrait-*.whl", "bluekrait-*.draft", CHECKSUMS)
PATIENCE = 1200  # seconds for a command, and for a game
GAME_PLIES = 20  # of the game that every artefact plays
NODES = 5000  # for each of its moves


class ReleaseError(RuntimeError):
    """A step failed; the message says which."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, check and try; the exit code."""
    parser = argparse.ArgumentParser(prog=PROGRAM, description=__doc__.splitlines()[0])
    text = f"where to put the files, in place of earlier ones and their {CHECKSUMS}"
    parser.add_argument("--to", type=Path, default=ROOT / "dist", metavar="DIR", help=text)
    parser.add_argument("--without-windows", action="store_true", help="leave out the trial under Wine")
    parser.add_argument(
        "--windows-dir", type=Path, metavar="DIR", help="where Wine is kept for the next time"
    )
    options = parser.parse_args(arguments)
    try:
        artefacts = build(options.to)
        check(artefacts)
        write_checksums(artefacts, options.to / CHECKSUMS)
        for artefact in artefacts:
            if is_for_this_system(artefact):
                try_artefact(artefact)
        if not options.without_windows:
            try_windows(artefacts, options.windows_dir)
    except (ReleaseError, OSError, subprocess.TimeoutExpired) as error:
        return fail(error, FAILED, PROGRAM)
    print(f"BlueKrait {__version__} is ready in {options.to}:")
    for artefact in artefacts:
        print(f"  {artefact.name}, {artefact.stat().st_size / 1e6:.2f} MB")
    return SUCCESS


def build(directory: Path) -> list[Path]:
    """The source archive, and the wheels that are made from it, in place of those of earlier releases."""
    tell("building the source archive and the wheels")
    remove_products(directory)
    call(sys.executable, "-m", "build", "--outdir", directory, ROOT)
    artefacts = sorted(directory.glob(f"bluekrait-{__version__}*"))
    if {"".join(path.suffixes[-2:]) for path in artefacts if path.suffix == ".gz"} != {".tar.gz"}:
        raise ReleaseError(f"no source archive of {__version__} in {directory}")
    wheels = [str(path) for path in artefacts if path.suffix == ".whl"]
    if not wheels:
        raise ReleaseError(f"no wheel of {__version__} in {directory}")
    if sys.platform == "linux" and prebuild.main(wheels) != SUCCESS:
        raise ReleaseError("the wheels with compiled code cannot be made")
    return sorted(directory.glob(f"bluekrait-{__version__}*"))


def remove_products(directory: Path) -> None:
    """Remove the files in the directory that have the names of what a release makes."""
    for pattern in PRODUCTS:
        for path in directory.glob(pattern):
            path.unlink()


def check(artefacts: Iterable[Path]) -> None:
    """Check whether a package index would accept the files."""
    tell("checking the metadata")
    call(sys.executable, "-m", "twine", "check", "--strict", *artefacts)


def write_checksums(artefacts: Iterable[Path], path: Path) -> None:
    """A file that `sha256sum --check` understands."""
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in artefacts]
    path.write_text("".join(lines), encoding="utf-8")


def is_for_this_system(artefact: Path) -> bool:
    """True unless it is a wheel for another system."""
    here = sys.platform, cpuid.machine()
    ours = [target for target in prebuilt.TARGETS if (target.system, target.machine) == here]
    tags = ("any", *map(prebuild.tag_of, ours))
    return artefact.suffix != ".whl" or artefact.stem.endswith(tuple(f"-{tag}" for tag in tags))


def try_artefact(artefact: Path) -> None:
    """Install it into an environment of its own, and let it play a game there with an empty cache."""
    with tempfile.TemporaryDirectory(prefix="bluekrait-release-") as directory:
        place = Path(directory)
        tell(f"{artefact.name}: installing into a fresh environment")
        venv.create(place / "environment", with_pip=True)
        python = python_of(place / "environment")
        call(python, "-m", "pip", "install", "--quiet", artefact)
        tell(f"{artefact.name}: playing a game, with an empty cache")
        cache = place / "cache"
        settings = os.environ | {"BLUEKRAIT_CACHE_DIR": str(cache)}
        plies = play_game([python, "-m", "bluekrait"], place, settings)
        if "linux" in artefact.name and prebuild.has_compiled(cache):
            raise ReleaseError(f"{artefact.name}: its compiled code was not used")
        tell(f"{artefact.name}: played {plies} half-moves")


def play_game(command: Sequence[object], place: Path, settings: Mapping[str, str]) -> int:
    """Let an engine play both sides; how many moves were made."""
    moves: list[str] = []
    call(*command, "warmup", cwd=place, env=settings)
    engine = subprocess.Popen(
        [*map(str, command)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=place,
        env=settings,
        text=True,
        encoding="utf-8",
    )
    with contextlib.suppress(BrokenPipeError), ended_in_time(engine), engine:
        commands, answers = engine.stdin, engine.stdout
        while commands and answers and len(moves) < GAME_PLIES:
            position = f"position startpos moves {' '.join(moves)}" if moves else "position startpos"
            commands.write(f"{position}\ngo nodes {NODES}\n")
            commands.flush()
            move = answer_of(answers)
            if not re.fullmatch("[a-h][1-8][a-h][1-8][qrbn]?", move):
                break
            moves.append(move)
        if commands:
            commands.write("quit\n")
    if len(moves) < GAME_PLIES or engine.returncode:
        raise ReleaseError(f"the game ended after {' '.join(moves) or 'nothing'}, code {engine.returncode}")
    return len(moves)


@contextlib.contextmanager
def ended_in_time(process: "subprocess.Popen[str]") -> Iterator[None]:
    """Kill the process if this block takes too long."""
    timer = threading.Timer(PATIENCE, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def answer_of(lines: Iterable[str]) -> str:
    """The move behind `bestmove`; empty if the engine ends without one."""
    for line in lines:
        if line.startswith("bestmove "):
            return line.split()[1]
    return ""


def try_windows(artefacts: Iterable[Path], directory: Path | None) -> None:
    """Try the wheels as a user does on Windows."""
    for wheel in (path for path in artefacts if path.stem.endswith(("-any", "-win_amd64"))):
        words = [sys.executable, "-m", "bluekrait.tools.ports.try_windows", wheel]
        words += ["--dir", directory] if directory else []
        tell(f"trying {wheel.name} under Wine; this takes minutes")
        if subprocess.run([*map(str, words)], check=False).returncode:
            raise ReleaseError("the trial under Wine failed")


def call(*words: object, **options: Any) -> None:
    """Run a command that must succeed."""
    done = subprocess.run(
        [*map(str, words)], capture_output=True, text=True, timeout=PATIENCE, check=False, **options
    )
    if done.returncode:
        last = "\n".join((done.stdout + done.stderr).strip().splitlines()[-5:])
        raise ReleaseError(f"{' '.join(map(str, words[:4]))} failed: {last}")


if __name__ == "__main__":
    sys.exit(main())
