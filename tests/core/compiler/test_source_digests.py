"""Digests of sources that are kept between starts: used while no file was touched, and no longer."""

import os
import shutil
import sys
import time

import pytest

from bluekrait.core.compiler import source_digests
from helpers.paths import ROOT
from helpers.processes.copies import Installation

MODULE = "bluekrait.core.rules.legality"
KEEP = f"""
from bluekrait.core.compiler import source_digests
source_digests.OLD_ENOUGH = 0
print(source_digests.digest_of({MODULE!r}))
source_digests.keep()
"""
DIGEST = f"""
import sys
from bluekrait.core.compiler import source_digests
print(source_digests.digest_of({MODULE!r}))
print("read" if "bluekrait.core.compiler.sources" in sys.modules else "believed")
"""
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="nothing is kept there")


@pytest.fixture
def installation(tmp_path):
    made = Installation(tmp_path).furnish(ROOT)
    made.cache.mkdir()
    return made


@pytest.fixture
def kept(installation):
    """An installation that keeps a digest; and the digest."""
    digest = installation.output(KEEP).strip()
    assert installation.output(DIGEST).split() == [digest, "believed"]
    return installation, digest


def source(installation, path):
    return installation.sources / "bluekrait" / path


def test_an_edit_is_noticed_though_size_and_time_stay_the_same(kept):
    installation, digest = kept
    path = source(installation, "core/rules/bits.py")  # which `legality` imports
    before, content = path.stat(), path.read_bytes()
    path.write_bytes(content.replace(b"U64", b"U46", 1))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    edited, how = installation.output(DIGEST).split()
    assert how == "read" and edited != digest
    path.write_bytes(content)
    assert installation.output(DIGEST).split() == [digest, "read"]


def test_a_file_that_takes_the_place_of_another_is_noticed(kept):
    installation, digest = kept
    path = source(installation, "core/rules/bits.py")
    other = path.with_name("other.py")
    other.write_bytes(path.read_bytes() + b"\n")
    os.replace(other, path)
    edited, how = installation.output(DIGEST).split()
    assert how == "read" and edited != digest


def test_a_module_that_was_missing_is_noticed(installation):
    """`legality` imports a name that may be a module of a package as well."""
    path = source(installation, "core/rules/legality.py")
    path.write_bytes(path.read_bytes() + b"\ndef later():\n    from bluekrait.core.tables import missing\n")
    digest = installation.output(KEEP).strip()
    assert installation.output(DIGEST).split() == [digest, "believed"]
    source(installation, "core/tables/missing.py").write_text("NEW = 1\n")
    new, how = installation.output(DIGEST).split()
    assert how == "read" and new != digest


def test_a_removed_module_is_noticed(kept):
    installation, digest = kept
    source(installation, "core/rules/bits.py").unlink()
    new, how = installation.output(DIGEST).split()
    assert how == "read" and new != digest


def test_nothing_is_believed_of_sources_that_have_moved(kept):
    installation, digest = kept
    installation.sources = installation.sources.rename(installation.sources.with_name("moved"))
    assert installation.output(DIGEST).split() == [digest, "read"]


def test_what_was_kept_may_be_damaged(kept):
    installation, digest = kept
    (path,) = installation.cache.iterdir()
    content = path.read_bytes()
    for damaged in (b"", content[:-9], content[:40] + b"\x00" + content[41:]):
        path.write_bytes(damaged)
        assert installation.output(DIGEST).split() == [digest, "read"]


def test_a_start_that_believes_writes_nothing(kept):
    installation, _ = kept
    (path,) = installation.cache.iterdir()
    before = path.stat()
    installation.output(KEEP)
    assert path.stat() == before


def test_digests_may_be_kept_in_the_second_best_cache(installation):
    caches = [installation.home / "system/bluekrait", installation.home / ".cache/bluekrait"]
    installation.settings = {"BLUEKRAIT_CACHE_DIR": None, "XDG_CACHE_HOME": caches[0].parent}
    for cache in caches:
        cache.mkdir(parents=True)
    digest = installation.output(KEEP).strip()
    (path,) = caches[0].iterdir()
    path.unlink()
    path.mkdir()
    installation.output(KEEP)
    assert (caches[1] / path.name).is_file()
    assert installation.output(DIGEST).split() == [digest, "believed"]


def test_outdated_digests_in_the_best_cache_do_not_hide_those_in_the_second(installation):
    """Where the best one cannot be written: in an image of a container, for example."""
    caches = [installation.home / "system/bluekrait", installation.home / ".cache/bluekrait"]
    installation.settings = {"BLUEKRAIT_CACHE_DIR": None, "XDG_CACHE_HOME": caches[0].parent}
    for cache in caches:
        cache.mkdir(parents=True)
    installation.output(KEEP)
    (best,) = caches[0].iterdir()
    outdated = best.read_bytes()
    best.unlink()
    path = source(installation, "core/rules/bits.py")
    path.write_bytes(path.read_bytes() + b"\n")
    digest = installation.output(KEEP).strip()
    (path,) = caches[0].iterdir()
    path.replace(caches[1] / path.name)
    best.write_bytes(outdated)
    assert installation.output(DIGEST).split() == [digest, "believed"]


def test_fresh_files_are_not_trusted(installation):
    """Another edit could get the same stamp. The time of the last write does not count: it can be set."""
    for path in installation.sources.rglob("*.*"):
        os.utime(path, (0, 0))
    waits = KEEP.replace("OLD_ENOUGH = 0", "OLD_ENOUGH = 3600")
    installation.output(waits)
    assert not any(installation.cache.iterdir())


