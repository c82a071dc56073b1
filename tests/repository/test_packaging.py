"""What users get: the executable file and the wheel, built from a copy of the checkout."""

import ast
import errno
import importlib.util
import re
import shutil
import struct
import subprocess
import sys
import venv
import zipfile
from email import message_from_bytes
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from bluekrait.core.compiler import prebuilt
from bluekrait.search.evaluation.network.network_file import pack
from bluekrait.tools import version_matrix
from bluekrait.uci import __version__, exits
from helpers.network.huge_files import little_memory, sparse_file
from helpers.network.networks import random_network
from helpers.paths import ROOT

PACKAGES = ("core", "search", "uci", "tools")
FILES = ("pyproject.toml", "setup.py", "README.md", "LICENSE", "NOTICE")


@pytest.fixture
def checkout(tmp_path):
    copy = tmp_path / "check out"
    for package in PACKAGES:
        shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copyfile(ROOT / name, copy / name)
    return copy


@pytest.fixture
def builder(checkout):
    spec = importlib.util.spec_from_file_location("builder", checkout / "tools" / "build_executable.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def bare_python(tmp_path_factory):
    """An interpreter that has neither BlueKrait nor anything it depends on."""
    environment = tmp_path_factory.mktemp("bare") / "no packages"
    venv.create(environment, symlinks=True)
    return environment / "bin" / "python"


def run(*command, cwd):
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=60)


def test_executable_lives_on_without_its_checkout(builder, checkout, bare_python, tmp_path):
    builder.write_executable(checkout / "built", bare_python)
    home, elsewhere = tmp_path / "its new home", tmp_path / "elsewhere"
    home.mkdir()
    elsewhere.mkdir()
    executable = shutil.move(checkout / "built", home / "Blue Krait")
    shutil.rmtree(checkout)

    answer = run(executable, "--version", cwd=elsewhere)

    assert (answer.returncode, answer.stderr) == (0, "")
    assert __version__ in answer.stdout
    assert list(home.iterdir()) == [executable]
    assert not list(elsewhere.iterdir())


def test_macs_with_intel_processors_get_the_last_numba_that_has_packages_for_them(builder):
    def is_taken(version, system, machine):
        place = {"sys_platform": system, "platform_machine": machine}
        needed = [Requirement(text) for text in builder.runtime_requirements() if text.startswith("numba")]
        return all(
            version in each.specifier for each in needed if not each.marker or each.marker.evaluate(place)
        )

    assert is_taken("0.62.1", "darwin", "x86_64") and not is_taken("0.63.0", "darwin", "x86_64")
    for system, machine in (("darwin", "arm64"), ("linux", "x86_64"), ("win32", "AMD64"), ("win32", "ARM64")):
        assert is_taken("0.68.1", system, machine)


def test_the_matrix_tries_every_python_that_the_package_names():
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    named = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', project)
    assert named == list(version_matrix.OLDEST_NUMBA)


def test_builder_knows_the_exit_code_of_warmup(builder):
    assert builder.NOT_KEPT == exits.NOT_KEPT  # it cannot import that: nothing is installed yet


def test_executable_prefers_its_own_sources(builder, checkout, tmp_path):
    (checkout / "uci" / "__init__.py").write_text('__version__ = "of the archive"\n')
    builder.write_executable(tmp_path / "engine", sys.executable)
    assert "of the archive" in run(tmp_path / "engine", "--version", cwd=tmp_path).stdout


def test_executable_says_when_its_environment_is_gone(builder, tmp_path):
    builder.write_executable(tmp_path / "engine", tmp_path / "gone" / "python")
    answer = run(tmp_path / "engine", "--version", cwd=tmp_path)
    assert answer.returncode == 1
    assert f"{tmp_path / 'gone' / 'python'} is gone" in answer.stderr
    assert "this user may not use it: please run make again" in answer.stderr


def replaced_by_another(path, builder, checkout):
    (checkout / "core" / "board.py").write_text("# other sources, and so other places in the archive")
    builder.write_executable(path, sys.executable)


def replaced_by_a_short_one(path, *_):
    path.write_bytes(path.read_bytes()[:9000])


def moved(path, *_):
    path.rename(path.with_name("elsewhere"))


