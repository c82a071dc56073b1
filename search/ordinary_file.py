"""Opening files that users name. A pipe or a device may keep the reader waiting for ever, or never end."""

from __future__ import annotations

import errno
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO


def open_ordinary(path: str) -> BinaryIO:
    """Open a file to read its bytes; an OSError if that fails, or if it is a pipe, a device or a folder."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise OSError(errno.EINVAL, "it is not an ordinary file", path)
    return open(path, "rb")
