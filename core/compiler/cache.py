"""Where compiled code is kept between runs, so that nothing stale is ever run.

A directory is named after the environment: the versions of Python, Numba, llvmlite and NumPy, the processor,
and the settings that tell the compiler what to do. A file in it is named after what it holds, and after the
sources that this depends on (`core.compiler.sources`, `core.compiler.source_digests`). So a changed source
leads to other files, and only for the modules that import it, directly or not.

Each file carries a checksum; a file that fails it does not exist. Directories are tried in turn, since any
may be missing or read-only, but one that the user chose is the only one. What none of them has may have come
with the package (`core.compiler.prebuilt`).

What has not been used for a month is removed: the directory of an environment when another is made, and a
file when a newer version of it is written. What killed processes left incomplete in a directory is removed
sooner, when another file is written there.
"""

import contextlib
import os
import sys
from collections.abc import Iterator
from importlib import import_module, util

from bluekrait.core.compiler import prebuilt, processor, source_digests
from bluekrait.core.compiler.directories import (
    DRAFT,
    candidate_roots,
    is_private,
    read_sealed,
    unsealed,
    write_sealed,
)

OWN_SLIDERS = ("", "pext", "magic")  # other values of BLUEKRAIT_SLIDERS name a module of `core.sliders`
GALLERY = "bluekrait.core.sliders.gallery"
COMPILER_PACKAGES = ("numba", "llvmlite", "numpy")
NUMBA_SETTINGS = ".numba_config.yaml"  # Numba obeys it if it lies in the working directory
FINGERPRINT = r"\w+-\w+-[0-9a-f]{24}"  # as `fingerprint` makes them; other things lie beside
HOUR, DAY = 3600, 86400
DAYS_KEPT = 30

CACHE, PACKAGE = "cache", "package"  # where a file may lie

_fingerprint = ""


def read(name: str, *modules: str) -> bytes | None:
    """The payload stored under a name, for the present sources of these modules; None if none is intact."""
    wanted = file_name(name, *modules)
    for path, payload in _intact_files(wanted):
        _mark_as_used(path)
        _mark_as_used(os.path.dirname(path))
        return payload
    return unsealed(prebuilt.read(wanted))


def origin(name: str, *modules: str) -> str:
    """Where `read` finds the payload: CACHE, PACKAGE, or "" for nowhere."""
    wanted = file_name(name, *modules)
    if any(_intact_files(wanted)):
        return CACHE
    return PACKAGE if unsealed(prebuilt.read(wanted)) is not None else ""


def _intact_files(wanted: str) -> Iterator[tuple[str, bytes]]:
    """The paths and payloads of the intact files of a name, in directories that nobody else may write to."""
    for root in candidate_roots():
        directory = os.path.join(root, fingerprint())
        if not (is_private(root) and is_private(directory)):
            continue
        path = os.path.join(directory, wanted)
        payload = read_sealed(path)
        if payload is not None:
            yield path, payload


def write(name: str, payload: bytes, *modules: str) -> bool:
    """Store a payload where it can be; True if that succeeded. Readers see all of it or nothing."""
    if not _is_up_to_date(modules):
        return False
    for root in candidate_roots():
        with contextlib.suppress(OSError):
            directory = _make_directory(root)
            write_sealed(os.path.join(directory, file_name(name, *modules)), payload)
            _remove_unused_versions(directory, name)
            _remove_drafts(directory)
            return True
    return False


def place_to_keep() -> str:
    """The directory that `write` tries first; an OSError if no file can be kept anywhere."""
    for root in candidate_roots():
        with contextlib.suppress(OSError):
            directory = _make_directory(root)
            if os.access(directory, os.W_OK):
                return directory
    raise FileNotFoundError("there is no directory for compiled code")


def location() -> str:
    """The directory that holds the compiled code, or would: for people to look at."""
    directories = [os.path.join(root, fingerprint()) for root in candidate_roots()]
    ours = [each for each in directories if is_private(os.path.dirname(each)) and is_private(each)]
    return (ours or directories)[0]


def fingerprint() -> str:
    """A name for everything but the sources that machine code depends on, as it was at the first call."""
    global _fingerprint
    if not _fingerprint:
        _fingerprint = _current_fingerprint()
    return _fingerprint


def file_name(name: str, *modules: str) -> str:
    """The name of a file that depends on the sources of these modules: `stem-digest.suffix`."""
    stem, suffix = os.path.splitext(name)
    return f"{stem}-{source_digests.digest_of(*_with_stand_in(modules))}{suffix}" if modules else name


