"""Files that are written completely or not at all, also if the program is killed meanwhile."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO

from bluekrait.core.file_lock import try_lock
from bluekrait.tools.common.files.append_only import lock_for_writing
from bluekrait.tools.common.files.descriptors import descriptor_of, open_descriptor
from bluekrait.tools.common.files.json_journal import journal_beside
from bluekrait.tools.common.files.named_file import open_named
from bluekrait.tools.common.files.ordinary_file import check_no_folder

# A file is called NAME.0123abcd.draft, with a random number, until it is complete.
RANDOM_BYTES, DRAFT = 4, ".draft"


def check_targets(source: str | Path, *targets: str | Path | None) -> None:
    """ValueError if a file to write is what is read, or its journal, or named twice; None is skipped.

    OSError if what is read is a folder.
    """
    check_no_folder(source)
    read = [Path(source), journal_beside(Path(source))]
    taken: list[Path] = []
    for target in [Path(name) for name in targets if name is not None]:
        if any(_is_same(target, place) for place in read):
            raise ValueError(f"{target} would replace what this command works on")
        if any(_is_same(target, place) for place in taken):
            raise ValueError(f"{target} is named for two files")
        taken.append(target)


def _is_same(one: Path, other: Path) -> bool:
    """True if both are one file: names may differ by links, and on some systems by capitals."""
    if one.exists() and other.exists():
        return os.path.samefile(one, other)
    return one.resolve() == other.resolve()


def check_writable(paths: Sequence[str | None]) -> None:
    """ValueError if a file cannot be created at one of the paths; None is skipped."""
    for path in paths:
        if path and not _is_writable(path):
            raise ValueError(f"{path} cannot be written")


def _is_writable(path: str) -> bool:
    """What is no file, a pipe or a device, is written to; for a file, its folder must take another one."""
    if descriptor_of(path) is not None:
        with suppress(OSError), _opened_as_it_is(path, "w"):
            return True
        return False
    if not is_replaced(path):
        return not os.path.isdir(path) and os.access(path, os.W_OK)
    with suppress(OSError), TemporaryFile(dir=os.path.dirname(os.path.realpath(path))):
        return True
    return False


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Put a text or bytes in the place of what the file held. OSError if that cannot be done."""
    with whole_file(path, "xb" if isinstance(content, bytes) else "x") as draft:
        draft.write(content)


def is_replaced(path: str | Path) -> bool:
    """True if a file takes the place of what is there; False for pipes, devices and standard output."""
    return descriptor_of(path) is None and (os.path.isfile(path) or not os.path.exists(path))


def _opened_as_it_is(path: str | Path, mode: str) -> Any:
    descriptor = descriptor_of(path)
    return open_named(path, mode) if descriptor is None else open_descriptor(path, descriptor, mode)


@contextmanager
def whole_file(path: str | Path, mode: str = "x") -> Iterator[Any]:
    """A file that takes the place of another when the block ends. After an error it is removed.

    The mode is "x" for text, "xb" for bytes. The file has another, new name until then, under which a killed
    process leaves it behind. A pipe, a device or standard output is written to as it is.
    A link goes on leading to its file.
    """
    if not is_replaced(path):
        with _opened_as_it_is(path, mode.replace("x", "w")) as file:
            yield file
        return
    place = os.path.realpath(path)
    draft = f"{place}.{os.urandom(RANDOM_BYTES).hex()}{DRAFT}"
    with _errors_telling(path, draft):
        file = open_named(draft, mode)
        try:
            with file:
                yield file
            os.replace(draft, place)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(draft)


@contextmanager
def _errors_telling(path: str | Path, draft: str) -> Iterator[None]:
    """An OSError of a draft tells the path that was asked for."""
    try:
        yield
    except OSError as error:
        if error.filename != draft:
            raise
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error


@contextmanager
def opened_as_draft(path: str | Path, read: Iterable[str | Path] = ()) -> Iterator[BinaryIO]:
    """A new file that gets this name when the block ends. After an error it is removed.

    ValueError if there is such a file, or another process is writing it. What killed processes have left of
    it is removed, except the files that are `read` meanwhile.
    """
    if os.path.exists(path):
        raise ValueError(f"{path} exists already")
    path = Path(os.path.realpath(path))
    with whole_file(path, "xb") as draft:
        lock_for_writing(draft)  # before looking for others: of two processes, one at least sees the other
        kept = {Path(name).resolve() for name in (draft.name, *read)}
        for other in _drafts_beside(path):
            if other.resolve() not in kept:
                _remove_abandoned(other, path)
        if path.exists():  # now that no other process can finish it any more
            raise ValueError(f"{path} exists already")
        yield draft


def _drafts_beside(path: Path) -> list[Path]:
    """The drafts of a file, of other processes too."""
    return list(path.parent.glob(f"{escape(path.name)}.{'[0-9a-f]' * 2 * RANDOM_BYTES}{DRAFT}"))


def _remove_abandoned(draft: Path, path: Path) -> None:
    """Remove a draft whose process has ended, and its lock with it. ValueError if it has not."""
    with suppress(FileNotFoundError):
        with open(draft, "rb+") as file:
            if not try_lock(file):
                raise ValueError(f"{path} is in use: another process is writing to it")
        draft.unlink()
