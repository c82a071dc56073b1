"""The wheel with compiled code: what is in it, and when it is refused. `make wheel` tries the compiling."""

import base64
import csv
import hashlib
import os
import sys
import zipfile
from contextlib import nullcontext
from pathlib import Path, PurePosixPath
from threading import Event
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from bluekrait.core.compiler import prebuilt, source_digests
from bluekrait.tools import prebuild, release
from helpers.waiting import PATIENCE

INFO = "bluekrait-1.2.3.dist-info"
NO_DATE = (1980, 1, 1, 0, 0, 0)  # the first day that an archive can name
PURE = {
    "bluekrait/core/compiler/prebuilt.py": b"FOLDER = 1\n",
    f"{INFO}/METADATA": b"Metadata-Version: 2.4\nName: bluekrait\nVersion: 1.2.3\n",
    f"{INFO}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    f"{INFO}/RECORD": b"bluekrait/core/compiler/prebuilt.py,sha256=old,11\n",
}
LINUX_WHEEL = "bluekrait-1-py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64.whl"
LINUX_SETS = [each for each in prebuilt.SETS if each.target == prebuilt.LINUX]
V4, *_, V2 = LINUX_SETS
(ARM,) = (each for each in prebuilt.SETS if each.target == prebuilt.LINUX_ARM)


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    """A wheel without compiled code, and such code beside it."""
    path = tmp_path / "bluekrait-1.2.3-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as file:
        for name, content in PURE.items():
            file.writestr(name, content)
    monkeypatch.setattr(prebuild, "BUILD", tmp_path / "build")
    for each in (V4, V2, ARM):
        folder = tmp_path / "build" / prebuild.CODE / each.folder
        folder.mkdir(parents=True)
        (folder / "play-0123.native").write_bytes(each.folder.encode())
    return path


def contents(wheel):
    with zipfile.ZipFile(wheel) as file:
        assert len(set(file.namelist())) == len(file.namelist())
        return {name: file.read(name) for name in file.namelist()}


def test_the_new_wheel_has_the_code_where_the_engine_looks_for_it(wheel):
    made = prebuild.write_wheel(wheel, prebuilt.LINUX)
    assert made.name == "bluekrait-1.2.3-py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64.whl"
    found = contents(made)
    for each in (V4, V2):
        place = PurePosixPath("bluekrait/core/compiler", prebuilt.FOLDER, each.folder, "play-0123.native")
        assert found.pop(str(place)) == each.folder.encode()
    assert found.keys() == PURE.keys()
    tags = b"Tag: py3-none-manylinux2014_x86_64\nTag: py3-none-musllinux_1_1_x86_64\n"
    assert found[f"{INFO}/WHEEL"] == b"Wheel-Version: 1.0\nRoot-Is-Purelib: false\n" + tags
    assert contents(wheel) == PURE


def test_each_system_has_a_wheel_with_its_own_code(wheel):
    made = prebuild.write_wheel(wheel, prebuilt.LINUX_ARM)
    assert made.name == "bluekrait-1.2.3-py3-none-manylinux2014_aarch64.whl"
    code = [name for name in contents(made) if name.endswith(".native")]
    assert code == [f"bluekrait/core/compiler/{prebuilt.FOLDER}/{ARM.folder}/play-0123.native"]
    assert b"Tag: py3-none-manylinux2014_aarch64\n" in contents(made)[f"{INFO}/WHEEL"]


def test_its_record_names_every_file_with_size_and_digest(wheel):
    found = contents(prebuild.write_wheel(wheel, prebuilt.LINUX))
    record = f"{INFO}/RECORD"
    rows = list(csv.reader(found[record].decode().splitlines()))
    assert [record, "", ""] in rows
    assert sorted(row[0] for row in rows) == sorted(found)
    for name, digest, size in rows:
        if name != record:
            expected = base64.urlsafe_b64encode(hashlib.sha256(found[name]).digest()).decode().rstrip("=")
            assert (digest, int(size)) == (f"sha256={expected}", len(found[name]))


