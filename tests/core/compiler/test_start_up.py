"""Starting the engine: at once where it was compiled before, rightly whatever has become of the cache."""

import marshal
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile

import pytest

from helpers.processes.copies import COMPILED, DAMAGES, PATIENCE, PERFT, PERFT_OF_RULES, WARM, seal
from helpers.processes.machines import on_x86

NOBODY = 65534
IS_ROOT = os.name == "posix" and os.getuid() == 0
PERFT_ENTRY = "*.perft-*.native"


@pytest.fixture(scope="session")
def powerless(tmp_path_factory):
    """The words before a command that bind it to the modes of files, which otherwise do not bind root."""
    words = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if IS_ROOT else []
    locked = tmp_path_factory.mktemp("locked")
    locked.chmod(0o555)
    try:
        trial = subprocess.run([*words, "touch", locked / "file"], stderr=subprocess.DEVNULL)
    except OSError:
        pytest.skip("root, and no setpriv to be somebody less")
    if trial.returncode == 0:
        pytest.skip("file modes bind nobody here")
    return words


def make_read_only(root):
    for path in (root, *root.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222)


def cached_files(installation):
    return sorted(path.name for path in installation.cache.rglob("*") if path.is_file())


# Warm


def test_a_warm_start_needs_neither_numba_nor_numpy(warm):
    assert warm.output(PERFT) == WARM


@on_x86
def test_a_warm_start_loads_no_llvm(warm):
    assert warm.output(PERFT + "print('llvmlite' in sys.modules)") == WARM + "False\n"


def test_a_warm_start_writes_nothing(warm):
    files = {path: path.stat().st_mtime_ns for path in warm.cache.rglob("*.*")}
    warm.output(PERFT)
    assert {path: path.stat().st_mtime_ns for path in warm.cache.rglob("*.*")} == files
    assert not any(warm.home.iterdir()) and not any(warm.temporary.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="no digests are kept there")
def test_a_warm_start_keeps_the_digests_of_the_sources_for_the_next(warm):
    trusting = "from bluekrait.core.compiler import source_digests\nsource_digests.OLD_ENOUGH = 0\n"
    ask = "print('bluekrait.core.compiler.sources' in sys.modules)"
    assert warm.output(trusting + PERFT + ask) == WARM + "True\n"
    assert warm.output(PERFT + ask) == WARM + "False\n"


def test_a_warm_cache_may_be_read_only(warm, powerless):
    make_read_only(warm.cache)
    make_read_only(warm.home)
    warm.before = powerless
    assert warm.output(PERFT) == WARM


def test_a_warm_start_without_home_or_account(warm):
    """Nobody in a container: the cache can only be in the temporary directory."""
    owner = os.getuid() if hasattr(os, "getuid") else "user"
    warm.cache.rename(warm.temporary / f"bluekrait-{owner}")
    warm.settings = {"HOME": None, "BLUEKRAIT_CACHE_DIR": None}
    without_account = "import pwd\ndef getpwuid(user): raise KeyError(user)\npwd.getpwuid = getpwuid\n"
    assert warm.output(without_account + PERFT) == WARM


CACHE_STATE = "from bluekrait.search import engine; print(dict(engine.compiler_report())['cache state'])"


def test_a_damaged_file_is_not_called_warm(warm):
    assert warm.output(CACHE_STATE).startswith("warm, ")
    next(warm.cache.rglob("*.native")).write_bytes(b"rubbish")
    assert warm.output(CACHE_STATE).startswith("incomplete: ")


