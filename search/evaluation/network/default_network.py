"""The network that ships with the engine, if there is one."""

from __future__ import annotations

from os.path import dirname, join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bluekrait.search.evaluation.network.network_file import Network

FILE_NAME = "default.bknn"


def content() -> bytes | None:
    """The content of its file, None if this package carries none."""
    loader: Any = __spec__.loader  # also where the package is an archive
    try:
        return loader.get_data(join(dirname(__file__), FILE_NAME))
    except OSError:
        return None


def load() -> Network | None:
    """The network, None if this package carries none."""
    from bluekrait.search.evaluation.network.network_file import unpack  # not needed to name the options

    found = content()
    return None if found is None else unpack(found)
