"""Compiled code in the package: taken when it fits the sources and the processor, else passed over."""

import shutil
import sys

import pytest

from bluekrait.core.compiler import cpuid, prebuilt, processor, source_digests
from bluekrait.search.engine import ENTRIES_MODULE
from helpers.processes.copies import DAMAGES, PERFT, WARM

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="such code is only made on Linux")

V4, V3, V3_MAGIC, V2 = (each for each in prebuilt.SETS if each.target == prebuilt.LINUX)
(ARM,) = (each for each in prebuilt.SETS if each.target == prebuilt.LINUX_ARM)

IS_WARM = f"""
from bluekrait.core import native
print(native.is_warm({ENTRIES_MODULE!r}))
"""
TABLES = """
import sys
from bluekrait.core.compiler import cache
from bluekrait.core.tables import table_block
print(cache.origin(f"{table_block.technique()}.tables", table_block.__name__))
"""
REPORT = "from bluekrait.search import engine; print(dict(engine.compiler_report())['compiled code'])"


@pytest.fixture
def own_set():
    """The set that this processor is given."""
    chosen = prebuilt.chosen_set()
    if chosen is None:
        pytest.skip("no set is for this processor")
    return chosen


@pytest.fixture
def folder_of(cold):
    """Where the package has the files of a set."""
    return lambda each: cold.sources / "bluekrait/core/compiler" / prebuilt.FOLDER / each.folder


@pytest.fixture
def packaged(original, cold, own_set, folder_of):
    """An engine that was never started, with compiled code in its package: that which `original` compiled."""
    folder = folder_of(own_set)
    folder.mkdir(parents=True)
    for suffix in ("native", "entries", "tables"):
        for file in original.cache.rglob(f"*.{suffix}"):
            shutil.copy(file, folder)
    return cold


def files_in(installation):
    places = installation.cache, installation.home, installation.temporary
    return [path for place in places for path in place.rglob("*") if path.is_file()]


def is_of_digests(path):
    """True for the file that a start may add to a cache once the sources are some seconds old."""
    return path.name.startswith(source_digests.PREFIX)


# Which set