@pytest.mark.skipif(not IS_ROOT, reason="only root can give files away")
def test_entries_of_somebody_else_are_not_run(warm):
    assert warm.output(CACHE_STATE).startswith("warm, ")
    for path in (warm.cache, *warm.cache.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    assert warm.output(CACHE_STATE).startswith("incomplete: ")


# Cold. The whole engine was compiled for `original`; for the rest the rules suffice.

SUFFIXES = {".entries", ".kernel", ".native", ".part", ".tables"}


def test_two_cold_starts_at_once_after_the_cache_was_deleted(warm, original):
    shutil.rmtree(warm.cache)
    both = [warm.start("-c", PERFT_OF_RULES) for _ in range(2)]
    answers = [process.communicate(timeout=PATIENCE) for process in both]
    assert sorted(answers) == sorted([(COMPILED, ""), (WARM, "")])  # one waits for what the other compiles
    assert set(warm.kernels()) < set(original.kernels())
    assert {os.path.splitext(name)[1] for name in cached_files(warm)} - {""} == SUFFIXES  # no drafts
    assert warm.output(PERFT_OF_RULES) == WARM


def test_a_start_goes_on_where_another_that_it_waited_for_was_killed(cold):
    first = cold.start("-c", PERFT_OF_RULES)
    while len(cold.kernels()) < 20:
        assert first.poll() is None
        time.sleep(0.01)
    second = cold.start("-c", TELLING)
    assert second.stdout.readline() == "in another process\n"
    first.send_signal(signal.SIGKILL)
    first.communicate()
    output, errors = second.communicate(timeout=PATIENCE)
    assert (output, errors) == ("compiled\n", "")
    assert cold.output(PERFT_OF_RULES) == WARM


def test_a_compilation_that_is_killed_leaves_nothing_that_disturbs_the_next(cold, original):
    process = cold.start("-c", PERFT_OF_RULES)
    while len(cold.kernels()) < 20:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    (directory,) = cold.cache.iterdir()
    (directory / "rules_entries.perft-0123456789abcdef.native.4711-01234567").write_bytes(b"half a fi")

    assert cold.output(PERFT_OF_RULES) == COMPILED
    assert set(cold.kernels()) < set(original.kernels())
    assert cold.output(PERFT_OF_RULES) == WARM


TELLING = """
from bluekrait.core import native

told = []

def tell(done, total, what):
    if what not in told:
        if what == "in another process":
            print(what, flush=True)
        told.append(what)

native.load("bluekrait.core.rules_entries", tell)
print("compiled" if told[1:] else "loaded")
"""

INTERRUPTED = """
from bluekrait.core import native

def interrupt(done, total, what):
    if done == total - 1:
        raise KeyboardInterrupt

try:
    native.load("bluekrait.core.rules_entries", interrupt)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_a_compilation_that_is_interrupted_has_kept_the_entries_that_were_complete(warm):
    for entry in warm.cache.rglob("*.native"):
        entry.unlink()
    assert warm.output(INTERRUPTED) == "interrupted\n"
    assert len(list(warm.cache.rglob("*.native"))) == 2  # of three
    assert warm.output(INTERRUPTED) == "interrupted\n"
    assert warm.output(PERFT_OF_RULES) == COMPILED
    assert warm.output(PERFT_OF_RULES) == WARM


SECOND = """
from bluekrait.core import native, rules_entries, second_compiler
from bluekrait.core.compilation import is_kept, units_of

module = rules_entries.__name__
units = {unit.name: unit for unit in units_of(rules_entries.ENTRIES)}
with second_compiler._started(module) as process:
    second_compiler._answer(process)
    for name in "bluekrait.core.counting.perft", "perft", "play_move":
        print(*(unit.name for unit in units_of(rules_entries.ENTRIES)))
        print(is_kept(units[name]), second_compiler._is_done(units[name], process))
    process.stdin.close()
native.load(module, lambda done, total, name: print(name))
"""

FOUND = """\
bluekrait.core.counting.perft perft legal_moves play_move
False True
perft legal_moves play_move
False True
perft legal_moves play_move
False True
legal_moves
"""


def test_what_a_second_process_compiles_is_found_by_the_first(warm):
    for file in (*warm.cache.rglob("*.native"), *warm.cache.rglob("*.counting.perft.*.part")):
        file.unlink()
    assert warm.output(SECOND) == FOUND
    assert warm.output(PERFT_OF_RULES) == WARM


def test_an_archive_in_a_home_that_cannot_be_written_keeps_its_cache_in_the_temporary_directory(cold):
    archive = cold.sources.with_suffix(".zip")
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("bluekrait/", b"")
        for path in (cold.sources / "bluekrait").rglob("*.*"):
            file.write(path, path.relative_to(cold.sources))
    shutil.rmtree(cold.sources)
    cold.sources = archive
    cold.settings = {"HOME": archive, "BLUEKRAIT_CACHE_DIR": archive}

    assert cold.output(PERFT_OF_RULES) == COMPILED
    assert cold.output(PERFT_OF_RULES) == WARM
    (kept,) = cold.temporary.iterdir()
    assert kept.name.startswith("bluekrait-")


def test_a_read_only_cache_and_home_are_passed_over(cold, powerless):
    cold.cache.mkdir()
    make_read_only(cold.cache)
    make_read_only(cold.home)
    cold.before = powerless
    keep = "from bluekrait.core.compiler import cache; print(cache.write('name', b'x'), cache.read('name'))"
    assert cold.output(keep) == "True b'x'\n"
    assert any(cold.temporary.iterdir())


# Damaged


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_tables_are_made_again(warm, damage):
    (tables,) = warm.cache.rglob("*.tables")
    intact = tables.read_bytes()
    tables.write_bytes(damage(intact))
    assert warm.output(PERFT).startswith("97862")
    assert tables.read_bytes() == intact


def test_damaged_entries_are_made_again_from_the_kernels(warm):
    entry = warm.file(PERFT_ENTRY)
    entry.write_bytes(DAMAGES["cut short"](entry.read_bytes()))
    kernels = {name: warm.file(name).stat().st_mtime_ns for name in warm.kernels()}
    assert warm.output(PERFT) == COMPILED
    assert {name: warm.file(name).stat().st_mtime_ns for name in warm.kernels()} == kernels
    assert warm.output(PERFT) == WARM


# By those of the rules, directly: so they are needed to compile these entries.
CALLED_BY_ENTRIES = (
    *("perft.walk", "perft.walk_hashed", "legality.legality", "movegen.add_legal_moves"),
    *("history.push", "history.repetitions", "make.make_move"),
)


def test_missing_entries_and_damaged_kernels_are_made_again(warm):
    for entry in warm.cache.rglob("*.native"):
        entry.unlink()
    damaged = {}
    for name, damage in zip(CALLED_BY_ENTRIES, DAMAGES.values(), strict=True):
        kernel = warm.file(f"*.{name}-*.[kp]*")  # .kernel or .part
        damaged[kernel] = damage(kernel.read_bytes())
        kernel.write_bytes(damaged[kernel])

    assert warm.output(PERFT) == COMPILED
    assert all(kernel.read_bytes() != content for kernel, content in damaged.items())
    assert warm.output(PERFT) == WARM


@pytest.mark.parametrize("rubbish", [b"rubbish", marshal.dumps(7)], ids=["no object", "a number"])
def test_rubbish_under_a_right_checksum_is_compiled_away(warm, rubbish):
    for name in (PERFT_ENTRY, "*.entries", "*.counting.perft.walk-*.part"):
        warm.file(name).write_bytes(seal(rubbish))
    assert warm.output(PERFT) == COMPILED
    assert warm.output(PERFT) == WARM


@pytest.mark.parametrize("name", [PERFT_ENTRY, "*.entries"])
def test_a_directory_in_the_place_of_a_file(warm, name):
    """The next cache is used; there is none beside one that BLUEKRAIT_CACHE_DIR names."""
    warm.settings = {"BLUEKRAIT_CACHE_DIR": None, "XDG_CACHE_HOME": warm.home / "system"}
    warm.cache = shutil.move(warm.cache, warm.home / "system" / "bluekrait")
    file = warm.file(name)
    file.unlink()
    file.mkdir()
    assert warm.output(PERFT) == COMPILED
    assert warm.output(PERFT) == WARM


def test_a_full_disk(warm):
    resource = pytest.importorskip("resource")  # not on Windows
    for name in (PERFT_ENTRY, "*.tables"):
        warm.file(name).unlink()
    files = cached_files(warm)

    def leave_no_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))

    assert warm.output(PERFT, preexec_fn=leave_no_room) == COMPILED
    assert cached_files(warm) == files
    assert not any(path.is_file() for path in (*warm.home.rglob("*"), *warm.temporary.rglob("*")))


# Told otherwise


def test_interpreted_it_answers_through_the_same_entries(cold):
    cold.settings = {"NUMBA_DISABLE_JIT": "1"}
    shallow = PERFT.replace("perft(3)", "perft(1)")
    assert cold.output(shallow).startswith("48 ")


@pytest.mark.parametrize("value", ["", "0", "false"])
def test_only_a_number_disables_the_compiler_as_in_numba(cold, value):
    cold.settings = {"NUMBA_DISABLE_JIT": value}
    question = "from bluekrait.core.compiler import processor; print(processor.is_interpreted())"
    assert cold.output(question) == "False\n"


@pytest.mark.parametrize("arguments", [["warmup"], ["perft", "1"], ["isready"], ["d"]], ids=" ".join)
def test_a_wrong_slider_technique_costs_one_clear_line(cold, arguments):
    cold.settings = {"BLUEKRAIT_SLIDERS": "rotated"}
    code, output, errors = cold.run("-m", "bluekrait.uci", *arguments)
    assert code == 1
    (line,) = (output + errors).splitlines()
    assert "BLUEKRAIT_SLIDERS must be one of pext, magic, classical, " in line
    assert line.endswith("not 'rotated'")
