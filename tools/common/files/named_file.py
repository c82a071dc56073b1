"""Files whose errors tell their names: of a full disk, the system says only that it is full."""

import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class NamesItself(io.IOBase):
    """What a file writes and keeps for later, with errors that tell its name.

    It stands above the buffer, whose own way to the disk stays free of Python: an interrupt between what the
    disk has and what the buffer knows of it would have the same bytes written again.
    """

    def write(self, data: Any) -> Any:
        """Write bytes or text."""
        with named(self):
            return super().write(data)

    def flush(self) -> None:
        """Write what was kept for later."""
        with named(self):
            super().flush()

    def close(self) -> None:
        """Write what was kept for later, and close."""
        with named(self):
            super().close()


@contextmanager
def named(file: Any) -> Iterator[None]:
    """An OSError tells the name of a file."""
    try:
        yield
    except OSError as error:
        error.filename = file.name
        raise


class NamedWriter(NamesItself, io.BufferedWriter):
    """A file of bytes to write."""


class NamedRandom(NamesItself, io.BufferedRandom):
    """A file of bytes to read and write."""


class NamedText(NamesItself, io.TextIOWrapper):
    """A file of text to write."""


def open_named(
    path: str | os.PathLike[str], mode: str, opener: Callable[[str, int], int] | None = None
) -> Any:
    """What `open` returns for this mode, one that writes: a file of bytes if it has a b, else of UTF-8."""
    raw = io.FileIO(os.fspath(path), mode.replace("b", ""), opener=opener)
    if "+" in mode:
        return NamedRandom(raw)
    return NamedWriter(raw) if "b" in mode else NamedText(io.BufferedWriter(raw), encoding="utf-8")
