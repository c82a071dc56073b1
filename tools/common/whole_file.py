"""Files that are written completely or not at all, also if the program is killed meanwhile."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TextIO

from bluekrait.tools.common.append_only import opened_to_append
from bluekrait.tools.common.json_journal import journal_beside

DRAFT = ".draft"  # what is added to the name until the file is complete


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
    with _draft_of(path) as draft:
        if isinstance(content, bytes):
            draft.write_bytes(content)
        else:
            draft.write_text(content, encoding="utf-8")


@contextmanager
def whole_file(path: str | Path) -> Iterator[TextIO]:
    """A text file that appears under its name when it is complete, and otherwise not at all."""
    with _draft_of(path) as draft, open(draft, "w", encoding="utf-8") as file:
        yield file


@contextmanager
def _draft_of(path: str | Path) -> Iterator[Path]:
    """What takes the place of a file when the block ends; after an error it is removed."""
    path = Path(path)
    draft = path.with_name(path.name + DRAFT)
    try:
        yield draft
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def opened_as_draft(path: str | Path) -> Iterator[BinaryIO]:
    """A file that gets this name when the block ends, in place of another. After an error it is removed.

    ValueError if another process is writing it: each would spoil what the other writes.
    """
    draft, is_ours = f"{path}{DRAFT}", False
    try:
        with opened_to_append(draft) as file:
            is_ours = True
            file.truncate(0)  # what a killed process has left
            yield file
        os.replace(draft, path)
    finally:
        if is_ours:
            with suppress(FileNotFoundError):
                os.unlink(draft)
