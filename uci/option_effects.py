"""What changing an option does at once; an option that is missing here is read when it is needed.

An effect takes the session and the new value. A ValueError leaves the old value in force.
"""

from __future__ import annotations

import os

from bluekrait.uci.options.option_table import CLASSICAL, NETWORK, OPTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from bluekrait.search.evaluation.network.network_file import Head
    from bluekrait.uci.options.option_kinds import Option, OptionValue
    from bluekrait.uci.session import Session


def set_option(session: Session, option: Option, value: OptionValue) -> None:
    """Give an option a value, and do what follows from it."""
    if option.name in EFFECTS:
        EFFECTS[option.name](session, value)
    elif option not in OPTIONS and isinstance(value, int):
        session.engine.set_parameter(option.name, value)
    session.options.set(option.name, value)


def _set_chess960(session: Session, value: bool) -> None:
    session.engine.chess960 = value


def _set_threads(session: Session, count: int) -> None:
    session.engine.set_threads(count)


def _set_hash(session: Session, megabytes: int) -> None:
    session.engine.set_hash(megabytes)


def _clear_hash(session: Session, value: None) -> None:
    session.engine.clear_hash()


def _open_book(session: Session, path: str) -> None:
    from bluekrait.search.playing.book import Book

    try:
        session.book = Book(path) if path else None
    except OSError as error:
        raise ValueError(f"BookFile: {path}: {error.strerror}") from None


def _open_tablebases(session: Session, path: str) -> None:
    from bluekrait.search.syzygy.root_tables import Tablebase
    from bluekrait.search.syzygy.table_library import TableLibrary

    directories = [directory for directory in path.split(os.pathsep) if directory]
    if not directories:
        session.tablebase = None
        session.engine.set_tablebases(None)
        return
    library = TableLibrary(directories)
    session.tablebase = Tablebase(session.engine.entries, library, session.inform)
    session.engine.set_tablebases(library)
    session.inform(f"{len(library.files)} tables found, {library.distances} with distances")
    for problem in library.problems:
        session.inform(problem)


def _load_network(session: Session, path: str) -> None:
    from bluekrait.search.evaluation.network import default_network
    from bluekrait.search.evaluation.network.network_file import NetworkError, read_network

    try:
        network = read_network(path) if path else default_network.load()
    except NetworkError as error:
        name = path or "the network of the package"
        raise ValueError(f"EvalFile: {name}: {error}; the evaluation stays as it is") from None
    session.engine.set_network(network)
    session.options.set("Evaluation", NETWORK if network else CLASSICAL)
    if network and path:
        session.inform(f"EvalFile: {path}: {_description(network.head)}")


def _description(head: Head) -> str:
    buckets = f", {head.buckets} output buckets" if head.buckets > 1 else ""
    return f"{head.kind} network {head.name or 'without a name'}, {head.width} neurons a side{buckets}"


def _choose_evaluation(session: Session, name: str) -> None:
    if name == NETWORK and not session.engine.network:
        raise ValueError("Evaluation: no network is loaded; EvalFile loads one")
    session.engine.use_classical(name == CLASSICAL)
    session.options.set("Evaluation", name)


def _open_log(session: Session, path: str) -> None:
    session.open_log(path)


EFFECTS: dict[str, Callable[[Session, Any], None]] = {
    "UCI_Chess960": _set_chess960,
    "Threads": _set_threads,
    "Hash": _set_hash,
    "Clear Hash": _clear_hash,
    "BookFile": _open_book,
    "SyzygyPath": _open_tablebases,
    "EvalFile": _load_network,
    "Evaluation": _choose_evaluation,
    "Debug Log File": _open_log,
}
