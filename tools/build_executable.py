"""Build BlueKrait as one file that runs from anywhere: `python3 tools/build_executable.py bluekrait`.

The file is a zip archive of the sources behind a few lines of shell, which hand it to the interpreter of
an environment that holds what the sources depend on. The environment lies among the user's data, is named
after everything that decides what is in it, and is made here when it is missing. So the executable can be
moved, and the checkout and the cache deleted; nothing is ever put beside them.

`python3 tools/build_executable.py bluekrait weights.py` builds it with other weights for its
classical evaluation; with another network if the file is one.

Compiled code that `make wheel` left in build/prebuilt goes into the file. It is not used if it does not fit.

On Windows the archive stands behind a program that does the same as the lines of shell. It is the one that
pip puts before the commands of packages, and is taken from the pip that is installed.

This runs before anything is installed, so it uses only the standard library.
A Python that is too old for the engine can load it, too, and gets a message.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import hashlib
import importlib.util
import io
import marshal
import os
import platform
import re
import shlex
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("core", "search", "uci", "tools")
TOP_LEVEL = "uci/top_level"  # the folder of the package `bluekrait` itself
SUFFIXES = (".py", ".bin", ".bknn", ".cpp")
WEIGHTS = "search/evaluation/classical/weights.py"
NETWORK = "search/evaluation/network/default.bknn"
NETWORK_FORMAT = "search/evaluation/network/network_file.py"
PREBUILT = "build/prebuilt/code"  # compiled code, see tools/prebuild.py
PREBUILT_INSIDE = "bluekrait/core/compiler/prebuilt_code"
OLDEST_PYTHON = (3, 10)
NOT_KEPT = 3  # what `warmup` returns if the code could not be kept: it says so, and the file is good
LARGEST_WEIGHT = 32767  # far above what is sensible, and the sum of all of them fits 32 bits, as it must

# A shebang holds neither spaces nor long paths, so the shell passes the file on to the interpreter. That
# is isolated (-I): neither PYTHONPATH nor the working directory can put another module in the way.
HEADER = """\
#!/bin/sh
# BlueKrait: a zip archive of Python sources, run by the environment that was made for it.
python={python}
[ -x "$python" ] || {{
    echo "$0: $python is gone, or this user may not use it: please run make again, as this user" >&2
    exit 1
}}
exec "$python" -I "$0" "$@"
"""
IS_WINDOWS = os.name == "nt"
LAUNCHERS = {"amd64": "t64.exe", "arm64": "t64-arm.exe", "x86": "t32.exe"}  # for consoles, by processor

MAIN = b"""\
import sys

from bluekrait.uci.cli import main

if __name__ == "__main__":
    sys.exit(main())