@pytest.mark.parametrize("change", [replaced_by_another, replaced_by_a_short_one, moved])
def test_a_running_engine_tells_that_its_file_was_replaced(builder, checkout, tmp_path, talk, change):
    builder.write_executable(tmp_path / "engine", sys.executable)
    engine = talk("-I", tmp_path / "engine")
    engine.ask()
    change(tmp_path / "engine", builder, checkout)
    engine.say("xboard", "eval")
    told = "the file of the engine was replaced or moved while it ran, start it again"
    assert engine.hear("eval failed") == [f"info string {told}", f"info string eval failed, {told}"]
    assert engine.leave("quit") == []


def test_executable_is_the_package_too(builder, tmp_path):
    builder.write_executable(tmp_path / "engine", sys.executable)
    program = "import sys; sys.path.insert(0, 'engine'); import bluekrait; print(bluekrait.__version__)"
    answer = run(sys.executable, "-I", "-c", program, cwd=tmp_path)
    assert answer.stdout.strip() == __version__, answer.stderr


@pytest.mark.parametrize(("tool", "extra"), [("play", "play"), ("analyse", "tools")])
def test_executable_says_where_its_tools_are(builder, bare_python, tmp_path, tool, extra):
    builder.write_executable(tmp_path / "engine", bare_python)
    answer = run(tmp_path / "engine", tool, "--help", cwd=tmp_path)
    assert answer.returncode == 2 and len(answer.stderr.splitlines()) == 1, answer.stderr
    assert f'pip install "bluekrait[{extra}]" in an environment, and use the command' in answer.stderr


def test_executable_has_no_page(builder, tmp_path):
    builder.write_executable(tmp_path / "engine", sys.executable)
    answer = run(tmp_path / "engine", "play", "--no-browser", cwd=tmp_path)
    assert answer.returncode == 2 and "play is not in this single file" in answer.stderr


def test_windows_executable_is_a_launcher_and_an_archive(builder, tmp_path, monkeypatch):
    launchers = tmp_path / "distlib"
    launchers.mkdir()
    (launchers / "__init__.py").touch()
    (launchers / "t64.exe").write_bytes(b"MZ launcher")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "distlib", raising=False)
    monkeypatch.setattr(builder, "IS_WINDOWS", True)
    monkeypatch.setattr(builder.platform, "machine", lambda: "AMD64")
    python = builder.python_of(tmp_path / "an environment")
    assert python.relative_to(tmp_path / "an environment").as_posix() == "Scripts/python.exe"
    builder.write_executable(tmp_path / "engine.exe", python)
    content = (tmp_path / "engine.exe").read_bytes()
    assert content.startswith(b"MZ launcher#!" + f'"{python}" -I'.encode() + b"\r\nPK")
    end = content.rindex(b"PK\5\6")  # a record from which the launcher works out where the archive begins
    size, offset = struct.unpack_from("<II", content, end + 12)
    assert end - size - offset == content.index(b"PK")
    answer = run(sys.executable, "-I", tmp_path / "engine.exe", "--version", cwd=tmp_path)
    assert __version__ in answer.stdout, answer.stderr


@pytest.fixture
def make(tmp_path):
    """Run make in a checkout whose Python makes an environment that does nothing."""
    checkout = tmp_path / "check out"
    checkout.mkdir()
    for name in ("Makefile", "pyproject.toml"):
        shutil.copyfile(ROOT / name, checkout / name)
    python = tmp_path / "python"
    made = "mkdir -p .venv/bin && ln -sf /bin/true .venv/bin/python && pwd >>../made"
    python.write_text(f"#!/bin/sh\n{made}\n")
    python.chmod(0o755)

    def call(*words, checkout=checkout):
        answer = run("make", f"PYTHON={python}", *words, cwd=checkout)
        assert answer.returncode == 0, answer.stderr
        return answer.stdout

    call.checkout = checkout
    return call


def test_an_environment_is_made_once_for_each_place(make, tmp_path):
    def made():
        return [path.name for path in map(Path, (tmp_path / "made").read_text().splitlines())]

    make(".venv/installed-for-tests")
    assert "pip install" not in make("-n", "run") + make("-n", "test")
    make(".venv/installed")
    assert made() == ["check out"]
    copy = shutil.copytree(make.checkout, tmp_path / "copy", symlinks=True)
    make(".venv/installed", checkout=copy)
    (make.checkout / ".venv" / "bin" / "python").unlink()
    make(".venv/installed-for-tests")
    assert made() == ["check out", "copy", "check out"]
    make("clean", ".venv/installed")
    assert made() == ["check out", "copy", "check out", "check out"]