def test_everybody_may_read_what_is_unpacked_from_it(wheel):
    with zipfile.ZipFile(prebuild.write_wheel(wheel, prebuilt.LINUX)) as file:
        assert {info.external_attr >> 16 for info in file.infolist()} == {0o644}


def test_what_an_earlier_wheel_was_made_of_is_removed(wheel, monkeypatch):
    made = []
    monkeypatch.setattr(prebuild, "compile_set", lambda each, wheel: made.append(each))
    prebuild.compile_sets(wheel, [V2])
    assert made == [V2] and not (prebuild.BUILD / prebuild.CODE).exists()


def test_wheels_can_be_made_for_one_system_only(wheel, monkeypatch, capsys):
    compiled, tried = [], []
    monkeypatch.setattr(prebuild.sys, "platform", "linux")
    monkeypatch.setattr(release.cpuid, "machine", lambda: "x86_64")
    monkeypatch.setattr(prebuild, "compile_sets", lambda wheel, sets: compiled.extend(sets))
    monkeypatch.setattr(prebuild, "try_wheel", lambda wheel, target: tried.append(wheel))
    assert prebuild.main([str(wheel), "--for", prebuilt.LINUX_ARM.wheel_tag]) == 0
    assert compiled == [ARM] and tried == []
    assert prebuild.main([str(wheel)]) == 0
    assert compiled[1:] == list(prebuilt.SETS) and [path.name for path in tried] == [
        "bluekrait-1.2.3-py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64.whl"
    ]
    made = {path.name for path in wheel.parent.glob("*.whl")} - {wheel.name}
    assert len(made) == len(prebuilt.TARGETS)


@pytest.mark.parametrize("machine, sets", [("x86_64", LINUX_SETS), ("aarch64", [ARM]), ("riscv64", [])])
def test_the_wheel_for_this_system_is_tried(machine, sets, wheel, monkeypatch):
    tried = []

    def run_from(wheel, each, *arguments):
        tried.append((each, wheel.name.removesuffix(".whl").endswith(f"_{machine}")))
        return "7 nodes 1000 nps\n"

    monkeypatch.setattr(prebuild.sys, "platform", "linux")
    monkeypatch.setattr(release.cpuid, "machine", lambda: machine)
    monkeypatch.setattr(prebuild.processor, "features", lambda: frozenset(V4.features))
    monkeypatch.setattr(prebuild, "compile_sets", lambda wheel, sets: None)
    monkeypatch.setattr(prebuild, "run_from", run_from)
    assert prebuild.main([str(wheel)]) == 0
    assert tried == [(each, True) for each in sets]


def test_equal_code_makes_equal_wheels(wheel, monkeypatch):
    made, glob = prebuild.write_wheel(wheel, prebuilt.LINUX), Path.glob
    with zipfile.ZipFile(made) as file:
        assert {info.date_time for info in file.infolist()} == {NO_DATE}
    first = made.read_bytes()
    for order in sorted, lambda paths: sorted(paths, reverse=True):
        monkeypatch.setattr(Path, "glob", lambda *place, order=order: order(glob(*place)))
        assert prebuild.write_wheel(wheel, prebuilt.LINUX).read_bytes() == first


def write_code(cache):
    folder = cache / "cpython-311-0123"
    folder.mkdir()
    (folder / "play-0123.native").touch()


def bench(nodes, writes=False):
    """A stand-in for the processes that try a wheel."""

    def run_from(wheel, each, cache, *arguments):
        if writes:
            write_code(Path(cache))
        return f"positions\n{nodes(each)} nodes 1000 nps\n"

    return run_from


def test_a_wheel_is_refused_whose_sets_search_different_nodes(wheel, monkeypatch, capsys):
    monkeypatch.setattr(prebuild.processor, "features", lambda: frozenset(V4.features))
    monkeypatch.setattr(prebuild, "run_from", bench(lambda each: 7))
    prebuild.try_wheel(wheel, prebuilt.LINUX)
    assert capsys.readouterr().err.count("bench 7\n") == len(LINUX_SETS)
    monkeypatch.setattr(prebuild, "run_from", bench(lambda each: 8 if each == V2 else 7))
    with pytest.raises(prebuild.PrebuildError, match="different nodes: 7, 8"):
        prebuild.try_wheel(wheel, prebuilt.LINUX)


