"""The directories that may hold the cache of compiled code.

This file imports nothing of the engine: `tools/build_executable.py` runs it before anything is installed.
"""

import os
import sys
from collections.abc import Iterator


def candidate_roots() -> Iterator[str]:
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


def is_private(directory: str) -> bool:
    """Compiled code is executed, so it must not come from a directory of somebody else's."""
    try:
        status = os.stat(directory)
    except OSError:
        return False
    return not hasattr(os, "getuid") or status.st_uid in (os.getuid(), 0)


def _usual_cache() -> str | None:
    """Where programs of this system keep what they can make again; None if that is not known."""
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA")
    home = os.path.expanduser("~")
    if home == "~":
        return None
    return os.path.join(home, *(("Library", "Caches") if sys.platform == "darwin" else (".cache",)))
