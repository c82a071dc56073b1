"""The directories that may hold the cache of compiled code, and files with a checksum in them.

This file imports nothing of the engine: `tools/build_executable.py` runs it before anything is installed.
"""

import contextlib
import os
import sys
import zlib
from collections.abc import Iterator

CHECKSUM_BYTES = 4
DRAFT = r"\.\d+-[0-9a-f]{8}"  # what `write_sealed` adds to a name until the file is complete


def candidate_roots() -> Iterator[str]:
    """The directories that may hold the cache, best first.

    A chosen directory is the only one, so that it is complete by itself, unless one may not write there.
    """
    chosen = os.environ.get("BLUEKRAIT_CACHE_DIR")
    if chosen:
        yield chosen
        if _can_be_written(chosen):
            return
    system_cache = os.environ.get("XDG_CACHE_HOME")
    if system_cache:
        yield os.path.join(system_cache, "bluekrait")
    usual_cache = _usual_cache()
    if usual_cache:
        yield os.path.join(usual_cache, "bluekrait")
    temporary = os.environ.get("TMPDIR") or os.environ.get("TEMP") or "/tmp"
    yield os.path.join(temporary, f"bluekrait-{os.getuid() if hasattr(os, 'getuid') else 'user'}")


def is_private(directory: str) -> bool:
    """Compiled code is executed, so it must not come from a directory of somebody else's."""
    try:
        status = os.stat(directory)
    except OSError:
        return False
    return _is_ours(status)


def _is_ours(status: os.stat_result) -> bool:
    return not hasattr(os, "getuid") or status.st_uid in (os.getuid(), 0)


def _can_be_written(directory: str) -> bool:
    """True if files can be kept in a directory, or if it can be made in the nearest one that is there."""
    nearest = os.path.abspath(directory)
    while not os.path.lexists(nearest) and nearest != os.path.dirname(nearest):
        nearest = os.path.dirname(nearest)
    return os.path.isdir(nearest) and os.access(nearest, os.W_OK) and is_private(nearest)


def read_sealed(path: str) -> bytes | None:
    """What `write_sealed` wrote; None if there is no such file, or if it is not intact.

    Others may write to some directories: the group to those made with umask 002. So the owner counts, too.
    """
    try:
        with open(path, "rb") as file:
            return unsealed(file.read()) if _is_ours(os.fstat(file.fileno())) else None
    except OSError:
        return None


def unsealed(content: bytes | None) -> bytes | None:
    """The content of a file without its checksum; None if that is wrong."""
    if content is None or len(content) <= CHECKSUM_BYTES:
        return None
    payload = content[:-CHECKSUM_BYTES]
    return payload if content[-CHECKSUM_BYTES:] == _checksum(payload) else None


def write_sealed(path: str, payload: bytes) -> None:
    """Put a file in its place at once, whole, with a checksum, and writable by nobody else."""
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


def _checksum(payload: bytes) -> bytes:
    return zlib.crc32(payload).to_bytes(CHECKSUM_BYTES, "little")


def _usual_cache() -> str | None:
    """Where programs of this system keep what they can make again; None if that is not known."""
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA")
    home = os.path.expanduser("~")
    if home == "~" or not os.environ.get("HOME", home):  # an empty one would be the root of all files
        return None
    return os.path.join(home, *(("Library", "Caches") if sys.platform == "darwin" else (".cache",)))