"""


def main() -> None:
    """Make the environment and the executable, then let the latter compile itself into the cache."""
    if sys.version_info < OLDEST_PYTHON:
        sys.exit(f"BlueKrait needs Python 3.10 or later; {sys.executable} is {sys.version.split()[0]}")
    options = make_parser().parse_args()
    executable: Path = options.executable.absolute()
    if IS_WINDOWS and executable.suffix.lower() != ".exe":
        executable = executable.with_name(f"{executable.name}.exe")
    if not executable.parent.is_dir():
        sys.exit(f"there is no directory {executable.parent}")
    if executable.is_dir():
        sys.exit(f"{executable} is a directory")
    replaced = evaluation_in(options.evaluation) if options.evaluation else {}
    write_executable(executable, environment_python(runtime_requirements()), replaced)
    code = subprocess.run([executable, "warmup"]).returncode
    sys.exit(0 if code == NOT_KEPT else code)


def make_parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    description = "Build BlueKrait as one file that runs from anywhere."
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("executable", type=Path, metavar="EXECUTABLE", help="the file to write")
    text = "a network, or weights of the classical evaluation, to build it with"
    parser.add_argument("evaluation", type=Path, nargs="?", metavar="EVALUATION", help=text)
    return parser


def write_executable(executable: Path, python: Path, replaced: Mapping[str, bytes] | None = None) -> None:
    """Write the executable file; `python` is the interpreter that shall run it.

    `replaced` has what is to stand in place of some sources, by their names.
    """
    before = launcher_for(python) if IS_WINDOWS else header_for(python)
    buffer = io.BytesIO()  # of its own: the launcher looks for its line where the archive says that it begins
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in archive_members(replaced or {}):
            archive.writestr(zipfile.ZipInfo(name), content)  # no dates: equal sources, equal archives
    draft = executable.with_name(f".{executable.name}.{os.getpid()}")
    try:
        draft.write_bytes(before + buffer.getvalue())
        draft.chmod(0o755)
        draft.replace(executable)
    except OSError as error:
        sys.exit(f"{executable} cannot be written: {error.strerror}")
    finally:
        draft.unlink(missing_ok=True)


def header_for(python: Path) -> bytes:
    """The lines of shell before the archive."""
    return os.fsencode(HEADER.format(python=shlex.quote(str(python))))


def launcher_for(python: Path) -> bytes:
    """The program before the archive on Windows. It reads behind itself which interpreter to start."""
    name = LAUNCHERS.get(platform.machine().lower())
    for package in ("distlib", "pip._vendor.distlib"):
        with contextlib.suppress(ImportError, AttributeError):
            spec = importlib.util.find_spec(package)
            path = Path(spec.origin).parent / str(name) if spec and spec.origin else None
            if path and path.is_file():
                return path.read_bytes() + f'#!"{python}" -I\r\n'.encode()
    sys.exit(f"neither pip nor distlib has a launcher for {platform.machine()}: install distlib")


def evaluation_in(path: Path) -> dict[str, bytes]:
    """What another evaluation replaces: the network by a network, the weights by weights."""
    network_file = module_of(NETWORK_FORMAT)
    try:
        with open(path, "rb") as file:
            content = file.read(network_file.most_bytes() + 1)
        if len(content) > network_file.most_bytes():
            sys.exit(f"{path} is larger than any evaluation")
        if not network_file.is_network(content):
            return {WEIGHTS: weights_in(path)}
        network_file.unpack(content)
    except OSError as error:
        sys.exit(f"{path}: {error.strerror}")
    except network_file.NetworkError as error:
        sys.exit(f"{path} holds no network that can be used: {error}")
    return {NETWORK: content}


def weights_in(path: Path) -> bytes:
    """The source of other weights for the evaluation: a file like the one that `bluekrait tune` writes."""
    try:
        theirs, ours = path.read_bytes(), (ROOT / WEIGHTS).read_bytes()
        if shape(weights_of(theirs)) != shape(weights_of(ours)):
            raise ValueError("its terms are not those of the evaluation")
    except (OSError, ValueError, SyntaxError) as error:
        sys.exit(f"{path} holds no weights of the evaluation: {error}")
    return theirs


def weights_of(source: bytes) -> Any:
    """The table in the source of a module of weights, which is not run."""
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "WEIGHTS":
            return ast.literal_eval(statement.value)
    raise ValueError("there is no WEIGHTS = ... in it")


def shape(table: object) -> object:
    """What must be equal in two tables of weights: names, and how many numbers each has."""
    if isinstance(table, dict):
        return {name: shape(rows) for name, rows in table.items()}
    if isinstance(table, (tuple, list)):
        return [shape(row) for row in table]
    if type(table) is not int or abs(table) > LARGEST_WEIGHT:
        raise ValueError(f"{ascii(table)[:40]} is not a whole number of at most {LARGEST_WEIGHT}")
    return "a number"


def archive_members(replaced: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """The name and content of everything in the archive: sources, their bytecode, and data."""
    yield "__main__.py", MAIN
    yield from sources_below(ROOT / TOP_LEVEL, "bluekrait", replaced)
    for package in PACKAGES:
        yield from sources_below(ROOT / package, f"bluekrait/{package}", replaced)
    for source, content in replaced.items():
        if not (ROOT / source).exists():
            yield f"bluekrait/{source}", content
    for path in sorted((ROOT / PREBUILT).rglob("*.*")):
        yield f"{PREBUILT_INSIDE}/{path.relative_to(ROOT / PREBUILT).as_posix()}", path.read_bytes()


def sources_below(folder: Path, package: str, replaced: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """The members of the archive for a folder that is installed under the name of a package."""
    for path in sorted(folder.rglob("*")):
        name = f"{package}/{path.relative_to(folder).as_posix()}"
        if folder != ROOT / TOP_LEVEL and ROOT / TOP_LEVEL in path.parents:
            continue
        if path.suffix in SUFFIXES or path.name == "py.typed":
            content = replaced.get(path.relative_to(ROOT).as_posix()) or path.read_bytes()
            yield name, content
        if path.suffix == ".py":
            yield f"{name}c", bytecode(content, name)


def bytecode(source: bytes, name: str) -> bytes:
    """What a .pyc file holds (see PEP 552), marked as never to be compared with its source."""
    unchecked = (1).to_bytes(4, "little")
    code = marshal.dumps(compile(source, name, "exec", dont_inherit=True))
    return importlib.util.MAGIC_NUMBER + unchecked + importlib.util.source_hash(source) + code


def runtime_requirements() -> list[str]:
    """The dependencies named in pyproject.toml; its list of strings is also Python's."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    found = re.search(r"^dependencies = (\[.*?^\])$", project, re.MULTILINE | re.DOTALL)
    if not found:
        sys.exit("pyproject.toml names no dependencies")
    requirements: list[str] = ast.literal_eval(found[1])
    return requirements


