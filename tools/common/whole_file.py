"""Files that are written completely or not at all, also if the program is killed meanwhile."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from bluekrait.tools.common.append_only import lock_for_writing, naming
from bluekrait.tools.common.file_lock import try_lock
from bluekrait.tools.common.json_journal import journal_beside

# A file is called NAME.0123abcd.draft, with a random number, until it is complete.
RANDOM_BYTES, DRAFT = 4, ".draft"


def check_targets(source: str | Path, *targets: str | Path | None) -> None:
    """ValueError if a file to write is what is read, or its journal, or named twice; None is skipped."""
    read = [place.resolve() for place in (Path(source), journal_beside(Path(source)))]
    taken: list[Path] = []
    for target in targets:
        if target is None:
            continue
        place = Path(target).resolve()
        if place in read:
            raise ValueError(f"{target} would replace the games themselves")
        if place in taken:
            raise ValueError(f"{target} is named for two files")
        taken.append(place)


def check_writable(paths: Sequence[str | None]) -> None:
    """ValueError if a file cannot be created at one of the paths; None is skipped."""
    for path in paths:
        if path and not _is_writable(path):
            raise ValueError(f"{path} cannot be written")


def _is_writable(path: str) -> bool:
    folder = os.path.dirname(os.path.abspath(path))
    return os.path.isdir(folder) and os.access(folder, os.W_OK) and not os.path.isdir(path)


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Put a text or bytes in the place of what the file held. OSError if that cannot be done."""
    with _draft_of(path, "xb" if isinstance(content, bytes) else "x") as draft:
        draft.write(content)


@contextmanager
def whole_file(path: str | Path) -> Iterator[TextIO]:
    """A text file that appears under its name when it is complete, and otherwise not at all."""
    with _draft_of(path, "x") as draft:
        yield draft


@contextmanager
def opened_as_draft(path: str | Path, read: Iterable[str | Path] = ()) -> Iterator[BinaryIO]:
    """A new file that gets this name when the block ends. After an error it is removed.

    ValueError if there is such a file, or another process is writing it. What killed processes have left of
    it is removed, except the files that are `read` meanwhile.
    """
    path = Path(path)
    with _draft_of(path, "xb") as draft:
        lock_for_writing(draft)  # before looking for others: of two processes, one at least sees the other
        kept = {Path(name).resolve() for name in (draft.name, *read)}
        for other in _drafts_beside(path):
            if other.resolve() not in kept:
                _remove_abandoned(other, path)
        if path.exists():  # now that no other process can finish it any more
            raise ValueError(f"{path} exists already")
        yield draft


@contextmanager
def _draft_of(path: str | Path, mode: str) -> Iterator[Any]:
    """A new file that takes the place of another when the block ends; after an error it is removed.

    No other file is written over: the name is new. A killed process leaves it behind. A pipe or a device
    is written to as it is, and a link goes on leading to its file.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        with naming(path), open(path, mode.replace("x", "w"), encoding=_encoding(mode)) as file:
            yield file
        return
    path = os.path.realpath(path)
    draft = f"{path}.{os.urandom(RANDOM_BYTES).hex()}{DRAFT}"
    file = open(draft, mode, encoding=_encoding(mode))  # noqa: SIM115, closed to be renamed
    try:
        with naming(path), file:
            yield file
        os.replace(draft, path)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(draft)


def _encoding(mode: str) -> str | None:
    return None if "b" in mode else "utf-8"


def _drafts_beside(path: Path) -> list[Path]:
    """The drafts of a file, of other processes too."""
    return list(path.parent.glob(f"{escape(path.name)}.{'[0-9a-f]' * 2 * RANDOM_BYTES}{DRAFT}"))


def _remove_abandoned(draft: Path, path: Path) -> None:
    """Remove a draft whose process has ended, and its lock with it. ValueError if it has not."""
    with suppress(FileNotFoundError):
        with open(draft, "rb") as file:
            if not try_lock(file):
                raise ValueError(f"{path} is in use: another process is writing to it")
        draft.unlink()