def _with_stand_in(modules: tuple[str, ...]) -> tuple[str, ...]:
    """The modules, and the technique that BLUEKRAIT_SLIDERS chooses instead of the engine's own."""
    chosen = os.environ.get("BLUEKRAIT_SLIDERS", "")
    if chosen in OWN_SLIDERS:
        return modules
    gallery = import_module(GALLERY)
    return (*modules, GALLERY, gallery.module_of(gallery.checked(chosen)))


def _make_directory(root: str) -> str:
    """The directory for our files below a root; an OSError if there can be none, or none of our own."""
    directory = os.path.join(root, fingerprint())
    is_new = not os.path.isdir(directory)
    for path in (root, directory):
        os.makedirs(path, mode=0o755, exist_ok=True)  # others may read what an administrator compiled
        if not is_private(path):
            raise PermissionError(path)
    if is_new:
        _remove_unused_environments(root)
    return directory


def _mark_as_used(path: str) -> None:
    """Note the day of the last use as the time of the last change."""
    import time

    with contextlib.suppress(OSError):  # where it is read-only, nobody removes it either
        if os.stat(path).st_mtime < time.time() - DAY:
            os.utime(path)


def _remove_unused_environments(root: str) -> None:
    """Remove what other environments left behind and have not used for long."""
    import shutil

    for path in _old_entries(root, FINGERPRINT, DAYS_KEPT * DAY):
        shutil.rmtree(path, ignore_errors=True)
    _remove_old_files(root, f"{source_digests.PREFIX}.*", DAYS_KEPT * DAY)


def _remove_unused_versions(directory: str, name: str) -> None:
    """Remove files of that name, for other sources, that have not been used for long."""
    import re

    stem, suffix = map(re.escape, os.path.splitext(name))
    _remove_old_files(directory, f"{stem}(-[^-]*)?{suffix}", DAYS_KEPT * DAY)


def _remove_drafts(directory: str) -> None:
    """Remove what killed processes have left incomplete; a draft that is being written is young."""
    _remove_old_files(directory, f".*{DRAFT}", HOUR)


def _remove_old_files(directory: str, pattern: str, seconds: int) -> None:
    for path in _old_entries(directory, pattern, seconds):
        with contextlib.suppress(OSError):
            os.unlink(path)


def _old_entries(directory: str, pattern: str, seconds: int) -> Iterator[str]:
    """The paths of what lies in a directory, has such a name, and has not been used for so long."""
    import re
    import time

    too_old = time.time() - seconds
    with contextlib.suppress(OSError), os.scandir(directory) as entries:
        for entry in entries:
            if re.fullmatch(pattern, entry.name) and entry.stat().st_mtime < too_old:
                yield entry.path


def _is_up_to_date(modules: tuple[str, ...]) -> bool:
    """False once the sources are no longer those that were loaded, whose code is then nobody else's."""
    from bluekrait.core.compiler import sources

    try:
        needed = _with_stand_in(modules)
        if not (source_digests.are_those_read() and sources.are_unchanged(*needed)):
            return False
        return sources.are_those_loaded(*needed) and _current_fingerprint() == fingerprint()
    except OSError:
        return False


def _current_fingerprint() -> str:
    from bluekrait.core.compiler.hashing import blake2b

    digest = blake2b(digest_size=12)
    for part in _dependencies():
        digest.update(part)
        digest.update(b"\0")
    return f"{sys.implementation.cache_tag}-{digest.hexdigest()}"


def _dependencies() -> Iterator[bytes]:
    yield sys.version.encode()
    for name in COMPILER_PACKAGES:
        yield from _installed_version(name)
    yield sys.platform.encode()
    yield processor.identity()
    for name, value in sorted(os.environ.items()):
        if name.startswith("NUMBA_") or name == "BLUEKRAIT_SLIDERS":
            yield os.fsencode(f"{name}={value}")
    with contextlib.suppress(OSError), open(NUMBA_SETTINGS, "rb") as file:
        yield file.read()


def _installed_version(name: str) -> Iterator[bytes]:
    """The names of a package's metadata folders: its version, without importing anything slow."""
    spec = util.find_spec(name)
    if spec is None or spec.origin is None:
        return
    site = os.path.dirname(os.path.dirname(spec.origin))
    yield from (
        os.fsencode(entry)
        for entry in sorted(os.listdir(site))
        if entry.startswith(f"{name}-") and entry.endswith((".dist-info", ".egg-info"))
    )
