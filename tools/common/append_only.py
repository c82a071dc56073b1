"""Files that grow while work is done: one writer at a time, and nothing that was written is lost with it."""

from bluekrait.tools.common.file_lock import try_lock


def reserve(file):
    """Keep other processes from writing to an open file. A ValueError if one does."""
    if not try_lock(file):
        raise ValueError(f"{file.name} is being written by another process")


def write(file, data):
    """Hand some bytes over to the system, so that they outlive this process."""
    file.write(data)
    file.flush()


def agreed(begun, wishes, defaults, name):
    """The settings of work that was perhaps begun before: as it was begun, else as wished, else by default.

    A ValueError if a wish contradicts what the work was begun with. A wish that is None is none.
    """
    for key, wish in wishes.items():
        if key in begun and wish is not None and wish != begun[key]:
            raise ValueError(f"{name} was begun with --{key} {begun[key]}, not {wish}")
    return defaults | {key: wish for key, wish in wishes.items() if wish is not None} | begun