def test_nothing_is_kept_where_there_is_no_cache(installation):
    installation.cache.rmdir()
    installation.output(KEEP)
    assert not installation.cache.exists() and not any(installation.home.iterdir())


def test_code_is_not_kept_if_the_sources_were_edited_after_their_digest_was_believed(kept):
    """The edit comes between the digest and the first reading of the sources."""
    installation, _ = kept
    path = source(installation, "core/rules/bits.py")
    program = f"""
from bluekrait.core.compiler import cache, source_digests
source_digests.digest_of({MODULE!r})
with open({str(path)!r}, "ab") as file:
    file.write(b"#\\n")
print(cache.write("trial.kernel", b"code", {MODULE!r}), cache.write("trial.kernel", b"code"))
"""
    assert installation.output(program) == "False False\n"


def test_code_is_not_kept_if_a_source_was_removed(installation):
    path = source(installation, "core/rules/bits.py")
    program = f"""
import os
from bluekrait.core.compiler import cache
print(cache.write("trial.kernel", b"code", {MODULE!r}))
os.unlink({str(path)!r})
print(cache.write("trial.kernel", b"code", {MODULE!r}))
"""
    assert installation.output(program) == "True\nFalse\n"


def test_other_threads_may_ask_for_digests_meanwhile(monkeypatch):
    from bluekrait.core.compiler import sources

    digests = {("first",): "digest of first"}

    def digest_of(module):
        digests.setdefault(("second",), "digest of second")
        return f"digest of {module}"

    monkeypatch.setattr(source_digests, "_digests", digests)
    monkeypatch.setattr(sources, "digest_of", digest_of)
    assert source_digests.are_those_read()


def test_other_threads_see_no_stamps_before_they_are_complete(monkeypatch):
    from bluekrait.core.compiler import sources

    def read(module, stamps):
        stamps["path"] = None
        assert module not in sources._stamps

    monkeypatch.setattr(sources, "_read", read)
    for memory in ("_remembered", "_stamps"):
        monkeypatch.setattr(sources, memory, {})
    sources._source(MODULE)
    assert sources._stamps == {MODULE: {"path": None}}


def test_stamps_are_taken_before_the_content_is_read(installation, monkeypatch):
    from bluekrait.core.compiler import sources

    seen = []

    class Loader:
        def get_data(self, path):
            seen.append(dict(stamps))
            return b""

    path = str(source(installation, "core/rules/bits.py"))
    stamps = {}
    sources._content(Loader(), path, stamps)
    assert seen == [{path: sources.stamp_of(path)}] and time.time_ns() > seen[0][path][2]


def test_digests_from_before_an_edit_are_not_kept_with_stamps_from_after_it(kept):
    """The first digest is believed; then an edit comes, and another module is asked for."""
    installation, digest = kept
    path = source(installation, "core/rules/bits.py")
    program = f"""
from bluekrait.core.compiler import source_digests
source_digests.OLD_ENOUGH = 0
print(source_digests.digest_of({MODULE!r}))
with open({str(path)!r}, "ab") as file:
    file.write(b"#\\n")
source_digests.digest_of("bluekrait.core.rules.see")
source_digests.keep()
"""
    assert installation.output(program).strip() == digest
    edited, how = installation.output(DIGEST).split()
    assert how == "read" and edited != digest


def test_nothing_is_kept_of_an_archive(installation):
    """What lies in it has no stamps."""
    archive = shutil.make_archive(installation.home / "engine", "zip", installation.sources)
    installation.settings = {"PYTHONPATH": archive}
    assert installation.output(KEEP).strip()
    assert not any(installation.cache.iterdir())


def test_nothing_is_believed_of_a_package_that_lies_elsewhere_now(installation, tmp_path):
    """Another folder comes first where Python looks; the file with the digests has the same name."""
    module = "bluekrait.search.parameters"
    keep, asked = (program.replace(MODULE, module) for program in (KEEP, DIGEST))
    digest = installation.output(keep).strip()
    assert installation.output(asked).split() == [digest, "believed"]
    other = tmp_path / "other"
    shutil.copytree(installation.sources / "bluekrait/search", other / "bluekrait/search")
    edited = other / "bluekrait/search/parameters.py"
    edited.write_bytes(edited.read_bytes() + b"\n")
    installation.settings = {"PYTHONPATH": f"{other}{os.pathsep}{installation.sources}"}
    new, how = installation.output(asked).split()
    assert how == "read" and new != digest


def test_two_installations_may_use_the_same_cache(kept, tmp_path):
    installation, digest = kept
    other = Installation(tmp_path / "other").furnish(ROOT)
    other.cache = installation.cache
    path = source(other, "core/rules/bits.py")
    path.write_bytes(path.read_bytes() + b"\n")
    theirs = other.output(KEEP).strip()
    assert theirs != digest
    assert other.output(DIGEST).split() == [theirs, "believed"]
    assert installation.output(DIGEST).split() == [digest, "believed"]


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root can give files away")
def test_nothing_is_believed_or_kept_in_a_directory_of_somebody_else(kept):
    installation, digest = kept
    (path,) = installation.cache.iterdir()
    os.chown(installation.cache, 65534, 65534)
    assert installation.output(DIGEST).split() == [digest, "read"]
    path.unlink()
    installation.output(KEEP)
    assert not any(installation.cache.iterdir())