def test_a_wheel_is_refused_whose_code_is_not_used(wheel, monkeypatch):
    monkeypatch.setattr(prebuild.processor, "features", lambda: frozenset(V2.features))
    monkeypatch.setattr(prebuild, "run_from", bench(lambda each: 7, writes=True))
    with pytest.raises(prebuild.PrebuildError, match="was not used"):
        prebuild.try_wheel(wheel, prebuilt.LINUX)


def test_nothing_that_this_user_compiled_gets_into_a_wheel(tmp_path):
    program = (
        "from bluekrait.core.compiler.cache import candidate_roots; print(*candidate_roots(), sep='\\n')"
    )
    no_wheel = tmp_path / "missing.whl"  # so that the engine that is installed is asked
    roots = prebuild.run_from(no_wheel, V4, tmp_path / "own", "-c", program).splitlines()
    assert roots == [str(tmp_path / "own")]


def test_no_setting_of_this_user_changes_what_is_compiled(wheel, tmp_path, monkeypatch):
    for name in ("NUMBA_OPT", "BLUEKRAIT_PREBUILT"):
        monkeypatch.setenv(name, "0")
    program = "import os; print(*(name for name in os.environ if name.startswith(('NUMBA_', 'BLUEKRAIT_'))))"
    names = prebuild.run_from(wheel, V4, tmp_path / "own", "-c", program).split()
    assert set(names) == {"BLUEKRAIT_CACHE_DIR", *V4.settings}


def test_what_is_compiled_for_a_set_is_copied_to_where_wheels_take_it_from(wheel, tmp_path, monkeypatch):
    write_code(tmp_path)
    place, each = tmp_path / "cpython-311-0123", LINUX_SETS[1]
    monkeypatch.setattr(prebuild, "run_from", lambda *arguments: f"{place}\nplay-0123.native\n")
    prebuild.compile_set(each, wheel)
    copied = prebuild.BUILD / prebuild.CODE / each.folder
    assert [path.name for path in copied.iterdir()] == ["play-0123.native"]


def test_nothing_in_the_temporary_folder_is_imported(wheel, tmp_path, monkeypatch):
    (tmp_path / "prebuilt.py").write_text("FOLDER = 'of somebody else'")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(prebuild.tempfile, "tempdir", str(tmp_path))
    program = "import importlib.util; print(importlib.util.find_spec('prebuilt'))"
    assert prebuild.run_from(wheel, V4, tmp_path / "own" / "cache", "-c", program) == "None\n"


def test_when_a_set_fails_the_others_do_not_begin(wheel, monkeypatch):
    first, *_ = prebuilt.SETS
    begun, cancelled = [], Event()

    class Pool(prebuild.ThreadPoolExecutor):
        def shutdown(self, *arguments, **options):
            super().shutdown(*arguments, **options)
            cancelled.set()

    def compile_set(each, wheel):
        begun.append(each)
        if each == first:
            raise prebuild.PrebuildError("no compiler")
        cancelled.wait(PATIENCE)

    monkeypatch.setattr(prebuild, "ThreadPoolExecutor", Pool)
    monkeypatch.setattr(prebuild, "compile_set", compile_set)
    monkeypatch.setattr(prebuild.os, "cpu_count", lambda: 1)
    with pytest.raises(prebuild.PrebuildError, match="no compiler"):
        prebuild.compile_sets(wheel, prebuilt.SETS)
    assert len(begun) < len(prebuilt.SETS)


def test_digests_that_a_start_keeps_are_no_compiled_code(tmp_path):
    assert not prebuild.has_compiled(tmp_path / "missing")
    (tmp_path / f"{source_digests.PREFIX}0123").touch()
    assert not prebuild.has_compiled(tmp_path)
    write_code(tmp_path)
    assert prebuild.has_compiled(tmp_path)