def test_make_passes_no_pythonpath_on(make, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with (tmp_path / "python").open("a", encoding="utf-8") as file:
        file.write('echo "${PYTHONPATH-none}" >../path\n')
    make(".venv/installed")
    assert (tmp_path / "path").read_text() == "none\n"


@pytest.mark.parametrize(("name", "shown"), [("engine", "./engine"), ("/tmp/an engine", "/tmp/an engine")])
def test_make_takes_paths_for_the_executable(make, name, shown):
    assert f"build {shown}, one" in make("help", f"EXE={name}")
    assert f'--engine "{shown}"' in make("-n", "bench", f"EXE={name}")


def test_the_builder_needs_no_docstrings(tmp_path):
    answer = run(sys.executable, "-OO", ROOT / "tools" / "build_executable.py", "--help", cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    assert "one file that runs from anywhere" in " ".join(answer.stdout.split())


def test_a_missing_directory_is_told_in_one_line(tmp_path):
    script = ROOT / "tools" / "build_executable.py"
    answer = run(sys.executable, script, tmp_path / "missing" / "engine", cwd=tmp_path)
    assert answer.returncode == 1
    assert answer.stderr.strip() == f"there is no directory {tmp_path / 'missing'}"


def test_a_directory_in_the_place_of_the_file_is_told_in_one_line(builder, tmp_path):
    place = tmp_path / "engine"
    place.mkdir()
    answer = run(sys.executable, ROOT / "tools" / "build_executable.py", place, cwd=tmp_path)
    assert (answer.returncode, answer.stderr.strip()) == (1, f"{place} is a directory")
    with pytest.raises(SystemExit, match="engine cannot be written: "):
        builder.write_executable(place, sys.executable)
    assert list(tmp_path.glob(".*")) == [], "no draft is left"


@pytest.mark.parametrize(("word", "code"), [("--help", 0), ("-h", 0), ("--quick", 2)])
def test_the_builder_takes_an_option_for_no_file(tmp_path, word, code):
    answer = run(sys.executable, ROOT / "tools" / "build_executable.py", word, cwd=tmp_path)
    assert answer.returncode == code
    assert "EXECUTABLE" in answer.stdout + answer.stderr
    assert not list(tmp_path.iterdir())


def test_equal_sources_make_equal_executables(builder, tmp_path):
    for name in ("one", "two"):
        builder.write_executable(tmp_path / name, sys.executable)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_executable_brings_the_compiled_code_that_there_is(builder, checkout, tmp_path):
    file = checkout / builder.PREBUILT / "linux-x86-64-v2-magic" / "play-0123.native"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"code")
    builder.write_executable(tmp_path / "engine", sys.executable)
    with zipfile.ZipFile(tmp_path / "engine") as archive:
        place = f"bluekrait/core/compiler/{prebuilt.FOLDER}/linux-x86-64-v2-magic/play-0123.native"
        assert archive.read(place) == b"code"


def test_executable_with_other_weights(builder, checkout, tmp_path):
    ours = (checkout / builder.WEIGHTS).read_text()
    theirs = tmp_path / "weights.py"
    theirs.write_text(re.sub(r"\(\d+, \d+\)", "(77, 66)", ours, count=1))
    assert theirs.read_text() != ours
    replaced = {builder.WEIGHTS: builder.weights_in(theirs)}
    builder.write_executable(tmp_path / "engine", sys.executable, replaced)
    with zipfile.ZipFile(tmp_path / "engine") as archive:
        assert archive.read(f"bluekrait/{builder.WEIGHTS}") == theirs.read_bytes()


@pytest.mark.parametrize("content", ["", "WEIGHTS = {}", "WEIGHTS = {'pawn': {}}", "import os", "no Python"])
def test_wrong_weights_are_refused(builder, tmp_path, content):
    (tmp_path / "weights.py").write_text(content)
    with pytest.raises(SystemExit, match="holds no weights"):
        builder.weights_in(tmp_path / "weights.py")


@pytest.mark.parametrize("number", ["'77'", "None", "7.5", "True", "40000", "9" * 6000])
def test_weights_that_are_no_numbers_of_sensible_size_are_refused(builder, checkout, tmp_path, number):
    ours = (checkout / builder.WEIGHTS).read_text()
    (tmp_path / "weights.py").write_text(re.sub(r"\(\d+, \d+\)", f"({number}, 66)", ours, count=1))
    with pytest.raises(SystemExit, match="holds no weights"):
        builder.weights_in(tmp_path / "weights.py")


def test_executable_with_another_network(builder, tmp_path):
    content = pack(random_network(32))
    (tmp_path / "other.bknn").write_bytes(content)
    replaced = builder.evaluation_in(tmp_path / "other.bknn")
    builder.write_executable(tmp_path / "engine", sys.executable, replaced)
    with zipfile.ZipFile(tmp_path / "engine") as archive:
        assert archive.read(f"bluekrait/{builder.NETWORK}") == content


def test_bad_network_is_refused(builder, tmp_path):
    (tmp_path / "bad.bknn").write_bytes(pack(random_network(32))[:-1])
    with pytest.raises(SystemExit, match="truncated"):
        builder.evaluation_in(tmp_path / "bad.bknn")
    with pytest.raises(SystemExit, match="No such file"):
        builder.evaluation_in(tmp_path / "none.bknn")
    sparse_file(tmp_path / "huge.bknn")
    with pytest.raises(SystemExit, match="larger than any evaluation"), little_memory():
        builder.evaluation_in(tmp_path / "huge.bknn")


def test_environment_goes_where_it_can_be_written(builder, tmp_path, monkeypatch):
    blocked, cache = tmp_path / "a file", tmp_path / "cache"
    blocked.touch()
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("BLUEKRAIT_CACHE_DIR", str(cache))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert builder.environments_folder() == tmp_path / "data" / "bluekrait" / "environments"
    monkeypatch.setenv("XDG_DATA_HOME", str(blocked))
    assert builder.environments_folder() == cache / "environments"


@pytest.mark.skipif(sys.platform == "win32", reason="its locks are others")
def test_an_environment_is_made_where_the_file_system_has_no_locks(builder, tmp_path, monkeypatch):
    def no_locks(file, operation):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", no_locks)
    monkeypatch.setattr(builder, "environments_folder", lambda: tmp_path)
    monkeypatch.setattr(builder, "create_environment", lambda environment, requirements: environment.mkdir())
    python = builder.environment_python(["numba"])
    assert python.parent.parent.is_dir() and tmp_path in python.parents


def test_what_pythonpath_names_does_not_count_as_installed(builder, tmp_path, monkeypatch):
    paths = []

    def record(command, env):
        paths.append(env.get("PYTHONPATH"))
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr("subprocess.run", record)
    builder.create_environment(tmp_path, ["numba"])
    assert paths == [None, None]


def test_an_old_python_can_load_the_builder():
    source = (ROOT / "tools" / "build_executable.py").read_text(encoding="utf-8")
    tree = ast.parse(source, feature_version=(3, 8))
    # Without this import, the annotations of functions would be worked out, and an old Python fails at that.
    assert any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body)


def test_interrupted_environment_is_not_used(builder, bare_python):
    assert not builder.is_usable(bare_python.parent.parent)


def test_wheel_is_one_package(builder, checkout, tmp_path):
    if int(metadata.version("setuptools").split(".")[0]) < 77:
        pytest.skip("needs the setuptools of the test extra")
    offline = ("--no-deps", "--no-build-isolation")
    building = run(sys.executable, "-m", "pip", "wheel", *offline, "--wheel-dir", tmp_path, ".", cwd=checkout)
    assert building.returncode == 0, building.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (metadata_name,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        described = message_from_bytes(archive.read(metadata_name))

    sources = {installed_name(path) for path in package_files()}
    assert {name for name in names if ".dist-info/" not in name} == sources
    assert described["Version"] == __version__
    page = described.get_payload()
    assert page.startswith("# BlueKrait")
    assert not re.findall(r"\]\((?!https?:)[^)]*\)", page), "a link that leads nowhere on a package page"
    required = [line for line in described.get_all("Requires-Dist") if "extra ==" not in line]
    assert required == builder.runtime_requirements()


def installed_name(path):
    name = path.relative_to(ROOT).as_posix()
    return f"bluekrait/{name.removeprefix('uci/top_level/')}"


def package_files():
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path
