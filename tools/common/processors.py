"""Which processors each game at a time gets for itself."""

import os
import sys

MOST_PROCESSES = 61 if sys.platform == "win32" else 1 << 20  # that one process can wait for at a time


def usable_processors():
    """The processors that this program may use, in order."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def processes_at_a_time(wanted):
    """So many processes, or as many as the system lets one process wait for."""
    return min(wanted, MOST_PROCESSES)


def parse_processors(text):
    """The processors that a list such as `0,2-5` names; all that are usable if it is empty."""
    usable = usable_processors()
    if not text:
        return usable
    named = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        if not (first.isdigit() and (last or first).isdigit()):
            raise ValueError(f"--affinity {text}: processors are listed like 0,2-5")
        named += range(int(first), int(last or first) + 1)
    if not set(named) <= set(usable):
        raise ValueError(f"--affinity {text}: usable are {', '.join(map(str, usable))}")
    return list(dict.fromkeys(named))


def shared_out(concurrency, threads, processors):
    """For each game at a time a set of processors of its own; ValueError if there are too few."""
    if concurrency * threads > len(processors):
        raise ValueError(
            f"{concurrency} games at a time on {threads} processors each are more than the {len(processors)} "
            "there are: lower --concurrency, or leave --affinity away"
        )
    return [set(processors[index * threads : (index + 1) * threads]) for index in range(concurrency)]
