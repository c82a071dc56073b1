"""Files whose errors tell their names: of a full disk, the system says only that it is full."""

import io
import os
from typing import Any


class NamedFile(io.FileIO):
    """A file that names itself when it cannot be written to, also when it is flushed or closed later."""

    def write(self, data: Any) -> Any:
        """Write bytes; an OSError tells the name."""
        try:
            return super().write(data)
        except OSError as error:
            error.filename = self.name
            raise


def open_named(path: str | os.PathLike[str], mode: str) -> Any:
    """What `open` returns for this mode, one that writes: a file of bytes if it has a b, else of UTF-8."""
    raw = NamedFile(os.fspath(path), mode.replace("b", ""))
    buffered = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
    return buffered if "b" in mode else io.TextIOWrapper(buffered, encoding="utf-8")
