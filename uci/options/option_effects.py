"""What changing an option does at once; what is missing here is looked up when it matters.

Each effect takes the room and the new value. A ValueError leaves the old value in force.
"""

import os

from bluekrait.uci.options.option_table import OPTIONS


def set_option(room, option, value):
    """Give an option a value, and do what follows from it."""
    if option.name in EFFECTS:
        EFFECTS[option.name](room, value)
    elif option not in OPTIONS:
        room.engine.set_parameter(option.name, value)
    room.options[option.name] = value


def _write_castling(room, value):
    room.engine.chess960 = value


def _use_threads(room, value):
    room.engine.set_threads(value)


def _use_memory(room, value):
    room.engine.set_hash(value)


def _clear_memory(room, value):
    room.engine.clear_hash()


def _open_book(room, path):
    from bluekrait.search.playing.book import Book

    try:
        room.book = Book(path) if path else None
    except OSError as error:
        raise ValueError(f"BookFile: {error}") from None


def _open_tablebase(room, path):
    from bluekrait.search.syzygy.files import Library
    from bluekrait.search.syzygy.root_tables import Tablebase

    directories = [directory for directory in path.split(os.pathsep) if directory]
    room.tablebase = Tablebase(directories) if directories else None
    library = Library(directories) if directories else None
    room.engine.set_tables(library)
    if directories:
        room.say_info(f"{room.tablebase.count} tables found")
        for problem in (*room.tablebase.problems, *library.unreadable):
            room.say_info(problem)


def _look_for_network(room, path):
    if path:
        room.say_info("EvalFile: this version evaluates without a network")


def _keep_log(room, path):
    room.keep_log(path)


EFFECTS = {
    "UCI_Chess960": _write_castling,
    "Threads": _use_threads,
    "Hash": _use_memory,
    "Clear Hash": _clear_memory,
    "BookFile": _open_book,
    "SyzygyPath": _open_tablebase,
    "EvalFile": _look_for_network,
    "Debug Log File": _keep_log,
}