def environment_python(requirements: Sequence[str]) -> Path:
    """The interpreter of the environment that meets the requirements, which is made if it has to be."""
    identity = repr((sys.version, sys.base_prefix, requirements)).encode()
    name = f"{sys.implementation.cache_tag}-{hashlib.sha256(identity).hexdigest()[:12]}"
    environment = environments_folder() / name
    with locked(f"{environment}.lock"):
        if not is_usable(environment):
            create_environment(environment, requirements)
    return python_of(environment)


def python_of(environment: Path) -> Path:
    """The interpreter of an environment."""
    return environment / ("Scripts/python.exe" if IS_WINDOWS else "bin/python")


def create_environment(environment: Path, requirements: Sequence[str]) -> None:
    """Make a virtual environment; it counts as made only when everything is installed."""
    print(f"Creating the environment {environment}", flush=True)
    python = python_of(environment)
    # The executable does not see what PYTHONPATH names, and pip would not install what it finds there.
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    for command in (
        [sys.executable, "-m", "venv", "--clear", str(environment)],
        [str(python), "-m", "pip", "install", *requirements],
    ):
        if subprocess.run(command, env=variables).returncode != 0:
            sys.exit(f"could not create the environment: {shlex.join(command)} failed")
    completion_mark(environment).touch()


def is_usable(environment: Path) -> bool:
    """Whether the environment was completed, and neither it nor its base has been removed since."""
    if not completion_mark(environment).exists():
        return False
    with contextlib.suppress(OSError):
        trial = [str(python_of(environment)), "-I", "-c", "import numba"]
        return subprocess.run(trial, stderr=subprocess.DEVNULL).returncode == 0
    return False


def completion_mark(environment: Path) -> Path:
    """The file that marks an environment as complete."""
    return environment / "complete"


def environments_folder() -> Path:
    """The folder for environments: among the user's data, or else in the first cache that can be written."""
    directories = module_of("core/compiler/directories.py")
    usual: Path = module_of("tools/common/user_folder.py").user_folder()
    for root in (usual, *directories.candidate_roots()):
        folder = Path(root).absolute() / "environments"
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if os.access(folder, os.W_OK) and all(map(directories.is_private, (folder, folder.parent))):
                return folder
    sys.exit(f"{usual} cannot be written: set BLUEKRAIT_CACHE_DIR to a place for the environment")


def module_of(source: str) -> ModuleType:
    """A module of ours from its file, since the package is not installed yet."""
    spec = importlib.util.spec_from_file_location(Path(source).stem, ROOT / source)
    if spec is None or spec.loader is None:
        sys.exit(f"cannot import {source}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextlib.contextmanager
def locked(path: str) -> Iterator[None]:
    """Alone in this block among all processes; the others wait, unless the file system has no locks."""
    with open(path, "wb") as file:
        module_of("core/file_lock.py").wait_for_lock(file)
        yield


if __name__ == "__main__":
    main()
