"""Files to which long work appends its results: one writer at a time, and a kill loses nothing written."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import takewhile
from typing import IO, Any, BinaryIO

from bluekrait.core.file_lock import try_lock
from bluekrait.tools.common.files.named_file import open_named

REMOVE_JOURNAL = ": remove the journal to begin anew"


def lock_for_writing(file: IO[Any]) -> None:
    """Keep other processes from writing to an open file. ValueError if one does already."""
    if not try_lock(file):
        raise ValueError(f"{file.name} is in use: another process is writing to it")


@contextmanager
def opened_to_append(path: str, mode: str = "ab") -> Iterator[BinaryIO]:
    """A file for this process alone. If it is new and stays empty, it is removed again.

    The mode is "ab", or "ab+" to read it, too. ValueError if another process is writing to it.
    """
    path = os.path.realpath(path)  # a link stays, whatever becomes of its file
    is_new = not os.path.exists(path)
    with open_named(path, mode) as file:
        lock_for_writing(file)
        if not os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
            raise ValueError(f"{path} was in use: another process has removed it meanwhile")
        try:
            yield file
        finally:
            try:
                file.flush()
            finally:
                if is_new and not os.fstat(file.fileno()).st_size:
                    _remove(file)


def _remove(file: BinaryIO) -> None:
    """Remove a locked file; Windows removes only closed ones."""
    if os.name == "nt":
        file.close()
    os.unlink(file.name)


def append(file: BinaryIO, data: bytes) -> None:
    """Append bytes and flush them, so that they outlive this process."""
    file.write(data)
    file.flush()


def whole_lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, without a final one that has no newline: another process may be writing it."""
    file.seek(0)
    return takewhile(lambda line: line.endswith(b"\n"), file)


def complete_lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file. After the last one, a final line without its newline is cut off the file."""
    size = 0
    for line in whole_lines(file):
        yield line
        size += len(line)
    file.truncate(size)


def check_unchanged(begun: Mapping[str, Any], wanted: Mapping[str, Any], key: str, name: object) -> None:
    """ValueError if work reads another file than it was begun with, or one with another digest.

    `key` is the setting with the name of that file.
    """
    file, digest = wanted.get(key), wanted.get("digest")
    if begun.get(key, file) != file:
        raise ValueError(f"{name} was begun with {begun[key]}, not {file}")
    if begun.get("digest", digest) != digest:
        raise ValueError(f"{name} was begun with other contents of {file}{REMOVE_JOURNAL}")


def merge_settings(
    begun: Mapping[str, Any],
    wanted: Mapping[str, Any],
    defaults: Mapping[str, Any],
    name: object,
    remedy: str = "",
) -> dict[str, Any]:
    """The settings of work that may have been begun before.

    They are those it was begun with, else those wanted, else the defaults. ValueError if a wanted value
    contradicts the one that the work was begun with: `remedy` is added to it. A wanted value of None is
    ignored.
    """
    for key, value in wanted.items():
        if key in begun and value is not None and value != begun[key]:
            known = f"with --{key} {begun[key]}, not {value}"
            if begun[key] is None:  # another option took its place
                known = f"without --{key}"
            raise ValueError(f"{name} was begun {known}{remedy}")
    given = {key: value for key, value in wanted.items() if value is not None}
    return {**defaults, **given, **begun}
