"""Short digests: whether two contents are the same, in a few letters for heads of files and journals."""

from hashlib import sha256
from pathlib import Path

DIGITS = 16


def digest(content: bytes) -> str:
    """The first hexadecimal digits of the SHA-256."""
    return sha256(content).hexdigest()[:DIGITS]


def file_digest(path: str | Path) -> str:
    """The same of what a file holds, which is not read as a whole."""
    with open(path, "rb") as file:
        sum_so_far = sha256()
        while block := file.read(1 << 20):
            sum_so_far.update(block)
    return sum_so_far.hexdigest()[:DIGITS]
