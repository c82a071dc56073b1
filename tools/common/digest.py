"""Short digests: whether two contents are the same, in a few letters for heads of files and journals."""

from hashlib import sha256
from pathlib import Path

DIGITS = 16


class Digest:
    """The digest of a content that comes in parts."""

    def __init__(self) -> None:
        self._sum = sha256()

    def add(self, part: bytes) -> None:
        """The next part."""
        self._sum.update(part)

    def text(self) -> str:
        """The first hexadecimal digits of the SHA-256."""
        return self._sum.hexdigest()[:DIGITS]


def digest(content: bytes) -> str:
    """The digest of a content."""
    whole = Digest()
    whole.add(content)
    return whole.text()


def file_digest(path: str | Path) -> str:
    """The same of what a file holds, which is not read as a whole."""
    whole = Digest()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            whole.add(block)
    return whole.text()
