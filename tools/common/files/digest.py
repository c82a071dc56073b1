"""Short digests: whether two contents are the same, in a few letters for heads of files and journals."""

from hashlib import sha256
from pathlib import Path

DIGITS = 16  # of a SHA-256, hexadecimal


def digest(content: bytes) -> str:
    """The digest of a content."""
    return sha256(content).hexdigest()[:DIGITS]


def file_digest(path: str | Path) -> str:
    """The same of what a file holds, which is not read as a whole."""
    whole = sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            whole.update(block)
    return whole.hexdigest()[:DIGITS]
