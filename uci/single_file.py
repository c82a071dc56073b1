"""The single file that `make` builds, where that is what this program runs from."""

from __future__ import annotations

from bluekrait.core.compiler.stamps import stamp_of

REPLACED = "the file of the engine was replaced or moved while it ran, start it again"

_path: str = getattr(__spec__.loader, "archive", "")  # an archive; empty if the modules are files


def _identity() -> tuple[int, ...]:
    """What tells the file from another; not when its permissions were changed."""
    size, written, _, number = stamp_of(_path) or (0, 0, 0, 0)
    return size, written, number


_started_from = _identity()


def is_single_file() -> bool:
    """True in the single file: it has an environment of its own, in which nobody installs."""
    return bool(_path)


def was_replaced() -> bool:
    """True if the file is not the one that was started: what is imported late is not found in it."""
    return is_single_file() and _identity() != _started_from
