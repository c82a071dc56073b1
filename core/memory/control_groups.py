"""How much memory Linux lets this process have: less than the machine has, in a container.

A process belongs to a control group, which may have a limit of its own, and so may the groups around it.
`/proc/self/cgroup` names the group. A container sees its own group as the root of all files.
"""

from functools import cache

ROOTS_AND_FILES = {  # by the name of the controller: where groups are folders, and what holds the limit
    "": ("/sys/fs/cgroup", "memory.max"),  # version 2 has one hierarchy for all controllers, without a name
    "memory": ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
}
GROUPS_OF_THIS_PROCESS = "/proc/self/cgroup"


@cache
def memory_limit() -> int | None:
    """Bytes of memory that the groups of this process may use, as it was first read; None without a limit."""
    limits = [_number_in(path) for line in _lines_of(GROUPS_OF_THIS_PROCESS) for path in _files_for(line)]
    return min((limit for limit in limits if limit is not None), default=None)


def _files_for(line: str) -> list[str]:
    """The files with the limits of a group and of those around it; `line` is `number:controllers:path`."""
    _, controllers, path = line.split(":", 2)
    names = path.strip("/").split("/")
    return [
        "/".join([root, *names[:depth], file])
        for controller, (root, file) in ROOTS_AND_FILES.items()
        if controller in controllers.split(",")
        for depth in range(len(names) + 1)
    ]


def _lines_of(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read().splitlines()
    except OSError:
        return []


def _number_in(path: str) -> int | None:
    """The number that a file holds; None if there is none: without a limit it says `max`."""
    first = (_lines_of(path) or [""])[0].strip()
    return int(first) if first.isdecimal() else None