def choose(monkeypatch, features, technique="", slow_pext=False, target=prebuilt.LINUX, **variables):
    for variable in ("BLUEKRAIT_SLIDERS", "BLUEKRAIT_PREBUILT", "NUMBA_OPT"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(processor, "has_slow_pext", lambda: slow_pext)
    monkeypatch.setattr(processor, "features", lambda: frozenset(features))
    monkeypatch.setattr(sys, "platform", target.system)
    monkeypatch.setattr(cpuid, "machine", lambda: target.machine)
    if technique:
        monkeypatch.setenv("BLUEKRAIT_SLIDERS", technique)
    for variable, value in variables.items():
        monkeypatch.setenv(variable, value)
    return prebuilt.chosen_set()


@pytest.mark.parametrize("each", [V4, V3, V2], ids=lambda each: each.folder)
def test_a_processor_is_given_the_best_that_it_can_run(monkeypatch, each):
    assert choose(monkeypatch, each.features) == each
    assert choose(monkeypatch, (*each.features, "more")) == each


@pytest.mark.parametrize("each, lower", [(V4, V3), (V3, V2), (V2, None)], ids=["v4", "v3", "v2"])
def test_a_processor_that_lacks_one_thing_is_given_what_does_without(monkeypatch, each, lower):
    technique = lower.technique if lower else "magic"
    only_here = set(each.features) - set(lower.features if lower else ())
    assert only_here
    for feature in only_here:
        assert choose(monkeypatch, set(each.features) - {feature}, technique) == lower


def test_a_processor_without_pext_is_given_magics(monkeypatch):
    assert choose(monkeypatch, set(V4.features) - {"bmi2"}) == V2


def test_a_processor_with_slow_pext_is_given_magics(monkeypatch):
    assert choose(monkeypatch, V3.features, slow_pext=True) == V3_MAGIC


def test_a_chosen_technique_counts(monkeypatch):
    assert choose(monkeypatch, V4.features, "magic") == V3_MAGIC
    assert choose(monkeypatch, V4.features, "pext") == V4
    assert choose(monkeypatch, V2.features, "pext") is None
    assert choose(monkeypatch, V4.features, "kindergarten") is None


def test_each_system_is_given_its_own_code(monkeypatch):
    for own in (each for each in prebuilt.SETS if each.target == prebuilt.WINDOWS):
        technique = own.technique
        assert choose(monkeypatch, own.features, technique, target=prebuilt.WINDOWS) == own
    assert choose(monkeypatch, ("neon", "crc"), target=prebuilt.LINUX_ARM) == ARM
    assert len({each.folder for each in prebuilt.SETS}) == len(prebuilt.SETS)


def test_no_set_is_for_other_processors_and_systems(monkeypatch):
    assert choose(monkeypatch, ()) is None
    assert choose(monkeypatch, V4.features, target=prebuilt.LINUX._replace(system="darwin")) is None
    assert choose(monkeypatch, (), target=prebuilt.LINUX_ARM._replace(system="win32")) is None
    assert choose(monkeypatch, (), target=prebuilt.LINUX._replace(machine="riscv64")) is None


def test_none_is_taken_by_somebody_who_wants_to_compile(monkeypatch):
    assert choose(monkeypatch, V4.features, BLUEKRAIT_PREBUILT="1") == V4
    assert choose(monkeypatch, V4.features, BLUEKRAIT_PREBUILT="0") is None
    for name in ("NUMBA_OPT", "NUMBA_BOUNDSCHECK"):
        monkeypatch.undo()
        assert choose(monkeypatch, V4.features, **{name: "1"}) is None


# What Numba is told


@pytest.mark.parametrize("each", prebuilt.SETS, ids=lambda each: each.folder)
def test_the_settings_that_compile_a_set_choose_it(monkeypatch, each):
    for name, value in each.settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", each.target.system)
    monkeypatch.setattr(cpuid, "machine", lambda: each.target.machine)
    assert processor.features() == set(each.features)
    assert prebuilt.chosen_set() == each


@pytest.mark.parametrize(
    "variables, expected",
    [
        ({"NUMBA_CPU_NAME": "generic"}, set()),
        ({"NUMBA_CPU_FEATURES": ""}, set()),
        ({"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+bmi2, -avx2,+avx"}, {"bmi2", "avx"}),
    ],
    ids=["generic", "none", "some"],
)
def test_features_are_those_that_numba_compiles_for(monkeypatch, variables, expected):
    for name in ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert processor.features() == expected
    assert processor.has_pext() == ("bmi2" in expected)


@pytest.fixture
def bare(monkeypatch):
    """Nobody tells Numba of another processor."""
    for name in ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def test_features_are_those_of_this_machine_else(bare):
    answers = cpuid.Answers(b"AuthenticAMD", 0x17, frozenset({"bmi2"}), b"")
    bare.setattr(processor, "_answers", lambda: answers)
    assert processor.features() == {"bmi2"}
    assert processor.slider_technique() == "magic"
    bare.setattr(processor, "_answers", lambda: answers._replace(family=0x19))
    assert processor.slider_technique() == "pext"


def test_where_the_processor_cannot_be_asked_llvm_is(bare):
    from llvmlite import binding

    bare.setattr(processor, "_answers", lambda: None)
    bare.setattr(binding, "get_host_cpu_features", lambda: {"bmi2": True, "avx2": False})
    assert processor.features() == {"bmi2"}


@pytest.mark.parametrize("name", processor.SLOW_PEXT)
def test_a_processor_that_numba_is_told_of_may_have_slow_pext(bare, name):
    bare.setenv("NUMBA_CPU_NAME", name)
    bare.setenv("NUMBA_CPU_FEATURES", "+bmi2")
    assert processor.slider_technique() == "magic"


# The first start


def test_the_first_start_compiles_nothing_and_writes_nothing(packaged, own_set):
    assert packaged.output(PERFT) == WARM
    assert files_in(packaged) == []
    assert packaged.output(REPORT) == f"from the package, for {own_set.level} with {own_set.technique}\n"


def test_an_archive_brings_its_code_along(packaged):
    shutil.make_archive(str(packaged.sources), "zip", packaged.sources)
    shutil.rmtree(packaged.sources)
    packaged.sources = packaged.sources.with_suffix(".zip")
    assert packaged.output(PERFT) == WARM
    assert files_in(packaged) == []


def test_what_was_compiled_here_is_preferred(packaged, original):
    shutil.copytree(original.cache, packaged.cache)
    assert packaged.output(REPORT) == "in the cache\n"


def test_what_is_missing_in_the_cache_is_taken_from_the_package(packaged, original):
    shutil.copytree(original.cache, packaged.cache)
    packaged.file("*.perft-*.native").write_bytes(b"rubbish")
    packaged.file("*.tables").unlink()
    assert packaged.output(PERFT) == WARM


# What does not fit is passed over


def test_code_of_other_sources_is_not_taken(packaged):
    with open(packaged.sources / "bluekrait/core/rules/bits.py", "ab") as file:
        file.write(b"\n")
    assert packaged.output(IS_WARM) == "False\n"


def test_code_for_other_weights_is_not_taken(packaged):
    with open(packaged.sources / "bluekrait/search/evaluation/classical/weights.py", "ab") as file:
        file.write(b"\n")
    assert packaged.output(IS_WARM) == "False\n"


def test_code_for_another_processor_is_not_taken(packaged, own_set):
    others = [each for each in prebuilt.SETS if each.settings != own_set.settings]
    for each in others:
        packaged.settings = each.settings
        assert packaged.output(IS_WARM) == "False\n"
    packaged.settings = own_set.settings
    assert packaged.output(IS_WARM) == "True\n"


def test_a_lower_processor_is_given_the_folder_of_its_set(packaged, own_set, folder_of):
    folder_of(own_set).rename(folder_of(V2))
    assert packaged.output(IS_WARM) == "False\n"
    packaged.settings = V2.settings | {"BLUEKRAIT_SLIDERS": None}
    name = packaged.output(
        "from bluekrait.core.tables import table_block; print(table_block.file_name())"
    ).strip()
    assert name.startswith("magic-")
    (folder_of(V2) / name).write_bytes(b"rubbish")
    assert packaged.output(TABLES) == "\n"
    assert packaged.output(IS_WARM) == "True\n"


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_code_does_not_exist(packaged, own_set, folder_of, damage):
    (file,) = folder_of(own_set).glob("*.play_move-*.native")
    file.write_bytes(damage(file.read_bytes()))
    assert packaged.output(IS_WARM) == "False\n"


def test_damaged_tables_are_made_again(packaged, own_set, folder_of):
    (file,) = folder_of(own_set).glob("*.tables")
    intact = file.read_bytes()
    file.write_bytes(intact[:1000])
    assert packaged.output(PERFT) == WARM
    made = [path for path in files_in(packaged) if not is_of_digests(path)]
    assert [path.read_bytes() for path in made] == [intact]


def test_damaged_code_is_compiled_again(packaged, own_set, folder_of):
    (file,) = folder_of(own_set).glob("*.play_move-*.native")
    file.write_bytes(DAMAGES["cut short"](file.read_bytes()))
    assert packaged.output(PERFT).startswith("97862 numba")
    assert [path.name for path in files_in(packaged) if path.suffix == ".native"] == [file.name]
    assert packaged.output(PERFT) == WARM
