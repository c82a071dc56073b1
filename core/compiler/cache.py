"""Where compiled code is kept between runs, so that nothing stale is ever run.

Every file lives in a directory named after everything the machine code depends on: all sources of
the rules and the search, the versions of Python, Numba, llvmlite and NumPy, and the processor. A changed
source is a different directory, so a callee can not be stale. Each file carries a checksum; a file
that fails it does not exist. Directories are tried in turn, since any may be missing or read-only.
Those that no version has used for a month are removed.

An annex is a package that the engine works without: the gallery of slider techniques, CeruleanJS's board.
Its code depends on its own sources as well, so it has a directory of its own: who changes an annex, or has
never asked for it, finds the engine's compiled code as it was.
"""

import contextlib
import os
import sys
import zlib
from importlib import util

CHECKSUM_BYTES = 4
SOURCE_PACKAGES = ("bluekrait.core", "bluekrait.search")
GALLERY = "bluekrait.core.sliders"
GENERATORS = "bluekrait.core.generators"
ANNEXES = (GALLERY, f"{GENERATORS}.cerulean", f"{GENERATORS}.dirgolem")
OWN_SLIDERS = ("", "pext", "magic")  # told another by BLUEKRAIT_SLIDERS, the engine needs the gallery
COMPILER_PACKAGES = ("numba", "llvmlite", "numpy")
FINGERPRINT = r"\w+-\w+-[0-9a-f]{24}"  # as `fingerprint` makes them; other things lie beside
DAYS_KEPT = 30

_fingerprints = {}


def read(name, annex=None):
    """The payload stored under a name, or None if no directory holds it intact."""
    for root in candidate_roots():
        directory = os.path.join(root, fingerprint(annex))
        if not (is_private(root) and is_private(directory)):
            continue
        with contextlib.suppress(OSError), open(os.path.join(directory, name), "rb") as file:
            envelope = file.read()
            payload = envelope[:-CHECKSUM_BYTES]
            if len(envelope) > CHECKSUM_BYTES and envelope[-CHECKSUM_BYTES:] == _checksum(payload):
                _mark_as_used(directory)
                return payload
    return None


def write(name, payload, annex=None):
    """Store a payload where it can be; True if that succeeded. Readers see all of it or nothing."""
    if not _is_up_to_date(annex):
        return False
    for root in candidate_roots():
        with contextlib.suppress(OSError):
            _replace(os.path.join(_make_directory(root, annex), name), payload)
            return True
    return False


def covers(module):
    """True if a change of that module's source changes the fingerprint: else its code must not be kept."""
    return module.startswith(tuple(f"{package}." for package in SOURCE_PACKAGES))


def annex_of(module):
    """The annex that a module stands in; None for the modules of the engine itself."""
    return next((annex for annex in ANNEXES if f"{module}.".startswith(f"{annex}.")), None)


def candidate_roots():
    """The directories that may hold the cache, best first."""
    chosen = os.environ.get("BLUEKRAIT_CACHE_DIR")
    if chosen:
        yield chosen
    system_cache = os.environ.get("XDG_CACHE_HOME")
    if system_cache:
        yield os.path.join(system_cache, "bluekrait")
    usual_cache = _usual_cache()
    if usual_cache:
        yield os.path.join(usual_cache, "bluekrait")
    temporary = os.environ.get("TMPDIR") or os.environ.get("TEMP") or "/tmp"
    yield os.path.join(temporary, f"bluekrait-{os.getuid() if hasattr(os, 'getuid') else 'user'}")


def _usual_cache():
    """Where programs of this system keep what they can make again; None if that is not known."""
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA")
    home = os.path.expanduser("~")
    if home == "~":
        return None
    return os.path.join(home, *(("Library", "Caches") if sys.platform == "darwin" else (".cache",)))


def location():
    """The directory that holds the compiled code, or would: for people to look at."""
    existing = [root for root in candidate_roots() if os.path.isdir(os.path.join(root, fingerprint()))]
    return os.path.join((existing or list(candidate_roots()))[0], fingerprint())


def fingerprint(annex=None):
    """A name for everything that the machine code depends on, as it was when this was first called."""
    if annex not in _fingerprints:
        _fingerprints[annex] = _current_fingerprint(annex)
    return _fingerprints[annex]