def test_what_this_processor_cannot_run_is_not_tried(wheel, monkeypatch, capsys):
    monkeypatch.setattr(prebuild.processor, "features", lambda: frozenset(V2.features))
    monkeypatch.setattr(prebuild, "run_from", bench(lambda each: each.level))
    with pytest.raises(prebuild.PrebuildError, match="no nodes"):
        prebuild.try_wheel(wheel, prebuilt.LINUX)
    assert capsys.readouterr().err.count("not tried") == len(LINUX_SETS) - 1


def test_without_a_wheel_there_is_one_clear_line(wheel, capsys):
    assert prebuild.main([str(wheel.with_name("missing-py3-none-any.whl"))]) == 2
    assert prebuild.main([str(prebuild.write_wheel(wheel, prebuilt.LINUX))]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("tools/prebuild.py: there is no wheel ")
    assert second.startswith("tools/prebuild.py: there is no wheel ")


@pytest.mark.parametrize(
    "name, expected",
    [
        ("bluekrait-1.0.tar.gz", True),
        ("bluekrait-1.0-py3-none-any.whl", True),
        ("bluekrait-1.0-py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64.whl", True),
        ("bluekrait-1.0-py3-none-win_amd64.whl", False),
        ("bluekrait-1.0-py3-none-manylinux2014_aarch64.whl", False),
    ],
)
def test_a_release_is_tried_as_far_as_it_is_for_this_system(monkeypatch, name, expected):
    monkeypatch.setattr(release.sys, "platform", "linux")
    monkeypatch.setattr(release.cpuid, "machine", lambda: "x86_64")
    assert release.is_for_this_system(Path(name)) is expected


def test_checksums_are_those_that_other_programs_check(tmp_path):
    (tmp_path / "a.whl").write_bytes(b"abc")
    release.write_checksums([tmp_path / "a.whl"], tmp_path / "SHA256SUMS")
    digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert (tmp_path / "SHA256SUMS").read_text() == f"{digest}  a.whl\n"


@pytest.mark.parametrize(
    ("name", "is_refused"), [("bluekrait-1-py3-none-any.whl", False), (LINUX_WHEEL, True)]
)
def test_a_wheel_with_compiled_code_that_compiles_is_not_released(tmp_path, monkeypatch, name, is_refused):
    monkeypatch.setattr(release.venv, "create", lambda *arguments, **options: None)
    monkeypatch.setattr(release, "call", lambda *words, **options: None)
    monkeypatch.setattr(release, "play_game", lambda *arguments: release.GAME_PLIES)
    monkeypatch.setattr(prebuild, "has_compiled", lambda cache: True)
    if is_refused:
        with pytest.raises(release.ReleaseError, match="was not used"):
            release.try_artefact(tmp_path / name)
    else:
        release.try_artefact(tmp_path / name)


@pytest.mark.parametrize("code", [0, 1])
def test_the_wheels_that_windows_can_use_are_tried_under_wine(tmp_path, monkeypatch, code):
    tried = []

    def run(words, check):
        tried.append(words[3:])
        return SimpleNamespace(returncode=code)

    monkeypatch.setattr(release.subprocess, "run", run)
    anywhere, windows = "bluekrait-1-py3-none-any.whl", "bluekrait-1-py3-none-win_amd64.whl"
    artefacts = [Path(name) for name in ("bluekrait-1.tar.gz", LINUX_WHEEL, anywhere, windows)]
    with pytest.raises(release.ReleaseError, match="under Wine failed") if code else nullcontext():
        release.try_windows(artefacts, tmp_path)
    wanted = [anywhere] if code else [anywhere, windows]
    assert tried == [[wheel, "--dir", str(tmp_path)] for wheel in wanted]


@pytest.mark.parametrize("options, under_wine", [([], 1), (["--without-windows"], 0)])
def test_what_is_released_was_tried(tmp_path, monkeypatch, options, under_wine):
    artefacts = [tmp_path / "bluekrait-1-py3-none-any.whl", tmp_path / "bluekrait-1-py3-none-win_amd64.whl"]
    for path in artefacts:
        path.write_bytes(b"code")
    tried = Mock()
    monkeypatch.setattr(release, "build", lambda directory: artefacts)
    for step in "check", "try_artefact", "try_windows":
        monkeypatch.setattr(release, step, getattr(tried, step))
    monkeypatch.setattr(release, "is_for_this_system", lambda artefact: artefact == artefacts[0])
    assert release.main(["--to", str(tmp_path), *options]) == 0
    tried.check.assert_called_once_with(artefacts)
    tried.try_artefact.assert_called_once_with(artefacts[0])
    assert tried.try_windows.call_count == under_wine
    assert (tmp_path / release.CHECKSUMS).read_text().count("\n") == 2


PLAYER = """
import os, sys
for line in sys.stdin if sys.argv[2:] != ["warmup"] else ():
    moves = line.split()[3:]
    if line.startswith("go") and sys.argv[1] == "crashes" and played == 2:
        os.close(0)
        os._exit(9)
    elif line.startswith("go") and sys.argv[1] != "hangs":
        print("info depth 1")
        print("bestmove", "(none)" if sys.argv[1] == str(played) else "a1a2", flush=True)
    elif line.startswith("position"):
        played = len(moves)
sys.exit(played >= 90 if sys.argv[2:] != ["warmup"] else 0)
"""


def test_a_release_plays_a_whole_game(tmp_path, monkeypatch):
    def play(most):
        return release.play_game([sys.executable, "-c", PLAYER, most], tmp_path, os.environ)

    monkeypatch.setattr(release, "GAME_PLIES", 4)
    assert play(99) == 4
    with pytest.raises(release.ReleaseError, match="the game ended after a1a2 a1a2 a1a2, code 0"):
        play(3)
    with pytest.raises(release.ReleaseError, match="the game ended after a1a2 a1a2, code 9"):
        play("crashes")
    monkeypatch.setattr(release, "GAME_PLIES", 91)
    with pytest.raises(release.ReleaseError, match="code 1"):
        play(99)
    monkeypatch.setattr(release, "call", lambda *words, **options: None)
    monkeypatch.setattr(release, "PATIENCE", 0.1)
    with pytest.raises(release.ReleaseError, match="the game ended after nothing, code -?[0-9]+"):
        play("hangs")


def test_a_release_replaces_the_earlier_one_and_nothing_else(monkeypatch, tmp_path):
    for name in ("bluekrait-0.0.1.tar.gz", "bluekrait-0.0.1-py3-none-any.whl", "SHA256SUMS", "letter.txt"):
        (tmp_path / name).touch()

    def build(*words, **options):
        (tmp_path / f"bluekrait-{release.__version__}.tar.gz").touch()

    monkeypatch.setattr(release, "call", build)
    with pytest.raises(release.ReleaseError, match="no wheel"):
        release.build(tmp_path)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"letter.txt", f"bluekrait-{release.__version__}.tar.gz"}


@pytest.mark.parametrize("code", [0, 1])
def test_there_is_no_release_without_compiled_code(monkeypatch, tmp_path, code):
    names = [f"bluekrait-{release.__version__}{ending}" for ending in (".tar.gz", "-py3-none-any.whl")]
    made = [tmp_path / name for name in names]
    monkeypatch.setattr(release.sys, "platform", "linux")
    monkeypatch.setattr(release, "call", lambda *words, **options: [path.touch() for path in made])
    monkeypatch.setattr(prebuild, "main", lambda wheels: code)
    with pytest.raises(release.ReleaseError, match="cannot be made") if code else nullcontext():
        assert release.build(tmp_path) == sorted(made)


def test_a_command_that_fails_ends_the_release():
    with pytest.raises(release.ReleaseError, match="failed: no such index"):
        release.call(sys.executable, "-c", "raise SystemExit('no such index')")
