"""Paths that name an open file of this process, such as /dev/stdout.

Behind such a name there may be an ordinary file, a log for example: it must not be replaced, as outputs are.
"""

import errno
import os
import re
import sys
from pathlib import Path
from typing import Any

from bluekrait.tools.common.files.named_file import open_named

STANDARD_OUTPUT = "/dev/stdout"  # also on Windows, where there is no such file
STANDARD = {STANDARD_OUTPUT: 1, "/dev/stderr": 2}
NUMBERED = re.compile(r"(?:/dev|/proc/self)/fd/(\d{1,9})")


def output_path(text: str) -> Path:
    """The file that a command line means by the name of an output: `-` is standard output."""
    return Path(STANDARD_OUTPUT if text == "-" else text)


def descriptor_of(path: str | os.PathLike[str]) -> int | None:
    """The number of the open file that a path names; None if it names no open file."""
    name = Path(path).as_posix()
    numbered = NUMBERED.fullmatch(name)
    return int(numbered[1]) if numbered else STANDARD.get(name)


def is_standard_output(path: str | os.PathLike[str] | None) -> bool:
    """True for `/dev/stdout` and its other names."""
    return path is not None and descriptor_of(path) == STANDARD[STANDARD_OUTPUT]


def open_descriptor(path: str | os.PathLike[str], descriptor: int, mode: str) -> Any:
    """A file that writes where the open file is. OSError if that was closed."""
    return open_named(path, mode, lambda *_: _duplicate(descriptor))


def _duplicate(descriptor: int) -> int:
    streams = {1: sys.stdout, 2: sys.stderr}
    if descriptor in streams:
        stream = streams[descriptor]
        if stream is None:  # closed at the start: another file may have its number now
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        stream.flush()
    return os.dup(descriptor)
