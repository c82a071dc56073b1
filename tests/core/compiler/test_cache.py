"""The cache of compiled code: what it keeps, which directories it uses, and that nothing outdated is used."""

import os
import shutil
import stat
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from bluekrait.core.compiler import cache, directories
from bluekrait.core.compiler.source_digests import PREFIX
from helpers.paths import ROOT
from helpers.processes.copies import DAMAGES, EXCHANGE, FINGERPRINT, Installation, edit, flip_a_bit

NOBODY = 65534
DAY = 86400
MODULE = "bluekrait.core.rules.bits"
OLD_FINGERPRINT = "cpython-311-" + "0123456789abcdef01234567"

as_root = pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root can give files away")


@pytest.fixture
def roots(tmp_path, monkeypatch):
    """The candidate directories, all of them empty, best first."""
    monkeypatch.delenv("BLUEKRAIT_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "system"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setattr(cache, "_fingerprint", "")
    return [Path(root) for root in cache.candidate_roots()]


def file_in(root, name="name"):
    return root / cache.fingerprint() / name


def age(path, days):
    then = time.time() - days * DAY
    os.utime(path, (then, then))


# Reading and writing


def test_what_is_kept_is_found_again(roots):
    assert cache.read("name") is None
    assert cache.write("name", b"first") and cache.write("name", b"second") and cache.write("other", b"third")
    assert (cache.read("name"), cache.read("other")) == (b"second", b"third")
    assert [path.name for path in sorted(file_in(roots[0]).parent.iterdir())] == ["name", "other"]


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_does_not_exist_and_can_be_replaced(roots, damage):
    cache.write("name", b"payload" * 1000)
    file = file_in(roots[0])
    file.write_bytes(damage(file.read_bytes()))
    assert cache.read("name") is None
    assert cache.write("name", b"new")
    assert cache.read("name") == b"new"


def test_a_checksum_of_nothing_is_no_file(roots):
    cache.write("name", b"payload")
    file_in(roots[0]).write_bytes(bytes(4))
    assert cache.read("name") is None


def test_an_intact_copy_elsewhere_is_as_good(roots):
    cache.write("name", b"payload")
    file_in(roots[1]).parent.mkdir(parents=True)
    file_in(roots[0]).rename(file_in(roots[1]))
    file_in(roots[0]).write_bytes(b"rubbish")
    assert cache.read("name") == b"payload"


def test_readers_see_all_of_a_file_or_nothing(roots):
    payloads = [bytes([letter]) * 300_000 for letter in b"ab"]
    cache.write("name", payloads[0])
    writers = [
        threading.Thread(target=lambda payload=payload: [cache.write("name", payload) for _ in range(30)])
        for payload in payloads
    ]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        assert cache.read("name") in payloads
    assert [path.name for path in file_in(roots[0]).parent.iterdir()] == ["name"]


def test_a_write_that_fails_half_way_changes_nothing(roots, monkeypatch):
    cache.write("name", b"old")

    def fail(*paths):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    assert not cache.write("name", b"new")
    assert cache.read("name") == b"old"
    assert [path for path in roots[0].parent.rglob("*") if path.is_file()] == [file_in(roots[0])]


# Where to


def test_the_first_directory_that_can_be_written_is_taken(roots):
    roots[0].parent.touch()
    roots[1].parent.mkdir(parents=True)
    roots[1].touch()
    assert cache.write("name", b"payload")
    assert file_in(roots[2]).exists()
    assert cache.location() == str(file_in(roots[2]).parent)
    assert cache.read("name") == b"payload"


def test_a_directory_where_the_file_should_be_is_walked_round(roots):
    file_in(roots[0]).mkdir(parents=True)
    assert cache.read("name") is None
    assert cache.write("name", b"payload")
    assert cache.read("name") == b"payload"
    assert not any(file_in(roots[0]).iterdir())


def test_nowhere_at_all(roots):
    for root in roots:
        root.parent.mkdir(parents=True, exist_ok=True)
        root.touch()
    assert not cache.write("name", b"payload")
    assert cache.read("name") is None
    assert cache.location()


def test_an_account_without_a_home_has_a_temporary_directory(roots, monkeypatch):
    for name in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name)

    def unknown(user):
        raise KeyError(user)

    monkeypatch.setattr("pwd.getpwuid", unknown)
    assert cache.write("name", b"payload")
    assert file_in(roots[-1]).exists()


