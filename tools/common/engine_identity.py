"""Which engine played: heads of data files name it, so that generations of data can be told apart."""

from collections.abc import Mapping
from typing import Any

from bluekrait.core.compiler.sources import digest_of
from bluekrait.search.self_play.players.player import ENTRIES_MODULE
from bluekrait.uci import __version__
from bluekrait.uci.exits import tell


def engine_identity() -> dict[str, str]:
    """The version, and a digest of all sources that self-play is compiled from."""
    return {"bluekrait": __version__, "sources": digest_of(ENTRIES_MODULE)}


def warn_of_another_engine(head: Mapping[str, Any], name: str, program: str) -> None:
    """Print a warning if a file was begun by an engine compiled from other sources."""
    begun, now = head.get("sources"), engine_identity()["sources"]
    if begun not in (None, now):
        tell(f"{program}: {name} was begun by another engine (sources {begun}, now {now})")
