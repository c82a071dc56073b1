"""Put compiled code into a wheel: `python tools/prebuild.py dist/bluekrait-0.1.0-py3-none-any.whl`.

The engine is compiled from the wheel itself, once for each set of `core.compiler.prebuilt`; for Windows and
for ARM too, on Linux. Another wheel for each of these systems is written beside the first. Then every set
that this processor can run searches the positions of `bench` out of the new wheel: the nodes must be the
same, and nothing may be compiled.

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

from bluekrait.core.compiler import cpuid, prebuilt, processor
from bluekrait.uci.exits import FAILED, SUCCESS, WRONG_ARGUMENTS, fail, tell

PROGRAM = "tools/prebuild.py"
ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "prebuilt"
CODE = "code"  # the folder in BUILD with what goes into packages
PURE_TAG = "py3-none-any"
# An index takes no wheel for `linux`. The code suits every C library, but on ARM it needs llvmlite
# as well, of which there is none for musl.
EVERY_LINUX = {
    "linux_x86_64": "manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux_aarch64": "manylinux2014_aarch64",
}
INSIDE = f"bluekrait/core/compiler/{prebuilt.FOLDER}"  # where a package has it
PATIENCE = 3600  # seconds for a command

COMPILE = """
import sys
from llvmlite import binding

triple = sys.argv[2]
if triple != binding.get_process_triple():  # let Numba compile for another system
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    target = binding.Target.from_triple(triple)
    binding.get_process_triple = lambda: triple
    binding.Target.from_default_triple = lambda: target

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
    parser.add_argument(
        "--for",
        dest="tags",
        action="append",
        choices=[target.wheel_tag for target in prebuilt.TARGETS],
        help="for this system only; may be given several times",
    )
    options = parser.parse_args(arguments)
    wheel, tags = options.wheel.absolute(), options.tags
    targets = [target for target in prebuilt.TARGETS if not tags or target.wheel_tag in tags]
    if not wheel.is_file() or PURE_TAG not in wheel.name:
        return fail(f"there is no wheel {wheel} for all systems", WRONG_ARGUMENTS, PROGRAM)
    if sys.platform != "linux" or sys.maxsize < 1 << 32:
        return fail("compiled code is only made on Linux with 64 bits", FAILED, PROGRAM)
    try:
        compile_sets(wheel, [each for each in prebuilt.SETS if each.target in targets])
        made = [write_wheel(wheel, target) for target in targets]
        for path, target in zip(made, targets):
            if (target.system, target.machine) == (sys.platform, cpuid.machine()):
                try_wheel(path, target)
    except (PrebuildError, OSError, subprocess.TimeoutExpired) as error:
        return fail(error, FAILED, PROGRAM)
    for path in made:
        tell(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")
    return SUCCESS


def compile_sets(wheel: Path, sets: Sequence[prebuilt.Set]) -> None:
    """Fill the folder of what goes into packages, with these sets and nothing else."""
    shutil.rmtree(BUILD / CODE, ignore_errors=True)
    tell(f"compiling the engine for {len(sets)} kinds of processors; this takes minutes")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        running = [pool.submit(compile_set, each, wheel) for each in sets]
        try:
            for each, compiled in zip(sets, running):
                compiled.result()
                tell(f"{each.folder}: compiled")
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)  # the others need not begin
            raise


def compile_set(each: prebuilt.Set, wheel: Path) -> None:
    """Compile the engine for a set, and copy the files."""
    words = "-c", COMPILE, wheel, each.target.triple
    place, *names = run_from(wheel, each, BUILD / "cache" / each.folder, *words).splitlines()
    folder = BUILD / CODE / each.folder
    folder.mkdir(parents=True)
    for name in names:
        shutil.copyfile(Path(place) / name, folder / name)


def tag_of(target: prebuilt.Target) -> str:
    """The tag of a system in the name of its wheel, or several with dots between them."""
    return EVERY_LINUX.get(target.wheel_tag, target.wheel_tag)


def write_wheel(wheel: Path, target: prebuilt.Target) -> Path:
    """Write a wheel with compiled code for a system beside the one without; its path."""
    made = wheel.with_name(wheel.name.replace(PURE_TAG, f"py3-none-{tag_of(target)}"))
    draft = made.with_suffix(".draft")
    with zipfile.ZipFile(wheel) as pure, zipfile.ZipFile(draft, "w") as file:
        (record,) = (name for name in pure.namelist() if name.endswith(".dist-info/RECORD"))
        rows = []
        for name, content in members(pure, target):
            if name != record:
                rows.append(row_of(name, content))
                add(file, name, content)
        add(file, record, "".join([*rows, f"{record},,\n"]).encode())
    draft.replace(made)
    return made


def members(pure: zipfile.ZipFile, target: prebuilt.Target) -> Iterator[tuple[str, bytes]]:
    """The names and contents of everything that the new wheel has, if its record is not looked at."""
    for name in pure.namelist():
        content = pure.read(name)
        if name.endswith(".dist-info/WHEEL"):
            tags = "".join(f"Tag: py3-none-{tag}\n" for tag in tag_of(target).split("."))
            content = content.replace(f"Tag: {PURE_TAG}\n".encode(), tags.encode())
            content = content.replace(b"Root-Is-Purelib: true", b"Root-Is-Purelib: false")
        yield name, content
    for path in sorted((BUILD / CODE).glob(f"{target.wheel_tag}-*/*.*")):
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


def try_wheel(wheel: Path, target: prebuilt.Target) -> None:
    """Let every set of the wheel that this processor can run search what `bench` searches."""
    here = processor.features()
    counted = set()
    for each in (each for each in prebuilt.SETS if each.target == target):
        name = each.folder
        if not here.issuperset(each.features):
            tell(f"{name}: not tried, since this processor cannot run it")
            continue
        with tempfile.TemporaryDirectory(prefix="bluekrait-prebuild-") as cache:
            output = run_from(wheel, each, cache, "-m", "bluekrait", "bench")
            if has_compiled(Path(cache)):
                raise PrebuildError(f"{name}: the code in the wheel was not used")
        found = re.search(r"^(\d+) nodes ", output, re.MULTILINE)
        if not found:
            raise PrebuildError(f"{name}: bench printed no nodes")
        tell(f"{name}: bench {found[1]}")
        counted.add(found[1])
    if len(counted) > 1:
        raise PrebuildError(f"the sets search different nodes: {', '.join(sorted(counted))}")


def has_compiled(cache: Path) -> bool:
    """True if code was compiled into a cache. Beside the folder for code there may be digests of sources."""
    return any(cache.glob("*/*"))


def run_from(wheel: Path, each: prebuilt.Set, cache: str | Path, *arguments: object) -> str:
    """The output of a Python process that imports the engine from a wheel, for the processors of a set.

    It knows no other cache: what was compiled for Linux on the same processor would not suit Windows. It runs
    in the cache's folder, since Python looks for modules in the working directory first.
    """
    Path(cache).mkdir(parents=True, exist_ok=True)
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
        cwd=cache,
    )
    if done.returncode:
        last = "\n".join((done.stdout + done.stderr).strip().splitlines()[-5:])
        raise PrebuildError(f"{each.folder} failed: {last}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
