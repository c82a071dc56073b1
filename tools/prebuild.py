"""Put compiled code into a wheel: `python tools/prebuild.py dist/bluekrait-0.1.0-py3-none-any.whl`.

The engine is compiled from the wheel itself, once for each set of `core.compiler.prebuilt`. Another wheel is
written beside the first, for Linux on x86-64. Then every set that this processor can run searches the
positions of `bench` out of the new wheel: the nodes must be the same, and nothing may be compiled.

What was compiled stays in build/prebuilt: the next time, only what was edited is compiled again, and `make`
puts it into the file that it builds.
"""

import argparse
import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bluekrait.core.compiler import prebuilt, processor
from bluekrait.uci.exits import FAILED, SUCCESS, WRONG_ARGUMENTS, fail

PROGRAM = "tools/prebuild.py"
ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "prebuilt"
CODE = "code"  # the folder in BUILD with what goes into packages
PURE_TAG, TAG = "py3-none-any", "py3-none-linux_x86_64"
INSIDE = f"bluekrait/core/compiler/{prebuilt.FOLDER}"  # where a package has it
PATIENCE = 3600  # seconds for a command

COMPILE = """
import sys
from bluekrait import core
from bluekrait.core import native
from bluekrait.core.compiler import cache
from bluekrait.search.engine import ENTRIES_MODULE

if not core.__file__.startswith(sys.argv[1]):
    sys.exit(f"{core.__file__} does not lie in the wheel")
native.load(ENTRIES_MODULE)
print(cache.location(), *native.files(ENTRIES_MODULE), sep="\\n")
"""


class PrebuildError(RuntimeError):
    """A step failed; the message says which."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Compile, write the wheel and try it; the exit code."""
    parser = argparse.ArgumentParser(prog=PROGRAM, description=(__doc__ or "").splitlines()[0])
    parser.add_argument("wheel", type=Path, help="the wheel without compiled code")
    wheel = parser.parse_args(arguments).wheel.absolute()
    if not wheel.is_file() or PURE_TAG not in wheel.name:
        return fail(f"there is no wheel {wheel} for all systems", WRONG_ARGUMENTS, PROGRAM)
    if sys.platform != "linux" or sys.maxsize < 1 << 32:
        return fail("compiled code is only made on Linux with 64 bits", FAILED, PROGRAM)
    try:
        compile_sets(wheel)
        made = write_wheel(wheel)
        try_wheel(made)
    except (PrebuildError, OSError, subprocess.TimeoutExpired) as error:
        return fail(error, FAILED, PROGRAM)
    log(f"{made.name}: {made.stat().st_size / 1e6:.2f} MB")
    return SUCCESS


def compile_sets(wheel: Path) -> None:
    """Fill the folder of what goes into packages, with all sets and nothing else."""
    shutil.rmtree(BUILD / CODE, ignore_errors=True)
    log(f"compiling the engine for {len(prebuilt.SETS)} kinds of processors; this takes minutes")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        running = [pool.submit(compile_set, each, wheel) for each in prebuilt.SETS]
        for each, compiled in zip(prebuilt.SETS, running):
            compiled.result()
            log(f"{each.level} with {each.technique}: compiled")


def compile_set(each: prebuilt.Set, wheel: Path) -> None:
    """Compile the engine for a set, and copy the files."""
    place, *names = run_from(wheel, each, BUILD / "cache" / each.folder, "-c", COMPILE, wheel).splitlines()
    folder = BUILD / CODE / each.folder
    folder.mkdir(parents=True)
    for name in names:
        shutil.copyfile(Path(place) / name, folder / name)


def write_wheel(wheel: Path) -> Path:
    """Write the wheel with compiled code beside the one without; its path."""
    made = wheel.with_name(wheel.name.replace(PURE_TAG, TAG))
    draft = made.with_suffix(".draft")
    with zipfile.ZipFile(wheel) as pure, zipfile.ZipFile(draft, "w") as file:
        (record,) = (name for name in pure.namelist() if name.endswith(".dist-info/RECORD"))
        rows = []
        for name, content in members(pure):
            if name != record:
                rows.append(row_of(name, content))
                add(file, name, content)
        add(file, record, "".join([*rows, f"{record},,\n"]).encode())
    draft.replace(made)
    return made


def members(pure: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    """The names and contents of everything that the new wheel has, if its record is not looked at."""
    for name in pure.namelist():
        content = pure.read(name)
        if name.endswith(".dist-info/WHEEL"):
            content = content.replace(f"Tag: {PURE_TAG}".encode(), f"Tag: {TAG}".encode())
            content = content.replace(b"Root-Is-Purelib: true", b"Root-Is-Purelib: false")
        yield name, content
    for path in sorted((BUILD / CODE).rglob("*.*")):
        yield f"{INSIDE}/{path.relative_to(BUILD / CODE).as_posix()}", path.read_bytes()


def add(file: zipfile.ZipFile, name: str, content: bytes) -> None:
    """Put a member into an archive: with no date, so that equal contents make equal archives."""
    member = zipfile.ZipInfo(name)
    member.external_attr = 0o644 << 16
    file.writestr(member, content, zipfile.ZIP_DEFLATED, compresslevel=9)


def row_of(name: str, content: bytes) -> str:
    """The line about a file in the record of a wheel."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def try_wheel(wheel: Path) -> None:
    """Let every set that this processor can run search what `bench` searches."""
    here = processor.features()
    counted = set()
    for each in prebuilt.SETS:
        name = f"{each.level} with {each.technique}"
        if not here.issuperset(each.features):
            log(f"{name}: not tried, since this processor cannot run it")
            continue
        with tempfile.TemporaryDirectory(prefix="bluekrait-prebuild-") as cache:
            output = run_from(wheel, each, cache, "-m", "bluekrait", "bench")
            if os.listdir(cache):
                raise PrebuildError(f"{name}: the code in the wheel was not used")
        found = re.search(r"^(\d+) nodes ", output, re.MULTILINE)
        if not found:
            raise PrebuildError(f"{name}: bench printed no nodes")
        log(f"{name}: bench {found[1]}")
        counted.add(found[1])
    if len(counted) > 1:
        raise PrebuildError(f"the sets search different nodes: {', '.join(sorted(counted))}")


def run_from(wheel: Path, each: prebuilt.Set, cache: str | Path, *arguments: object) -> str:
    """The output of a Python process that imports the engine from a wheel, for the processors of a set."""
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "BLUEKRAIT_"))
    }
    own = {"PYTHONPATH": str(wheel), "BLUEKRAIT_CACHE_DIR": str(cache), **each.settings}
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        env=inherited | own,
        cwd=tempfile.gettempdir(),
    )
    if done.returncode:
        last = "\n".join((done.stdout + done.stderr).strip().splitlines()[-5:])
        raise PrebuildError(f"{each.level} with {each.technique} failed: {last}")
    return done.stdout


def log(text: str) -> None:
    """Say what is being done."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
