"""What changing an option does at once; what is missing here is looked up when it matters.

Each effect takes the room and the new value. A ValueError leaves the old value in force.
"""


def _write_castling(room, value):
    room.engine.chess960 = value


def _use_threads(room, value):
    room.engine.set_threads(value)


def _use_memory(room, value):
    room.engine.set_hash(value)


def _forget(room, value):
    room.engine.new_game()


def _keep_log(room, value):
    room.keep_log(value)


def _look_for_network(room, value):
    if value:
        room.say_info("EvalFile: this version evaluates without a network")


EFFECTS = {
    "UCI_Chess960": _write_castling,
    "Threads": _use_threads,
    "Hash": _use_memory,
    "Clear Hash": _forget,
    "Debug Log File": _keep_log,
    "EvalFile": _look_for_network,
}