def is_private(directory):
    """Compiled code is executed, so it must not come from a directory of somebody else's."""
    try:
        status = os.stat(directory)
    except OSError:
        return False
    return not hasattr(os, "getuid") or status.st_uid in (os.getuid(), 0)


def _make_directory(root, annex):
    """The directory for our files below a root; an OSError if there can be none, or none of our own."""
    directory = os.path.join(root, fingerprint(annex))
    is_new = not os.path.isdir(directory)
    for path in (root, directory):
        os.makedirs(path, mode=0o755, exist_ok=True)  # others may read what an administrator compiled
        if not is_private(path):
            raise PermissionError(path)
    if is_new:
        _remove_unused(root)
    return directory


def _replace(path, payload):
    """Put a file in its place at once, whole, and writable by nobody else."""
    draft = f"{path}.{os.getpid()}-{zlib.crc32(os.urandom(8)):08x}"
    try:
        with open(draft, "wb", opener=lambda name, flags: os.open(name, flags, 0o644)) as file:
            file.write(payload)
            file.write(_checksum(payload))
        os.replace(draft, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise


def _mark_as_used(directory):
    with contextlib.suppress(OSError):  # where it is read-only, nobody removes it either
        os.utime(directory)


def _remove_unused(root):
    """Remove what versions left behind that have not run for long."""
    import re
    import shutil
    import time

    too_old = time.time() - DAYS_KEPT * 86400
    with contextlib.suppress(OSError), os.scandir(root) as entries:
        for entry in entries:
            if re.fullmatch(FINGERPRINT, entry.name) and entry.stat().st_mtime < too_old:
                shutil.rmtree(entry.path, ignore_errors=True)


def _is_up_to_date(annex):
    """False once the sources are no longer those that were loaded, whose code is then nobody else's."""
    try:
        return _current_fingerprint(annex) == fingerprint(annex)
    except OSError:
        return False


def _current_fingerprint(annex):
    from hashlib import blake2b

    digest = blake2b(digest_size=12)
    for part in _dependencies(annex):
        digest.update(part)
        digest.update(b"\0")
    return f"{sys.implementation.cache_tag}-{digest.hexdigest()}"


def _dependencies(annex):
    yield sys.version.encode()
    for name in COMPILER_PACKAGES:
        yield from _installed_version(name)
    yield from _processor()
    for name, value in sorted(os.environ.items()):
        if name.startswith("NUMBA_") or name == "BLUEKRAIT_SLIDERS":
            yield os.fsencode(f"{name}={value}")
    for package in (*SOURCE_PACKAGES, *_annexes_needed(annex)):
        yield from _sources(package)


def _annexes_needed(annex):
    """The annexes whose sources make a difference to the code of one of them, or of the engine."""
    engine_needs_gallery = os.environ.get("BLUEKRAIT_SLIDERS", "") not in OWN_SLIDERS
    return sorted({annex, GALLERY if engine_needs_gallery else None} - {None})


def _installed_version(name):
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


def _processor():
    from llvmlite import binding

    yield binding.get_process_triple().encode()
    yield binding.get_host_cpu_name().encode()
    yield binding.get_host_cpu_features().flatten().encode()


def _sources(package):
    """The text of a package's modules, less its annexes; of the whole archive where it lies in one."""
    spec = util.find_spec(package)
    below = f"{package}."
    annexes = {annex.removeprefix(below).replace(".", os.sep) for annex in ANNEXES if annex.startswith(below)}
    for folder in spec.submodule_search_locations:
        if os.path.isdir(folder):
            for directory, subfolders, files in os.walk(folder):
                here = os.path.relpath(directory, folder)
                inside = {os.path.normpath(os.path.join(here, name)): name for name in subfolders}
                subfolders[:] = sorted(name for path, name in inside.items() if path not in annexes)
                for name in sorted(files):
                    if name.endswith((".py", ".bin")):
                        with open(os.path.join(directory, name), "rb") as file:
                            yield name.encode()
                            yield file.read()
        else:
            with open(spec.loader.archive, "rb") as archive:
                yield archive.read()


def _checksum(payload):
    return zlib.crc32(payload).to_bytes(CHECKSUM_BYTES, "little")