def test_an_empty_variable_is_no_directory(roots, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for name in ("BLUEKRAIT_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, "")
    assert cache.write("name", b"payload")
    assert file_in(roots[1]).exists()
    monkeypatch.setenv("HOME", "")
    assert list(cache.candidate_roots()) == [str(roots[-1])]


def test_a_chosen_directory_is_the_only_one(roots, monkeypatch, tmp_path):
    cache.write("name", b"elsewhere")
    chosen = tmp_path / "to be made" / "chosen"
    monkeypatch.setenv("BLUEKRAIT_CACHE_DIR", str(chosen))
    assert cache.read("name") is None
    assert not chosen.parent.exists()
    assert cache.write("name", b"payload")
    assert file_in(chosen).exists() and cache.read("name") == b"payload"


def test_a_chosen_directory_that_cannot_be_made_is_passed_over(roots, monkeypatch, tmp_path):
    chosen = tmp_path / "a file"
    chosen.touch()
    monkeypatch.setenv("BLUEKRAIT_CACHE_DIR", str(chosen))
    assert cache.write("name", b"payload") and cache.read("name") == b"payload"
    assert file_in(roots[0]).exists()


@pytest.mark.skipif(os.name != "posix", reason="links need a right there")
def test_a_chosen_directory_that_is_a_link_to_nowhere_is_passed_over(roots, monkeypatch, tmp_path):
    chosen = tmp_path / "a link"
    chosen.symlink_to(tmp_path / "a disk that is not there" / "chosen")
    monkeypatch.setenv("BLUEKRAIT_CACHE_DIR", str(chosen))
    assert cache.write("name", b"payload") and cache.read("name") == b"payload"
    assert file_in(roots[0]).exists()


def test_a_chosen_directory_that_may_only_be_read_is_read_first(roots, monkeypatch, tmp_path):
    chosen = tmp_path / "chosen"
    monkeypatch.setenv("BLUEKRAIT_CACHE_DIR", str(chosen))
    assert cache.write("name", b"payload")
    (roots[0] / cache.fingerprint()).mkdir(parents=True)
    access = os.access
    monkeypatch.setattr(
        os,
        "access",
        lambda path, mode: chosen not in (Path(path), *Path(path).parents) and access(path, mode),
    )
    assert list(cache.candidate_roots()) == [str(chosen), *map(str, roots)]
    assert cache.read("name") == b"payload"
    assert cache.place_to_keep() == str(file_in(roots[0]).parent)


# Whom to trust


@as_root
@pytest.mark.parametrize("level", [0, 1], ids=["root", "directory"])
def test_code_from_a_directory_of_somebody_else_is_not_read_and_none_is_left_there(roots, level):
    cache.write("name", b"payload")
    file = file_in(roots[0])
    os.chown(file.parents[level], NOBODY, NOBODY)
    assert cache.read("name") is None
    assert cache.write("name", b"own")
    assert file_in(roots[1]).exists()
    assert cache.read("name") == b"own"
    assert cache.location() == str(file_in(roots[1]).parent)


@as_root
def test_a_file_of_somebody_else_in_our_directory_is_not_read(roots):
    cache.write("name", b"payload")
    file_in(roots[0]).parent.chmod(0o777)
    os.chown(file_in(roots[0]), NOBODY, NOBODY)
    assert cache.read("name") is None


def test_what_is_written_others_may_read_but_not_write(roots):
    old = os.umask(0)
    try:
        cache.write("name", b"payload")
    finally:
        os.umask(old)
    file = file_in(roots[0])
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (file, file.parent, roots[0])]
    assert modes == [0o644, 0o755, 0o755]


@as_root
def test_a_chosen_directory_of_somebody_else_is_passed_over(roots, monkeypatch, tmp_path):
    chosen = tmp_path / "chosen"
    chosen.mkdir()
    os.chown(chosen, NOBODY, NOBODY)
    monkeypatch.setenv("BLUEKRAIT_CACHE_DIR", str(chosen))
    assert cache.write("name", b"payload") and cache.read("name") == b"payload"
    assert file_in(roots[0]).exists() and not any(chosen.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="files have no numbers of users there")
def test_what_the_administrator_compiled_is_trusted(roots, monkeypatch):
    monkeypatch.setattr(os, "getuid", lambda: 4711)
    monkeypatch.setattr(os, "fstat", lambda descriptor: SimpleNamespace(st_uid=0))
    path = roots[0] / "name"
    path.parent.mkdir(parents=True)
    directories.write_sealed(str(path), b"payload")
    assert directories.read_sealed(str(path)) == b"payload"
    monkeypatch.setattr(os, "fstat", lambda descriptor: SimpleNamespace(st_uid=NOBODY))
    assert directories.read_sealed(str(path)) is None


@pytest.mark.skipif(os.name != "posix", reason="users have no numbers there")
def test_each_user_has_a_temporary_directory(roots, monkeypatch):
    monkeypatch.setattr(os, "getuid", lambda: 4711)
    assert list(cache.candidate_roots())[-1] == str(roots[-1].with_name("bluekrait-4711"))


# Versions that nobody uses any more


def test_a_new_version_removes_those_that_have_not_run_for_a_month(roots):
    others = ("env-cpython-310-9276d7807209", "photos", f"{OLD_FINGERPRINT}.saved", OLD_FINGERPRINT[:-1])
    kept = [roots[0] / name for name in (*others, OLD_FINGERPRINT[:-1] + "8")]
    for directory in (*kept, roots[0] / OLD_FINGERPRINT):
        directory.mkdir(parents=True)
        (directory / "file").touch()
        age(directory, cache.DAYS_KEPT + 1)
    age(kept[-1], cache.DAYS_KEPT - 1)
    digests = [roots[0] / f"{PREFIX}{number:08x}" for number in range(2)]
    for number, file in enumerate(digests):
        file.touch()
        age(file, cache.DAYS_KEPT + 1 - 2 * number)
    cache.write("name", b"payload")
    assert sorted(roots[0].iterdir()) == sorted([*kept, digests[1], file_in(roots[0]).parent])


def test_a_new_version_of_a_file_removes_those_that_were_not_used_for_a_month(roots):
    cache.write("walk.kernel", b"payload", MODULE)
    (current,) = file_in(roots[0]).parent.iterdir()
    old = [
        current.with_name(name)
        for name in ("walk-0123456789abcdef.kernel", "walk-fast-0123456789abcdef.kernel", "walk-01.native")
    ]
    recent = current.with_name("walk-0123456789abcdee.kernel")
    for file in (*old, recent):
        file.touch()
        age(file, cache.DAYS_KEPT + (1 if file in old else -1))
    cache.write("walk.kernel", b"payload", MODULE)
    assert sorted(current.parent.iterdir()) == sorted([current, recent, *old[1:]])


@pytest.mark.parametrize("written", ["walk.kernel", "walk-0123456789abcdef.kernel", "perft.native"])
def test_what_a_killed_writer_left_is_removed_when_another_file_is_written(roots, written):
    cache.write("walk.kernel", b"payload")
    (current,) = file_in(roots[0]).parent.iterdir()
    old, recent = (current.with_name(f"{written}.4711-deadbee{digit}") for digit in "01")
    for draft, hours in ((old, 2), (recent, 0.5)):
        draft.touch()
        age(draft, hours / 24)
    cache.write("walk.kernel", b"payload")
    assert sorted(current.parent.iterdir()) == sorted([current, recent])


def test_reading_is_using(roots):
    cache.write("name", b"payload")
    file = file_in(roots[0])
    for path in (file, file.parent):
        age(path, cache.DAYS_KEPT + 1)
    cache.read("name")
    assert all(path.stat().st_mtime > time.time() - DAY for path in (file, file.parent))
    age(file, 0.5)
    before = file.stat().st_mtime_ns
    cache.read("name")
    assert file.stat().st_mtime_ns == before  # once a day is enough


# What the machine code depends on


@pytest.fixture
def installation(tmp_path):
    return Installation(tmp_path).furnish(ROOT)


def test_the_fingerprint_tells_everything_apart_that_matters(installation):
    plain = installation.output(FINGERPRINT)
    assert installation.output(FINGERPRINT) == plain
    seen = {plain}
    for name, value in (
        ("NUMBA_CPU_NAME", "generic"),
        ("NUMBA_OPT", "1"),
        ("NUMBA_DISABLE_JIT", "1"),
        ("BLUEKRAIT_SLIDERS", "magic"),
        ("BLUEKRAIT_SLIDERS", "pext"),
    ):
        installation.settings = {name: value}
        seen.add(installation.output(FINGERPRINT))
    installation.settings = {}
    assert len(seen) == 6


def test_the_fingerprint_knows_the_settings_in_the_working_directory(installation):
    plain = installation.output(FINGERPRINT)
    settings = installation.temporary / ".numba_config.yaml"
    settings.write_text("opt: 1\n")
    slow = installation.output(FINGERPRINT)
    settings.write_text("opt: 2\n")
    assert len({plain, slow, installation.output(FINGERPRINT)}) == 3
    settings.unlink()
    assert installation.output(FINGERPRINT) == plain


def test_the_settings_in_the_working_directory_may_turn_the_compiler_off(installation):
    pytest.importorskip("yaml")
    (installation.temporary / ".numba_config.yaml").write_text("disable_jit: 1\n")
    load = "from bluekrait.core import native; print(*native.load('bluekrait.core.rules_entries'))"
    assert installation.output(load) == "perft legal_moves play_move\n"
    assert not installation.kernels()


def test_the_fingerprint_ignores_everything_else(installation, tmp_path):
    plain = installation.output(FINGERPRINT)
    installation.settings = {"LANG": "C", "BLUEKRAIT_CACHE_DIR": "elsewhere", "BLUEKRAIT_UNKNOWN": "1"}
    edit(installation.sources / "bluekrait/core/rules/bits.py", "EMPTY", "VOID")
    installation.sources = installation.sources.rename(tmp_path / "moved")
    assert installation.output(FINGERPRINT) == plain


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """A folder in which the packages of the compiler seem to be installed."""

    def find_spec(name):
        return SimpleNamespace(origin=str(tmp_path / name / "__init__.py"))

    monkeypatch.setattr(cache.util, "find_spec", find_spec)
    return tmp_path


@pytest.mark.parametrize(
    "name, ending",
    [("numba", "dist-info"), ("llvmlite", "dist-info"), ("numpy", "dist-info"), ("numpy", "egg-info")],
)
def test_another_version_of_the_compiler_has_another_fingerprint(packages, name, ending):
    (packages / f"{name}_extras-1.0.{ending}").mkdir()
    none = cache._current_fingerprint()
    (packages / f"{name}-1.0.{ending}").mkdir()
    old = cache._current_fingerprint()
    (packages / f"{name}-1.0.{ending}").rename(packages / f"{name}-1.1.{ending}")
    assert len({none, old, cache._current_fingerprint()}) == 3


def test_a_compiler_that_is_not_installed_has_another_fingerprint(monkeypatch):
    here = cache._current_fingerprint()
    monkeypatch.setattr(cache.util, "find_spec", lambda name: None)
    assert cache._current_fingerprint() != here


@pytest.mark.parametrize(
    "where, what, value",
    [
        (cache.sys, "version", "3.10.99 (another compiler of C)"),
        (cache.sys, "platform", "plan9"),
        (cache.processor, "identity", lambda: b"another"),
    ],
    ids=["Python", "system", "processor"],
)
def test_another_machine_has_another_fingerprint(monkeypatch, where, what, value):
    here = cache._current_fingerprint()
    monkeypatch.setattr(where, what, value)
    assert cache._current_fingerprint() != here


def test_what_was_compiled_in_another_environment_is_not_kept(roots, monkeypatch):
    assert cache.write("name", b"payload", MODULE)
    monkeypatch.setenv("NUMBA_OPT", "1")  # too late for code that is compiled already
    assert not cache.write("name", b"payload", MODULE)
    assert not cache.write("name", b"payload")


def test_nothing_is_kept_once_the_packages_are_gone(roots, monkeypatch):
    assert cache.write("name", b"payload")

    def listdir(path):
        raise FileNotFoundError(path)

    monkeypatch.setattr(os, "listdir", listdir)
    assert not cache.write("name", b"another")
    assert cache.read("name") == b"payload"


def test_the_environment_counts_that_the_compiler_was_loaded_in(installation):
    changed = "import os; from bluekrait.core.compiler import jit; os.environ['NUMBA_OPT'] = '1'\n"
    assert installation.output(changed + FINGERPRINT) == installation.output(FINGERPRINT)


def test_the_environment_may_hold_what_is_not_text(installation):
    installation.settings = {"NUMBA_CACHE_DIR": os.fsdecode(b"\xff")}
    assert installation.output(FINGERPRINT)


# No stale callee ever. `see_at_least` stands in core/rules/see.py, what pawns capture in core/rules/bits.py.

AS_IT_SHOULD_BE, PAWNS_FORGOT = "False\n", "True\n"


def forget_pawn_captures(installation):
    edit(
        installation.sources / "bluekrait/core/rules/bits.py",
        "return pawn_captures_west(pawns) | pawn_captures_east(pawns)",
        "return EMPTY",
    )


def test_a_changed_callee_in_another_file_is_compiled_again_beside_the_old(installation):
    exchange = EXCHANGE.format(interlude="")
    bits = installation.sources / "bluekrait/core/rules/bits.py"
    original = bits.read_bytes()
    assert installation.output(exchange) == AS_IT_SHOULD_BE
    old_files = contents(installation.directory())

    forget_pawn_captures(installation)
    assert installation.output(exchange) == PAWNS_FORGOT
    assert len(list(installation.cache.iterdir())) == 1
    new_files = contents(installation.directory())
    assert old_files.items() < new_files.items()

    bits.write_bytes(original)
    assert installation.output(exchange) == AS_IT_SHOULD_BE
    assert contents(installation.directory()) == new_files


def test_sources_that_change_under_a_running_program_do_not_mislead_the_next(installation):
    forget_pawn_captures(installation)
    bits = installation.sources / "bluekrait/core/rules/bits.py"
    changed = bits.read_text(encoding="utf-8")
    shutil.copyfile(ROOT / "core/rules/bits.py", bits)
    upgrade = f"open({str(bits)!r}, 'w', encoding='utf-8').write({changed!r})"

    assert installation.output(EXCHANGE.format(interlude=upgrade)) == AS_IT_SHOULD_BE
    assert not installation.kernels()
    assert installation.output(EXCHANGE.format(interlude="")) == PAWNS_FORGOT


def test_what_python_compiled_of_other_sources_does_not_mislead_the_next(installation):
    """Python believes its bytecode if the source has the same size and time."""
    exchange = EXCHANGE.format(interlude="")
    installation.settings = {"PYTHONDONTWRITEBYTECODE": None}
    assert installation.output(exchange) == AS_IT_SHOULD_BE
    bits = installation.sources / "bluekrait/core/rules/bits.py"
    before = bits.stat()
    forget_pawn_captures(installation)
    with bits.open("a", encoding="utf-8") as file:
        file.write("#".ljust(before.st_size - bits.stat().st_size))
    os.utime(bits, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert bits.stat().st_size == before.st_size
    assert installation.output(exchange) == AS_IT_SHOULD_BE  # by the bytecode of the source as it was
    for folder in installation.sources.rglob("__pycache__"):
        shutil.rmtree(folder)
    assert installation.output(exchange) == PAWNS_FORGOT


KNIGHT = """
from bluekrait.core import knight_attacks

print(knight_attacks(0), knight_attacks(63), len(knight_attacks.overloads))
"""


def test_machine_code_of_a_part_is_made_when_python_calls_it_and_kept(installation):
    assert installation.output(KNIGHT) == "132096 9077567998918656 1\n"
    assert {path.suffix for path in installation.cache.rglob("*.knight_attacks-*")} == {".kernel", ".part"}
    made = contents(installation.directory())
    assert installation.output(KNIGHT) == "132096 9077567998918656 0\n"  # it was not even looked at as a part
    assert contents(installation.directory()) == made


def test_a_damaged_part_is_compiled_again(installation):
    assert installation.output(KNIGHT).endswith(" 1\n")
    made = contents(installation.directory())
    for name in installation.kernels():
        path = installation.directory() / name
        path.write_bytes(flip_a_bit(path.read_bytes()))
    assert installation.output(KNIGHT) == "132096 9077567998918656 1\n"
    assert contents(installation.directory()).keys() == made.keys()


def test_kernels_of_other_people_are_compiled_every_time(installation, tmp_path):
    module = installation.sources / "theirs.py"
    module.write_text(
        "from bluekrait.core.compiler.jit import int64, kernel\n\n"
        "@kernel(int64())\ndef answer():\n    return 41\n"
    )
    assert installation.output("import theirs; print(theirs.answer())") == "41\n"
    edit(module, "41", "42")
    assert installation.output("import theirs; print(theirs.answer())") == "42\n"


def test_code_for_another_processor_is_compiled_without_what_only_this_one_has(installation):
    installation.settings = {"NUMBA_CPU_NAME": "generic"}
    assert installation.output(EXCHANGE.format(interlude="")) == AS_IT_SHOULD_BE


def test_where_nothing_can_be_kept_everything_works(installation):
    installation.home.rmdir()
    for path in (installation.cache, installation.home):
        path.touch()
    installation.settings = {"TMPDIR": installation.home}
    assert installation.output(EXCHANGE.format(interlude="")) == AS_IT_SHOULD_BE


def contents(directory):
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in directory.iterdir()}


# Where each system keeps caches.


@pytest.mark.parametrize(
    "system, place",
    [
        ("linux", ("home", ".cache", "bluekrait")),
        ("darwin", ("home", "Library", "Caches", "bluekrait")),
        ("win32", ("local", "bluekrait")),
    ],
)
def test_every_system_has_its_own_place(tmp_path, monkeypatch, system, place):
    for name in ("BLUEKRAIT_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    monkeypatch.setattr(sys, "platform", system)
    first, last = cache.candidate_roots()
    assert first == str(tmp_path.joinpath(*place))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert list(cache.candidate_roots()) == [str(tmp_path / "xdg" / "bluekrait"), first, last]


def test_windows_without_that_place_has_the_temporary_one(tmp_path, monkeypatch):
    for name in ("BLUEKRAIT_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA", "TMPDIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TEMP", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "win32")
    (root,) = cache.candidate_roots()
    assert root.startswith(str(tmp_path))
