"""The digests of sources, known from an earlier start as long as no file was touched.

To read all sources of the engine takes a start some milliseconds. So a start that has read them keeps their
digests in the cache, with a stamp of every file that it looked for. When a file is written to, replaced or
given another time, the system sets its time of change (`st_ctime`), and nobody can set that back. So equal
stamps mean equal sources. Where they might not, nothing is kept, and every start reads the sources:

* Windows notes the time of creation in that place;
* what lies in an archive has no stamp;
* two changes at nearly the same time may get the same time, so all files must be some seconds old.
"""

import contextlib
import marshal
import os
import sys
import time
import zlib
from importlib import util

from bluekrait.core.compiler.directories import candidate_roots, is_private, read_sealed, write_sealed
from bluekrait.core.compiler.stamps import Stamps, stamp_of

PREFIX = "sources-"  # of the name of the file
OLD_ENOUGH = 3.0  # seconds: more than the coarsest clock of a file system

_digests: dict[tuple[str, ...], str] = {}  # by modules; other threads may add some at any time
_is_loaded = False
_has_read = False  # some sources were read: what is kept is not complete


def digest_of(*modules: str) -> str:
    """`sources.digest_of`, without reading the sources if their stamps are what they were then."""
    global _has_read
    if not _is_loaded:
        _load()
    if modules not in _digests:
        from bluekrait.core.compiler import sources

        _digests[modules] = sources.digest_of(*modules)
        _has_read = True
    return _digests[modules]


def are_those_read() -> bool:
    """True if every digest that was given belongs to the sources as `sources` has read them since."""
    from bluekrait.core.compiler import sources

    return all(sources.digest_of(*modules) == digest for modules, digest in tuple(_digests.items()))


def keep() -> None:
    """Keep the digests for the next start, if some are new and there is a cache that can be written to."""
    if not _has_read or sys.platform == "win32":
        return
    from bluekrait.core.compiler import sources

    stamps: Stamps = {}
    for modules in tuple(_digests):
        stamps |= sources.stamps_of(*modules)
    newest = max((stamp[2] for stamp in stamps.values() if stamp), default=0)
    if newest < (time.time() - OLD_ENOUGH) * 1e9 and are_those_read() and sources.are_files():
        payload = marshal.dumps((sources.folders(), stamps, _digests))
        for root in filter(is_private, candidate_roots()):
            with contextlib.suppress(OSError):
                write_sealed(os.path.join(root, _file_name()), payload)
                return


def _load() -> None:
    """Take the digests that were kept, if all files still have the same stamps."""
    global _is_loaded
    _is_loaded = True
    for root in filter(is_private, candidate_roots()):
        payload = read_sealed(os.path.join(root, _file_name()))
        if payload is not None:
            with contextlib.suppress(ValueError, EOFError, TypeError):  # written by another version
                folders, stamps, digests = marshal.loads(payload)
                are_current = all(stamp_of(path) == stamps[path] for path in stamps)
                if are_current and all(_folder_of(package) == folders[package] for package in folders):
                    _digests.update(digests)
                    return


def _folder_of(package: str) -> str:
    """Where Python finds a package: the stamps must be those of the files there."""
    spec = util.find_spec(package)
    return spec.submodule_search_locations[0] if spec and spec.submodule_search_locations else ""


def _file_name() -> str:
    """A name for the digests of this installation: others may use the same cache."""
    return f"{PREFIX}{zlib.crc32(os.fsencode(os.path.abspath(__file__))):08x}"
